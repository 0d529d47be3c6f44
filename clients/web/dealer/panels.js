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
import { offerItems, straddleItems, stripItems } from "./strip.js";

export const EMPTY_PANEL = Object.freeze({
  heading: "",
  place: "",
  items: [],
  chips: [],
  form: null,
  targets: [],
});

// What is seldom wanted is fetched when it first is.
const RARE = new Set(["acted", "adopt", "form", "house"]);
let rare = null;

/** Have what that mode's panel is made of. → the module of the rare ones, or null. */
export async function ready({ kind }) {
  if (RARE.has(kind)) rare ??= await import("./rare-panels.js");
  return rare;
}

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
      return movePanel(view, mode);
    case "button":
      return buttonPanel(view, context);
    case "preview":
      return mode.panel;
    case "unposted":
      return { heading: say("unposted_at", who(view, seat)), items: unpostedItems(seat) };
    case "more":
      return { heading: say(context.maySleep ? "may_sleep" : "more"), items: moreItems(view, context) };
    default: // "rule" and "keys" are drawn by elements of their own.
      return RARE.has(mode.kind) && rare ? rare.build(mode, view) : {};
  }
}

/** Which seat he moves to; then, where that leaves him a choice, how he comes in `to` there. */
function movePanel(view, { seat, to }) {
  const moves = (view.allowed ?? []).filter((entry) => entry.type === "change_seat" && entry.seat === seat);
  if (to === undefined) {
    const targets = moves.flatMap((entry) => entry.to);
    return { heading: say("move_at", who(view, seat)), items: [backItem()], targets };
  }
  const items = offerItems({ type: "change_seat", seat, to }, movePrices(view, seat, to));
  const heading = say("move_how", { ...who(view, seat), to });
  return { heading, question: seat, items: [...items, backItem()], targets: [to] };
}

/** What each way to come in costs there: empty where a move leaves no choice. */
export function movePrices(view, seat, to) {
  return view.moves?.find((move) => move.seat === seat && move.to.includes(to))?.choices ?? [];
}

function who(view, seat) {
  return { seat, name: sentenceName(view, seat) };
}

export function backItem() {
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
    items: offerItems({ type: "choose", seat }, open.choices),
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
