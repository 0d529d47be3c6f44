import { say } from "../shared/words.js";
import { makeSvg, setAttribute } from "./draw.js";

const SHAPES = { button: "full", small: "half", middle: "half", big: "double" };

/**
 * A disc on the felt. `render({ kind, dead })`, kind being button, small, middle or big.
 *
 * The shape is drawn, the letter is the style sheet's: discs are for eyes, and every seat says in
 * words what lies there.
 */
export class FeltDisc extends HTMLElement {
  render({ kind, dead }) {
    if (this.dataset.kind === kind && this.hasAttribute("data-dead") === dead) return;
    const shape = dead ? "dashed" : SHAPES[kind];
    setAttribute(this, "aria-hidden", "true");
    setAttribute(this, "data-kind", kind);
    setAttribute(this, "data-dead", dead);
    setAttribute(this, "data-shape", shape);
    setAttribute(this, "data-letter", say(`letter.${kind}`));
    this.replaceChildren(makeSvg("svg", { viewBox: "0 0 64 64" }, ...FACES[shape]()));
  }
}

const ring = (radius, width) =>
  makeSvg("circle", { class: "ring", cx: 32, cy: 32, r: radius, "stroke-width": width });

const FACES = {
  full: () => [makeSvg("circle", { class: "fill", cx: 32, cy: 32, r: 32 }), ring(26, 2.5)],
  half: () => [makeSvg("path", { class: "fill", d: "M0 32a32 32 0 0 0 64 0z" })],
  double: () => [ring(30, 3), ring(24, 3)],
  dashed: () => [],
};

customElements.define("felt-disc", FeltDisc);
