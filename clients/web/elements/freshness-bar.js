import { say } from "../shared/words.js";
import { setAttribute, setText } from "./draw.js";

/** How far the picture may be trusted. `render({ state, reason, silentMs })`. */
export class FreshnessBar extends HTMLElement {
  render(freshness) {
    setAttribute(this, "data-state", freshness.state);
    setText(this, freshnessWords(freshness));
  }
}

export function freshnessWords({ state, reason, silentMs }) {
  if (state === "fresh") return say("live");
  if (reason === "unpaired") return say("unpaired");
  if (reason === "never_heard") return say("connecting");
  const seconds = Math.floor(silentMs / 1000);
  if (seconds < 120) return say("not_live", { seconds });
  return say("not_live_minutes", { minutes: Math.floor(seconds / 60) });
}

customElements.define("freshness-bar", FreshnessBar);
