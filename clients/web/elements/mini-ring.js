import { say } from "../shared/words.js";
import { keyed, make, setAttribute } from "./draw.js";

const MIDDLE = 50;
const RADIUS = 39;

/**
 * The table in small, for a player: his own seat lowest, the others clockwise from his left.
 * `render(seats, own)`: seat pictures, and his number. It is for eyes; the words say the same.
 */
export class MiniRing extends HTMLElement {
  render(seats, own) {
    setAttribute(this, "aria-hidden", "true");
    const order = seats.map(({ seat }) => seat);
    const nodes = keyed(this, order, () => make("span"));
    nodes.forEach((node, index) => renderSeat(node, seats[index], own, seats.length));
  }
}

/** Where a seat stands, in percent: `own` lowest, one step clockwise for each seat after it. */
export function standing(seat, own, count) {
  const turn = ((seat - own) / count) * 2 * Math.PI;
  return { x: MIDDLE - RADIUS * Math.sin(turn), y: MIDDLE + RADIUS * Math.cos(turn) };
}

function renderSeat(node, seat, own, count) {
  const { x, y } = standing(seat.seat, own, count);
  const [disc] = seat.discs.slice(-1);
  node.style.left = `${x.toFixed(1)}%`;
  node.style.top = `${y.toFixed(1)}%`;
  setAttribute(node, "data-seat", seat.seat);
  setAttribute(node, "data-own", seat.seat === own);
  setAttribute(node, "data-disc", disc?.kind);
  setAttribute(node, "data-out", !seat.taken || seat.dealt === false);
  setAttribute(node, "data-letter", disc ? say(`letter.${disc.kind}`) : seat.seat);
}

customElements.define("mini-ring", MiniRing);
