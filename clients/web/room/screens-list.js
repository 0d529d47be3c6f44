import { keyed, make, setAttribute, setText } from "../elements/draw.js";
import { say } from "../shared/words.js";
import { ageWords, screenRole, shortTable, tableName } from "./room-words.js";

const LONGEST_NAME = 40;

/**
 * Every screen of the room, and those that wait to become one.
 *
 * `render(screens, { nowMs, pairings, tables })`: screens with `silent`, `gone` and `lag` (commits
 * behind); those that show a code; the tables to pair them with. Goes up as `pairing-made` {code,
 * role, table, seat}, `screen-named` {token, name}, `screen-sent-away` {token} and
 * `screen-forgotten` {id}. To send a screen away takes a second tap: it must be paired again.
 */
export class ScreensList extends HTMLElement {
  #parts = null;
  #screens = [];
  #asked = { id: "", what: "" };

  render(screens, { nowMs, pairings, tables }) {
    this.#parts ??= this.#build();
    this.#screens = screens;
    const { rows, codes } = this.#parts;
    const nameOf = (id) => tableName(tables, id);
    const order = screens.map(({ id }) => id);
    keyed(rows, order, (id) => this.#buildRow(id)).forEach((node, index) =>
      this.#renderRow(node, screens[index], { nowMs, nameOf }),
    );
    const waiting = pairings.map(({ code }) => code);
    keyed(codes, waiting, (code) => this.#buildPairing(code)).forEach((node, index) => {
      setText(node.querySelector(".code"), say("screen_code", pairings[index]));
      setText(node.querySelector(".program"), pairings[index].name);
      renderTables(node.querySelector("select[name=table]"), tables);
    });
    codes.hidden = pairings.length === 0;
  }

  #renderRow(node, screen, { nowMs, nameOf }) {
    const lag = screen.lag ? say("screen_lag", { count: screen.lag }) : "";
    const cells = {
      name: screen.name,
      for: screenRole({ ...screen, table: screen.table && shortTable(nameOf(screen.table)) }),
      lag,
      heard: ageWords(nowMs - screen.last_seen_ms),
      version: screen.version ?? "",
    };
    for (const [cell, text] of Object.entries(cells)) setText(node.querySelector(`.${cell}`), text);
    setAttribute(node, "data-silent", screen.silent);
    const what = this.#asked.id === screen.id ? this.#asked.what : "";
    const isKnown = Boolean(screen.token);
    node.querySelector(".name").hidden = what === "name";
    node.querySelector("form").hidden = what !== "name";
    node.querySelector(".asks").hidden = what !== "" || !isKnown || screen.gone;
    node.querySelector(".forget").hidden = what !== "" || !screen.gone;
    node.querySelector(".sure").hidden = what !== "away";
    for (const button of node.querySelectorAll("[data-says]")) {
      setAttribute(button, "aria-label", `${say(button.dataset.says)}: ${screen.name}`);
    }
  }

  #buildRow(id) {
    const on = (says, act) => {
      const button = make("button", { type: "button", "data-role": "second", "data-says": says }, say(says));
      button.addEventListener("click", act);
      return button;
    };
    const token = () => this.#screens.find((screen) => screen.id === id)?.token ?? "";
    const form = this.#buildName(id, token);
    const asks = make("span", { class: "asks" }, on("screen_name", () => this.#ask(id, "name")), " ", on("screen_away", () => this.#ask(id, "away")));
    const sure = make(
      "span",
      { class: "sure", hidden: true },
      on("screen_away_sure", () => this.#tell("screen-sent-away", { token: token() })),
      " ",
      on("screen_keep", () => this.#ask("", "")),
    );
    const forget = on("screen_forget", () => this.#tell("screen-forgotten", { id }));
    forget.className = "forget";
    const cell = (name) => make("td", { class: name });
    const name = make("td", {}, make("span", { class: "name" }), form);
    return make("tr", {}, name, cell("for"), cell("lag"), cell("heard"), cell("version"), make("td", { class: "acts" }, asks, forget, sure));
  }

  #buildName(id, token) {
    const input = make("input", { type: "text", maxlength: LONGEST_NAME, required: true, autocomplete: "off", "aria-label": say("screen_name"), "data-role": "second" });
    const done = make("button", { type: "submit", "data-role": "second" }, say("screen_done"));
    const form = make("form", { class: "naming", hidden: true }, input, done);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#tell("screen-named", { token: token(), name: input.value.trim() });
    });
    form.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.#ask("", "");
    });
    return form;
  }

  /** Ask for a name, or whether to send it away for sure; the focus goes with the question. */
  #ask(id, what) {
    const before = this.#asked;
    this.#asked = { id, what };
    this.dispatchEvent(new CustomEvent("list-changed", { bubbles: true }));
    requestAnimationFrame(() => this.#focusOn(id || before.id, what));
  }

  #focusOn(id, what) {
    const row = this.querySelector(`tr[data-key="${CSS.escape(id)}"]`);
    const input = row?.querySelector("input");
    if (what === "name" && input) {
      input.value = this.#screens.find((screen) => screen.id === id)?.name ?? "";
      input.select();
    }
    (what === "name" ? input : row?.querySelector(what === "away" ? ".sure button" : ".asks button"))?.focus();
  }

  #tell(type, detail) {
    this.#asked = { id: "", what: "" };
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  #build() {
    const heads = ["name", "role", "lag", "heard", "version"].map((key) =>
      make("th", { scope: "col" }, say(`screen_head.${key}`)),
    );
    const acts = make("th", { scope: "col" }, make("span", { class: "aloud" }, say("screen_head.acts")));
    const rows = make("tbody");
    const table = make("table", { "data-role": "second" }, make("thead", {}, make("tr", {}, ...heads, acts)), rows);
    const codes = make("div", { class: "codes", hidden: true });
    this.append(codes, table);
    return { rows, codes };
  }

  #buildPairing(code) {
    const select = (name, ...options) => make("select", { name, "aria-label": say(`pair_${name}`), "data-role": "second" }, ...options);
    const roles = ["dealer", "display", "player"].map((role) => make("option", { value: role }, say(`role.${role}`)));
    const role = select("role", ...roles);
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

function renderTables(select, tables) {
  const order = tables.map(({ table }) => table);
  keyed(select, order, (table) => make("option", { value: table })).forEach((node, index) =>
    setText(node, say("table", { name: tables[index].name })),
  );
}

customElements.define("screens-list", ScreensList);
