/** A clock that a test steps, and sockets whose other end the test holds. */
export class FakeClock {
  #nowMs = 0;
  #wallMs = 1_700_000_000_000;
  #timers = new Set();

  nowMs = () => this.#nowMs;
  wallMs = () => this.#wallMs;
  after = (ms, act) => this.#add({ dueMs: this.#nowMs + ms, act });
  every = (ms, act) => this.#add({ dueMs: this.#nowMs + ms, act, everyMs: ms });

  /** Let time pass, running what falls due in its order. */
  step(ms) {
    const untilMs = this.#nowMs + ms;
    for (let next = this.#next(untilMs); next; next = this.#next(untilMs)) {
      this.#pass(next.dueMs - this.#nowMs);
      if (next.everyMs) next.dueMs += next.everyMs;
      else this.#timers.delete(next);
      next.act();
    }
    this.#pass(untilMs - this.#nowMs);
  }

  /** The machine sleeps: the date moves on, timers do not run, and `nowMs` stands still. */
  sleep(ms) {
    this.#wallMs += ms;
  }

  #pass(ms) {
    this.#nowMs += ms;
    this.#wallMs += ms;
  }

  #add(timer) {
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  #next(untilMs) {
    let next = null;
    for (const timer of this.#timers) {
      if (timer.dueMs <= untilMs && (next === null || timer.dueMs < next.dueMs)) next = timer;
    }
    return next;
  }
}

export class FakeSocket {
  sent = [];
  isClosed = false;

  constructor(url, subprotocol) {
    Object.assign(this, { url, subprotocol });
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.isClosed = true;
  }

  opens() {
    this.onopen();
  }

  says(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }

  ends(code = 1006) {
    this.onclose({ code });
  }

  /** What was sent of that type, oldest first. */
  of(type) {
    return this.sent.filter((message) => message.type === type);
  }
}

/** A client with its clock and every socket it ever opened. */
export function fakeLink() {
  const sockets = [];
  const clock = new FakeClock();
  const chances = { next: 0 };
  return {
    clock,
    sockets,
    chances,
    latest: () => sockets.at(-1),
    options: {
      url: "ws://room.test/v1/ws",
      token: "token-1",
      clock,
      random: () => chances.next,
      openSocket(url, subprotocol) {
        const socket = new FakeSocket(url, subprotocol);
        sockets.push(socket);
        return socket;
      },
    },
  };
}

export const WELCOME = Object.freeze({
  type: "welcome",
  session: "s1",
  heartbeat_s: 2,
  reconnect_window_ms: 1000,
  now_ms: 1_800_000_000_000,
});
