import assert from "node:assert/strict";
import test from "node:test";

import { mergePatch } from "./merge-patch.js";

// The example cases of RFC 7386, appendix A: [target, patch, result].
const PUBLISHED = [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [["a", "b"], ["c", "d"], ["c", "d"]],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

for (const [target, patch, result] of PUBLISHED) {
  test(`${JSON.stringify(target)} patched with ${JSON.stringify(patch)}`, () => {
    assert.deepEqual(mergePatch(target, patch), result);
  });
}

/** A small seeded generator: a failing seed can be run again. */
function seeded(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A random view-like value: maps, lists and scalars, never null. */
function randomValue(draw, depth = 0) {
  const kind = draw(depth > 3 ? 3 : 5);
  if (kind === 0) return draw(100);
  if (kind === 1) return draw(2) === 1;
  if (kind === 2) return ["", "seat", "Zoë"][draw(3)];
  if (kind === 3) return Array.from({ length: draw(3) }, () => randomValue(draw, depth + 1));
  const keys = ["a", "b", "1", "2", "__proto__", "constructor"];
  const entries = Array.from({ length: draw(5) }, () => [
    keys[draw(keys.length)],
    randomValue(draw, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

const isMap = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** The patch that leads from one value to another: written here, apart from what it tests. */
function difference(before, after) {
  if (!isMap(before) || !isMap(after)) return after;
  const patch = {};
  const set = (key, value) =>
    Object.defineProperty(patch, key, { value, enumerable: true, configurable: true });
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) set(key, null);
  for (const key of Object.keys(after)) {
    const had = Object.hasOwn(before, key);
    if (!had) set(key, after[key]);
    else if (JSON.stringify(before[key]) !== JSON.stringify(after[key])) {
      set(key, difference(before[key], after[key]));
    }
  }
  return patch;
}

test("patching with the difference of two views gives the second, and leaves the first", () => {
  for (let seed = 1; seed <= 3000; seed += 1) {
    const draw = seeded(seed);
    const before = { root: randomValue(draw) };
    const after = { root: randomValue(draw) };
    const written = JSON.stringify(before);
    const result = mergePatch(before, difference(before, after));
    assert.deepEqual(result, after, `seed ${seed}`);
    assert.equal(JSON.stringify(before), written, `seed ${seed} changed its target`);
  }
});

test("the same patch twice is the same as once", () => {
  for (let seed = 1; seed <= 1000; seed += 1) {
    const draw = seeded(seed);
    const before = { root: randomValue(draw) };
    const patch = difference(before, { root: randomValue(draw) });
    const once = mergePatch(before, patch);
    assert.deepEqual(mergePatch(once, patch), once, `seed ${seed}`);
  }
});

test("what a patch does not touch is the same object afterwards", () => {
  const before = { seats: { 1: { player: "a" }, 2: { player: "b" } }, plan: { hand: 1 } };
  const after = mergePatch(before, { seats: { 2: { sitting_out: true } } });
  assert.equal(after.plan, before.plan);
  assert.equal(after.seats[1], before.seats[1]);
  assert.notEqual(after.seats[2], before.seats[2]);
});

test("a key called __proto__ stays data", () => {
  const patched = mergePatch({}, JSON.parse('{"__proto__": {"polluted": true}}'));
  assert.equal(patched.polluted, undefined);
  assert.equal({}.polluted, undefined);
  assert.deepEqual(Object.keys(patched), ["__proto__"]);
});
