/**
 * Where seats stand round a table as the dealer sees it: seat 1 at her left, then clockwise, the
 * last seat at her right. She sits below.
 */
const FEWEST_COLUMNS = 4;

/**
 * → { columns, rows, places: [{ seat, side, column, row }] }, clockwise from the lower left.
 * `side`: "left" | "top" | "right", and "top-left" | "top-right" in a corner. Columns are half as
 * wide as a tile, from 1, so that a short top row can stand in the middle; row 1 is the top.
 * `rotate` turns the ring by that many seats: seat 1 + rotate stands at the lower left.
 */
export function ringPlaces(count, rotate = 0) {
  if (count === 0) return { columns: FEWEST_COLUMNS * 2, rows: 1, places: [] };
  const beside = sideSeats(count);
  const top = count - 2 * beside;
  const columns = Math.max(FEWEST_COLUMNS, top);
  const left = Array.from({ length: beside }, (_, index) => ({
    side: "left",
    column: 1,
    row: beside + 1 - index,
  }));
  const across = Array.from({ length: top }, (_, index) => topPlace(index, top, columns));
  const right = Array.from({ length: beside }, (_, index) => ({
    side: "right",
    column: columns * 2 - 1,
    row: index + 2,
  }));
  const places = [...left, ...across, ...right].map((place, index) => ({
    seat: ((index + rotate) % count) + 1,
    ...place,
  }));
  return { columns: columns * 2, rows: beside + 1, places };
}

function sideSeats(count) {
  if (count === 1) return 0;
  if (count <= 5) return 1;
  return Math.max(2, Math.ceil((count - 6) / 2));
}

function topPlace(index, top, columns) {
  const column = columns - top + 1 + 2 * index;
  if (column === 1) return { side: "top-left", column, row: 1 };
  if (column === columns * 2 - 1) return { side: "top-right", column, row: 1 };
  return { side: "top", column, row: 1 };
}

/** Seats passed on the way from one to another, clockwise, both ends included. */
export function wayRound(from, to, count) {
  const way = [from];
  while (way.at(-1) !== to && way.length <= count) way.push((way.at(-1) % count) + 1);
  return way;
}
