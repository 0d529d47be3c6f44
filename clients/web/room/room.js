/** The room's screen: which table needs a person, which screen is dead, who sits next. */
import "../elements/freshness-bar.js";
import "../elements/rule-card.js";
import "./room-lists.js";
import "./table-card.js";
import { keyed, make, setAttribute, setText, showText } from "../elements/draw.js";
import { drawing, openPage, pageStores, takeToken } from "../shared/page.js";
import { ruleText } from "../shared/rules.js";
import { claimsOf } from "../shared/tokens.js";
import { say } from "../shared/words.js";
import { gridFor, placesAfter } from "./cards-order.js";
import { findIn } from "./find.js";
import { FloorApi } from "./floor-api.js";
import { roomKeys } from "./keys.js";
import { needs, newMemory, remember } from "./needs.js";
import { foundWords, needWords, tableName, timeOfDay } from "./room-words.js";
import { Screens } from "./screens.js";
import { Seating } from "./seating.js";

const ORDER_KEY = "livebutton.room";
const NEEDS_SHOWN = 5;
const WAITING_SHOWN = 4;
const TOLD_MS = 8_000;

const byId = (id) => document.getElementById(id);
const alert = byId("alert");
const claims = () => claimsOf(token());
const token = () => takeToken(location, history, pageStores);
const { client, options, announcer, pairing } = openPage({
  name: "room-screen/1",
  status: byId("status"),
  alert,
});
const roomId = options.room || (claims().room ?? "");
const api = new FloorApi({ token });
let drawer = null;
const seating = new Seating(client, {
  changed: () => redraw("tap"),
  isOpen: (table) => drawer?.table === table,
});
const page = {
  isLive: () => client.room(roomId)?.freshness.state === "fresh",
  memory: newMemory(),
  order: keptOrder(),
  grid: undefined,
  needs: [],
  current: -1,
  wanted: "",
  found: [],
  shows: "",
  said: "",
  told: "",
  stopTelling: () => {},
  wasFresh: false,
};

const screens = new Screens({
  place: byId("screens"),
  api,
  own: () => claims().jti,
  clock: client.clock,
  watched: page,
  told: tell,
  changed: () => redraw("tap"),
});

// ── what is kept ─────────────────────────────────────────

/** The places of the cards, as this screen last had them. */
function keptOrder() {
  try {
    const kept = JSON.parse(localStorage.getItem(`${ORDER_KEY} ${roomId}`));
    return Array.isArray(kept) ? kept.filter((table) => typeof table === "string") : [];
  } catch {
    return [];
  }
}

function keepOrder() {
  try {
    localStorage.setItem(`${ORDER_KEY} ${roomId}`, JSON.stringify(page.order));
  } catch {
    // They stand where they stand until the page is closed.
  }
}

// ── what is learnt ───────────────────────────────────────

function learn() {
  const { room, freshness } = client.room(roomId) ?? {};
  if (!room) return;
  page.memory = remember(page.memory, room);
  const order = placesAfter(page.order, room.tables);
  if (order.length !== page.order.length) {
    page.order = order;
    keepOrder();
  }
  page.grid = gridFor(page.order.length, page.grid);
  page.needs = needs(room, page.memory, nowMs());
  page.found = findIn(room.tables, page.wanted);
  announce();
  sayWhenLost(freshness);
}

function nowMs() {
  return client.serverClock.nowMs() ?? 0;
}

/** A new need is said once, the newest of several. */
function announce() {
  const newest = page.needs.reduce((one, other) => (one && one.sinceMs > other.sinceMs ? one : other), null);
  const said = newest ? `${say("table", { name: newest.name })}: ${needWords(newest)}` : say("needs_none");
  if (said === page.said) return;
  if (page.said !== "") announcer.announce(said);
  page.said = said;
}

function sayWhenLost({ state }) {
  const fresh = state === "fresh";
  if (fresh) alert.textContent = "";
  else if (page.wasFresh) alert.textContent = say("lost_aloud");
  page.wasFresh = fresh;
}

/** What came of something that was done here: for ears at once, for eyes a while. */
function tell(text) {
  alert.textContent = text;
  page.told = text;
  page.stopTelling();
  page.stopTelling = client.clock.after(TOLD_MS, () => {
    page.told = "";
    redraw("calm");
  });
  redraw("tap");
}

// ── the drawing ──────────────────────────────────────────

