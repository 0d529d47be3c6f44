import assert from "node:assert/strict";
import { test } from "node:test";
import { findIn } from "./find.js";

const TABLES = [
  { table: "t4", name: "4", players: { 1: "Ann", 4: "Dan" } },
  { table: "t7", name: "7", players: { 2: "José María", 9: "Jordan Vale" } },
  { table: "t12", name: "12" },
];

function places(text) {
  return findIn(TABLES, text).map(({ table, seat }) => [table, seat]);
}

test("a table is found by its name and by its id", () => {
  assert.deepEqual(places("12"), [["t12", 0]]);
  assert.deepEqual(places(" T7 "), [["t7", 0]]);
});

test("a player is found at whichever table he sits, those whose name begins so first", () => {
  assert.deepEqual(places("dan"), [["t4", 4], ["t7", 9]]);
  assert.deepEqual(places("vale"), [["t7", 9]]);
});

test("accents and case do not matter", () => {
  assert.deepEqual(places("jose maria"), [["t7", 2]]);
  assert.deepEqual(places("MARI"), [["t7", 2]]);
});

test("one letter finds only names that begin with it, and nothing finds nobody", () => {
  assert.deepEqual(places("n"), []);
  assert.deepEqual(places("  "), []);
  assert.deepEqual(places("zoe"), []);
});
