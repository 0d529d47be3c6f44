/**
 * Who needs a person on the floor, the longest waiting first: pure, from pictures of the room.
 *
 * A need is { key, kind, table, seat, sinceMs, params }, `kind` having words `need.KIND`. The
 * server's picture says what is; since when, for what it does not date, is what this page has seen:
 * `remember` carries that from one picture to the next.
 */
const NO_HAND_MS = 6 * 60_000;
const SILENT_MS = 5_000;
const GONE_SCREENS_KEPT = 200;
const THIRD_MAN = 3;

/** { since: Map key → ms, screens: Map place → the last of its screens, seen: Map table → ms }. */
export function newMemory() {
  return { since: new Map(), screens: new Map(), seen: new Map() };
}

/** The memory after a picture of the room {tables, screens, now_ms}. */
export function remember(memory, room) {
  const screens = new Map(memory.screens);
  const here = new Map();
  for (const screen of room.screens ?? []) {
    const place = placeOf(screen);
    const other = here.get(place);
    if (!other || other.last_seen_ms < screen.last_seen_ms) here.set(place, screen);
  }
  for (const [place, screen] of here) screens.set(place, screen);
  for (const place of [...screens.keys()].slice(0, -GONE_SCREENS_KEPT)) screens.delete(place);
  const seen = new Map((room.tables ?? []).map(({ table }) => [table, memory.seen.get(table) ?? room.now_ms]));
  const next = { screens, seen, since: new Map() };
  for (const { key, sinceMs } of needs(room, { ...next, since: memory.since }, room.now_ms)) {
    next.since.set(key, sinceMs);
  }
  return next;
}

/**
 * A screen that reconnects is the same screen, whatever it is called: it is known by its token. One
 * that shows the table that the floor chose is so at any table.
 */
export function placeOf({ token, role, name, table = "", seat = 0, setup = {} }) {
  return [role, token || name, setup.table ? "" : table, seat].join("|");
}

/** All needs at the server's time `nowMs`, oldest first. */
export function needs(room, memory, nowMs) {
  const found = [
    ...(room.tables ?? []).flatMap((table) => tableNeeds(table, memory, nowMs)),
    ...silentTerminals(room, memory, nowMs),
  ];
  return found.sort((one, other) => one.sinceMs - other.sinceMs || (one.key < other.key ? -1 : 1));
}

function tableNeeds(summary, memory, nowMs) {
  const { table, name, questions = [], away = {}, stood_ms: stoodMs = 0 } = summary;
  const since = (key, dated) => memory.since.get(key) ?? Math.min(dated || nowMs, nowMs);
  const need = (kind, sinceMs, more = {}) => ({
    key: [kind, table, more.seat ?? ""].join(" "),
    kind,
    table,
    name,
    sinceMs,
    ...more,
  });
  const found = questions.map((seat) =>
    need("question", since(`question ${table} ${seat}`, stoodMs), { seat }),
  );
  const dealtMs = lastDealt(summary, memory, nowMs);
  if (isPlaying(summary) && nowMs - dealtMs >= NO_HAND_MS) {
    found.push(need("no_hand", dealtMs, { params: { players: summary.in_rotation } }));
  }
  const awaySince = Object.values(away).sort((one, other) => one - other);
  if (awaySince.length >= THIRD_MAN) {
    found.push(need("away", awaySince[THIRD_MAN - 1], { params: { players: awaySince.length } }));
  }
  return found;
}

function lastDealt({ table, dealt_ms: dealtMs = 0 }, memory, nowMs) {
  return dealtMs || (memory.seen.get(table) ?? nowMs);
}

function isPlaying({ phase, in_rotation: count = 0 }) {
  return count >= 2 && phase !== "no_game" && phase !== "closed";
}

/** Dealer terminals gone, or mute, where a game goes on and no other terminal is there for it. */
function silentTerminals(room, memory, nowMs) {
  const terminals = [...memory.screens.values()].filter(({ role, table }) => role === "dealer" && table);
  const served = new Set(terminals.filter((screen) => !isSilent(screen, nowMs)).map(({ table }) => table));
  return terminals
    .filter(({ table }) => !served.has(table))
    .filter(({ table }) => room.tables?.some((summary) => summary.table === table && isPlaying(summary)))
    .map((screen) => ({
      key: `silent ${placeOf(screen)}`,
      kind: "silent",
      table: screen.table,
      name: room.tables.find(({ table }) => table === screen.table).name,
      sinceMs: screen.last_seen_ms,
    }));
}

/** The screens that were here and are not: what each was last known as. */
export function goneScreens(screens, memory) {
  const here = new Set(screens.map(placeOf));
  return [...memory.screens].filter(([place]) => !here.has(place)).map(([, screen]) => screen);
}

/** The memory without a screen that is gone for good. */
export function forget(memory, id) {
  const screens = new Map([...memory.screens].filter(([, screen]) => screen.id !== id));
  return { ...memory, screens };
}

/** Only dealers' terminals speak by themselves; of the others the link is tried now and then. */
export function isSilent({ role, last_seen_ms: lastSeenMs }, nowMs) {
  return nowMs - lastSeenMs > (role === "dealer" ? SILENT_MS : 12 * SILENT_MS);
}
