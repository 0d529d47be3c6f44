import { addWords, say } from "../shared/words.js";
import english from "../shared/words/en-rule.js";
import { make } from "./draw.js";

addWords(english);

/**
 * A rule in the project's own words. `render({rule, title, text, alternates, example})`, or null:
 * its text is not to be had now. Its closing goes up as `rule-closed`.
 */
export class RuleCard extends HTMLElement {
  render(rule) {
    const close = make("button", { type: "button" }, say("close_rule"));
    close.addEventListener("click", () => {
      this.dispatchEvent(new CustomEvent("rule-closed", { bubbles: true, composed: true }));
    });
    const text = rule ? paragraphs(rule) : [make("p", {}, say("rule_missing"))];
    this.replaceChildren(...text, close);
  }
}

function paragraphs({ title, text, alternates, example }) {
  const told = [make("h2", {}, title), make("p", {}, text)];
  const options = Array.isArray(alternates) ? alternates : alternates ? [alternates] : [];
  if (options.length) told.push(make("h3", {}, say("rule_alternates")));
  for (const option of options) told.push(make("p", {}, sentence(option)));
  if (example) told.push(make("h3", {}, say("rule_example")), make("p", {}, example));
  return told;
}

/** An alternate is a sentence, or a house-rule field and its sentence. */
function sentence(option) {
  if (typeof option === "string") return option;
  return Object.values(option).join(": ");
}

customElements.define("rule-card", RuleCard);
