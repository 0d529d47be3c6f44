import assert from "node:assert/strict";
import test from "node:test";

import { gridFor, placesAfter } from "./cards-order.js";
import { goneScreens, needs, newMemory, remember } from "./needs.js";

const MINUTE = 60_000;
const NOW = 1_700_000_000_000;
const table = (more = {}) => ({
  table: "t7",
  name: "7",
  phase: "between_hands",
  seats: 9,
  seated: 8,
  in_rotation: 7,
  stood_ms: NOW - 10_000,
  dealt_ms: NOW - MINUTE,
  ...more,
});
const room = (tables, screens = [], nowMs = NOW) => ({ tables, screens, waiting: [], now_ms: nowMs });
const dealer = (lastSeenMs) => ({ id: "s1", role: "dealer", name: "Mia", table: "t7", last_seen_ms: lastSeenMs });

const kinds = (found) => found.map(({ kind }) => kind);

test("a normal table needs nobody", () => {
  assert.deepEqual(needs(room([table()]), newMemory(), NOW), []);
});

test("an open question is as old as it has been seen, not as the newest commit", () => {
  const first = room([table({ questions: [9] })]);
  const memory = remember(newMemory(), first);
  const later = room([table({ questions: [9], stood_ms: NOW + 30_000 })], [], NOW + 40_000);
  const [need] = needs(later, remember(memory, later), NOW + 40_000);
  assert.equal(need.kind, "question");
  assert.equal(need.seat, 9);
  assert.equal(need.sinceMs, NOW - 10_000);
});

test("a question that was answered and comes again is young", () => {
  let memory = remember(newMemory(), room([table({ questions: [9] })]));
  memory = remember(memory, room([table()], [], NOW + 1_000));
  const again = room([table({ questions: [9], stood_ms: NOW + 2_000 })], [], NOW + 3_000);
  assert.equal(needs(again, memory, NOW + 3_000)[0].sinceMs, NOW + 2_000);
});

test("six minutes without a hand, with players in rotation, is a need, and not before", () => {
  const summary = table({ dealt_ms: NOW - 6 * MINUTE });
  assert.deepEqual(kinds(needs(room([summary]), newMemory(), NOW - 1)), []);
  assert.deepEqual(kinds(needs(room([summary]), newMemory(), NOW)), ["no_hand"]);
  assert.deepEqual(kinds(needs(room([{ ...summary, in_rotation: 1 }]), newMemory(), NOW)), []);
  assert.deepEqual(kinds(needs(room([{ ...summary, phase: "no_game" }]), newMemory(), NOW)), []);
});

test("where no hand was seen, the six minutes begin when the table was", () => {
  const unseen = room([table({ dealt_ms: 0 })]);
  const memory = remember(newMemory(), unseen);
  assert.deepEqual(kinds(needs(unseen, memory, NOW + 5 * MINUTE)), []);
  assert.deepEqual(kinds(needs(unseen, memory, NOW + 6 * MINUTE)), ["no_hand"]);
});

test("a dealer's terminal that falls silent, or is gone, is a need within six seconds", () => {
  const here = room([table()], [dealer(NOW - 1_000)]);
  const memory = remember(newMemory(), here);
  assert.deepEqual(kinds(needs(here, memory, NOW)), []);
  assert.deepEqual(kinds(needs(here, memory, NOW + 5_000)), ["silent"]);
  const gone = room([table()], [], NOW + 5_000);
  assert.deepEqual(kinds(needs(gone, remember(memory, gone), NOW + 5_000)), ["silent"]);
  assert.equal(goneScreens(gone.screens, memory).length, 1);
});

test("a terminal that is back, on another socket, is the same terminal", () => {
  const memory = remember(newMemory(), room([table()], [dealer(NOW - 60_000)]));
  const back = room([table()], [{ ...dealer(NOW), id: "s2" }]);
  assert.deepEqual(needs(back, remember(memory, back), NOW), []);
});

test("a display that was switched off is no need", () => {
  const off = room([table()], [{ ...dealer(NOW - 10 * MINUTE), role: "display" }]);
  assert.deepEqual(needs(off, remember(newMemory(), off), NOW), []);
});

test("the third player away is on a clock, from when he left", () => {
  const away = { 1: NOW - 9 * MINUTE, 4: NOW - 2 * MINUTE, 5: NOW - 5 * MINUTE };
  const [need] = needs(room([table({ away })]), newMemory(), NOW);
  assert.equal(need.kind, "away");
  assert.equal(need.sinceMs, NOW - 2 * MINUTE);
});

test("the oldest need stands first", () => {
  const tables = [
    table({ questions: [3] }),
    table({ table: "t3", name: "3", dealt_ms: NOW - 7 * MINUTE }),
  ];
  assert.deepEqual(
    needs(room(tables), newMemory(), NOW).map(({ name }) => name),
    ["3", "7"],
  );
});

test("a card keeps its place when tables open and close, and the grid never shrinks", () => {
  const names = (list) => list.map((name) => ({ table: `t${name}`, name }));
  const order = placesAfter([], names(["10", "2", "1"]));
  assert.deepEqual(order, ["t1", "t2", "t10"]);
  assert.deepEqual(placesAfter(order, names(["10", "0", "2"])), ["t1", "t2", "t10", "t0"]);
  const grid = gridFor(40);
  assert.deepEqual(grid, { columns: 6, rows: 7 });
  assert.deepEqual(gridFor(3, grid), grid);
});

test("a terminal that was paired anew or has another beside it is no alarm, and a new name is no new screen", () => {
  const old = { ...dealer(NOW - 60_000), token: "k1" };
  const here = { ...dealer(NOW), id: "s2", token: "k2" };
  const memory = remember(newMemory(), room([table()], [old]));
  assert.deepEqual(kinds(needs(room([table()], [old]), memory, NOW)), ["silent"]);
  const both = remember(memory, room([table()], [here]));
  assert.deepEqual(kinds(needs(room([table()], [here]), both, NOW)), []);
  assert.equal(goneScreens([here], both).length, 1);
  const renamed = [{ ...here, name: "By the window" }];
  assert.deepEqual(goneScreens(renamed, remember(newMemory(), room([table()], [here]))), []);
});

test("a dealer's terminal is silent five seconds after its last word, and not before", () => {
  const memory = remember(newMemory(), room([table()], [dealer(NOW)]));
  const at = (ms) => kinds(needs(room([table()], [dealer(NOW)], ms), memory, ms));
  assert.deepEqual([at(NOW + 5_000), at(NOW + 5_001)], [[], ["silent"]]);
});
