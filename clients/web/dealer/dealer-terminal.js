import "../elements/freshness-bar.js";
import "../elements/seat-ring.js";
import "../elements/why-line.js";
import "./choice-grid.js";
import "./plan-board.js";
import { keyed, make, setAttribute, setText, showText } from "../elements/draw.js";
import { ringPlaces } from "../elements/ring.js";
import { say } from "../shared/words.js";

const OTHERS = "others";

/**
 * The dealer's screen, drawn from a desk's picture of it: nothing here knows a rule or a server.
 *
 * Taps go up as `seat-tapped` {seat}, `bar-tapped` {act}, `chosen` {id}, `written` {text, submit},
 * `rule-asked` {rule} and `rule-closed`.
 */
export class DealerTerminal extends HTMLElement {
  #parts = null;
  #rule;
  // Which of the choices of a panel are shown: those that find no room stand on another page.
  #page = {};

  render(desk, { moving = false } = {}) {
    this.#parts ??= this.#build();
    setAttribute(this, "data-freshness", desk.freshness.state);
    setAttribute(this, "data-hand", desk.settings.left_handed ? "left" : "right");
    setAttribute(this, "data-mode", desk.mode);
    setAttribute(this, "data-phase", desk.phase);
    setAttribute(this, "data-offset", desk.offset);
    this.#renderHead(desk);
    const { felt, note } = this.#parts;
    felt.hidden = desk.note !== null;
    note.hidden = desk.note === null;
    if (desk.note === null) this.#renderFelt(desk, moving);
    else this.#renderNote(desk.note);
    this.#renderBar(desk);
  }

