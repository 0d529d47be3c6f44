import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { fittingName } from "./names.js";
import { picture, rulings } from "./picture.js";

const fixture = (name) =>
  JSON.parse(readFileSync(new URL(`./testing/fixtures/${name}.json`, import.meta.url), "utf8"));
const seat = (name, number) => picture(fixture(name)).seats[number - 1];

test("discs lie where the plan puts them", () => {
  const discs = picture(fixture("ten")).seats.flatMap(({ seat: number, discs: held }) =>
    held.map(({ kind }) => [number, kind]),
  );
  assert.deepEqual(discs, [
    [3, "button"],
    [5, "small"],
    [6, "big"],
  ]);
});

test("heads-up the button has the small blind too", () => {
  assert.deepEqual(
    seat("heads-up", 1).discs.map(({ kind }) => kind),
    ["button", "small"],
  );
});

test("a dead blind is a dead disc at an empty seat", () => {
  const dead = seat("dead-small", 4);
  assert.equal(dead.taken, false);
  assert.deepEqual(dead.discs, [{ kind: "small", dead: true }]);
});

test("a debt is priced by the stakes", () => {
  assert.deepEqual(seat("ten", 4).owes, { big: true, small: true, live: 10, dead: 5 });
  const small = fixture("ten");
  small.seats[4].owes = { small: true };
  assert.deepEqual(picture(small).seats[3].owes, { big: false, small: true, live: 0, dead: 5 });
});

test("one ante is its seat's; an ante of everybody's is the table's", () => {
  const view = fixture("normal");
  view.plan.posts.push({ seat: 5, kind: "ante", live: 0, dead: 10 });
  assert.equal(picture(view).ante, 0);
  assert.equal(picture(view).seats[4].posts.length, 2);
  view.plan.posts.push({ seat: 6, kind: "ante", live: 0, dead: 10 });
  assert.equal(picture(view).ante, 10);
  assert.equal(picture(view).seats[4].posts.length, 1);
});

test("who is not dealt says why", () => {
  assert.equal(seat("ten", 9).dealt, false);
  assert.equal(seat("ten", 9).why, "new");
  assert.equal(seat("ten", 9).question, true);
  assert.equal(seat("ten", 1).dealt, true);
});

test("an empty table has all its seats and no hand", () => {
  const empty = picture(fixture("empty"));
  assert.equal(empty.seats.length, 9);
  assert.equal(empty.none.text, "Needs two players to start a game.");
  assert.equal(empty.seats[0].dealt, null);
});

test("the newest commit's rulings come before the plan's, and none twice", () => {
  const view = fixture("ten");
  const news = [{ type: "sat_in", rulings: [{ rule: "heads-up", seats: [1], text: "A." }] }];
  assert.deepEqual(
    rulings(view, news).map(({ rule }) => rule),
    ["heads-up", "missed-blinds", "no-dead-button"],
  );
  const dealt = [{ type: "hand_dealt", rulings: view.plan.rulings }];
  assert.deepEqual(
    rulings(view, dealt).map(({ rule }) => rule),
    ["missed-blinds", "no-dead-button"],
  );
});

test("a corrected button is known for the hand", () => {
  assert.equal(picture(fixture("corrected")).corrected, true);
  assert.equal(picture(fixture("in-hand")).corrected, false);
});

const within = (most) => (text) => Array.from(new Intl.Segmenter().segment(text)).length <= most;

test("a long name is shortened at a word, then by its first name, then with a full stop", () => {
  assert.equal(fittingName("Ann", within(10)), "Ann");
  assert.equal(fittingName("Konstantin Wolff", within(20)), "Konstantin Wolff");
  assert.equal(fittingName("Konstantin Wolff", within(13)), "Konstantin W.");
  assert.equal(fittingName("Konstantin Wolff", within(10)), "Konstantin");
  assert.equal(fittingName("Konstantin Wolff", within(7)), "Konsta.");
  assert.equal(fittingName("x".repeat(200), within(10)), `${"x".repeat(9)}.`);
  assert.equal(fittingName("Konstantin", within(0)), "K.");
  assert.equal(fittingName("", within(3)), "");
});

test("letters made of several code points are not cut apart", () => {
  const family = "👩‍👩‍👧‍👦";
  assert.equal(fittingName(family.repeat(6), within(4)), `${family.repeat(3)}.`);
});
