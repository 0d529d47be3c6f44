import { keyed, make, setAttribute, setText, showText } from "../elements/draw.js";

/**
 * Buttons of one choice each. `render(items)`: items are {id, label, detail,
 * pressed}. A tap goes up as `chosen`, detail {id}.
 */
export class ChoiceGrid extends HTMLElement {
  render(items) {
    this.hidden = items.length === 0;
    const order = items.map(({ id }) => id);
    const nodes = keyed(this, order, (id) => this.#build(id));
    nodes.forEach((node, index) => {
      const { label, detail, pressed } = items[index];
      setText(node.querySelector(".label"), label);
      showText(node.querySelector(".detail"), detail);
      setAttribute(node, "aria-pressed", pressed === undefined ? null : String(pressed));
    });
  }

  #build(id) {
    const label = make("span", { class: "label" });
    const detail = make("span", { class: "detail" });
    const button = make("button", { type: "button", "data-role": "second" }, label, " ", detail);
    button.addEventListener("click", (event) => {
      // The second of a double tap must not choose what stands there by now.
      if (event.detail > 1) return;
      this.dispatchEvent(new CustomEvent("chosen", { detail: { id }, bubbles: true, composed: true }));
    });
    return button;
  }
}

customElements.define("choice-grid", ChoiceGrid);
