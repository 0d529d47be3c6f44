/** What putting the button right would come to, in a sentence: from a view and the plan after it. */
import { backItem } from "../dealer/panels.js";
import { picture } from "../shared/picture.js";
import { price, say } from "../shared/words.js";

const DISCS = ["button", "small", "big"];

/**
 * The desk's panel about a command not yet sent. `answer` is the server's { plan, events } or {
 * refused }, or null where it gave none: then it may be sent all the same.
 */
export function previewPanel(command, view, answer) {
  const back = backItem();
  if (answer?.refused) return { heading: answer.refused.message, items: [back] };
  const go = { id: "do", label: say("preview_do", { seat: command.button }), detail: "", send: [command] };
  const rulings = answer?.events.flatMap((event) => event.rulings ?? []);
  const heading = answer ? previewWords(view, answer.plan, rulings) : say("preview_unknown");
  return { heading, items: [go, back] };
}

/** "Big moves from 6 to 5; nobody owes." `rulings` are what the server says of it. */
export function previewWords(view, plan, rulings = []) {
  const after = { ...view, plan };
  const moves = DISCS.flatMap((kind) => moved(kind, seatsOf(view, kind), seatsOf(after, kind)));
  const told = moves.length ? moves : rulings.map(({ text }) => text.replace(/\.$/, ""));
  return `${[...told, ...debts(view)].join("; ")}.`;
}

function moved(kind, from, to) {
  if (from === to) return [];
  return [say("preview_moves", { what: say(kind), from: from || say("nobody"), to: to || say("nobody") })];
}

function seatsOf(view, kind) {
  const { button, seats } = picture(view);
  if (kind === "button") return button ? String(button) : "";
  return seats
    .filter(({ discs }) => discs.some((disc) => disc.kind === kind && !disc.dead))
    .map(({ seat }) => seat)
    .join(", ");
}

/** Who owes what when the button has been put right: that alone lays no missed blind button. */
function debts(view) {
  const seats = picture(view).seats.filter(({ owes }) => owes !== null);
  if (seats.length === 0) return [say("preview_nobody_owes")];
  return seats.map(({ name, owes }) => say("preview_owes", { name, amount: price(owes.live, owes.dead) }));
}
