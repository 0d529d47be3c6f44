import { keyed, make, setAttribute, setText, showParts, showText } from "../elements/draw.js";

/**
 * Buttons of one choice each. `render(items)`: items are {id, label, detail, wait?, pressed?}. A tap goes up as `chosen`, detail {id}.
 */
export class ChoiceGrid extends HTMLElement {
  render(items) {
    this.hidden = items.length === 0;
    const order = items.map(({ id }) => id);
    const nodes = keyed(this, order, (id) => this.#build(id));
    nodes.forEach((node, index) => {
      const { label, detail, wait = "", pressed } = items[index];
      setText(node.querySelector(".label"), label);
      showParts(node.querySelector(".detail"), detail);
      showText(node.querySelector(".wait"), wait);
      setAttribute(node, "aria-pressed", pressed === undefined ? null : String(pressed));
    });
  }

  #build(id) {
    const label = make("span", { class: "label" });
    const detail = make("span", { class: "detail" });
    const wait = make("span", { class: "wait" });
    const parts = [label, " ", detail, " ", wait];
    const button = make("button", { type: "button", "data-role": "second" }, ...parts);
    button.addEventListener("click", (event) => {
      // The second of a double tap must not choose what stands there by now.
      if (event.detail > 1) return;
      this.dispatchEvent(new CustomEvent("chosen", { detail: { id }, bubbles: true, composed: true }));
    });
    return button;
  }
}

customElements.define("choice-grid", ChoiceGrid);
