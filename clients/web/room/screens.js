/** The room's screens, as the floor looks after them: which are there, and what is done to them. */
import { say } from "../shared/words.js";
import { forget, goneScreens, isSilent, placeOf } from "./needs.js";
import { silentWords, tableName } from "./room-words.js";

const PAIRINGS_EVERY_MS = 5_000;

export class Screens {
  #api;
  #place;
  #own;
  #told;
  #changed;

  /**
   * `place` is a screens-list, `api` a FloorApi, `own()` the id of this screen's token; `told(text)`
   * says what came of it; `changed()` is called when there is something new to draw; `watched` =
   * { memory, isLive() }.
   */
  constructor({ place, api, own, clock, watched, told, changed }) {
    this.#api = api;
    this.#place = place;
    this.#own = own;
    this.#told = told;
    this.#changed = changed;
    this.watched = watched;
    this.pairings = [];
    place.addEventListener("pairing-made", ({ detail }) => this.#pair(detail));
    place.addEventListener("screen-named", ({ detail }) => this.#did(api.give(detail.token, { name: detail.name })));
    place.addEventListener("screen-set-up", ({ detail }) => this.#did(api.give(detail.token, { setup: detail.setup })));
    place.addEventListener("screen-reloaded", ({ detail }) => this.#reload(detail));
    place.addEventListener("screen-sent-away", ({ detail }) => this.#did(api.sendAway(detail.token)));
    place.addEventListener("screen-forgotten", ({ detail }) => this.#forget(detail.id));
    place.addEventListener("list-changed", changed);
    clock.every(PAIRINGS_EVERY_MS, () => this.#readPairings());
  }

  /** Every screen of the room, those too that were here and are gone. */
  of({ screens, tables }, nowMs) {
    const offsets = new Map(tables.map(({ table, offset }) => [table, offset]));
    const gone = goneScreens(screens, this.watched.memory).map((screen) => ({ ...screen, gone: true }));
    const ownToken = this.#own();
    const isOwn = ({ token }) => Boolean(token) && token === ownToken;
    const canPair = (screen) => screen.role === "floor" && !isOwn(screen) && !isSilent(screen, nowMs);
    const own = screens.some(canPair) ? "own" : "only";
    const seen = new Map();
    const keyOf = (screen) => {
      const place = placeOf(screen);
      seen.set(place, (seen.get(place) ?? 0) + 1);
      return `${place} ${seen.get(place)}`;
    };
    return [...screens, ...gone].map((screen) => ({
      ...screen,
      key: keyOf(screen),
      own: isOwn(screen) ? own : "",
      silent: isSilent(screen, nowMs),
      lag: screen.position ? Math.max(0, (offsets.get(screen.table) ?? 0) - screen.position[1]) : 0,
    }));
  }

  /** "Screens: 28 live · 1 silent (T12 dealer) · 2 to pair". */
  words(room, nowMs) {
    const screens = this.of(room, nowMs);
    const silent = screens.filter((screen) => screen.silent);
    const told = [say("screens_live", { screens: screens.length - silent.length })];
    const nameOf = (id) => tableName(room.tables, id);
    if (silent.length) told.push(say("screens_silent", { screens: silent.length, which: silentWords(silent, nameOf) }));
    if (this.pairings.length) told.push(say("screens_unpaired", { screens: this.pairings.length }));
    return `${say("screens_title")}: ${told.join(" · ")}`;
  }

  draw(room, nowMs) {
    this.#place.render(this.of(room, nowMs), { nowMs, pairings: this.pairings, tables: room.tables });
  }

  async #did(work) {
    this.#changed();
    this.#told((await work) ? "" : say("screen_failed"));
  }

  async #reload({ token, name }) {
    this.#changed();
    const words = { done: "screen_reloading", not_connected: "screen_not_there", failed: "screen_failed" };
    this.#told(say(words[await this.#api.reload(token)], { name }));
  }

  #forget(id) {
    this.watched.memory = forget(this.watched.memory, id);
    this.#changed();
  }

  async #pair({ code, ...wanted }) {
    this.#told((await this.#api.pair(code, wanted)) ? "" : say("pair_failed"));
    await this.#readPairings();
  }

  async #readPairings() {
    if (!this.watched.isLive()) return;
    this.pairings = (await this.#api.pairings()) ?? [];
    this.#changed();
  }
}
