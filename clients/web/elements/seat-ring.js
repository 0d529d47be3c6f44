import { keyed, setAttribute } from "./draw.js";
import { ringPlaces, wayRound } from "./ring.js";
import "./seat-tile.js";

const OUTLINED_MS = 2_000;

/**
 * The seats round the table, clockwise as the dealer sees them.
 *
 * `render(seats, { moving, rotate, ...tile })`: seat pictures, seat 1 first; whether what changed
 * is news that may be seen to move; how many seats the ring is turned; and what tiles want.
 */
export class SeatRing extends HTMLElement {
  #outlines = new Map();
  #isDrawn = false;

  render(seats, { moving = false, rotate = 0, ...tile } = {}) {
    const before = moving && this.#isDrawn ? this.#whereDiscsLie() : new Map();
    const { columns, rows, places } = ringPlaces(seats.length, rotate);
    this.style.setProperty("--columns", columns);
    this.style.setProperty("--rows", rows);
    setAttribute(this, "role", "list");
    const order = seats.map(({ seat }) => seat);
    const tiles = keyed(this, order, () => document.createElement("seat-tile"));
    const placeOf = new Map(places.map((place) => [place.seat, place]));
    tiles.forEach((node, index) => {
      place(node, placeOf.get(seats[index].seat));
      node.render(seats[index], tile);
    });
    if (moving && this.#isDrawn) this.#travel(before, seats.length);
    this.#isDrawn = true;
  }

  /** kind → [{ seat, x, y }] of the discs, as they lie on the page now. */
  #whereDiscsLie() {
    const lie = new Map();
    for (const disc of this.querySelectorAll("felt-disc")) {
      const { left, top } = disc.getBoundingClientRect();
      const seat = Number(disc.closest("seat-tile").dataset.seat);
      const { kind } = disc.dataset;
      lie.set(kind, [...(lie.get(kind) ?? []), { seat, disc, x: left, y: top }]);
    }
    return lie;
  }

  #travel(before, count) {
    const after = this.#whereDiscsLie();
    for (const [kind, now] of after) {
      const stayed = new Set(now.map(({ seat }) => seat));
      // A table that is opened anew may have fewer seats.
      const isGone = ({ seat }) => seat <= count && !stayed.has(seat);
      const gone = (before.get(kind) ?? []).filter(isGone);
      const had = new Set((before.get(kind) ?? []).map(({ seat }) => seat));
      const come = now.filter(({ seat }) => !had.has(seat));
      come.forEach((to, index) => gone[index] && this.#move(gone[index], to, count));
    }
  }

  #move(from, to, count) {
    this.#outline(from.seat);
    this.#outline(to.seat);
    if (!mayMove()) return;
    const spots = wayRound(from.seat, to.seat, count).slice(1, -1).map((seat) => this.#spot(seat));
    const steps = [from, ...spots, to].map(({ x, y }) => ({
      transform: `translate(${x - to.x}px, ${y - to.y}px)`,
    }));
    to.disc.animate(steps, { duration: 300, easing: "ease-out" });
  }

  #spot(seat) {
    const { left, top } = this.#tile(seat).querySelector(".spot").getBoundingClientRect();
    return { x: left, y: top };
  }

  #outline(seat) {
    const tile = this.#tile(seat);
    clearTimeout(this.#outlines.get(seat));
    setAttribute(tile, "data-moved", true);
    this.#outlines.set(
      seat,
      setTimeout(() => setAttribute(tile, "data-moved", false), OUTLINED_MS),
    );
  }

  #tile(seat) {
    return this.querySelector(`seat-tile[data-seat="${seat}"]`);
  }
}

function place(tile, { side, column, row }) {
  setAttribute(tile, "role", "listitem");
  setAttribute(tile, "data-side", side);
  tile.style.gridColumn = `${column} / span 2`;
  tile.style.gridRow = String(row);
}

function mayMove() {
  if (document.documentElement.dataset.motion === "off") return false;
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

customElements.define("seat-ring", SeatRing);
