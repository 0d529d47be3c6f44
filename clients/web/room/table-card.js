import { fitted, make, setAttribute, setText, showText } from "../elements/draw.js";
import { cardAloud, discsOf, foundAt, shortTable, stakesOf, standsWords } from "./room-words.js";
import { say } from "../shared/words.js";

// What a table needs, for those who do not see its colour: the oldest need is shown.
const MARKS = { question: "diamond", no_hand: "square", silent: "cross", away: "disc" };

/**
 * One table of the room, as a button. `render(summary, { needs, silent, found })`: the table in
 * short or null (its place is kept), what it needs, whether its terminal is silent, and what was
 * found there [{seat, player}] of what is looked for. A tap goes up as `table-asked`, detail {table}.
 */
export class TableCard extends HTMLElement {
  #parts = null;
  #table = "";

  render(summary, { needs = [], silent = false, found = [] } = {}) {
    this.#parts ??= this.#build();
    const { button, name, mark, stakes, seats, hand, discs, owing, aloud } = this.#parts;
    setAttribute(this, "data-state", summary === null ? "gone" : "here");
    button.hidden = summary === null;
    if (summary === null) return;
    this.#table = summary.table;
    setText(stakes, stakesOf(summary.stakes));
    fitted(name, shortTable(summary.name));
    setAttribute(mark, "data-shape", MARKS[needs[0]?.kind]);
    setText(seats, say("card_line", { seated: summary.seated, seats: summary.seats }));
    setText(hand, say("card_hand", { hand: summary.hand ?? 0 }));
    setText(discs, foundAt(found) || standsWords(summary) || discsOf(summary));
    showText(owing, summary.owing?.length ? say("card_owing_short", { players: summary.owing.length }) : "");
    setText(aloud, [cardAloud(summary, needs), foundAt(found)].filter(Boolean).join(", "));
    setAttribute(this, "data-need", needs.length > 0);
    setAttribute(this, "data-question", needs.some(({ kind }) => kind === "question"));
    setAttribute(this, "data-silent", silent);
    setAttribute(this, "data-found", found.length > 0);
    setAttribute(this, "data-stale", summary.stale);
  }

  #build() {
    const part = (name, role) => make("span", { class: name, "data-role": role });
    const name = part("name", "glance");
    const mark = make("span", { class: "mark" });
    const stakes = part("stakes", "second");
    const seats = part("seats", "second");
    const hand = part("hand", "second");
    const discs = part("discs", "second");
    const owing = part("owing", "glance");
    const top = make("span", { class: "line" }, name, mark, stakes);
    const middle = make("span", { class: "line" }, seats, owing, hand);
    const seen = make("span", { class: "seen", "aria-hidden": "true" }, top, middle, discs);
    const aloud = make("span", { class: "aloud" });
    const button = make("button", { type: "button" }, seen, aloud);
    button.addEventListener("click", () => {
      const detail = { table: this.#table };
      this.dispatchEvent(new CustomEvent("table-asked", { detail, bubbles: true, composed: true }));
    });
    this.append(button);
    return { button, name, mark, stakes, seats, hand, discs, owing, aloud };
  }
}

customElements.define("table-card", TableCard);
