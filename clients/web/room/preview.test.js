import assert from "node:assert/strict";
import { test } from "node:test";
import { previewWords } from "./preview.js";
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

test("every disc that moves is named with where it lay, and that nobody owes", () => {
  assert.equal(
    previewWords(view(3, 5, 6), view(2, 4, 5)),
    "Button moves from 3 to 2; Small moves from 5 to 4; Big moves from 6 to 5; nobody owes.",
  );
});

test("who comes to owe, and who no longer does, is named with the price", () => {
  const after = view(3, 5, 6, { 4: { live: 10, dead: 5 } });
  assert.equal(previewWords(view(3, 5, 4), after), "Big moves from 4 to 6; Dan owes 10+5.");
  const freed = view(3, 5, 4, { 1: { live: 10, dead: 0 } });
  const both = view(3, 5, 4, { 1: { live: 10, dead: 0 }, 4: { live: 10, dead: 5 } });
  assert.equal(previewWords(both, freed, [{ text: "It is put right." }]), "It is put right; Dan owes nothing.");
});

test("where no disc moves in this hand, the server's ruling says what happens", () => {
  const rulings = [{ text: "The hand stands; the next is dealt from seat 3." }];
  const owed = { 4: { live: 10, dead: 5 } };
  assert.equal(
    previewWords(view(3, 5, 6, owed), view(3, 5, 6, owed), rulings),
    "The hand stands; the next is dealt from seat 3; who owes stays as it is.",
  );
});
