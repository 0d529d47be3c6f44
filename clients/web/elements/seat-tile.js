import { discAmounts, seatAloud, statusWords } from "../shared/seat-words.js";
import { price, say } from "../shared/words.js";
import "./felt-disc.js";
import { fitted, keyed, make, makeSvg, setAttribute, setText, showText } from "./draw.js";

/**
 * One seat: number, name, discs and amounts, and what a person must know of it.
 *
 * `render(seat, { nowMs, names })`: a seat picture, the server's time for away minutes (null: none
 * are shown), and whether names are shown at all. At the dealer's each is a button: `tappable`,
 * and `mark(seat number)` → { selected, target, waits } says how it stands among her taps.
 */
export class SeatTile extends HTMLElement {
  #parts = null;

  render(seat, { nowMs = null, names = true, tappable = false, mark = null } = {}) {
    this.#parts ??= this.#build(tappable);
    const { number, name, discs, posts, status, words, padlock, question, marker, aloud } = this.#parts;
    setText(number, String(seat.seat));
    const called = names && seat.taken ? seat.name : "";
    name.hidden = called === "";
    fitted(name, called, name.parentNode);
    this.#renderDiscs(discs, seat.discs);
    showText(posts, discAmounts(seat));
    setText(words, statusWords(seat, nowMs));
    padlock.toggleAttribute("hidden", !seat.held);
    status.hidden = words.textContent === "";
    question.hidden = !seat.question;
    marker.hidden = seat.owes === null;
    if (seat.owes) setText(marker, say("missed", { amount: price(seat.owes.live, seat.owes.dead) }));
    setText(aloud, seatAloud(names ? seat : { ...seat, name: "" }, nowMs));
    this.#renderState(seat);
    if (mark) this.#renderMark(mark(seat.seat));
  }

  #renderMark({ selected = false, target = false, waits = false }) {
    setAttribute(this, "data-selected", selected);
    setAttribute(this, "data-target", target);
    setAttribute(this, "data-waits", waits);
    setAttribute(this.querySelector(".tap"), "aria-pressed", selected ? "true" : "false");
  }

  #renderState(seat) {
    const state = seat.taken ? "taken" : seat.held ? "held" : "empty";
    setAttribute(this, "data-seat", seat.seat);
    setAttribute(this, "data-state", state);
    setAttribute(this, "data-away", seat.away);
    setAttribute(this, "data-out", seat.dealt === false);
    setAttribute(this, "data-question", seat.question);
    setAttribute(this, "data-first", seat.first);
  }

  #renderDiscs(parent, discs) {
    // Two big blinds at one seat cannot be: the kind is key enough.
    const nodes = keyed(
      parent,
      discs.map(({ kind }) => kind),
      () => document.createElement("felt-disc"),
    );
    nodes.forEach((node, index) => node.render(discs[index]));
  }

  #build(tappable) {
    const part = (tag, name, role) => make(tag, { class: name, "data-role": role });
    const number = part("span", "number", "glance");
    const name = part("span", "name", tappable ? "second" : "glance");
    const discs = part("span", "discs");
    const posts = part("span", "posts", "glance");
    const words = make("span");
    const padlock = makeSvg("svg", { class: "padlock", viewBox: "0 0 20 20" }, makeSvg("path", { d: PADLOCK }));
    const status = make("span", { class: "status", "data-role": "second" }, padlock, words);
    // An open question shows no price here: prices are for those who may answer.
    const question = part("seat-question", "question", "second");
    setAttribute(question, "data-shape", "diamond");
    setText(question, say("question"));
    const marker = part("blind-marker", "marker", "second");
    setAttribute(marker, "data-shape", "cut");
    const head = make("span", { class: "head" }, number, name);
    const spot = make("span", { class: "spot" }, discs, posts);
    const seen = make("span", { class: "seen", "aria-hidden": "true" }, head, status, question, marker, spot);
    const aloud = make("span", { class: "aloud" });
    const whole = tappable ? [make("button", { class: "tap", type: "button" }, seen, aloud)] : [seen, aloud];
    this.append(...whole);
    return { number, name, discs, posts, status, words, padlock, question, marker, aloud };
  }
}

const PADLOCK = "M4 9h12v9H4zM6.5 9V6a3.5 3.5 0 0 1 7 0v3";

customElements.define("seat-tile", SeatTile);
