import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { picture } from "./picture.js";
import { discAmounts, seatAloud, statusWords } from "./seat-words.js";

const seat = (name, number) =>
  picture(
    JSON.parse(readFileSync(new URL(`./testing/fixtures/${name}.json`, import.meta.url), "utf8")),
  ).seats[number - 1];

test("amounts stand beside discs, and other posts are said in words", () => {
  assert.equal(discAmounts(seat("ten", 5)), "5");
  assert.equal(statusWords(seat("dead-small", 6)), "Straddle 20");
  assert.equal(statusWords(seat("dead-small", 9)), "Posts 10+5");
  assert.equal(statusWords(seat("dead-small", 4)), "Dead small");
});

test("away minutes are the server's, and never less than none", () => {
  const away = { ...seat("ten", 4), awaySinceMs: 1_000_000 };
  assert.equal(statusWords(away), "Away");
  assert.equal(statusWords(away, 1_000_000 + 12.9 * 60_000), "Away 12 min");
  assert.equal(statusWords(away, 0), "Away 0 min");
  assert.equal(
    seatAloud(away, 1_000_000 + 12.9 * 60_000),
    "Seat 4, Dan, away 12 minutes, owes 10 live and 5 dead",
  );
  assert.match(seatAloud(away, 1_000_000 + 60_000), /, away 1 minute,/);
});

test("who was picked up and kept his seat is absent, as the button at his seat says", () => {
  const absent = { ...seat("ten", 4), absent: true, awaySinceMs: 1_000_000 };
  assert.equal(statusWords(absent), "Absent");
  assert.equal(statusWords(absent, 1_000_000 + 3 * 60_000), "Absent 3 min");
});

test("a seat in one sentence", () => {
  assert.equal(
    seatAloud(seat("ten", 4)),
    "Seat 4, Dan, Away, owes 10 live and 5 dead",
  );
  assert.equal(seatAloud(seat("ten", 3)), "Seat 3, Cat, has the button");
  assert.equal(seatAloud(seat("ten", 5)), "Seat 5, Eve, Small 5");
  assert.equal(seatAloud(seat("ten", 8)), "Seat 8, Held");
  assert.equal(seatAloud(seat("ten", 9)), "Seat 9, Hal, Post or wait?");
  assert.equal(seatAloud(seat("empty", 1)), "Seat 1, Empty");
});

test("a kind of post that is newer than this screen shows as its amount", () => {
  const newer = { ...seat("ten", 1), posts: [{ kind: "bounty", live: 7, dead: 0, allIn: false }] };
  assert.equal(statusWords(newer), "7");
});
