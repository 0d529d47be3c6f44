import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { ownSeat } from "./own-seat.js";

const view = (name) =>
  JSON.parse(readFileSync(new URL(`./testing/fixtures/${name}.json`, import.meta.url), "utf8"));

test("a calm seat says dealt in, its place, and when the big blind comes", () => {
  const own = ownSeat(view("seat-calm"), 9);
  assert.equal(own.headline, "Dealt in");
  assert.equal(own.detail, "lojack · big blind in 3 hands");
  assert.deepEqual(
    own.wishes.map(({ kind }) => kind),
    ["sit_out", "straddle", "leave"],
  );
});

test("a question says what is owed, and every choice its price and its wait", () => {
  const own = ownSeat(view("seat-question"), 9);
  assert.equal(own.headline, "You owe 15");
  assert.deepEqual(
    own.choices.map(({ label, price, wait }) => [label, price, wait]),
    [
      ["Post 10+5", "10 plays · 5 to the middle", "next hand"],
      ["Wait for big", "10 plays", "in 6 hands"],
      ["Behind the button", "10 plays · 5 to the middle", "in 1 hand"],
    ],
  );
  assert.deepEqual(own.choices[0].command, { type: "choose", seat: 9, choice: "post" });
});

test("who posts sees one disc and the amount", () => {
  const own = ownSeat(view("seat-big"), 5);
  assert.equal(own.headline, "You post 10");
  assert.deepEqual(own.disc, { kind: "big", dead: false });
});

test("in a hand, what counts only from the next one says so", () => {
  const inHand = { ...view("seat-calm"), phase: "in_hand" };
  const notes = ownSeat(inHand, 9).wishes.map(({ kind, note }) => [kind, note]);
  assert.deepEqual(notes, [
    ["sit_out", "from the next hand"],
    ["straddle", ""],
    ["leave", "from the next hand"],
  ]);
});

test("sitting out at the next big blind is its own wish", () => {
  const wished = view("seat-calm");
  wished.own.allowed.push({ type: "sit_out", seat: 9, at: "next_big_blind" });
  const { command } = ownSeat(wished, 9).wishes.find(({ kind }) => kind.endsWith("next_big_blind"));
  assert.deepEqual(command, { type: "sit_out", seat: 9, at: "next_big_blind" });
});

test("another seat's question and commands are not this player's", () => {
  const own = ownSeat(view("seat-question"), 4);
  assert.deepEqual(own.choices, []);
  assert.deepEqual(own.wishes, []);
});

test("away, owing: what he owes and that he is away", () => {
  const own = ownSeat(view("seat-away"), 4);
  assert.equal(own.headline, "You owe 15");
  assert.equal(own.detail, "Away · 10 plays · 5 to the middle");
});

test("an open seat, and a table without a hand", () => {
  assert.equal(ownSeat(view("empty"), 3).headline, "This seat is open");
  assert.equal(ownSeat(view("empty"), 3).plan, "Needs two players to start a game.");
});

const ANSWERS = [
  { choice: "post", live: 10, dead: 5, hands: 0 },
  { choice: "wait_big_blind", live: 10, dead: 0, hands: 6 },
];

test("an answer given is shown with its wait, and the others with their price until he is dealt in", () => {
  const seen = view("seat-question");
  delete seen.own.questions;
  seen.own.answers = [{ seat: 9, choices: ANSWERS }];
  seen.own.allowed = [{ type: "choose", seat: 9, choices: ["post"] }, { type: "leave", seat: 9 }];
  seen.seats[9].choice = "wait_big_blind";
  delete seen.seats[9].owes;
  const own = ownSeat(seen, 9);
  assert.equal(own.detail, "Wait for big · in 6 hands");
  const other = own.wishes.filter(({ kind }) => kind.startsWith("answer"));
  assert.deepEqual(
    other.map(({ label, note, command }) => [label, note, command]),
    [["Post 10+5", "next hand", { type: "choose", seat: 9, choice: "post" }]],
  );
});

test("a straddle says what it makes it to call", () => {
  const seen = view("seat-calm");
  seen.plan.raise_to = 20;
  const labels = ownSeat(seen, 9).wishes.map(({ label }) => label);
  assert.ok(labels.includes("Straddle 20"));
});
