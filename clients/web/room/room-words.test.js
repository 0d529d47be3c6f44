import assert from "node:assert/strict";
import test from "node:test";

import { ageWords, discsOf, entryWords, handsOf, stakesOf, touches } from "./room-words.js";

const DEAL = {
  command: { type: "deal" },
  events: [
    { type: "blind_missed", seat: 4, rulings: [{ rule: "missed-blinds", seats: [4, 5], text: "Dan missed it." }] },
    {
      type: "hand_dealt",
      plan: {
        hand: 142,
        posts: [{ seat: 6, kind: "big", live: 10, dead: 0 }],
        rulings: [{ rule: "posting-blinds", seats: [5, 6], text: "Button Eve, big blind Fay." }],
      },
    },
  ],
};

test("a commit touches the seats it names, that post, or that a ruling is about", () => {
  assert.ok(touches(DEAL, 4));
  assert.ok(touches(DEAL, 6));
  assert.ok(!touches(DEAL, 1));
  assert.ok(touches({ command: { type: "change_seat", seat: 2, to: 9 } }, 9));
});

test("a seat's line has only the rulings about it, and what it posts", () => {
  const { what, why, posts } = entryWords(DEAL, 6);
  assert.equal(what, "Deal hand 142");
  assert.deepEqual(
    why.map(({ rule }) => rule),
    ["posting-blinds"],
  );
  assert.equal(posts, "Big 10");
});

test("a commit belongs to the last hand dealt, and what came before the first seen to the one before", () => {
  const dealt = (hand) => ({ events: [{ type: "blind_missed" }, { type: "hand_dealt", plan: { hand } }] });
  const other = { events: [{ type: "sat_out", seat: 4 }] };
  assert.deepEqual(handsOf([other, dealt(142), other, other, dealt(143), {}]), [141, 142, 142, 142, 143, 143]);
  assert.deepEqual(handsOf([other, dealt(1), other]), [0, 1, 1]);
  assert.deepEqual(handsOf([other, {}]), [0, 0]);
  assert.deepEqual(handsOf([]), []);
});

test("an undo names what it took back", () => {
  const undo = { command: { type: "undo" }, events: [{ type: "undone", back: { of: { type: "sit_out", seat: 4 } } }] };
  assert.equal(entryWords(undo, 0).what, "Taken back: seat 4 away");
});

test("an age is as exact as it is young", () => {
  assert.deepEqual([40_000, 80_000, 12 * 60_000, 3 * 3_600_000].map(ageWords), ["40 s", "1:20", "12 min", "3 h"]);
});

test("a card's letters say where the discs are, two big blinds too", () => {
  const posts = [
    { seat: 5, kind: "small" },
    { seat: 6, kind: "big" },
    { seat: 7, kind: "big" },
  ];
  assert.equal(discsOf({ button: 4, posts }), "D4 S5 B6+7");
  assert.equal(stakesOf({ blinds: [{ at: 1, amount: 5 }, { at: 2, amount: 10 }] }), "5/10");
});
