/** The room's screens, as the floor looks after them: which are there, named, sent away, paired. */
import { say } from "../shared/words.js";
import { forget, goneScreens, isSilent } from "./needs.js";
import { silentWords, tableName } from "./room-words.js";

const PAIRINGS_EVERY_MS = 5_000;

export class Screens {
  #api;
  #place;
  #told;
  #changed;

  /**
   * `place` is a screens-list, `api` a FloorApi; `told(text)` says what did not work; `changed()`
   * is called when there is something new to draw; `watched` = { memory, isLive() }.
   */
  constructor({ place, api, clock, watched, told, changed }) {
    this.#api = api;
    this.#place = place;
    this.#told = told;
    this.#changed = changed;
    this.watched = watched;
    this.pairings = [];
    place.addEventListener("pairing-made", ({ detail }) => this.#pair(detail));
    place.addEventListener("screen-named", ({ detail }) => this.#did(api.rename(detail.token, detail.name)));
    place.addEventListener("screen-sent-away", ({ detail }) => this.#did(api.sendAway(detail.token)));
    place.addEventListener("screen-forgotten", ({ detail }) => this.#forget(detail.id));
    place.addEventListener("list-changed", changed);
    clock.every(PAIRINGS_EVERY_MS, () => this.#readPairings());
  }

  /** Every screen of the room, those too that were here and are gone. */
  of({ screens, tables }, nowMs) {
    const offsets = new Map(tables.map(({ table, offset }) => [table, offset]));
    const gone = goneScreens(screens, this.watched.memory).map((screen) => ({ ...screen, gone: true }));
    return [...screens, ...gone].map((screen) => ({
      ...screen,
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
    if (!(await work)) this.#told(say("screen_failed"));
  }

  #forget(id) {
    this.watched.memory = forget(this.watched.memory, id);
    this.#changed();
  }

  async #pair({ code, ...wanted }) {
    if (!(await this.#api.pair(code, wanted))) this.#told(say("pair_failed"));
    await this.#readPairings();
  }

  async #readPairings() {
    if (!this.watched.isLive()) return;
    this.pairings = (await this.#api.pairings()) ?? [];
    this.#changed();
  }
}
