/**
 * What every page does first: read its address, find its token, connect, and stay honest about it.
 *
 * Address: `/table/?table=T7&size=l#token=…`. The token stands in the fragment, which no server
 * or log ever sees; it is taken out of the address bar and kept, so that a reload after a power
 * cut needs no typing.
 */
import { Announcer } from "./announcer.js";
import { Client } from "./client.js";
import { pageClock } from "./clock.js";
import { claimsOf } from "./tokens.js";

const THEMES = new Set(["dark", "light", "overlay"]);
const ASK_AGAIN_MS = 5_000;
const RENEW_AFTER_MS = 10_000;
const SIZES = new Set(["s", "m", "l"]);

/**
 * The options of a page's address → { table, room, seat, theme, size, rotate, names, motion,
 * shortcuts }. What is not understood has its default: a display is never blank over a typing
 * mistake.
 */
export function readOptions(search) {
  const asked = new URLSearchParams(search);
  const theme = asked.get("theme");
  const size = asked.get("size")?.toLowerCase();
  return {
    table: asked.get("table") ?? "",
    room: asked.get("room") ?? "",
    seat: wholeNumber(asked.get("seat")),
    theme: THEMES.has(theme) ? theme : "dark",
    size: SIZES.has(size) ? size : "m",
    rotate: wholeNumber(asked.get("rotate")),
    names: asked.get("names") !== "off",
    motion: asked.get("motion") !== "off",
    shortcuts: asked.get("keys") !== "off",
  };
}

function wholeNumber(text) {
  return /^\d{1,3}$/.test(text ?? "") ? Number(text) : 0;
}

/** The address of the server's websocket, beside the page. */
export function socketAddress(pageAddress) {
  const address = new URL("/v1/ws", pageAddress);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  return address.href;
}

/**
 * The token of this page: the fragment's, which is kept from then on, or the one kept before.
 * `stores` are storages, the first the dearest; any may be missing or forbidden.
 */
export function takeToken(location, history, stores) {
  const key = `livebutton.token ${location.pathname}${location.search}`;
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    history.replaceState(null, "", location.pathname + location.search);
    rememberToken(location, stores, given);
    return given;
  }
  return stores.map((store) => attempt(() => store().getItem(key))).find(Boolean) ?? "";
}

export function rememberToken(location, stores, token) {
  const key = `livebutton.token ${location.pathname}${location.search}`;
  for (const store of stores) attempt(() => store().setItem(key, token));
}

/** Merely to name a storage may throw where the browser forbids it: inside a frame, say. */
export const pageStores = [() => sessionStorage, () => localStorage];

function attempt(act) {
  try {
    return act();
  } catch {
    return null;
  }
}

/**
 * Open the page: → { client, options, announcer, pairing, useToken }. `name` says which program
 * this is, for the floor's list of screens. `status` and `alert` are the page's two live regions. Where the
 * address names no table or seat, the token's are taken. `pairing.code` is what an unpaired screen
 * must be told to the floor; `pairs` false: in a frame the host brings the token.
 */
export function openPage({ name, status, alert, pairs = true }) {
  const options = readOptions(location.search);
  document.documentElement.dataset.theme = options.theme;
  document.documentElement.dataset.size = options.size;
  document.documentElement.dataset.motion = options.motion ? "on" : "off";
  const token = takeToken(location, history, pageStores);
  const scope = claimsOf(token);
  options.table ||= scope.tables?.[0] ?? "";
  options.seat ||= scope.seat ?? 0;
  const client = new Client({ url: socketAddress(location.href), token, name });
  const say = (text) => (status.textContent = text);
  const announcer = new Announcer({ clock: pageClock, say });
  stayAwake(client);
  alertWhenLost(client, options, alert);
  client.addEventListener("reload", () => import("./reloading.js").then(({ reload }) => reload(client), () => {}));
  const useToken = keepToken(client, token);
  const pairing = { code: "" };
  if (pairs) pairWhenAsked({ client, name, options, pairing, useToken });
  return { client, options, announcer, pairing, useToken };
}

function stayAwake(client) {
  addEventListener("online", () => client.wake());
  addEventListener("pageshow", () => client.wake());
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    client.wake();
    keepAwake(); // A hidden page has lost what it was given.
  });
  keepAwake();
}

/** Renew the token before it ends; take a newer one from the address bar. → `useToken(token)`. */
function keepToken(client, first) {
  let token = first;
  const take = (given) => {
    token = given;
    rememberToken(location, pageStores, token);
    client.refresh(token);
  };
  addEventListener("hashchange", () => {
    const given = takeToken(location, history, pageStores);
    if (given) take(given);
  });
  pageClock.after(RENEW_AFTER_MS, async function begin() {
    const found = await import("./renewing.js").catch(() => null);
    if (!found) pageClock.after(RENEW_AFTER_MS, begin);
    found?.keepRenewed({
      clock: pageClock,
      serverNowMs: () => client.serverClock.nowMs(),
      token: () => token,
      renewed: take,
      base: location.href,
    });
  });
  return take;
}

/** While the server will not have us, the floor is shown a code, and says what we are. */
function pairWhenAsked(page) {
  const { connection } = page.client;
  let keeper = null;
  page.client.addEventListener("link", ask);

  async function ask() {
    if (connection.state !== "unpaired" || keeper) return;
    keeper = import("./pairing.js").catch(() => null);
    const found = await keeper;
    if (found) found.keepPaired(page);
    else {
      keeper = null;
      pageClock.after(ASK_AGAIN_MS, ask);
    }
  }
}

/** `role=alert` speaks only of a lost connection: once, when it is lost. */
function alertWhenLost(client, options, alert) {
  let wasFresh = false;
  client.addEventListener("change", () => {
    const state = client.table(options.table)?.freshness.state;
    if (state === undefined) return;
    if (state === "fresh") alert.textContent = "";
    else if (wasFresh) alert.textContent = alert.dataset.lost;
    wasFresh = state === "fresh";
  });
}

/** Ask the tablet to stay on. → whether it can: on plain http it may fall asleep. */
export async function keepAwake() {
  try {
    await navigator.wakeLock.request("screen");
    return true;
  } catch {
    return false;
  }
}

/**
 * Draw at most once a frame, and only the newest truth. → `redraw(cause)`, a cause being one of
 * the client's. `draw({moving})`: whether all that came since the last drawing was news from a
 * live link, and may be seen to move.
 */
export function drawing(draw) {
  let asked = false;
  let moving = true;
  return function redraw(cause) {
    moving &&= cause === "delta";
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      const moved = moving;
      moving = true;
      draw({ moving: moved });
    });
  };
}
