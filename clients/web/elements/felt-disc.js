import { say } from "../shared/words.js";
import { makeSvg, setAttribute } from "./draw.js";

const SHAPES = { button: "full", small: "half", middle: "half", big: "double" };

/** A disc on the felt. `render({ kind, dead })`, kind being button, small, middle or big. */
export class FeltDisc extends HTMLElement {
  render({ kind, dead }) {
    if (this.dataset.kind === kind && this.hasAttribute("data-dead") === dead) return;
    setAttribute(this, "aria-hidden", "true");
    setAttribute(this, "data-kind", kind);
    setAttribute(this, "data-dead", dead);
    setAttribute(this, "data-shape", dead ? "dashed" : SHAPES[kind]);
    const letter = say(`letter.${kind}`);
    const face = dead ? [text(letter)] : FACES[SHAPES[kind]](letter);
    this.replaceChildren(makeSvg("svg", { viewBox: "0 0 64 64" }, ...face));
  }
}

// The letter's cap height is 0.72 of its 36 units: a baseline at 45 puts its middle at 32.
function text(letter, attributes = {}) {
  return makeSvg("text", { x: 32, y: 45, ...attributes }, letter);
}

const FACES = {
  /** A full disc with a thick ring inside its edge. */
  full: (letter) => [
    makeSvg("circle", { class: "fill", cx: 32, cy: 32, r: 32 }),
    makeSvg("circle", { class: "ring", cx: 32, cy: 32, r: 26, "stroke-width": 2.5 }),
    text(letter),
  ],
  /** The lower half filled, the letter on top with a rim of its own. */
  half: (letter) => [
    makeSvg("path", { class: "fill", d: "M0 32a32 32 0 0 0 64 0z" }),
    text(letter, { class: "rimmed" }),
  ],
  /** Two rings. */
  double: (letter) => [
    makeSvg("circle", { class: "ring", cx: 32, cy: 32, r: 30, "stroke-width": 3 }),
    makeSvg("circle", { class: "ring", cx: 32, cy: 32, r: 24, "stroke-width": 3 }),
    text(letter),
  ],
};

customElements.define("felt-disc", FeltDisc);
