/**
 * One table, opened: the dealer's view with the floor's rights, and under it what happened there,
 * or at the seat that is tapped.
 */
import "../dealer/dealer-terminal.js";
import { Desk } from "../dealer/desk.js";
import { make } from "../elements/draw.js";
import { say } from "../shared/words.js";
import { seatPicture } from "../shared/picture.js";
import { planWords, seatAloud } from "../shared/seat-words.js";
import { previewPanel } from "./preview.js";
import { dayAndTime, entryWords, handsOf, momentOf, touches } from "./room-words.js";

const LINES = 20;
const TOKEN_ID = /^[\w-]{16}$/;
const SETTINGS = { left_handed: false, far_side: false, shortcuts: true };

export class Drawer {
  #client;
  #room;
  #api;
  #place;
  #log;
  #announcer;
  #alert;
  #desk = null;
  #table = "";
  #seat = 0;
  #entries = [];
  #offset = null;
  #stops = null;

  /** `room` is its name, `place` the node it opens in, `log` a table-log, `api` a FloorApi. */
  constructor({ client, room, api, place, log, announcer, alert }) {
    this.#client = client;
    this.#room = room;
    this.#api = api;
    this.#place = place;
    this.#log = log;
    this.#announcer = announcer;
    this.#alert = alert;
  }

  get table() {
    return this.#table;
  }

  /** Open a table, with one of its seats chosen where there is a question about it. */
  open(table, seat = 0) {
    if (this.#table !== table) {
      this.close();
      this.#table = table;
      this.#build();
    }
    if (seat) this.#whenKnown(() => this.#desk?.tapSeat(seat));
    this.#choose(seat);
  }

  close() {
    if (this.#table === "") return;
    this.#stops.abort();
    this.#desk.close();
    this.#client.unwatch(this.#table);
    this.#place.replaceChildren();
    this.#table = "";
    this.#seat = 0;
    this.#entries = [];
    this.#offset = null;
  }

  /** A key of the page; → whether it was the desk's. */
  press(event) {
    return this.#desk !== null && this.#table !== "" && this.#desk.press(event);
  }

  /** Whether the desk shows its plan: then Escape closes the drawer. */
  get isAtRest() {
    return this.#place.querySelector("dealer-terminal")?.dataset.mode === "plan";
  }

  #build() {
    const terminal = make("dealer-terminal");
    this.#place.replaceChildren(terminal);
    this.#stops = new AbortController();
    const { signal } = this.#stops;
    const preview = (command, view) => this.#preview(command, view);
    const options = { rights: "floor", settings: SETTINGS, preview };
    const shared = { client: this.#client, announcer: this.#announcer, alert: this.#alert };
    this.#desk = new Desk({ ...shared, table: this.#table, terminal, options });
    terminal.addEventListener("seat-tapped", ({ detail }) => this.#choose(detail.seat), { signal });
    const changed = ({ detail }) => detail.table === this.#table && this.#learn();
    this.#client.addEventListener("change", changed, { signal });
    this.#client.watch(this.#table);
    this.#learn();
  }

  /** The floor hears what putting the button right would change before it is done. */
  #preview(command, view) {
    if (command.type !== "correct_button") return null;
    return this.#api.preview(this.#table, command).then((answer) => previewPanel(command, view, answer));
  }

  #whenKnown(act) {
    if (this.#client.table(this.#table)?.view) {
      act();
      return;
    }
    const { signal } = this.#stops;
    const once = ({ detail }) => {
      if (detail.table !== this.#table || !this.#client.table(this.#table)?.view) return;
      this.#client.removeEventListener("change", once);
      act();
    };
    this.#client.addEventListener("change", once, { signal });
  }

  #choose(seat) {
    this.#seat = seat;
    this.#draw();
  }

  /** Read the log anew whenever the table has moved on. */
  async #learn() {
    const { position } = this.#client.table(this.#table) ?? {};
    if (!position || position.offset === this.#offset) return;
    this.#offset = position.offset;
    const table = this.#table;
    const entries = await this.#api.entries(table, position);
    if (table !== this.#table) return;
    if (entries !== null) this.#entries = entries;
    else this.#offset = null;
    this.#draw();
  }

  #draw() {
    const { view } = this.#client.table(this.#table) ?? {};
    const seat = this.#seat;
    const name = view?.name ?? this.#table;
    const player = view?.seats?.[seat]?.name ?? say("empty");
    const title = seat ? say("log_of_seat", { name, seat, player }) : say("log_of", { name });
    const hands = handsOf(this.#entries);
    const entries = this.#entries.map((entry, index) => ({ ...entry, hand: hands[index] }));
    const mine = seat ? entries.filter((entry) => touches(entry, seat)) : entries;
    const nowMs = this.#client.serverClock.nowMs() ?? 0;
    const lines = mine.slice(-LINES).reverse().map((entry) => line(entry, seat, nowMs));
    const paper = [say("paper", { room: this.#room, time: dayAndTime(nowMs) })];
    if (view) paper.push(say("hand", { hand: view.hand ?? 0 }), planWords(view));
    if (view && seat) paper.push(seatAloud(seatPicture(view, seat), nowMs));
    this.#log.render({ title, lines, note: lines.length ? "" : say("log_empty"), paper: paper.join(" · ") });
  }
}

function line(entry, seat, nowMs) {
  const who = [entry.role && say(`role.${entry.role}`), nameOf(entry)].filter(Boolean).join(" ");
  const hand = entry.hand ? say("hand", { hand: entry.hand }) : "";
  return { offset: entry.offset, time: momentOf(entry.at_ms, nowMs), hand, who, ...entryWords(entry, seat) };
}

/** A client is told as "role:name"; one without a name by its token's id: its beginning is enough. */
function nameOf({ client = "", role = "" }) {
  const name = client.startsWith(`${role}:`) ? client.slice(role.length + 1) : client;
  return TOKEN_ID.test(name) ? name.slice(0, 6) : name;
}
