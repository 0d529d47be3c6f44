import { keyed, make, setAttribute, setText, showText } from "../elements/draw.js";
import { addWords, say } from "../shared/words.js";
import english from "../shared/words/en-screens.js";
import { ageWords, screenRole, shortTable, tableName } from "./room-words.js";
import { setupForm } from "./setup-form.js";

addWords(english);

const LONGEST_NAME = 40;
/** What a screen most likely is for, by its program; the floor may choose otherwise. */
const ROLES = { "seat-display": "player", "table-display": "display" };

/**
 * Every screen of the room, and those that wait to become one. A tap on a screen's name opens what
 * may be done to it.
 *
 * `render(screens, { nowMs, pairings, tables })`: screens with `key` (that of one that reconnects
 * stays), `silent`, `gone`, `own` ("" | "own" |
 * "only": nobody else could pair it again) and `lag` (commits behind); those that show a code; the
 * tables to pair them with. Goes up as `pairing-made` {code, role, table, seat}, `screen-named`
 * {token, name}, `screen-set-up` {token, setup}, `screen-reloaded` {token, name}, `screen-sent-away`
 * {token} and `screen-forgotten` {id}. To send a screen away takes a second tap: it must be paired
 * again.
 */
export class ScreensList extends HTMLElement {
  #parts = null;
  #screens = [];
  #tables = [];
  #asked = { key: "", what: "" };

  render(screens, { nowMs, pairings, tables }) {
    this.#parts ??= this.#build();
    this.#screens = screens;
    this.#tables = tables;
    const { table, codes } = this.#parts;
    const nameOf = (id) => tableName(tables, id);
    const order = screens.map(({ key }) => key);
    keyed(table, ["heads", ...order], (key) => this.#buildRows(key))
      .slice(1)
      .forEach((node, index) => this.#renderRows(node, screens[index], { nowMs, nameOf }));
    const waiting = pairings.map(({ code }) => code);
    keyed(codes, waiting, (code) => this.#buildPairing(pairings.find((each) => each.code === code))).forEach((node, index) => {
      setText(node.querySelector(".code"), say("screen_code", pairings[index]));
      setText(node.querySelector(".program"), pairings[index].name);
      renderTables(node.querySelector("select[name=table]"), tables);
    });
    codes.hidden = pairings.length === 0;
  }

  /** Close what is open at a screen. */
  rest() {
    this.#asked = { key: "", what: "" };
  }

  #renderRows(node, screen, { nowMs, nameOf }) {
    const cells = {
      name: say(screen.own ? "screen_own" : "screen_called", screen),
      for: screenRole({ ...screen, table: screen.table && shortTable(nameOf(screen.table)) }),
      lag: screen.lag ? say("screen_lag", { count: screen.lag }) : "",
      heard: heardWords(screen, nowMs),
      version: screen.version ?? "",
    };
    for (const [cell, text] of Object.entries(cells)) setText(node.querySelector(`.${cell}`), text);
    setAttribute(node, "data-silent", screen.silent);
    const what = this.#asked.key === screen.key ? this.#asked.what : "";
    const canBeToken = Boolean(screen.token) && !screen.gone;
    setAttribute(node.querySelector(".name"), "aria-expanded", String(what !== ""));
    node.querySelector(".acts").hidden = what === "";
    node.querySelector(".asks").hidden = what !== "acts" || !canBeToken;
    node.querySelector(".set-up").hidden = screen.role !== "display";
    node.querySelector(".forgets").hidden = what !== "acts" || !screen.gone;
    node.querySelector(".naming").hidden = what !== "name";
    node.querySelector(".setting").hidden = what !== "setup";
    node.querySelector(".sure").hidden = what !== "away";
    const isOnly = screen.own === "only";
    setText(node.querySelector(".sure p"), say(`screen_away_what.${screen.own || "other"}`));
    node.querySelector(".sure .really").hidden = isOnly;
    for (const button of node.querySelectorAll("[data-says]")) {
      setAttribute(button, "aria-label", `${say(button.dataset.says)}: ${screen.name}`);
    }
  }

