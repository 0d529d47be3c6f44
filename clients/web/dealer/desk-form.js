import { keyed, make, setAttribute, setText } from "../elements/draw.js";

const LONGEST = 60;
const PATTERNS = { text: ".*\\S.*", number: "[0-9]{1,12}", stakes: "[0-9]{1,12}/[0-9]{1,12}" };

/**
 * One thing to write. `render({ key, label, kind, value, submits })` or null; what was
 * begun stays while `key` does. Goes up as `written`, detail {text, submit}.
 */
export class DeskForm extends HTMLElement {
  #parts = null;
  #key = "";

  render(form) {
    this.#parts ??= this.#build();
    this.hidden = form === null;
    if (form === null) {
      this.#key = "";
      return;
    }
    const { label, input, submits } = this.#parts;
    setText(label, form.label);
    setAttribute(input, "inputmode", form.kind === "number" ? "numeric" : "text");
    setAttribute(input, "pattern", PATTERNS[form.kind]);
    const order = form.submits.map(({ id }) => id);
    keyed(submits, order, (id) => make("button", { type: "submit", value: id, "data-role": "second" })).forEach(
      (node, index) => setText(node, form.submits[index].label),
    );
    if (this.#key === form.key) return;
    this.#key = form.key;
    input.value = form.value;
    input.focus();
  }

  #build() {
    const label = make("label", { for: "desk-form-text", class: "aloud" });
    const input = make("input", {
      id: "desk-form-text",
      type: "text",
      required: true,
      maxlength: LONGEST,
      autocomplete: "off",
      "data-role": "glance",
    });
    const submits = make("span", { class: "submits" });
    const form = make("form", {}, label, input, submits);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const detail = { text: input.value.trim(), submit: event.submitter?.value ?? submits.firstChild.value };
      this.dispatchEvent(new CustomEvent("written", { detail, bubbles: true, composed: true }));
    });
    this.append(form);
    return { label, input, submits };
  }
}

customElements.define("desk-form", DeskForm);
