/** What the room's screen says: its cards, needs, list, screens, and the log of a table. */
import { undoWords } from "../dealer/primary.js";
import { addWords, amount, hasWords, price, say } from "../shared/words.js";
import english from "../shared/words/en-room.js";

addWords(english);

/** "40 s", "1:20", "12 min", "3 h". */
export function ageWords(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return say("age_seconds", { seconds });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
  return ageOf(minutes);
}

/** How long somebody waits, in minutes: "12 min"; "" where nobody knows. */
export function waitsWords(nowMs, joinedMs) {
  if (!joinedMs) return "";
  return nowMs - joinedMs < 60_000 ? say("waits_now") : ageOf(Math.floor((nowMs - joinedMs) / 60_000));
}

function ageOf(minutes) {
  return minutes < 120 ? say("age_minutes", { minutes }) : say("age_hours", { hours: Math.floor(minutes / 60) });
}

/** "T7": a table's name where there is room for a few letters; one that says more stands alone. */
export function shortTable(name) {
  return /^\d+$/.test(name) ? say("card_name", { name }) : name;
}

export function needWords({ kind, seat, params = {} }) {
  return say(`need.${kind}`, { seat, ...params });
}

/** The blinds of a table in short: "5/10". */
export function stakesOf({ small, big, blinds = [] } = {}) {
  const amounts = blinds.map((blind) => blind.amount);
  const low = small ?? Math.min(...amounts);
  const high = big ?? Math.max(...amounts);
  return Number.isFinite(high) ? say("stakes", { small: amount(low), big: amount(high) }) : "";
}

/** "D4 S5 B6": where the discs are, in letters. */
export function discsOf(summary) {
  return discsAt(summary).map(([kind, seats]) => `${say(`letter.${kind}`)}${seats.join("+")}`).join(" ");
}

/** The same for ears: "Button 4, Small 5, Big 6". */
function discsAloud(summary) {
  return discsAt(summary).map(([kind, seats]) => `${say(kind)} ${seats.join(", ")}`).join(", ");
}

/** [[kind, seats]] of the discs that lie somewhere. */
function discsAt({ button, posts = [] }) {
  const at = (kind) => posts.filter((post) => post.kind === kind).map(({ seat }) => seat);
  const discs = [["button", button ? [button] : []], ["small", at("small")], ["big", at("big")]];
  return discs.filter(([, seats]) => seats.length > 0);
}

/** The line of a table that deals no hand, or of which nobody knows; or "". */
export function standsWords({ phase, none, stale }) {
  if (stale) return say("card_stale");
  if (phase === "closed") return say("card_closed");
  if (phase === "no_game") return say("no_game");
  return none?.reason ? say("card_no_hand") : "";
}

export function cardAloud(summary, needsOf) {
  const { name, stakes, seats, seated, hand = 0, owing = [] } = summary;
  const told = [
    say("table", { name }),
    stakesOf(stakes),
    say("card_seats", { seated, seats }),
    say("hand", { hand }),
    standsWords(summary) || discsAloud(summary),
  ];
  if (owing.length) told.push(say("card_owing", { count: owing.length }));
  return [...told.filter(Boolean), ...needsOf.map(needWords)].join(", ");
}

/** What a table is called; the id of one that is not there. */
export function tableName(tables, id) {
  return tables.find(({ table }) => table === id)?.name ?? id;
}

export function screenRole({ role, table, seat }) {
  return [say(`role.${role}`), table, seat ? say("seat", { seat }) : ""].filter(Boolean).join(" · ");
}

/** What was found, the first few by name: "Dan: table 7, seat 4 · and 2 more". */
export function foundWords(found, text) {
  if (text.trim() === "") return "";
  if (found.length === 0) return say("found_nobody", { text: text.trim() });
  const [first, ...others] = found;
  const told = [say(first.seat ? "found_player" : "found_table", first)];
  if (others.length) told.push(say("found_more", { count: others.length }));
  return told.join(" · ");
}

