/** What putting the button right would come to, in a sentence: from a view and the one after it. */
import { picture } from "../shared/picture.js";
import { price, say } from "../shared/words.js";

const DISCS = ["button", "small", "big"];

/**
 * The desk's panel about a command not yet sent. `answer` is the server's { view, events } or {
 * refused }, or null where it gave none: then it may be sent all the same.
 */
export function previewPanel(command, before, answer) {
  const back = { id: "back", label: say("back_to_plan"), detail: "", back: true };
  if (answer?.refused) return { heading: answer.refused.message, items: [back] };
  const go = { id: "do", label: say("preview_do", { seat: command.button }), detail: "", send: [command] };
  const rulings = answer?.events.flatMap((event) => event.rulings ?? []);
  const heading = answer ? previewWords(before, answer.view, rulings) : say("preview_unknown");
  return { heading, items: [go, back] };
}

/** "Big moves from 6 to 5; nobody owes." `rulings` are what the server says of it. */
export function previewWords(before, after, rulings = []) {
  const moves = DISCS.flatMap((kind) => moved(kind, seatsOf(before, kind), seatsOf(after, kind)));
  const told = moves.length ? moves : rulings.map(({ text }) => text.replace(/\.$/, ""));
  return `${[...told, ...debts(before, after)].join("; ")}.`;
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

/** Who would owe what from then on that he does not owe now, and who would owe nothing more. */
function debts(before, after) {
  const now = owing(before);
  const then = owing(after);
  if (then.size === 0) return [say("preview_nobody_owes")];
  const more = [...then].filter(([name, chips]) => now.get(name) !== chips);
  const less = [...now.keys()].filter((name) => !then.has(name));
  const told = [
    ...more.map(([name, chips]) => say("preview_owes", { name, amount: chips })),
    ...less.map((name) => say("preview_owes_nothing", { name })),
  ];
  return told.length ? told : [say("preview_same_owe")];
}

function owing(view) {
  const seats = picture(view).seats.filter(({ owes }) => owes !== null);
  return new Map(seats.map(({ name, owes }) => [name, price(owes.live, owes.dead)]));
}
