/**
 * Commands on their way: each has an id, a deadline, and exactly one verdict.
 *
 * A command is sent once or not at all; nothing is queued. If the link is lost before the verdict,
 * the command is `checking`: after reconnecting the server is asked what became of the id.
 *
 * A command's `state`: "sent" | "checking" | "accepted" | "refused" | "lost" (it never arrived, and
 * its deadline has passed) | "unsent". The last four are final.
 */
export const DEADLINE_MS = 4_000;
const PATIENCE_MS = 2_000;
const MOST_PENDING = 32;

export class Commands {
  #pending = new Map();
  #clock;
  #serverNowMs;
  #send;
  #changed;

  /** `send(map)` → whether it went out; `changed(pending)` is called at each change of state. */
  constructor({ clock, serverNowMs, send, changed }) {
    this.#clock = clock;
    this.#serverNowMs = serverNowMs;
    this.#send = send;
    this.#changed = changed;
  }

  /** Those without a verdict, oldest first. */
  get pending() {
    return [...this.#pending.values()];
  }

  /** Send it now, or not at all (`fresh` false: the picture it was chosen from is not trusted). */
  send({ table, command, expected, fresh }) {
    const nowMs = this.#clock.nowMs();
    const pending = { id: commandId(), table, command, sentMs: nowMs, state: "sent" };
    pending.verdict = new Promise((settle) => (pending.settle = settle));
    pending.deadlineMs = nowMs + DEADLINE_MS;
    const message = { type: "command", id: pending.id, table, command };
    if (expected) message.expected = [expected.epoch, expected.offset];
    const serverNowMs = this.#serverNowMs();
    if (serverNowMs !== null) message.deadline_ms = Math.round(serverNowMs + DEADLINE_MS);
    const sent = fresh && this.#pending.size < MOST_PENDING && this.#send(message);
    if (!sent) {
      this.#settle(pending, "unsent", null);
      return pending;
    }
    this.#pending.set(pending.id, pending);
    pending.stop = this.#clock.after(DEADLINE_MS + PATIENCE_MS, () => this.#ask(pending));
    this.#changed(pending);
    return pending;
  }

  /** The socket is gone: nobody will bring the verdicts. */
  cut() {
    for (const pending of this.#pending.values()) {
      pending.stop();
      this.#become(pending, "checking");
    }
  }

  /** A new socket is welcomed: ask what became of each. */
  welcomed() {
    for (const pending of this.#pending.values()) this.#ask(pending);
  }

  receive(message) {
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    if (message.type === "accepted") this.#settle(pending, "accepted", message);
    else if (message.type === "refused") this.#settle(pending, "refused", message);
    else if (message.type === "unknown") this.#unknown(pending);
    else if (message.type === "error") this.#failed(pending, message);
  }

  #ask(pending) {
    this.#become(pending, "checking");
    this.#send({ type: "verdict", id: pending.id, table: pending.table });
  }

  /** The server has not seen it. Until the deadline it may still be on its way; then never. */
  #unknown(pending) {
    pending.stop();
    const leftMs = pending.deadlineMs - this.#clock.nowMs();
    if (leftMs < 0) this.#settle(pending, "lost", null);
    else pending.stop = this.#clock.after(leftMs + 1, () => this.#ask(pending));
  }

  /** It could not be obeyed; while the store is away, nobody can say yet what became of it. */
  #failed(pending, message) {
    if (message.code === "unavailable") this.#unknown(pending);
    else this.#settle(pending, "refused", { ...message, reason: message.code });
  }

  #become(pending, state) {
    if (pending.state === state) return;
    pending.state = state;
    this.#changed(pending);
  }

  #settle(pending, state, message) {
    pending.stop?.();
    this.#pending.delete(pending.id);
    pending.message = message;
    this.#become(pending, state);
    pending.settle({ state, message });
  }
}

/** 128 random bits in hex. `randomUUID` is missing on plain-http LAN origins. */
function commandId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
