import assert from "node:assert/strict";
import test from "node:test";

import { asked, compare, cut, EMPTY_FEED, isBehind, receive } from "./feed.js";

const snapshot = (offset, view = { hand: offset }, epoch = "e1") => ({
  type: "snapshot",
  table: "t",
  epoch,
  offset,
  view,
});
const delta = (offset, patch = { hand: offset }, epoch = "e1") => ({
  type: "delta",
  table: "t",
  epoch,
  offset,
  patch,
  events: [{ type: "deck_cut" }],
});
const live = { type: "live", table: "t", recovered: true };

/** The feed after messages in turn, and whether the last one asked to subscribe again. */
function after(...messages) {
  let outcome = { feed: asked(EMPTY_FEED), resubscribe: false };
  for (const message of messages) outcome = receive(outcome.feed, message);
  return outcome;
}

test("a snapshot and contiguous deltas give the view", () => {
  const { feed } = after(snapshot(4), live, delta(5), delta(6, { hand: 6, phase: "in_hand" }));
  assert.deepEqual(feed.view, { hand: 6, phase: "in_hand" });
  assert.deepEqual(feed.position, { epoch: "e1", offset: 6 });
  assert.equal(feed.live, true);
});

test("a delta that came before is ignored, whatever it says", () => {
  const { feed, resubscribe } = after(snapshot(4), live, delta(5), delta(5, { hand: 99 }), delta(3));
  assert.equal(feed.view.hand, 5);
  assert.equal(resubscribe, false);
});

test("a gap is not guessed over: the view stays, and a new subscribe is due", () => {
  const { feed, resubscribe } = after(snapshot(4), live, delta(6));
  assert.equal(feed.view.hand, 4);
  assert.equal(resubscribe, true);
});

test("a delta of another epoch is a gap, even at the next offset", () => {
  const { feed, resubscribe } = after(snapshot(4), live, delta(5, { hand: 5 }, "e2"));
  assert.equal(feed.view.hand, 4);
  assert.equal(resubscribe, true);
});

test("one subscribe is enough: gaps before its answer ask for no second one", () => {
  let { feed } = after(snapshot(4), live);
  feed = asked(feed);
  assert.equal(receive(feed, delta(9)).resubscribe, false);
});

test("a snapshot replaces the view and never merges into it", () => {
  const { feed } = after(snapshot(4, { hand: 4, button: 2 }), live, snapshot(2, { hand: 9 }, "e2"));
  assert.deepEqual(feed.view, { hand: 9 });
  assert.deepEqual(feed.position, { epoch: "e2", offset: 2 });
});

test("an empty patch moves the position and nothing else", () => {
  const before = after(snapshot(4), live).feed;
  const { feed } = receive(before, delta(5, {}));
  assert.deepEqual(feed.view, before.view);
  assert.equal(feed.position.offset, 5);
});

test("`live` with nothing before it asks again", () => {
  assert.equal(receive(EMPTY_FEED, live).resubscribe, true);
});

test("a heartbeat at another position says that something was lost, until it is made up", () => {
  let { feed } = after(snapshot(4), live);
  assert.equal(isBehind(compare(feed, ["e1", 4])), false);
  feed = compare(feed, ["e1", 5]);
  assert.equal(isBehind(feed), true);
  assert.equal(isBehind(receive(feed, delta(5)).feed), false);
  assert.equal(isBehind(compare(feed, ["e2", 4])), true);
  assert.equal(isBehind(cut(feed)), false);
});

test("a server that names no table is deaf, and a snapshot from its memory proves nothing", () => {
  let { feed } = after(snapshot(4), live);
  feed = compare(feed, undefined);
  assert.equal(isBehind(feed), true);
  feed = receive(receive(asked(feed), snapshot(4)).feed, live).feed;
  assert.equal(isBehind(feed), true);
  assert.equal(isBehind(compare(feed, ["e1", 4])), false);
});

test("any sequence of losses, repeats and reorderings ends on the server's view or asks again", () => {
  for (let seed = 1; seed <= 500; seed += 1) {
    let state = seed;
    const draw = (below) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    let { feed } = after(snapshot(0), live);
    let askedAgain = false;
    for (let step = 0; step < 30; step += 1) {
      const outcome = receive(feed, delta(draw(12)));
      feed = outcome.feed;
      askedAgain ||= outcome.resubscribe;
      assert.equal(feed.view.hand, feed.position.offset, `seed ${seed}: a view of no position`);
    }
    if (feed.position.offset < 11 && !askedAgain) {
      assert.equal(isBehind(compare(feed, ["e1", 11])), true, `seed ${seed}`);
    }
  }
});