function draw() {
  const { room = null, error = null, freshness = UNKNOWN } = client.room(roomId) ?? {};
  document.body.dataset.freshness = freshness.state;
  byId("freshness").render(freshness);
  setText(byId("title"), say("room", { name: roomId }));
  document.title = byId("title").textContent;
  const told = noteOf(room, error, freshness);
  byId("note").hidden = told === null;
  byId("picture").hidden = told !== null;
  if (told !== null) {
    setText(byId("note-say"), told.say);
    showText(byId("note-next"), told.next);
    return;
  }
  setText(byId("time"), timeOfDay(nowMs()).slice(0, 5));
  drawHead(room);
  drawNeeds();
  drawWaiting(room);
  drawCards(room);
  drawScreens(room);
  drawDrawer(room);
}

const UNKNOWN = { state: "unknown", reason: "never_heard", silentMs: 0 };

function noteOf(room, error, freshness) {
  if (client.connection.state === "unpaired") {
    const next = pairing.code ? say("pair_code", { code: pairing.code }) : say("unpaired_what_now");
    return { say: say("unpaired"), next };
  }
  if (!roomId) return { say: say("no_room"), next: "" };
  if (error) return { say: say("wrong_room", { room: roomId, message: error.message }), next: "" };
  if (room === null) return { say: say("connecting"), next: "" };
  return freshness.state === "unknown" ? { say: say("use_discs"), next: say("not_live_minutes", { minutes: Math.floor(freshness.silentMs / 60_000) }) } : null;
}

function drawHead({ tables, waiting }) {
  const seated = tables.reduce((sum, table) => sum + table.seated, 0);
  const counts = say("room_counts", { count: tables.length, seated, waiting: waiting.length });
  setText(byId("counts"), page.told || foundWords(page.found, page.wanted) || counts);
  setAttribute(byId("counts"), "data-told", page.told !== "");
}

function drawNeeds() {
  const count = page.needs.length;
  setText(byId("needs-title"), count ? `${say("needs_title")} (${count})` : say("needs_title"));
  setAttribute(byId("needs-title"), "data-some", count > 0);
  showText(byId("needs-none"), count ? "" : say("needs_none"));
  byId("needs").render(page.needs.slice(0, NEEDS_SHOWN), { nowMs: nowMs(), current: page.current });
  const others = count - NEEDS_SHOWN;
  showText(byId("needs-more"), others > 0 ? say("needs_more", { others }) : "");
}

function drawWaiting({ waiting }) {
  setText(byId("waiting-title"), waiting.length ? `${say("waiting_title")} (${waiting.length})` : say("waiting_title"));
  showText(byId("waiting-none"), waiting.length ? "" : say("waiting_none"));
  const chosen = waiting.filter(({ player }) => player === seating.player);
  const shown = chosen.length ? chosen : longestFirst(waiting).slice(0, WAITING_SHOWN);
  byId("waiting").render(shown, { nowMs: nowMs(), chosen: seating.player, places: seating.places() });
  const others = waiting.length - shown.length;
  showText(byId("waiting-more"), others > 0 ? say("waiting_more", { others }) : "");
}

/** Of several lists one: who came first stands first; whom nobody dated stays where he stood. */
function longestFirst(waiting) {
  const joinedMs = (entry) => entry.joined_ms || Number.MAX_SAFE_INTEGER;
  return [...waiting].sort((one, other) => joinedMs(one) - joinedMs(other));
}

function drawCards({ tables }) {
  const cards = byId("cards");
  cards.style.setProperty("--columns", page.grid.columns);
  cards.style.setProperty("--rows", page.grid.rows);
  const byTable = new Map(tables.map((summary) => [summary.table, summary]));
  const nodes = keyed(cards, page.order, () => document.createElement("table-card"));
  nodes.forEach((node, index) => {
    const table = page.order[index];
    const summary = byTable.get(table) ?? null;
    const needsOf = page.needs.filter((need) => need.table === table);
    const silent = needsOf.some(({ kind }) => kind === "silent");
    const found = page.found.filter((place) => place.table === table);
    node.render(summary, { needs: needsOf, silent, found });
  });
}

function drawScreens(room) {
  const button = byId("screens-button");
  setText(button, screens.words(room, nowMs()));
  setAttribute(button, "aria-expanded", String(page.shows === "screens"));
}

function drawDrawer(room) {
  const isTable = page.shows === "table";
  byId("drawer").hidden = page.shows === "";
  setAttribute(byId("tables"), "data-covered", page.shows !== "");
  byId("log").hidden = !isTable;
  byId("place").hidden = !isTable || byId("log").isWhole;
  byId("screens").hidden = page.shows !== "screens";
  const title = isTable ? say("table", { name: tableName(room.tables, drawer.table) }) : say("screens_title");
  setText(byId("drawer-title"), title);
  if (page.shows === "screens") screens.draw(room, nowMs());
}

const redraw = drawing(draw);

// ── what is done ─────────────────────────────────────────