/** On the card of a table: "4 Dan", "4 Dan +1". */
export function foundAt(found) {
  const [first, ...others] = found.filter(({ seat }) => seat > 0);
  if (first === undefined) return "";
  return say(others.length ? "found_at_more" : "found_at", { ...first, others: others.length });
}

/** Which screens are silent, the first by name: "T12 dealer", "T12 dealer +2". */
export function silentWords(silent, nameOf) {
  const [{ table, role }] = silent;
  const named = { table: table ? shortTable(nameOf(table)) : "", role: say(`role.${role}`).toLowerCase() };
  const first = say("silent_which", named).trim();
  return silent.length > 1 ? say("silent_others", { first, others: silent.length - 1 }) : first;
}

// ── the log ──────────────────────────────────────────────

/** Whether a commit {command, events} has to do with a seat. */
export function touches({ command = {}, events = [] }, seat) {
  return (
    [command.seat, command.to].includes(seat) ||
    events.some(
      (event) =>
        [event.seat, event.to].includes(seat) ||
        (event.rulings ?? []).some((ruling) => (ruling.seats ?? []).includes(seat)) ||
        (event.plan?.posts ?? []).some((post) => post.seat === seat),
    )
  );
}

/**
 * The number of the hand that each commit {events}, oldest first, belongs to: the last one dealt.
 * What came before the first that is dealt here belongs to the one before that; 0: no hand yet.
 */
export function handsOf(entries) {
  const dealt = entries.map(({ events = [] }) => events.find(({ type }) => type === "hand_dealt")?.plan?.hand);
  const first = dealt.find((hand) => hand !== undefined) ?? 1;
  let hand = first - 1;
  return dealt.map((number) => (hand = number ?? hand));
}

/** → { what, why: [rulings], posts } of a commit, for one seat or for all of the table (0). */
export function entryWords({ command = {}, events = [] }, seat) {
  const rulings = events.flatMap((event) => [...(event.rulings ?? []), ...planRulings(event)]);
  const told = new Map(rulings.map((ruling) => [ruling.text, ruling]));
  const why = [...told.values()].filter(({ seats = [] }) => seat === 0 || seats.length === 0 || seats.includes(seat));
  const done = doneWords(command, events);
  const posts = events.flatMap(({ plan }) => plan?.posts ?? []).filter((post) => post.seat === seat);
  return { what: capital(done), why, posts: posts.map(postWords).join(", ") };
}

function planRulings({ plan }) {
  return plan?.rulings ?? [];
}

function doneWords(command, events) {
  if (command.type === "undo") return undoneWords(events);
  const dealt = events.find(({ type }) => type === "hand_dealt");
  return dealt?.plan ? say("do.deal", { hand: dealt.plan.hand }) : undoWords(command);
}

function undoneWords(events) {
  const of = events.find(({ type }) => type === "undone")?.back?.of;
  return say("log_undone", { what: of ? undoWords(of) : "" });
}

function postWords({ kind, live = 0, dead = 0 }) {
  const key = `post.${kind}`;
  const chips = price(live, dead);
  return hasWords(key) ? say(key, { amount: chips }) : chips;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** When a commit was: its time, and before that its day where that is not today. */
export function momentOf(ms, nowMs) {
  const isToday = new Date(ms).toDateString() === new Date(nowMs).toDateString();
  return isToday ? timeOfDay(ms) : dayAndTime(ms);
}

/** "30 Nov 2026, 02:37:05". */
export function dayAndTime(ms) {
  const day = new Date(ms).toLocaleDateString([], { day: "numeric", month: "short", year: "numeric" });
  return `${day}, ${timeOfDay(ms)}`;
}

/** The time of day of a commit, as this screen reads the server's clock. */
export function timeOfDay(ms) {
  const parts = { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false };
  return new Date(ms).toLocaleTimeString([], parts);
}
