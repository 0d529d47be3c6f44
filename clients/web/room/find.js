/** Finding a table or a player over the whole room: pure, from the tables in short. */

/**
 * → [{ table, name, seat, player }], tables of that name first (seat 0), then players, those whose
 * name begins so before those who have it anywhere. Case and accents do not matter.
 */
export function findIn(tables, text) {
  const wanted = plain(text);
  if (wanted === "") return [];
  const named = tables
    .filter(({ table, name }) => plain(name) === wanted || plain(table) === wanted)
    .map(({ table, name }) => ({ table, name, seat: 0, player: "" }));
  const seated = tables.flatMap(({ table, name, players = {} }) =>
    Object.entries(players).map(([seat, player]) => ({ table, name, seat: Number(seat), player })),
  );
  return [...named, ...seated.filter(begins(wanted)), ...seated.filter(hasInside(wanted))];
}

function begins(wanted) {
  return ({ player }) => words(player).some((word) => word.startsWith(wanted)) || plain(player).startsWith(wanted);
}

function hasInside(wanted) {
  const doesBegin = begins(wanted);
  return (place) => wanted.length > 1 && plain(place.player).includes(wanted) && !doesBegin(place);
}

function words(name) {
  return plain(name).split(/[\s-]+/);
}

function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").trim().toLowerCase();
}