/** The dealer's view is fetched when the first table is opened: the cards need none of it. */
async function fetchDrawer() {
  try {
    const { Drawer } = await import("./drawer.js");
    drawer ??= new Drawer({ client, room: roomId, api, place: byId("place"), log: byId("log"), announcer, alert });
  } catch {
    tell(say("drawer_failed"));
  }
}

async function openTable(table, seat = 0) {
  if (drawer === null) await fetchDrawer();
  if (drawer === null) return;
  page.shows = "table";
  byId("log").isWhole = false;
  byId("rule").hidden = true;
  drawer.open(table, seat);
  redraw("tap");
}

function closeDrawer() {
  const table = drawer?.table ?? "";
  drawer?.close();
  page.shows = "";
  byId("rule").hidden = true;
  redraw("tap");
  const card = document.querySelector(`table-card[data-key="${CSS.escape(table)}"] button`);
  requestAnimationFrame(() => card?.focus()); // Covered until it is drawn.
}

async function toggleScreens() {
  if (page.shows === "screens") {
    closeDrawer();
    return;
  }
  try {
    await import("./screens-list.js");
  } catch {
    tell(say("drawer_failed"));
    return;
  }
  byId("screens").rest();
  drawer?.close();
  page.shows = "screens";
  redraw("tap");
}

/** The log in the place of the table, too; or both of them. */
function toggleLog() {
  byId("log").isWhole = !byId("log").isWhole;
  redraw("tap");
}

async function showRule({ detail }) {
  const card = byId("rule");
  card.render(await ruleText(detail.rule));
  card.hidden = false;
}

function lookedUp(text) {
  return findIn(client.room(roomId)?.room?.tables ?? [], text);
}

function find(text) {
  page.wanted = text;
  page.found = lookedUp(text);
  if (text.trim()) announcer.announce(foundWords(page.found, text));
  redraw("tap");
}

/** Open the first of what is found of a text, and look for nothing more. → whether there was any. */
function openFound(text) {
  const [first] = lookedUp(text);
  if (first === undefined) return false;
  stopFinding();
  openTable(first.table, first.seat);
  return true;
}

function stopFinding() {
  byId("find").value = "";
  find("");
}

/** In the box: Enter opens the first, Escape lets it be. */
function findKey(event) {
  if (event.key !== "Enter" && event.key !== "Escape") return;
  event.stopPropagation();
  if (event.key === "Escape") stopFinding();
  else if (!openFound(event.target.value)) return;
  event.target.blur();
}

function moveCurrent(by) {
  const count = Math.min(page.needs.length, NEEDS_SHOWN);
  if (count === 0) return;
  page.current = (page.current + by + count) % count;
  redraw("tap");
  byId("needs").focusOn(page.current);
}

byId("find").setAttribute("aria-label", say("find"));
byId("find").placeholder = say("find");
setText(byId("drawer-close"), say("close_drawer"));
setText(byId("tables-title"), say("tables_title"));
byId("cards").addEventListener("table-asked", ({ detail }) => openTable(detail.table));
byId("needs").addEventListener("need-asked", ({ detail }) => openTable(detail.table, detail.seat));
byId("waiting").addEventListener("waiting-asked", ({ detail }) => seating.ask(detail.player, client.room(roomId)?.room));
byId("waiting").addEventListener("place-chosen", ({ detail }) => seating.seat(detail, tell));
byId("screens-button").addEventListener("click", toggleScreens);
byId("drawer-close").addEventListener("click", closeDrawer);
byId("log").addEventListener("print-asked", () => print());
byId("log").addEventListener("whole-asked", toggleLog);
byId("log").addEventListener("rule-asked", showRule);
byId("rule").addEventListener("rule-closed", () => (byId("rule").hidden = true));
byId("find").addEventListener("input", ({ target }) => find(target.value));
byId("find").addEventListener("keydown", findKey);
roomKeys({
  isDrawerOpen: () => page.shows !== "",
  closes: () => page.shows === "screens" || byId("log").isWhole || drawer.isAtRest,
  close: () => (page.shows === "table" && byId("log").isWhole ? toggleLog() : closeDrawer()),
  find: () => byId("find").focus(),
  open: openFound,
  move: moveCurrent,
  // Nothing is done at a table that is not in view.
  desk: (event) => !byId("log").isWhole && drawer?.press(event),
});
client.addEventListener("room", () => {
  learn();
  redraw("room");
});
client.addEventListener("link", () => redraw("link"));
client.addEventListener("change", () => redraw("link"));
client.clock.every(1_000, () => {
  learn();
  redraw("time");
});
if (roomId) client.watchRoom(roomId);
client.start();
redraw("link");
