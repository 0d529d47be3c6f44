/** What the one big control does, and what undo would take back: both follow the view. */
import { addWords, hasWords, say } from "../shared/words.js";
import english from "../shared/words/en-staff.js";

addWords(english);

/** The first entry of the view's `allowed` of that type, and seat where one is given. */
export function allowedEntry(view, type, seat) {
  return (view.allowed ?? []).find(
    (entry) => entry.type === type && (seat === undefined || entry.seat === seat),
  );
}

/**
 * → { label, detail, command } of the primary, `command` null where it can do nothing; `detail`
 * then says why. `shuffles`: the room taps each shuffle.
 */
export function primary(view, { shuffles = false } = {}) {
  const hand = view.plan?.hand ?? view.hand ?? 0;
  if (allowedEntry(view, "end_hand")) {
    return act({ type: "end_hand" }, say("do.end_hand"), say("primary_hand", { hand }));
  }
  const deal = allowedEntry(view, "deal");
  if (deal && shuffles && allowedEntry(view, "shuffle")) {
    return act({ type: "shuffle" }, say("do.shuffle"), say("primary_hand", { hand }));
  }
  if (deal) return act({ type: "deal" }, say("do.deal", { hand }), leftOut(view));
  if (allowedEntry(view, "start_game")) return act({ type: "start_game" }, say("do.start_game"), "");
  return act(null, say("primary_nothing"), view.phase === "closed" ? "" : (view.plan?.none?.text ?? ""));
}

function act(command, label, detail) {
  return { command, label, detail };
}

/** An unanswered question blocks nothing: those seats are not dealt, and the button says so. */
function leftOut(view) {
  const dealt = new Set(view.plan?.dealt ?? []);
  const seats = (view.plan?.questions ?? []).map(({ seat }) => seat).filter((seat) => !dealt.has(seat));
  if (seats.length === 0) return "";
  return say("deal_without", { count: seats.length, seats: seats.join(", ") });
}

/** Only the floor may go back past the end of a hand. */
const FLOORS_UNDO = "end_hand";

/** → { label, detail, command }: undo, by the name of what it takes back. */
export function undo(view, { rights = "dealer" } = {}) {
  const entry = allowedEntry(view, "undo");
  if (entry === undefined) return act(null, say("undo"), say("undo_nothing"));
  const label = say("undo_of", { what: undoWords(entry.of ?? {}) });
  if (entry.of?.type === FLOORS_UNDO && rights !== "floor") return act(null, label, say("undo_floor"));
  return act({ type: "undo" }, label, "");
}

export function undoWords(of) {
  const key = `undo.${of.type}`;
  if (!hasWords(key)) return say("undo.other");
  const chosen = `chosen.${of.choice}`;
  return say(key, { ...of, choice: hasWords(chosen) ? say(chosen) : of.choice });
}
