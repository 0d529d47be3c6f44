import assert from "node:assert/strict";
import test from "node:test";

import { ringPlaces, wayRound } from "./ring.js";

/** The angle of a place seen from the middle of the ring, clockwise from below. */
function angle({ column, row }, { columns, rows }) {
  const x = column + 0.5 - (columns + 1) / 2;
  const y = (row - (rows + 1) / 2) * 2 - 0.5;
  return (Math.atan2(-x, y) + 2 * Math.PI) % (2 * Math.PI);
}

for (let count = 2; count <= 23; count += 1) {
  test(`${count} seats stand clockwise, seat 1 at the dealer's left and the last at her right`, () => {
    const ring = ringPlaces(count);
    assert.deepEqual(
      ring.places.map(({ seat }) => seat),
      Array.from({ length: count }, (_, index) => index + 1),
    );
    const angles = ring.places.map((place) => angle(place, ring));
    for (let index = 1; index < count; index += 1) {
      assert.ok(angles[index] > angles[index - 1], `seat ${index + 1} of ${count}`);
    }
    assert.equal(ring.places[0].side, "left");
    assert.equal(ring.places.at(-1).side, "right");
  });
}

test("no two seats share a place", () => {
  for (let count = 1; count <= 23; count += 1) {
    const { places } = ringPlaces(count);
    assert.equal(new Set(places.map(({ column, row }) => `${column}/${row}`)).size, count);
  }
});

test("a turned ring starts at another seat and stays clockwise", () => {
  assert.deepEqual(
    ringPlaces(6, 3).places.map(({ seat }) => seat),
    [4, 5, 6, 1, 2, 3],
  );
});

test("the way round goes clockwise over the last seat to the first", () => {
  assert.deepEqual(wayRound(5, 2, 6), [5, 6, 1, 2]);
  assert.deepEqual(wayRound(3, 3, 6), [3]);
});
