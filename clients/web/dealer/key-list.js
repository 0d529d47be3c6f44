import { make } from "../elements/draw.js";
import { addWords, hasWords, say } from "../shared/words.js";
import english from "../shared/words/en-keys.js";
import { keyList } from "./keys.js";

addWords(english);

/** The keys of the desk, and what each does. `render()`. */
export class KeyList extends HTMLElement {
  render() {
    if (this.childElementCount) return;
    const list = make("dl");
    for (const { key, act } of keyList()) {
      list.append(make("div", {}, make("dt", {}, keyCap(key)), make("dd", {}, say(`key.${act}`))));
    }
    this.append(list);
  }
}

/** A key as it is printed; one that is only a sign is read by its name. */
function keyCap(key) {
  const name = hasWords(`key_name.${key}`) ? say(`key_name.${key}`) : key.toUpperCase();
  if (key !== "?") return make("kbd", {}, name);
  return make("kbd", { "data-sign": key }, make("span", { class: "aloud" }, name));
}

customElements.define("key-list", KeyList);
