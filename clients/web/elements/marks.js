import { price, say } from "../shared/words.js";
import { setAttribute, setText } from "./draw.js";

/** The missed blind button. `render(owes)`, owes being {big, small, live, dead}. */
export class BlindMarker extends HTMLElement {
  render(owes) {
    setAttribute(this, "data-shape", "cut");
    setText(this, say("missed", { amount: price(owes.live, owes.dead) }));
  }
}

/** An open question at a seat. It shows no price: prices are for those who may answer. */
export class SeatQuestion extends HTMLElement {
  render() {
    setAttribute(this, "data-shape", "diamond");
    setText(this, say("question"));
  }
}

customElements.define("blind-marker", BlindMarker);
customElements.define("seat-question", SeatQuestion);
