/** The lists of the room's screen: who needs somebody, who waits for a seat, what happened. */
import { fitted, keyed, make, setAttribute, setText, showText } from "../elements/draw.js";
import { say } from "../shared/words.js";
import { ageWords, needWords, shortTable, stakesOf, waitsWords } from "./room-words.js";

function tell(node, type, detail) {
  node.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
}

/** `render(needs, { nowMs, current })`: the oldest first. A tap: `need-asked` {table, seat}. */
export class NeedsList extends HTMLElement {
  #needs = new Map();

  render(needs, { nowMs, current = -1 }) {
    this.#needs = new Map(needs.map((need) => [need.key, need]));
    setAttribute(this, "role", "list");
    this.hidden = needs.length === 0;
    const order = needs.map(({ key }) => key);
    keyed(this, order, (key) => this.#build(key)).forEach((node, index) => {
      const need = needs[index];
      fitted(node.querySelector(".table"), shortTable(need.name));
      setText(node.querySelector(".what"), needWords(need));
      setText(node.querySelector(".age"), ageWords(nowMs - need.sinceMs));
      setAttribute(node, "data-kind", need.kind);
      setAttribute(node, "data-current", index === current);
    });
  }

  /** Give the focus to one of them. */
  focusOn(index) {
    this.children[index]?.querySelector("button").focus();
  }

  #build(key) {
    const table = make("span", { class: "table", "data-role": "glance" });
    const what = make("span", { class: "what", "data-role": "second" });
    const age = make("span", { class: "age", "data-role": "second" });
    const button = make("button", { type: "button" }, table, " ", what, " ", age);
    button.addEventListener("click", () => {
      const { table: id, seat } = this.#needs.get(key);
      tell(this, "need-asked", { table: id, seat });
    });
    return make("div", { role: "listitem" }, button);
  }
}

/**
 * `render(waiting, { nowMs, chosen, places })`: the room's list {player, games[], joined_ms}; the
 * one that was tapped; and the empty seats for him {table, name, seat}. Taps: `waiting-asked` {player} and
 * `place-chosen` {player, table, seat}.
 */
export class WaitingList extends HTMLElement {
  #places = new Map();

  render(waiting, { nowMs, chosen = "", places = [] }) {
    setAttribute(this, "role", "list");
    this.hidden = waiting.length === 0;
    const order = waiting.map(({ player }) => player);
    keyed(this, order, (player) => this.#build(player)).forEach((node, index) => {
      const { player, games, joined_ms: joinedMs } = waiting[index];
      const stakes = [...new Set(games.map((game) => stakesOf(game.stakes)))].join(", ");
      const age = waitsWords(nowMs, joinedMs);
      setText(node.querySelector(".games"), stakes);
      showText(node.querySelector(".age"), age);
      fitted(node.querySelector(".player"), player);
      setText(node.querySelector(".whole"), [player, stakes, age].filter(Boolean).join(", "));
      const isChosen = player === chosen;
      setAttribute(node, "data-chosen", isChosen);
      setAttribute(node.querySelector("button"), "aria-expanded", String(isChosen));
      this.#renderPlaces(node.querySelector(".places"), player, isChosen ? places : null);
    });
  }

  #renderPlaces(parent, player, places) {
    parent.hidden = places === null;
    if (places === null) return;
    this.#places = new Map(places.map((place) => [`${place.table} ${place.seat}`, { ...place, player }]));
    const order = places.length ? [...this.#places.keys()] : ["none"];
    keyed(parent, order, (key) => this.#buildPlace(key)).forEach((node, index) => {
      const place = places[index];
      setText(node, place ? say("place_at", place) : say("no_place"));
    });
  }

  #build(player) {
    const name = make("span", { class: "player", "data-role": "waiting" });
    const games = make("span", { class: "games", "data-role": "second" });
    const age = make("span", { class: "age", "data-role": "second" });
    const beside = make("span", { class: "beside" }, games, " ", age);
    const seen = make("span", { class: "seen", "aria-hidden": "true" }, name, " ", beside);
    const button = make("button", { type: "button" }, seen, make("span", { class: "aloud whole" }));
    button.addEventListener("click", () => tell(this, "waiting-asked", { player }));
    return make("div", { role: "listitem" }, button, make("div", { class: "places", hidden: true }));
  }

  #buildPlace(key) {
    if (key === "none") return make("span", { "data-role": "second" });
    const button = make("button", { type: "button", "data-role": "second" });
    button.addEventListener("click", () => tell(this, "place-chosen", this.#places.get(key)));
    return button;
  }
}

