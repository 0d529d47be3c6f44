/**
 * A headless client: one connection, the tables and rooms watched over it, the commands sent.
 *
 * Screens read `client.table(id)` and listen for:
 *   "change"   detail {table, cause}: "snapshot" | "replay" | "delta" | "freshness" | "error"
 *   "room"     detail {room}: a new picture of a room
 *   "command"  detail {pending}: a command changed its state
 *   "link"     the connection changed its state
 *   "drain"    detail {inMs}: the server is stopping, and asks to come back after that long
 *   "setup"    detail {setup}: how the floor has set this screen up
 *   "reload"   the floor wants the page anew
 * Only a "delta" is news that may be drawn moving: after the others one redraw shows what is.
 */
import { pageClock, ServerClock } from "./clock.js";
import { Commands } from "./commands.js";
import { Connection } from "./connection.js";
import { asked, compare, cut, EMPTY_FEED, isBehind, receive } from "./feed.js";
import { freshness } from "./freshness.js";

const ASK_UNANSWERED_MS = 3_000;
const ASK_REFUSED_MS = 10_000;
// A picture of a room comes every two seconds: this long after one, the next is missing.
const ROOM_PATIENCE_MS = 5_000;

export class Client extends EventTarget {
  #tables = new Map();
  #rooms = new Map();
  #edition = null;

  constructor({
    url,
    token = "",
    name = "screen",
    clock = pageClock,
    openSocket = (address, subprotocol) => new WebSocket(address, subprotocol),
    random = Math.random,
  }) {
    super();
    this.clock = clock;
    this.serverClock = new ServerClock(clock);
    this.connection = new Connection({
      url,
      token,
      name,
      clock,
      openSocket,
      random,
      on: {
        message: (message) => this.#receive(message),
        state: () => this.#linkChanged(),
        tick: () => this.#judge(),
      },
    });
    this.commands = new Commands({
      clock,
      serverNowMs: () => this.serverClock.nowMs(),
      send: (message) => this.connection.send(message),
      changed: (pending) => this.#tell("command", { pending }),
    });
  }

  start() {
    this.connection.start();
  }

  stop() {
    this.connection.stop();
  }

  /** The page woke up, or the network came back. */
  wake() {
    this.connection.wake();
  }

  refresh(token) {
    this.connection.refresh(token);
  }

  watch(table) {
    if (this.#tables.has(table)) return;
    this.#tables.set(table, newCopy());
    if (this.connection.state === "open") this.#subscribe(table);
  }

  unwatch(table) {
    if (this.#tables.delete(table)) this.connection.send({ type: "unsubscribe", table });
  }

  watchRoom(room) {
    if (this.#rooms.has(room)) return;
    this.#rooms.set(room, { ...newCopy(), room: null });
    this.#subscribeRoom(room);
  }

  /** {view, position, news, error, freshness} of a watched table; undefined when not watched. */
  table(table) {
    const copy = this.#tables.get(table);
    return copy && { ...copy.feed, freshness: copy.freshness };
  }

  /** {room, error, freshness} of a watched room: the server's last picture of it, or null. */
  room(room) {
    const copy = this.#rooms.get(room);
    return copy && { room: copy.room, error: copy.feed.error, freshness: copy.freshness };
  }

  /**
   * Send a command now, or not at all. `ifUnmoved`: only if the table still is as it is shown.
   * Returns the pending command; its `verdict` resolves to {state, message}.
   */
  command(table, command, { ifUnmoved = false } = {}) {
    this.#judge();
    const copy = this.#tables.get(table);
    const fresh = copy?.freshness.state === "fresh";
    const expected = ifUnmoved ? copy?.feed.position : undefined;
    return this.commands.send({ table, command, expected, fresh });
  }

  #receive(message) {
    this.serverClock.heard(message.now_ms);
    switch (message.type) {
      case "snapshot":
      case "delta":
      case "live":
        this.#tableMessage(message);
        break;
      case "room":
        this.#roomMessage(message);
        break;
      case "heartbeat":
        this.#compare(message.tables ?? {});
        break;
      case "error":
        this.#errorMessage(message);
        break;
      case "drain":
        this.#tell("drain", { inMs: message.reconnect_in_ms ?? 0 });
        break;
      case "setup":
      case "reload":
        this.#tell(message.type, message);
        break;
      default:
        this.commands.receive(message);
    }
    this.#judge();
  }

  #tableMessage(message) {
    const copy = this.#tables.get(message.table);
    if (copy === undefined) return;
    const before = copy.feed;
    const { feed, resubscribe } = receive(before, message);
    copy.feed = feed;
    if (message.type === "snapshot") copy.foreign = false;
    if (feed !== before) this.#settleBehind(copy);
    if (resubscribe) this.#subscribe(message.table);
    else if (feed !== before) this.#changed(message.table, before, message.type);
  }

  #changed(table, before, type) {
    this.#judge(table);
    const cause = type === "delta" && !before.live ? "replay" : type;
    this.#tell("change", { table, cause: cause === "live" ? "freshness" : cause });
  }

