/**
 * One self-mending link to the server. It has many sockets in its life, never two at once.
 *
 * Every socket has a generation; what a socket of an older generation says or does is ignored, so
 * that the late close of a half-open one cannot kill the link that replaced it.
 *
 * `state`: "waiting" (for its turn to reconnect) | "opening" | "open" (welcomed) | "unpaired"
 * (the server will not have this token: no retry) | "stopped".
 */
import { SILENT_HEARTBEATS } from "./freshness.js";

export const SUBPROTOCOL = "livebutton.v1.json";
const UNPAIRED_CODES = new Set([4001, 4003]);
const OPEN_TIMEOUT_MS = 5_000;
const PROBE_TIMEOUT_MS = 2_000;
const FIRST_WINDOW_MS = 1_000;
const LONGEST_WINDOW_MS = 15_000;
const DEFAULT_HEARTBEAT_MS = 2_000;
const TICK_MS = 250;
// Timers that fire this much late, or a date that jumps, mean that the machine slept.
const ASLEEP_MS = 3_000;
const DRIFT = 0.001;

export class Connection {
  /**
   * `openSocket(url, subprotocol)` gives a WebSocket; `random()` is in [0, 1).
   * `on` = { message(map), state(), tick() }: called for each message of the living socket, each
   * change of state, and four times a second.
   */
  constructor({ url, token, name, clock, openSocket, random, on }) {
    Object.assign(this, { url, name, clock, openSocket, random, on });
    this.state = "stopped";
    this.generation = 0;
    this.heartbeatMs = DEFAULT_HEARTBEAT_MS;
    this.heardMs = null;
    this.woken = false;
    this.closeCode = null;
    this.#token = token;
  }

  #token;
  #socket = null;
  #attempt = 0;
  #windowMs = FIRST_WINDOW_MS;
  #stopTimer = () => {};
  #stopTicking = () => {};
  #stopProbe = () => {};
  #ticked = null;
  #aheadMs = 0;
  #lateMs = 0;