/**
 * What happened at a table, the newest first: for one seat, or for all. `render({ title, lines,
 * note, paper })`, `paper` being what only a print says, a line { offset, time, hand, what, posts,
 * why, who }. `isWhole`: it has the place of the table too. Taps: `rule-asked` {rule},
 * `print-asked`, `whole-asked`.
 */
export class TableLog extends HTMLElement {
  #parts = null;

  render({ title, lines, note, paper }) {
    this.#parts ??= this.#build();
    setText(this.#parts.title, title);
    setText(this.#parts.paper, paper);
    showText(this.#parts.note, note ?? "");
    const order = lines.map(({ offset }) => offset);
    keyed(this.#parts.list, order, () => buildLine()).forEach((node, index) => this.#renderLine(node, lines[index]));
  }

  get isWhole() {
    return this.hasAttribute("data-whole");
  }

  set isWhole(isWhole) {
    this.#parts ??= this.#build();
    setAttribute(this, "data-whole", isWhole);
    setText(this.#parts.whole, say(isWhole ? "log_part" : "log_whole"));
  }

  #renderLine(node, { offset, time, hand, what, posts, why, who }) {
    setText(node.querySelector(".time"), time);
    setText(node.querySelector(".hand"), hand);
    setText(node.querySelector(".what"), what);
    showText(node.querySelector(".posts"), posts);
    setText(node.querySelector(".who"), who);
    setText(node.querySelector(".offset"), `#${offset}`);
    keyed(
      node.querySelector(".whys"),
      why.map((_, index) => index),
      () => this.#buildWhy(),
    ).forEach((line, index) => {
      setText(line.firstChild, why[index].text);
      const rule = line.querySelector("button");
      setText(rule, `[${why[index].rule}]`);
      setAttribute(rule, "data-rule", why[index].rule);
    });
  }

  #buildWhy() {
    const rule = make("button", { type: "button", class: "rule" });
    rule.addEventListener("click", () => tell(this, "rule-asked", { rule: rule.dataset.rule }));
    return make("p", {}, make("span"), " ", rule);
  }

  #build() {
    const title = make("h2", { "data-role": "second" });
    const print = make("button", { type: "button", "data-role": "second" }, say("print"));
    print.addEventListener("click", () => tell(this, "print-asked", {}));
    const whole = make("button", { type: "button", "data-role": "second" }, say("log_whole"));
    whole.addEventListener("click", () => tell(this, "whole-asked", {}));
    const note = make("p", { class: "note", "data-role": "second", hidden: true });
    const list = make("ol", { "data-role": "second", tabindex: "0", "aria-label": say("log") });
    // Says on paper which room, and when it was printed: it may lie on a desk for days.
    const paper = make("p", { class: "paper" });
    this.append(make("div", { class: "top" }, title, whole, print), paper, note, list);
    return { title, whole, paper, note, list };
  }
}

function buildLine() {
  const part = (name) => make("span", { class: name });
  return make(
    "li",
    {},
    part("time"),
    " ",
    make("div", { class: "told" }, part("what"), " ", part("posts"), make("div", { class: "whys" })),
    " ",
    part("who"),
    " ",
    part("hand"),
    " ",
    part("offset"),
  );
}

customElements.define("needs-list", NeedsList);
customElements.define("waiting-list", WaitingList);
customElements.define("table-log", TableLog);
