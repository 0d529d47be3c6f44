/**
 * The clocks a client lives by, passed in so that tests can step them.
 *
 * A clock is `{ nowMs, wallMs, after, every }`: `nowMs()` never runs backwards and measures
 * silence; `wallMs()` is the machine's idea of the date, used only to notice that it slept;
 * `after(ms, act)` and `every(ms, act)` return a function that cancels.
 */
export const pageClock = {
  nowMs: () => performance.now(),
  wallMs: () => Date.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  every(ms, act) {
    const timer = setInterval(act, ms);
    return () => clearInterval(timer);
  },
};

/** The server's time, carried on between its messages: a tablet's own date may be hours off. */
export class ServerClock {
  #clock;
  #aheadMs = null;

  constructor(clock) {
    this.#clock = clock;
  }

  /** The server said it is `nowMs` (milliseconds since 1970), just now. */
  heard(nowMs) {
    if (Number.isFinite(nowMs)) this.#aheadMs = nowMs - this.#clock.nowMs();
  }

  /** Milliseconds since 1970 on the server, or null before it has said anything. */
  nowMs() {
    return this.#aheadMs === null ? null : this.#clock.nowMs() + this.#aheadMs;
  }
}