  start() {
    if (this.state !== "stopped") return;
    this.#ticked = { nowMs: this.clock.nowMs(), wallMs: this.clock.wallMs() };
    this.#stopTicking = this.clock.every(TICK_MS, () => this.#tick());
    if (this.#token) this.#open();
    else this.#become("unpaired");
  }

  stop() {
    this.#drop();
    this.#stopTicking();
    this.#become("stopped");
  }

  /** Send a map on the living socket. False: it was not sent, and will not be. */
  send(message) {
    if (this.state !== "open") return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** A new token: told in-band while open, else used at once for a new socket. */
  refresh(token) {
    this.#token = token;
    if (this.send({ type: "refresh", token })) return;
    if (this.state === "unpaired" || this.state === "waiting") this.#open();
  }

  /** The page may have slept: prove the link, and do not trust it until it answers. */
  wake() {
    if (this.state === "waiting") {
      this.#attempt = 0;
      this.#wait();
    }
    if (this.state !== "open" || this.woken) return;
    if (this.clock.nowMs() - this.heardMs < 1.25 * this.heartbeatMs && !this.#slept()) return;
    this.woken = true;
    this.#probe();
    this.on.tick();
  }

  #open() {
    this.#drop();
    const generation = ++this.generation;
    const isCurrent = () => generation === this.generation;
    this.#become("opening");
    let socket;
    try {
      socket = this.openSocket(this.url, SUBPROTOCOL);
    } catch {
      this.#wait();
      return;
    }
    this.#socket = socket;
    this.#stopTimer = this.clock.after(OPEN_TIMEOUT_MS, () => isCurrent() && this.#wait());
    socket.onopen = () => {
      if (!isCurrent()) return;
      socket.send(JSON.stringify({ type: "hello", token: this.#token, client: this.name }));
    };
    socket.onmessage = (event) => isCurrent() && this.#receive(event.data);
    socket.onclose = (event) => isCurrent() && this.#closed(event.code);
    socket.onerror = () => {}; // A close follows, and says more.
  }

  #receive(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return; // Not ours: whatever it was, the heartbeat shows what it cost us.
    }
    if (typeof message !== "object" || message === null) return;
    this.heardMs = this.clock.nowMs() - this.#late(message);
    this.woken = false;
    this.#stopProbe();
    if (message.type === "welcome") this.#welcomed(message);
    if (message.type === "drain") this.#windowMs = message.reconnect_in_ms ?? this.#windowMs;
    this.on.message(message);
  }

  /**
   * How long ago that was said, by the server's own clock: what came quickest since the welcome
   * counts as just said. Held up on the way for too long, it is as good as silence; a tablet's date
   * says nothing, and what two clocks drift apart in an evening is forgiven.
   */
  #late({ type, now_ms: saidMs }) {
    const isWelcome = type === "welcome";
    if (!(isWelcome || type === "heartbeat") || !Number.isFinite(saidMs)) return this.#lateMs;
    const nowMs = this.clock.nowMs();
    const aheadMs = saidMs - nowMs;
    const driftMs = (nowMs - this.heardMs) * DRIFT;
    this.#aheadMs = isWelcome ? aheadMs : Math.max(this.#aheadMs - driftMs, aheadMs);
    this.#lateMs = this.#aheadMs - aheadMs;
    return this.#lateMs;
  }

  #welcomed({ session, heartbeat_s: heartbeatS, reconnect_window_ms: windowMs }) {
    // Which making of views the server is: what stands before the dot.
    this.edition = String(session).split(".").slice(0, -1).join(".");
    this.#stopTimer();
    this.#attempt = 0;
    if (heartbeatS > 0) this.heartbeatMs = heartbeatS * 1000;
    if (windowMs > 0) this.#windowMs = windowMs;
    this.closeCode = null;
    this.#become("open");
  }

  #closed(code) {
    this.closeCode = code;
    if (UNPAIRED_CODES.has(code)) {
      this.#drop();
      this.#become("unpaired");
    } else this.#wait();
  }

  /** Full jitter: anywhere in the window, which the server sizes and each failure doubles. */
  #wait() {
    this.#drop();
    const widest = Math.max(LONGEST_WINDOW_MS, this.#windowMs);
    const windowMs = Math.min(widest, this.#windowMs * 2 ** this.#attempt);
    this.#attempt += 1;
    this.#become("waiting");
    this.#stopTimer = this.clock.after(this.random() * windowMs, () => this.#open());
  }

  #probe() {
    const { generation } = this;
    this.send({ type: "ping" });
    this.#stopProbe();
    this.#stopProbe = this.clock.after(PROBE_TIMEOUT_MS, () => {
      if (generation === this.generation) this.#wait();
    });
  }

  #tick() {
    if (this.#slept()) this.wake();
    this.#ticked = { nowMs: this.clock.nowMs(), wallMs: this.clock.wallMs() };
    const silentMs = this.#ticked.nowMs - this.heardMs;
    if (this.state === "open" && silentMs > SILENT_HEARTBEATS * this.heartbeatMs) this.#wait();
    this.on.tick();
  }

  #slept() {
    const { nowMs, wallMs } = this.#ticked;
    return (
      this.clock.nowMs() - nowMs > ASLEEP_MS || Math.abs(this.clock.wallMs() - wallMs) > ASLEEP_MS
    );
  }

  /** Let go of the socket; whatever it still says is of an older generation. */
  #drop() {
    this.#stopTimer();
    this.#stopProbe();
    this.woken = false;
    this.generation += 1;
    const socket = this.#socket;
    this.#socket = null;
    try {
      socket?.close();
    } catch {
      // A socket that never opened may refuse to close; it is not ours any more.
    }
  }

  #become(state) {
    this.state = state;
    this.on.state();
  }
}