  #renderHead({ title, hand, freshness, drain }) {
    const parts = this.#parts;
    setText(parts.title, title);
    setText(parts.hand, hand);
    parts.freshness.render(freshness);
    showText(parts.drain, drain);
  }

  #renderNote({ say: sentence, next }) {
    setText(this.#parts.noteSay, sentence);
    showText(this.#parts.noteNext, next ?? "");
  }

  #renderFelt(desk, moving) {
    const { felt, ring, plan, reasons, whys, chips, centre } = this.#parts;
    setAttribute(centre, "data-mode", desk.mode);
    setAttribute(centre, "data-question", desk.panel.question);
    const count = desk.seats.length;
    const { columns, rows, places } = ringPlaces(count);
    felt.style.setProperty("--tiles", columns / 2);
    felt.style.setProperty("--rows", rows);
    setAttribute(felt, "data-top", places.some(({ row }) => row === 1) ? null : "none");
    const rotate = desk.settings.far_side ? Math.floor(count / 2) : 0;
    ring.render(desk.seats, { moving, rotate, nowMs: desk.nowMs, tappable: true, mark: desk.mark });
    const fills = ["rule", "keys"].includes(desk.mode);
    plan.hidden = fills;
    if (!fills) plan.render(desk.plan);
    const lines = fills ? [] : desk.whys;
    keyed(
      whys,
      lines.map((_, index) => index),
      () => make("why-line", { "data-role": "second" }),
    ).forEach((node, index) =>
      node.render(lines[index], { tappable: true }),
    );
    chips.render(fills ? [] : desk.panel.chips);
    reasons.hidden = lines.length === 0 && chips.hidden;
    this.#renderPanel(desk);
    // The panel may have made way for it: its names are fitted to where they are seen.
    if (!fills) plan.render(desk.plan);
    // A reason that found no room is in a column beside those that are seen.
    for (const line of whys.children) line.inert = line.offsetLeft > whys.offsetLeft;
  }

  #renderPanel(desk) {
    const { mode, panel, notice, rule } = desk;
    const { panel: group, heading, place, noticeLine, noticeText, noticeRule, grid, form, card, keys } = this.#parts;
    const had = group.contains(document.activeElement);
    setAttribute(group, "data-question", panel.question);
    showText(heading, panel.heading);
    showText(place, panel.place);
    noticeLine.hidden = notice === null;
    setAttribute(this, "data-notice", notice !== null);
    setText(noticeText, notice?.text ?? "");
    showText(noticeRule, notice?.rule ? `[${notice.rule}]` : "");
    setAttribute(noticeRule, "data-rule", notice?.rule);
    setAttribute(noticeLine, "data-kind", notice?.kind);
    renderRare(form, () => import("./desk-form.js"), panel.form !== null, panel.form);
    card.hidden = mode !== "rule" || rule === undefined;
    if (!card.hidden && this.#rule !== rule) {
      this.#rule = rule;
      card.render(rule);
    }
    keys.hidden = mode !== "keys";
    renderRare(keys, () => import("./key-list.js"), !keys.hidden);
    this.#renderChoices(desk);
    // What had the focus is gone: it goes back to the seat, or to the control, it was opened from.
    if (had && !group.contains(document.activeElement)) this.focusHome();
  }

  /** As many choices as there is room for; the last control turns to the others. */
  #renderChoices({ mode, panel: { heading, items }, notice }) {
    const { grid, centre, panel } = this.#parts;
    const of = `${mode} ${heading}`;
    if (this.#page.of !== of) this.#page = { of, from: 0 };
    const page = this.#page;
    const key = JSON.stringify([page.from, items, notice, centre.clientWidth, centre.clientHeight]);
    const left = items.slice(page.from);
    if (page.key !== key) Object.assign(page, { key, shown: left.length, all: items.length });
    const others = { id: OTHERS, label: say("others"), detail: "" };
    const render = () => grid.render(page.shown < page.all ? [...left.slice(0, page.shown), others] : left);
    const isCut = (node) => node.scrollHeight > node.clientHeight + 1;
    for (render(); page.shown > 1 && [centre, panel].some(isCut); render()) page.shown -= 1;
  }

  #turn({ id }) {
    const { from, shown, all } = this.#page;
    if (id === OTHERS) this.#page.from = (from + shown) % all;
  }

  /** Where the focus belongs when a panel closes under it. */
  focusHome() {
    const seat = this.querySelector("seat-tile[data-selected] .tap");
    (seat ?? this.#parts.primary).focus({ preventScroll: true });
  }

  /** The first thing that may be chosen now. */
  focusPanel() {
    this.#parts.panel.querySelector("button:not([hidden])")?.focus();
  }

  #renderBar({ primary, undo, mode }) {
    const { primary: big, undo: back, button, more, bar } = this.#parts;
    bar.hidden = primary.label === "";
    renderControl(big, primary);
    setAttribute(big, "data-lit", primary.lit);
    setAttribute(big, "data-inert", primary.inert);
    renderControl(back, undo);
    for (const [node, kinds] of [[button, ["button", "acted"]], [more, ["more", "house", "adopt", "keys"]]]) {
      setAttribute(node, "aria-pressed", String(kinds.includes(mode)));
    }
  }

  #build() {
    const head = this.#buildHead();
    const felt = this.#buildFelt();
    const noteSay = make("p", { class: "note-say", "data-role": "glance" });
    const noteNext = make("p", { class: "note-next", "data-role": "second" });
    const note = make("section", { class: "note", hidden: true }, noteSay, noteNext);
    const table = make("div", { class: "table" }, felt.felt, note);
    const bar = this.#buildBar();
    this.append(head.head, table, bar.bar);
    this.addEventListener("click", (event) => {
      const tile = event.target.closest?.("seat-tile");
      if (tile) this.#tell("seat-tapped", { seat: Number(tile.dataset.seat) });
    });
    return { ...head, ...felt, ...bar, note, noteSay, noteNext };
  }

  #buildHead() {
    const title = make("h1", { class: "name", "data-role": "second" });
    const hand = make("p", { class: "number", "data-role": "second" });
    const drain = make("p", { class: "drain", "data-role": "second", hidden: true });
    const freshness = make("freshness-bar", { "data-role": "second" });
    const head = make("header", { class: "head" }, title, hand, drain, freshness);
    return { head, title, hand, drain, freshness };
  }

  #buildFelt() {
    const ring = make("seat-ring");
    const plan = make("plan-board");
    const whys = make("div", { class: "whys" });
    const chips = make("choice-grid", { class: "chips" });
    const reasons = make("div", { class: "reasons" }, whys, chips);
    const heading = make("h2", { class: "heading", id: "desk-heading", "data-role": "second" });
    const place = make("p", { class: "place", "data-role": "second" });
    const noticeText = make("span");
    const noticeRule = make("button", { class: "rule", type: "button", hidden: true });
    noticeRule.addEventListener("click", () => this.#tell("rule-asked", { rule: noticeRule.dataset.rule }));
    const noticeLine = make("p", { class: "notice", "data-role": "second", hidden: true }, noticeText, " ", noticeRule);
    const grid = make("choice-grid");
    grid.addEventListener("chosen", ({ detail }) => this.#turn(detail));
    const form = make("desk-form", { hidden: true });
    const card = make("rule-card", { "data-role": "second", tabindex: "0", role: "group", hidden: true });
    const keys = make("key-list", { "data-role": "second", tabindex: "0", role: "group", hidden: true });
    const top = make("div", { class: "top" }, heading, place);
    const group = { class: "panel", role: "group", "aria-labelledby": "desk-heading" };
    const panel = make("div", group, top, noticeLine, form, grid, card, keys);
    const centre = make("section", { class: "centre" }, plan, reasons, panel);
    const over = make("div", { class: "over" }, centre);
    const felt = make("div", { class: "felt picture" }, ring, over);
    return { felt, centre, ring, plan, reasons, whys, chips, heading, place, noticeLine, noticeText, noticeRule, grid, form, card, keys, panel };
  }

  #buildBar() {
    const control = (name, act) => {
      const label = make("span", { class: "label" });
      const detail = make("span", { class: "detail" });
      const node = make("button", { class: name, type: "button", "data-role": "second" }, label, " ", detail);
      node.addEventListener("click", () => this.#tell("bar-tapped", { act }));
      return node;
    };
    const undo = control("undo", "undo");
    const primary = control("primary", "primary");
    const button = control("button-is", "button");
    const more = control("more", "more");
    setText(button.querySelector(".label"), say("button_is"));
    setText(more.querySelector(".label"), say("more"));
    const bar = make("div", { class: "bar" }, undo, primary, button, more);
    return { bar, undo, primary, button, more };
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }
}

function renderControl(node, { label, detail, tappable, waits }) {
  setText(node.querySelector(".label"), label);
  showText(node.querySelector(".detail"), detail);
  setAttribute(node, "aria-disabled", tappable ? null : "true");
  setAttribute(node, "data-waits", waits);
}

/** Draw with an element that is seldom wanted: its module is fetched when it first is. */
function renderRare(node, fetchModule, isWanted, value) {
  if (node.render) node.render(value);
  else if (isWanted) fetchModule().then(() => node.render(value), () => {});
}

customElements.define("dealer-terminal", DealerTerminal);
