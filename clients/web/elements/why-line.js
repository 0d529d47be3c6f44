import { say } from "../shared/words.js";
import { make, setAttribute, setText } from "./draw.js";

/**
 * One sentence that says why, with its rule's name. `render(ruling, { corrected, tappable })`;
 * null hides it. A tap on the rule goes up as `rule-asked`, detail {rule}.
 */
export class WhyLine extends HTMLElement {
  #parts = null;

  render(ruling, { corrected = false, tappable = false } = {}) {
    this.#parts ??= this.#build(tappable);
    this.hidden = ruling === null;
    if (ruling === null) return;
    const { sentence, rule, prefix } = this.#parts;
    prefix.hidden = !corrected;
    setText(prefix, say("corrected_prefix"));
    setText(sentence, ruling.text);
    setText(rule, `[${ruling.rule}]`);
    setAttribute(rule, "data-rule", ruling.rule);
    setAttribute(this, "data-seats", (ruling.seats ?? []).join(" "));
  }

  #build(tappable) {
    const prefix = make("span", { class: "corrected" });
    const sentence = make("span");
    const rule = make(tappable ? "button" : "span", { class: "rule", type: tappable && "button" });
    if (tappable) {
      rule.addEventListener("click", () => {
        const detail = { rule: rule.dataset.rule };
        this.dispatchEvent(new CustomEvent("rule-asked", { detail, bubbles: true, composed: true }));
      });
    }
    this.append(prefix, " ", sentence, " ", rule);
    return { prefix, sentence, rule };
  }
}

customElements.define("why-line", WhyLine);
