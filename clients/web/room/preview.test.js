import assert from "node:assert/strict";
import { test } from "node:test";
import { previewPanel, previewWords } from "./preview.js";
import "./room-words.js";

function view(button, small, big, owes = {}) {
  const seats = { 1: { player: "ann", name: "Ann" }, 4: { player: "dan", name: "Dan" } };
  for (const [seat, debt] of Object.entries(owes)) Object.assign(seats[seat], { owes: { big: true }, debt });
  const posts = [
    { seat: small, kind: "small", live: 5 },
    { seat: big, kind: "big", live: 10 },
  ];
  return { table: "t7", seat_count: 6, stakes: { small: 5, big: 10 }, seats, plan: { button, posts } };
}

const plan = (...discs) => view(...discs).plan;

test("every disc that moves is named with where it lay, and that nobody owes", () => {
  assert.equal(
    previewWords(view(3, 5, 6), plan(2, 4, 5)),
    "Button moves from 3 to 2; Small moves from 5 to 4; Big moves from 6 to 5; nobody owes.",
  );
});

test("who owes is named with the price", () => {
  const owed = view(3, 5, 6, { 4: { live: 10, dead: 5 } });
  assert.equal(previewWords(owed, plan(3, 5, 4)), "Big moves from 6 to 4; Dan owes 10+5.");
});

test("where no disc moves in this hand, the server's ruling says what happens", () => {
  const rulings = [{ text: "The hand stands; the next goes on from the button at Ann." }];
  assert.equal(
    previewWords(view(3, 5, 6), plan(3, 5, 6), rulings),
    "The hand stands; the next goes on from the button at Ann; nobody owes.",
  );
});

test("what is refused can only be let be, and what nobody could foretell may still be sent", () => {
  const command = { type: "correct_button", button: 2 };
  const refused = previewPanel(command, view(3, 5, 6), { refused: { message: "Nobody sits there." } });
  assert.deepEqual([refused.heading, refused.items.map(({ id }) => id)], ["Nobody sits there.", ["back"]]);
  const unknown = previewPanel(command, view(3, 5, 6), null);
  assert.deepEqual(unknown.items.map(({ id }) => id), ["do", "back"]);
  assert.deepEqual(unknown.items[0].send, [command]);
});
