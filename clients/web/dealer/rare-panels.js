/** The panels that are seldom wanted: something to write, catching up, house rules, how many acted. */
import { addWords, say } from "../shared/words.js";
import english from "../shared/words/en-rare.js";
import { backItem } from "./panels.js";

addWords(english);

const PRESETS = ["caro-cooke", "robert", "california", "las-vegas", "wsop-live", "pot-limit", "tournament"];
const DEBTS = { nothing: {}, small: { small: true }, both: { big: true, small: true } };

/** The panel of one of those modes, as `panel` in panels.js gives it. */
export function build(mode, view) {
  switch (mode.kind) {
    case "acted":
      return actedPanel(mode.seat);
    case "adopt":
      return adoptPanel(mode);
    case "house":
      return { heading: say("house_title"), items: houseItems() };
    default:
      return { heading: formLabel(mode), form: formOf(mode, view), items: [backItem()] };
  }
}

function formLabel({ what, seat }) {
  return say(`form.${what}`, { seat });
}

function actedPanel(seat) {
  const items = [0, 1, 2].map((acted) => ({
    id: `acted ${acted}`,
    label: say(`acted.${acted}`),
    detail: "",
    send: [{ type: "correct_button", button: seat, acted }],
  }));
  return { heading: say("button_acted", { seat }), items: [...items, backItem()] };
}

/** Hands that nobody entered: where the last one had its button, small and big. */
function adoptPanel({ button, small }) {
  if (button === undefined) return { heading: say("adopt_button"), items: [backItem()], anySeat: true };
  if (small === undefined) {
    const none = { id: "no small", label: say("adopt_no_small"), detail: "", ask: { kind: "adopt", button, small: 0 } };
    return { heading: say("adopt_small"), items: [none, backItem()], anySeat: true };
  }
  return { heading: say("adopt_big"), items: [backItem()], anySeat: true };
}

/** The next step of catching up after a tap on a seat: another mode, or the command. */
export function adoptStep({ button, small }, seat) {
  if (button === undefined) return { mode: { kind: "adopt", button: seat } };
  if (small === undefined) return { mode: { kind: "adopt", button, small: seat } };
  const command = { type: "adopt_game", button, big: seat };
  return { command: small ? { ...command, small } : command };
}

function houseItems() {
  const presets = PRESETS.map((rules) => ({
    id: `house ${rules}`,
    label: say(`rules.${rules}`),
    detail: "",
    send: [{ type: "set_house", rules }],
  }));
  return [...presets, backItem()];
}

/** → { key, label, kind: "text" | "number" | "stakes", value, submits: [{ id, label }] } */
function formOf(mode, view) {
  const { what, seat } = mode;
  const kind = { set_stack: "number", set_stakes: "stakes" }[what] ?? "text";
  const value = what === "rename" ? (view.seats?.[seat]?.name ?? "") : "";
  const submits =
    what === "set_owes"
      ? Object.keys(DEBTS).map((id) => ({ id, label: say(`seat.owes_${id}`) }))
      : [{ id: "ok", label: say("form.ok") }];
  return { key: `${what} ${seat ?? ""}`, label: formLabel(mode), kind, value, submits };
}

/** The command that a filled-in form gives. */
export function formCommand({ what, seat }, text, submit) {
  switch (what) {
    case "take_seat":
    case "lock_up":
      return { type: what, seat, player: text };
    case "rename":
      return { type: what, seat, name: text };
    case "set_stack":
      return { type: what, seat, stack: Number(text) };
    case "set_owes":
      return { type: what, seat, owes: DEBTS[submit], reason: text };
    case "set_stakes": {
      const [small, big] = text.split("/").map(Number);
      return { type: what, stakes: { small, big } };
    }
    default:
      return { type: what, player: text };
  }
}
