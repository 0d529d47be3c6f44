import { ownSeat } from "../shared/own-seat.js";
import { picture } from "../shared/picture.js";
import { say } from "../shared/words.js";
import { fitted, keyed, make, setAttribute, setText, showParts, showText } from "./draw.js";
import "./felt-disc.js";
import "./freshness-bar.js";
import "./mini-ring.js";

/**
 * A player's seat: am I dealt in, what do I post, what do I owe, when does the big blind reach me.
 *
 * `render({ view, seat, offset, freshness, pending, answer, notice })`: `pending` is {key, text} of the
 * wish on its way; `answer` the sentence under the buttons; `notice` {say, next} stands instead of
 * everything. A wish goes up as `wish`, detail {key, command}, also while not live: whoever
 * sends it answers, so that no tap goes unanswered.
 */
export class SeatPanel extends HTMLElement {
  #parts = null;
  #isLeaving = false;
  #told = null;
  #commands = new Map();

  render(told) {
    this.#told = told;
    this.#parts ??= this.#build();
    const { view, seat, offset, freshness, notice } = told;
    const part = this.#parts;
    setAttribute(this, "data-offset", offset);
    setAttribute(this, "data-freshness", freshness.state);
    part.freshness.render(freshness);
    setText(part.seat, seat ? say("seat", { seat }) : "");
    setText(part.table, view ? say("table", { name: view.name ?? view.table }) : "");
    part.body.hidden = notice !== null;
    part.notice.hidden = notice === null;
    if (notice !== null) {
      setText(part.noticeSay, notice.say);
      showText(part.noticeNext, notice.next);
      fitted(part.name, "");
    } else this.#renderSeat(view, seat, told);
  }

  #renderSeat(view, number, { pending, answer }) {
    const part = this.#parts;
    const own = ownSeat(view, number);
    fitted(part.name, own.seat.name);
    setText(part.headline, own.headline);
    showText(part.detail, own.detail);
    part.disc.hidden = own.disc === null;
    if (own.disc) part.disc.render(own.disc);
    setAttribute(this, "data-question", own.choices.length > 0);
    part.ring.hidden = own.choices.length > 0;
    part.ring.render(picture(view).seats, number);
    setText(part.plan, own.plan);
    this.#renderChoices(own.choices, pending);
    this.#renderWishes(own.wishes, pending);
    showText(part.answer, answer ?? "");
  }

  #renderChoices(choices, pending) {
    const { choices: group } = this.#parts;
    group.hidden = choices.length === 0;
    const keys = choices.map(({ choice }) => choice);
    const nodes = keyed(group, keys, () => choiceButton());
    nodes.forEach((node, index) => {
      const { choice, label, price, wait, command } = choices[index];
      const [words, cost, when] = node.children;
      this.#renderButton(node, words, { key: choice, label, command, pending });
      showParts(cost, price);
      setText(when, wait);
      setAttribute(node, "data-primary", index === 0);
    });
  }

  #renderWishes(wishes, pending) {
    const leaves = wishes.some(({ isLeave }) => isLeave);
    this.#isLeaving &&= leaves;
    const shown = this.#isLeaving ? leaving(wishes) : wishes;
    this.#parts.wishes.hidden = shown.length === 0;
    const nodes = keyed(
      this.#parts.wishes,
      shown.map(({ kind }) => kind),
      () => make("button", { type: "button", "data-role": "second" }, make("span"), make("small")),
    );
    nodes.forEach((node, index) => {
      const { kind, label, note, command } = shown[index];
      const [words, small] = node.children;
      this.#renderButton(node, words, { key: kind, label, command, pending });
      showParts(small, note);
    });
  }

  #renderButton(node, words, { key, label, command, pending }) {
    const isPending = pending?.key === key;
    setText(words, isPending && pending.text ? pending.text : label);
    setAttribute(node, "data-pending", isPending);
    setAttribute(node, "aria-disabled", this.#isFresh() ? null : "true");
    this.#commands.set(key, command);
  }

  #isFresh() {
    return this.#told.freshness.state === "fresh";
  }

  #tapped(event) {
    const button = event.target.closest("button");
    if (button === null) return;
    const { key } = button.dataset;
    if (key === "leave" || key === "stay") {
      this.#isLeaving = key === "leave";
      this.render(this.#told);
      return;
    }
    this.#isLeaving = false;
    const detail = { key, command: this.#commands.get(key) };
    this.dispatchEvent(new CustomEvent("wish", { detail, bubbles: true, composed: true }));
  }

  #build() {
    const line = (tag, name, role) => make(tag, { class: name, "data-role": role });
    const part = {
      seat: line("span", "seat", "second"),
      name: line("span", "name", "second"),
      table: line("span", "table", "second"),
      freshness: line("freshness-bar", "", "second"),
      disc: make("felt-disc", { hidden: true }),
      headline: line("p", "headline", "glance"),
      detail: line("p", "detail", "second"),
      choices: make("div", { class: "choices", role: "group", "aria-label": say("question") }),
      ring: make("mini-ring"),
      plan: line("p", "plan", "second"),
      wishes: make("div", { class: "wishes", role: "group", "aria-label": say("your_seat") }),
      answer: make("p", { class: "answer", role: "alert", "data-role": "second" }),
      noticeSay: line("p", "headline", "glance"),
      noticeNext: line("p", "detail", "second"),
    };
    part.body = make(
      "div",
      { class: "body picture" },
      make("div", { class: "state" }, part.disc, make("div", {}, part.headline, part.detail)),
      part.ring,
      part.choices,
      part.plan,
      part.answer,
      part.wishes,
    );
    part.notice = make("div", { class: "notice" }, part.noticeSay, part.noticeNext);
    const header = make("header", {}, part.seat, part.name, part.table, part.freshness);
    this.addEventListener("click", (event) => this.#tapped(event));
    this.append(header, part.body, part.notice);
    return part;
  }
}

function choiceButton() {
  return make(
    "button",
    { type: "button", class: "choice", "data-role": "second" },
    make("span", { class: "label" }),
    make("span", { class: "price" }),
    make("span", { class: "wait" }),
  );
}

/** Leaving takes a second tap, in the place of the other wishes: it has no opposite. */
function leaving(wishes) {
  const leave = wishes.find(({ isLeave }) => isLeave);
  return [
    { ...leave, kind: "leave_sure", label: say("do.leave_sure") },
    { kind: "stay", label: say("do.keep_seat"), note: "", command: null },
  ];
}

customElements.define("seat-panel", SeatPanel);
