/** Where cards stand: each table keeps its place for as long as anybody looks. */

const GRIDS = [
  [3, 4],
  [4, 5],
  [5, 6],
  [6, 7],
  [8, 9],
  [10, 12],
];

/**
 * The places after a picture: `order` is table ids by place, known ones first where they stood. A
 * closed table's place stays empty, so that no other moves.
 */
export function placesAfter(order, tables) {
  const known = new Set(order);
  const fresh = tables.filter(({ table }) => !known.has(table)).sort(byName);
  return [...order, ...fresh.map(({ table }) => table)];
}

function byName(one, other) {
  return one.name.localeCompare(other.name, undefined, { numeric: true });
}

/** → { columns, rows } that hold so many cards without scrolling; it never shrinks. */
export function gridFor(count, { columns = 0, rows = 0 } = {}) {
  const [wide, high] = GRIDS.find(([across, down]) => across * down >= count) ?? [
    12,
    Math.ceil(count / 12),
  ];
  return wide * high > columns * rows ? { columns: wide, rows: high } : { columns, rows };
}