  #roomMessage(message) {
    const { room } = message;
    const copy = this.#rooms.get(room);
    if (copy === undefined) return;
    copy.room = message;
    const nowMs = this.clock.nowMs();
    copy.behindSinceMs = message.stale ? Math.min(copy.behindSinceMs ?? nowMs, nowMs) : nowMs + ROOM_PATIENCE_MS;
    copy.feed = { ...copy.feed, view: message, live: true, error: null };
    this.#tell("room", { room });
  }

  #errorMessage(message) {
    if (message.id) this.commands.receive(message);
    const { table, room } = message;
    const copy = room ? this.#rooms.get(room) : this.#tables.get(table);
    if (copy === undefined || message.id) return;
    copy.feed = { ...copy.feed, asked: false, error: message };
    if (room) this.#tell("room", { room });
    else this.#tell("change", { table, cause: "error" });
  }

  #compare(places) {
    for (const [table, copy] of this.#tables) {
      copy.feed = compare(copy.feed, places[table]);
      this.#settleBehind(copy);
    }
  }

  #settleBehind(copy) {
    if (!isBehind(copy.feed)) copy.behindSinceMs = null;
    else copy.behindSinceMs ??= this.clock.nowMs();
  }

  #linkChanged() {
    if (this.connection.state === "open") {
      this.#meetEdition(this.connection.edition);
      for (const table of this.#tables.keys()) this.#subscribe(table);
      for (const room of this.#rooms.keys()) this.#subscribeRoom(room);
      this.commands.welcomed();
    } else {
      for (const copy of this.#tables.values()) copy.feed = cut(copy.feed);
      for (const copy of this.#rooms.values()) copy.feed = cut(copy.feed);
      this.commands.cut();
    }
    this.#tell("link", { state: this.connection.state });
    this.#judge();
  }

  /** A server of another version makes other views: a delta of its does not fit onto ours. */
  #meetEdition(edition) {
    const isAnother = this.#edition !== null && edition !== this.#edition;
    if (isAnother) for (const copy of this.#tables.values()) copy.foreign = true;
    this.#edition = edition;
  }

  #subscribeRoom(room) {
    this.#rooms.get(room).askedMs = this.clock.nowMs();
    this.connection.send({ type: "subscribe", room });
  }

  #subscribe(table) {
    const copy = this.#tables.get(table);
    copy.feed = asked(copy.feed);
    copy.askedMs = this.clock.nowMs();
    const message = { type: "subscribe", table };
    const { position } = copy.feed;
    if (position !== null && !copy.foreign) message.since = [position.epoch, position.offset];
    this.connection.send(message);
  }

  /** Judge how fresh each copy is, heal those that fell behind, tell of what changed. */
  #judge(only) {
    for (const [table, copy] of this.#tables) {
      if (only !== undefined && only !== table) continue;
      if (this.#judgeCopy(copy)) this.#tell("change", { table, cause: "freshness" });
      if (this.#mustAskAgain(copy)) this.#subscribe(table);
    }
    if (only !== undefined) return;
    for (const [room, copy] of this.#rooms) {
      if (this.#judgeCopy(copy)) this.#tell("room", { room });
      const isMissing = copy.freshness.state !== "fresh" && this.connection.state === "open";
      if (isMissing && this.clock.nowMs() - copy.askedMs > ASK_REFUSED_MS) this.#subscribeRoom(room);
    }
  }

  /** → whether what the screen says of it changed (its state, reason, or the running count). */
  #judgeCopy(copy) {
    const before = copy.freshness;
    const { connection } = this;
    const link = {
      nowMs: this.clock.nowMs(),
      heardMs: connection.heardMs,
      heartbeatMs: connection.heartbeatMs,
      open: connection.state === "open",
      unpaired: connection.state === "unpaired",
      woken: connection.woken,
    };
    const { behindSinceMs, provenMs, feed } = copy;
    const known = feed.view !== null;
    const after = freshness(link, { known, live: feed.live, behindSinceMs, provenMs });
    if (after.state === "fresh") copy.provenMs = link.heardMs;
    copy.freshness = after;
    return ["state", "reason"].some((key) => before[key] !== after[key]) || count(before) !== count(after);
  }

  /** Left behind, unanswered, or refused some time ago: a subscribe is never waited for for ever. */
  #mustAskAgain({ freshness: { reason }, feed, askedMs }) {
    if (this.connection.state !== "open") return false;
    if (feed.live && reason !== "behind") return false;
    // What was just lost is asked for at once; what stays lost, at a pace the server can bear.
    if (feed.live && feed.claim !== "none") return true;
    return this.clock.nowMs() - askedMs > (feed.error ? ASK_REFUSED_MS : ASK_UNANSWERED_MS);
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

function newCopy() {
  return {
    feed: EMPTY_FEED,
    foreign: false,
    behindSinceMs: null,
    provenMs: null,
    askedMs: 0,
    freshness: { state: "unknown", reason: "never_heard", silentMs: 0 },
  };
}

function count({ silentMs }) {
  return Math.floor(silentMs / 1000);
}