  #buildRows(key) {
    const on = (says, act, name = says) => {
      const button = make("button", { type: "button", class: name, "data-role": "second", "data-says": says }, say(says));
      button.addEventListener("click", act);
      return button;
    };
    const screen = () => this.#screens.find((each) => each.key === key) ?? {};
    const ask = (what) => () => this.#ask(key, what);
    const asks = make(
      "div",
      { class: "asks" },
      on("screen_name", ask("name")),
      on("screen_set_up", ask("setup"), "set-up"),
      on("screen_reload", () => this.#tell("screen-reloaded", { token: screen().token, name: screen().name })),
      on("screen_away", ask("away")),
    );
    const forgets = make("div", { class: "forgets" }, on("screen_forget", () => this.#tell("screen-forgotten", { id: screen().id }), "forget"));
    const sure = make(
      "div",
      { class: "sure" },
      make("p", { "data-role": "second" }),
      on("screen_away_sure", () => this.#tell("screen-sent-away", { token: screen().token }), "really"),
      on("screen_keep", ask("acts"), "keep"),
    );
    const setting = setupForm((setup) => this.#tell("screen-set-up", { token: screen().token, setup }));
    const acts = make("td", { colspan: 5 }, asks, forgets, this.#buildName(screen), setting, sure);
    acts.addEventListener("keydown", (event) => this.#escape(event, key));
    return make("tbody", {}, this.#buildRow(key), make("tr", { class: "acts", hidden: true }, acts));
  }

  #buildRow(key) {
    const name = make("button", { type: "button", class: "name", "data-role": "second" });
    name.addEventListener("click", () => this.#ask(key, this.#asked.key === key ? "" : "acts"));
    const cells = ["for", "lag", "heard", "version"].map((cell) => make("td", { class: cell }));
    return make("tr", {}, make("td", {}, name), ...cells);
  }

  #buildName(screen) {
    const input = make("input", { type: "text", maxlength: LONGEST_NAME, required: true, autocomplete: "off", "aria-label": say("screen_name"), "data-role": "second" });
    const done = make("button", { type: "submit", "data-role": "second" }, say("screen_done"));
    const form = make("form", { class: "naming" }, input, done);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#tell("screen-named", { token: screen().token, name: input.value.trim() });
    });
    return form;
  }

  /** From a question back to what may be done, from that to the list; the drawer stays. */
  #escape(event, key) {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    this.#ask(key, this.#asked.what === "acts" ? "" : "acts");
  }

  /** Open what may be done to a screen, or a question about it; the focus goes along. */
  #ask(key, what) {
    this.#asked = { key, what };
    this.dispatchEvent(new CustomEvent("list-changed", { bubbles: true }));
    requestAnimationFrame(() => this.#focusOn(key, what));
  }

  #focusOn(key, what) {
    const rows = this.querySelector(`tbody[data-key="${CSS.escape(key)}"]`);
    if (rows === null) return;
    const screen = this.#screens.find((each) => each.key === key) ?? {};
    if (what === "name") {
      const input = rows.querySelector(".naming input");
      input.value = screen.name ?? "";
      input.select();
    }
    if (what === "setup") rows.querySelector(".setting").fill(screen.setup ?? {}, { seats: this.#seatsAt(screen.table), tables: this.#tables });
    const first = { name: ".naming input", setup: ".setting select", away: ".keep", acts: ".acts :is(.asks, .forgets):not([hidden]) button", "": ".name" };
    rows.querySelector(first[what]).focus();
  }

  #seatsAt(table) {
    return this.#tables.find((summary) => summary.table === table)?.seats ?? 0;
  }

  #tell(type, detail) {
    const { key } = this.#asked;
    this.rest();
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
    requestAnimationFrame(() => key && this.#focusOn(key, ""));
  }

  #build() {
    const heads = ["name", "role", "lag", "heard", "version"].map((key) =>
      make("th", { scope: "col" }, say(`screen_head.${key}`)),
    );
    const table = make("table", { "data-role": "second" }, make("thead", { "data-key": "heads" }, make("tr", {}, ...heads)));
    const codes = make("div", { class: "codes", hidden: true });
    this.append(codes, table);
    return { table, codes };
  }

  #buildPairing({ code, name }) {
    const select = (name, ...options) => make("select", { name, "aria-label": say(`pair_${name}`), "data-role": "second" }, ...options);
    const roles = ["dealer", "display", "player"].map((role) => make("option", { value: role }, say(`role.${role}`)));
    const role = select("role", ...roles);
    role.value = ROLES[name] ?? "dealer";
    const table = select("table");
    const seats = Array.from({ length: 11 }, (_, seat) =>
      make("option", { value: seat }, seat ? say("seat", { seat }) : say("pair_no_seat")),
    );
    const seat = select("seat", ...seats);
    const button = make("button", { type: "submit", "data-role": "second" }, say("pair"));
    const called = make("span", { class: "code", "data-role": "glance" });
    const program = make("span", { class: "program", "data-role": "second" });
    const form = make("form", {}, called, program, role, table, seat, button);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#tell("pairing-made", { code, role: role.value, table: table.value, seat: Number(seat.value) });
    });
    return form;
  }
}

function heardWords({ silent, gone, last_seen_ms: lastSeenMs }, nowMs) {
  const age = ageWords(nowMs - lastSeenMs);
  if (gone) return say("screen_gone", { age });
  return silent ? say("screen_silent", { age }) : age;
}

function renderTables(select, tables) {
  const order = tables.map(({ table }) => table);
  keyed(select, order, (table) => make("option", { value: table })).forEach((node, index) =>
    setText(node, say("table", { name: tables[index].name })),
  );
}

customElements.define("screens-list", ScreensList);
