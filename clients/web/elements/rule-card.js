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
  if (alternates?.length) told.push(make("h3", {}, say("rule_alternates")));
  for (const option of alternates ?? []) told.push(make("p", {}, sentence(option)));
  if (example) told.push(make("h3", {}, say("rule_example")), make("p", {}, example));
  return told;
}

/** Another way to have it, then the house rule that chooses it, and the presets that do. */
function sentence({ field, value, text, presets = [] }) {
  const chosen = typeof value === "string" ? value : JSON.stringify(value);
  const who = presets.length ? `; ${presets.join(", ")}` : "";
  return `${text} (${field} = ${chosen}${who})`;
}

customElements.define("rule-card", RuleCard);
