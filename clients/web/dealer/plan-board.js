import { keyed, make, setAttribute, setText, showText } from "../elements/draw.js";
import "../elements/felt-disc.js";
import { fittingName } from "../shared/names.js";
import { say } from "../shared/words.js";

/**
 * Where the discs go. `render({ title, cells, lines, none, corrected })`: cells as planCells gives
 * them, lines of second rank, or the one sentence that says why no hand can be dealt.
 */
export class PlanBoard extends HTMLElement {
  #parts = null;

  render({ title, cells, lines, none, corrected }) {
    this.#parts ??= this.#build();
    const { prefix, name, row, big, rest } = this.#parts;
    showText(prefix, corrected ? say("corrected_prefix") : "");
    setText(name, title);
    // Shown before the names are fitted: what is hidden has no width to fit into.
    row.hidden = cells.length === 0;
    const nodes = keyed(
      row,
      cells.map(({ kind }) => kind),
      () => this.#cell(),
    );
    nodes.forEach((node, index) => renderCell(node, cells[index]));
    showText(big, none);
    const order = lines.map((_, index) => index);
    keyed(rest, order, () => make("p", { "data-role": "second" })).forEach((node, index) =>
      setText(node, lines[index]),
    );
    rest.hidden = lines.length === 0;
  }

  #build() {
    const prefix = make("span", { class: "corrected" });
    const name = make("span");
    const title = make("h2", { class: "title", "data-role": "second" }, prefix, " ", name);
    const row = make("div", { class: "cells" });
    const big = make("p", { class: "none", "data-role": "glance" });
    const rest = make("div", { class: "rest" });
    this.append(title, row, big, rest);
    return { prefix, name, row, big, rest };
  }

  #cell() {
    const label = make("span", { class: "label", "data-role": "second" });
    const who = make("span", { class: "who", "data-role": "glance", "aria-hidden": "true" });
    // What is cut to fit for eyes is whole for ears.
    const words = make("span", { class: "words" }, label, who, make("span", { class: "aloud" }));
    return make("div", { class: "cell" }, document.createElement("felt-disc"), words);
  }
}

function renderCell(node, { kind, label, seats, dead }) {
  setAttribute(node, "data-kind", kind);
  setAttribute(node, "data-dead", dead);
  node.querySelector("felt-disc").render({ kind, dead });
  setText(node.querySelector(".label"), label);
  setText(node.querySelector(".aloud"), seats.map((each) => say("seat_of", each)).join(", "));
  const who = node.querySelector(".who");
  const key = `${who.clientWidth} ${JSON.stringify(seats)}`;
  if (who.dataset.fitted === key) return;
  who.dataset.fitted = key;
  fitNames(who, seats);
}

/** The seats with the longest form of their names that fits. */
function fitNames(who, seats) {
  if (seats.length > 1 || !seats[0].name) {
    setText(who, seats.map(({ seat }) => seat).join(", "));
    return;
  }
  const [{ seat, name }] = seats;
  fittingName(name, (text) => {
    setText(who, say("seat_of", { seat, name: text }));
    return who.scrollWidth <= who.clientWidth;
  });
}

customElements.define("plan-board", PlanBoard);
