/**
 * The panel under the plan, for each mode of the desk: what it is called, and what may be tapped.
 *
 * A panel is { heading, place, items, chips, form, targets }: `place` is "1 of 2" of several
 * questions; `chips` are straddles, one tap each; `form` asks for something written; `targets` are
 * the seats that may be tapped now as an answer.
 * An item is as in strip.js, or has `set` (a setting to turn over) or `back`.
 */
import { seatPicture } from "../shared/picture.js";
import { amount, price, say } from "../shared/words.js";
import { sentenceName, shortened } from "./plan-words.js";
import { allowedEntry } from "./primary.js";
import { questionItems, straddleItems, stripItems } from "./strip.js";

const PRESETS = ["caro-cooke", "robert", "california", "las-vegas", "wsop-live", "pot-limit", "tournament"];
const DEBTS = { nothing: {}, small: { small: true }, both: { big: true, small: true } };

export const EMPTY_PANEL = Object.freeze({
  heading: "",
  place: "",
  items: [],
  chips: [],
  form: null,
  targets: [],
});

/** `context` = { rights, settings, questions: [seats with an open one, oldest first] } */
export function panel(mode, view, context) {
  return { ...EMPTY_PANEL, ...build(mode, view, context) };
}

function build(mode, view, context) {
  const { seat } = mode;
  switch (mode.kind) {
    case "plan":
      return planPanel(view, context);
    case "seat":
      return { heading: stripHeading(view, seat), items: stripItems(view, seat, context) };
    case "move":
      return movePanel(view, seat);
    case "button":
      return buttonPanel(view, context);
    case "acted":
      return actedPanel(seat);
    case "preview":
      return mode.panel;
    case "unposted":
      return { heading: say("unposted_at", who(view, seat)), items: unpostedItems(seat) };
    case "adopt":
      return adoptPanel(mode);
    case "more":
      return { heading: say("more_title"), items: moreItems(view, context) };
    case "house":
      return { heading: say("house_title"), items: houseItems() };
    case "form":
      return { heading: say(`form.${mode.what}`, { seat }), form: formOf(mode, view), items: [backItem()] };
    default: // "rule" and "keys" are drawn by elements of their own.
      return {};
  }
}

function movePanel(view, seat) {
  const targets = moves(view, seat).flatMap(({ to }) => to);
  return { heading: say("move_at", who(view, seat)), items: [backItem()], targets };
}

function moves(view, seat) {
  return (view.allowed ?? []).filter((entry) => entry.type === "change_seat" && entry.seat === seat);
}

/** Whether he may say there how he comes in: then the new seat is asked about next. */
export function asksAfterMove(view, seat, to) {
  return moves(view, seat).some((entry) => entry.choices && entry.to.includes(to));
}

function who(view, seat) {
  return { seat, name: sentenceName(view, seat) };
}

function backItem() {
  return { id: "back", label: say("back_to_plan"), detail: "", back: true };
}

function planPanel(view, { questions }) {
  const chips = straddleItems(view);
  const [seat] = questions;
  const open = view.plan?.questions?.find((question) => question.seat === seat);
  if (open === undefined) return { chips };
  const place = say("question_place", { place: 1, all: questions.length });
  return {
    heading: say("question_at", who(view, seat)),
    place: questions.length > 1 ? place : "",
    question: seat,
    items: questionItems(open),
    chips,
  };
}

function stripHeading(view, seat) {
  const held = view.seats?.[seat]?.held_for;
  if (view.seats?.[seat]?.player) return withDebt(view, seat);
  if (held) return say("strip_held", { seat, name: shortened(held) });
  const locked = (view.seats?.[seat]?.marks ?? []).includes("lock_up");
  return say(locked ? "strip_held_nobody" : "strip_empty", { seat });
}

function withDebt(view, seat) {
  const heading = say("strip_at", who(view, seat));
  const { stack, forecast } = view.seats[seat];
  const { owes } = seatPicture(view, seat);
  const told = [heading];
  if (owes) told.push(say("strip_owes", { amount: price(owes.live, owes.dead) }));
  if (forecast?.big !== undefined) told.push(bigWords(forecast.big));
  if (stack !== undefined) told.push(say("strip_stack", { amount: amount(stack) }));
  return told.join(" · ");
}

function bigWords(count) {
  return count === 0 ? say("big_now") : say("big_in", { count });
}

/** Once the first card is out only the floor puts the button right. */
function buttonPanel(view, { rights }) {
  if (view.phase === "in_hand" && rights !== "floor") {
    return { heading: say("button_floor"), items: [backItem()] };
  }
  const draws = allowedEntry(view, "start_game");
  const entry = view.phase === "no_game" ? draws : allowedEntry(view, "correct_button");
  const heading = say(view.phase === "no_game" ? "button_draw" : "button_where");
  return { heading, items: [backItem()], targets: entry?.to ?? [] };
}

/** What a tap on a seat means while "Button is…" is open. */
export function buttonCommand(view, seat) {
  return view.phase === "no_game"
    ? { type: "start_game", button: seat }
    : { type: "correct_button", button: seat };
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

function unpostedItems(seat) {
  const report = (id, looked, action) => ({
    id: `unposted ${id}`,
    label: say(`unposted.${id}`),
    detail: "",
    send: [{ type: "report_unposted", seat, looked, action }],
    then: { kind: "seat", seat },
  });
  return [report("clean", false, false), report("looked", true, false), report("action", false, true), backItem()];
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

function moreItems(view, { rights, settings }) {
  const item = (id, detail, rest) => ({ id, label: say(`more.${id}`), detail, ...rest });
  const items = [];
  if (allowedEntry(view, "misdeal")) {
    const detail = say("more.misdeal_detail", { hand: view.plan?.hand ?? view.hand });
    items.push(item("misdeal", detail, { send: [{ type: "misdeal" }] }));
  }
  if (allowedEntry(view, "start_game") && view.phase !== "no_game") {
    items.push(item("start_game", "", { send: [{ type: "start_game" }] }));
  }
  if (allowedEntry(view, "adopt_game")) {
    items.push(item("adopt_game", say("more.adopt_game_detail"), { ask: { kind: "adopt" } }));
  }
  if (allowedEntry(view, "join_list")) {
    items.push(item("join_list", "", { ask: { kind: "form", what: "join_list" } }));
  }
  if (rights === "floor" && allowedEntry(view, "set_house")) {
    items.push(item("house", "", { ask: { kind: "house" } }));
    items.push(item("stakes", "", { ask: { kind: "form", what: "set_stakes" } }));
  }
  const turned = (key) => item(key, say(settings[key] ? "on" : "off"), { set: key, pressed: settings[key] });
  items.push(turned("left_handed"), turned("far_side"), turned("shortcuts"));
  items.push(item("keys", "", { ask: { kind: "keys" } }));
  if (allowedEntry(view, "close_table")) items.push(item("close_table", "", { send: [{ type: "close_table" }] }));
  return items;
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
function formOf({ what, seat }, view) {
  const label = say(`form.${what}`, { seat });
  const kind = { set_stack: "number", set_stakes: "stakes" }[what] ?? "text";
  const value = what === "rename" ? (view.seats?.[seat]?.name ?? "") : "";
  const submits =
    what === "set_owes"
      ? Object.keys(DEBTS).map((id) => ({ id, label: say(`seat.owes_${id}`) }))
      : [{ id: "ok", label: say("form.ok") }];
  return { key: `${what} ${seat ?? ""}`, label, kind, value, submits };
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
