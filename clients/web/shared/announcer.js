/**
 * One polite live region: at most one sentence a second, and the last one said is the newest.
 *
 * `say(text)` writes into the page; a sentence that is overtaken within the second is never said.
 */
const APART_MS = 1_000;

export class Announcer {
  #clock;
  #say;
  #saidMs = -Infinity;
  #said = "";
  #next = null;

  constructor({ clock, say }) {
    this.#clock = clock;
    this.#say = say;
  }

  announce(text) {
    const waiting = this.#next !== null;
    this.#next = text;
    if (waiting) return;
    const leftMs = this.#saidMs + APART_MS - this.#clock.nowMs();
    if (leftMs <= 0) this.#now();
    else this.#clock.after(leftMs, () => this.#now());
  }

  #now() {
    const text = this.#next;
    this.#next = null;
    if (text === this.#said) return;
    this.#said = text;
    this.#saidMs = this.#clock.nowMs();
    this.#say(text);
  }
}
