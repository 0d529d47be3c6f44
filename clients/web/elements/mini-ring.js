import { keyed, makeSvg, setAttribute } from "./draw.js";
import { say } from "../shared/words.js";

const MIDDLE = 100;
const RADIUS = 76;
const SEAT = 20;

/**
 * The table in small, for a player: his own seat lowest, the others clockwise from his left.
 * `render(seats, own)`: seat pictures, and his number. It is for eyes; the words say the same.
 */
export class MiniRing extends HTMLElement {
  #drawing = null;

  render(seats, own) {
    if (this.#drawing === null) {
      setAttribute(this, "aria-hidden", "true");
      this.#drawing = makeSvg("svg", { viewBox: "0 0 200 200" });
      this.append(this.#drawing);
    }
    const order = seats.map(({ seat }) => seat);
    const nodes = keyed(this.#drawing, order, () => makeSvg("g", {}, ...seatShapes()));
    nodes.forEach((node, index) => renderSeat(node, seats[index], own, seats.length));
  }
}

/** Where a seat stands: `own` lowest, one step clockwise for each seat after it. */
export function standing(seat, own, count) {
  const turn = ((seat - own) / count) * 2 * Math.PI;
  return { x: MIDDLE - RADIUS * Math.sin(turn), y: MIDDLE + RADIUS * Math.cos(turn) };
}

function seatShapes() {
  return [makeSvg("circle", { r: SEAT }), makeSvg("text", { "text-anchor": "middle", dy: 7 })];
}

function renderSeat(node, seat, own, count) {
  const { x, y } = standing(seat.seat, own, count);
  const [disc] = seat.discs.slice(-1);
  setAttribute(node, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  setAttribute(node, "data-seat", seat.seat);
  setAttribute(node, "data-own", seat.seat === own);
  setAttribute(node, "data-disc", disc?.kind);
  setAttribute(node, "data-out", !seat.taken || seat.dealt === false);
  const text = node.lastElementChild;
  const letter = disc ? say(`letter.${disc.kind}`) : String(seat.seat);
  if (text.textContent !== letter) text.textContent = letter;
}

customElements.define("mini-ring", MiniRing);
