/**
 * The dealer's desk: it turns taps and keys into commands, and views and verdicts into one `render`
 * of the terminal. Nothing is queued, and what refuses says so in the middle, never over a seat.
 */
import { drawing } from "../shared/page.js";
import { seatCount } from "../shared/picture.js";
import { lastKnown, notice as pageNotice } from "../shared/notices.js";
import { say } from "../shared/words.js";
import { keyAct, KEYED_ITEMS } from "./keys.js";
import {
  checkingNotice,
  control,
  EMPTY_FELT,
  feltPicture,
  fetchRule,
  primaryControl,
  verdictWords,
  waitsOf,
} from "./desk-picture.js";
import { buttonCommand, movePrices, panel, ready } from "./panels.js";
import { primary, undo } from "./primary.js";
import { commitAloud, spoken } from "./spoken.js";

const INERT_MS = 700;
const IDLE_MS = 8_000;
const WRITING_IDLE_MS = 60_000;
const WAITS_MS = 150;
const PLAN = Object.freeze({ kind: "plan" });
const WRITING = new Set(["form", "rule", "keys", "adopt", "preview"]);
// Only what is on the screen may be dealt or taken back: else the server refuses it as stale.
const AS_SHOWN = new Set(["deal", "undo"]);
// After these the seat stays open: its question comes next.
const STAYS_OPEN = new Set(["take_seat", "report_unposted"]);

export class Desk {
  #client;
  #table;
  #terminal;
  #announcer;
  #alert;
  #rights;
  #shuffles;
  #redraw;
  #mode = PLAN;
  #notice = null;
  #rule;
  #settings;
  #pairingCode;
  #preview;
  #questions = [];
  #phase = null;
  #inertUntilMs = 0;
  #said = null;
  #drainUntilMs = 0;
  #stopIdle = () => {};
  #stops = new AbortController();
  maySleep = false;

  /** `options` = { rights: "dealer" | "floor", shuffles, settings, pairingCode(), preview(command, view) }. */
  constructor({ client, table, terminal, announcer, alert, options = {} }) {
    const { rights = "dealer", shuffles = false, settings, pairingCode = () => "", preview = () => null } = options;
    this.#client = client;
    this.#table = table;
    this.#terminal = terminal;
    this.#announcer = announcer;
    this.#alert = alert;
    this.#rights = rights;
    this.#shuffles = shuffles;
    this.#settings = settings;
    this.#pairingCode = pairingCode;
    this.#preview = preview;
    this.#redraw = drawing(({ moving }) => this.#draw(moving));
    this.#listen();
    this.#changed("link");
  }

  /** Let go of the terminal and the client: the desk is closed. */
  close() {
    this.#stops.abort();
    this.#stopIdle();
  }

  #listen() {
    const { signal } = this.#stops;
    const on = (target, type, act) => target.addEventListener(type, act, { signal });
    const isMine = ({ table = this.#table }) => table === this.#table;
    on(this.#client, "change", ({ detail }) => isMine(detail) && this.#changed(detail.cause));
    on(this.#client, "link", () => this.#redraw("link"));
    on(this.#client, "drain", ({ detail }) => this.#drained(detail.inMs));
    on(this.#client, "command", ({ detail: { pending } }) => pending.table === this.#table && this.#show());
    on(globalThis, "resize", () => this.#show());
    on(this.#terminal, "seat-tapped", ({ detail }) => this.tapSeat(detail.seat));
    on(this.#terminal, "bar-tapped", ({ detail }) => this.tapBar(detail.act));
    on(this.#terminal, "chosen", ({ detail }) => this.choose(detail.id));
    on(this.#terminal, "written", ({ detail }) => this.#written(detail));
    on(this.#terminal, "rule-asked", ({ detail }) => this.#openRule(detail.rule));
    on(this.#terminal, "rule-closed", () => this.#open(PLAN));
  }

  // ── what is known ──────────────────────────────────────

  get #copy() {
    return this.#client.table(this.#table) ?? null;
  }

  get #view() {
    return this.#copy?.view ?? null;
  }

  get #isLive() {
    return this.#copy?.freshness.state === "fresh";
  }

  /** Draw what the desk itself did: that takes nothing from the motion of the news beside it. */
  #show() {
    this.#redraw("delta");
  }

  #changed(cause) {
    const view = this.#view;
    if (view !== null) {
      this.#learnQuestions(view);
      this.#learnPhase(view);
      this.#announce(view);
    }
    this.#redraw(cause);
  }

  /** Open questions, the one that was asked first at the head. */
  #learnQuestions(view) {
    const open = (view.plan?.questions ?? []).map(({ seat }) => seat);
    const still = this.#questions.filter((seat) => open.includes(seat));
    this.#questions = [...still, ...open.filter((seat) => !still.includes(seat))];
  }

  /** A new phase gives the primary another meaning: a second tap must not reach it. */
  #learnPhase(view) {
    if (this.#phase !== null && view.phase !== this.#phase) this.#inert();
    this.#phase = view.phase;
  }

  #inert() {
    this.#inertUntilMs = this.#client.clock.nowMs() + INERT_MS;
    this.#client.clock.after(INERT_MS + 1, () => this.#show());
  }

  #announce(view) {
    const { position, news } = this.#copy;
    const isNew = this.#said !== null && this.#said !== position.offset && news.length > 0;
    this.#said = position.offset;
    if (isNew) this.#announcer.announce(commitAloud(view, news));
  }

  #drained(inMs) {
    this.#drainUntilMs = this.#client.clock.nowMs() + inMs;
    this.#show();
  }

  // ── taps and keys ──────────────────────────────────────

  tapSeat(seat) {
    const view = this.#view;
    if (view === null) return;
    const mode = this.#mode;
    if (mode.kind === "move" && !view.seats?.[seat]?.player) {
      if (movePrices(view, mode.seat, seat).length) this.#open({ ...mode, to: seat });
      else this.#send([{ type: "change_seat", seat: mode.seat, to: seat }], mode.seat);
    } else if (mode.kind === "button" && this.#mayMoveButton()) this.#buttonAt(view, seat);
    else if (mode.kind === "adopt") this.#adopt(mode, seat);
    else if (mode.kind === "seat" && mode.seat === seat) this.#open(PLAN);
    else this.#open({ kind: "seat", seat });
  }

  #mayMoveButton() {
    return this.#rights === "floor" || this.#view.phase !== "in_hand";
  }

  #buttonAt(view, seat) {
    if (view.phase === "in_hand") this.#open({ kind: "acted", seat });
    else this.#send([buttonCommand(view, seat)]);
  }

  async #adopt(mode, seat) {
    const step = (await ready(mode)).adoptStep(mode, seat);
    if (step.mode) this.#open(step.mode);
    else this.#send([step.command]);
  }

  tapBar(act) {
    if (act === "primary") this.#tapPrimary();
    else if (act === "undo") this.#tapUndo();
    else this.#open(this.#mode.kind === act ? PLAN : { kind: act });
  }

  #tapPrimary() {
    if (this.#view === null) return;
    const { command, label, detail } = primary(this.#view, { shuffles: this.#shuffles });
    if (!this.#isLive) this.#tell(say("not_sent"));
    else if (command === null) this.#tell(detail || label);
    else if (!this.#isInert()) this.#send([command]);
  }

  #isInert() {
    return this.#client.clock.nowMs() < this.#inertUntilMs || this.#waits().table;
  }

  #tapUndo() {
    if (this.#view === null) return;
    const { command, detail } = undo(this.#view, { rights: this.#rights });
    if (!this.#isLive) this.#tell(say("not_sent"));
    else if (command === null) this.#tell(detail);
    else if (!this.#waits().undo) this.#send([command]);
  }

  choose(id) {
    const item = this.#offered().find((each) => each.id === id);
    if (item === undefined) this.#open(this.#mode); // The others of the same panel.
    else if (item.send) this.#send(item.send, item.send[0].seat, item.then);
    else if (item.ask) this.#open(item.ask);
    else if (item.set) this.#set(item.set);
    else this.#open(PLAN);
  }

  /** All that the middle of the felt offers now. */
  #offered() {
    const { items = [], chips = [] } = this.#panel() ?? {};
    return [...items, ...chips];
  }

  #set(key) {
    this.#settings = { ...this.#settings, [key]: !this.#settings[key] };
    this.#terminal.dispatchEvent(new CustomEvent("settings-changed", { detail: this.#settings }));
    this.#touched();
    this.#show();
  }

  async #written({ text, submit }) {
    if (this.#mode.kind !== "form" || text === "") return;
    const command = (await ready(this.#mode)).formCommand(this.#mode, text, submit);
    this.#send([command], command.seat);
  }

  /** A key of the page; → whether it was ours. */
  press(event) {
    const writes = this.#mode.kind === "form";
    const pressed = this.#view && keyAct(event, { ...this.#settings, writes });
    if (pressed) event.preventDefault();
    else if (event.key === "Tab" && this.#mode !== PLAN && document.activeElement === document.body) {
      event.preventDefault();
      this.#terminal.focusPanel();
      return true;
    }
    if (!pressed) return false;
    this.#act(pressed);
    return true;
  }

  #act({ act, seat }) {
    if (act === "seat") {
      if (seat <= seatCount(this.#view)) this.tapSeat(seat);
    } else if (act === "plan") this.#open(PLAN);
    else if (act === "help") this.#open(this.#mode.kind === "keys" ? PLAN : { kind: "keys" });
    else if (["primary", "undo", "button"].includes(act)) this.tapBar(act);
    else if (act.startsWith("say_")) this.#announcer.announce(this.#spoken(act));
    else this.#chooseFirst(KEYED_ITEMS[act]);
  }

  #spoken(act) {
    return spoken(act, this.#view, { questions: this.#questions, freshness: this.#copy.freshness });
  }

  /** The first of these that the panel offers; A, back, and owing only sits in: the question follows. */
  #chooseFirst(ids) {
    const items = this.#offered();
    const id = ids.find((each) => items.some((item) => item.id === each || item.id.startsWith(`${each} `)));
    if (id === undefined) return;
    const item = items.find((each) => each.id === id || each.id.startsWith(`${id} `));
    if (id === "back") this.#send(item.send?.slice(0, 1) ?? [], this.#mode.seat);
    else this.choose(item.id);
  }

  #open(mode) {
    this.#mode = mode;
    this.#touched();
    this.#show();
    ready(mode).then(() => this.#show(), () => this.#open(PLAN));
  }

  /** Left alone, the felt shows the plan again. */
  #touched() {
    this.#stopIdle();
    if (this.#mode.kind === "plan") return;
    const idleMs = WRITING.has(this.#mode.kind) ? WRITING_IDLE_MS : IDLE_MS;
    this.#stopIdle = this.#client.clock.after(idleMs, () => this.#open(PLAN));
  }

  async #openRule(rule) {
    this.#rule = undefined;
    const mode = { kind: "rule", rule };
    this.#open(mode);
    const text = await fetchRule(rule);
    if (this.#mode !== mode) return;
    if (text === undefined) {
      this.#open(PLAN);
      this.#tell(say("rule_missing"));
    }
    this.#rule = text;
    this.#show();
  }

  // ── commands ───────────────────────────────────────────

  /** Each once the one before is accepted. A refusal opens the seat's strip and says why. */
  async #send([command, ...rest], seat, then) {
    if (command === undefined || this.#isShownFirst(command)) return;
    const ifUnmoved = AS_SHOWN.has(command.type);
    const pending = this.#client.command(this.#table, command, { ifUnmoved });
    if (pending.state !== "unsent") this.#open(this.#afterSending(command, seat, then));
    this.#client.clock.after(WAITS_MS, () => this.#show());
    const { state, message } = await pending.verdict;
    if (this.#stops.signal.aborted) return;
    if (state === "accepted") {
      this.#tell("");
      return this.#send(rest, seat, then);
    }
    if (seat !== undefined && state === "refused") this.#open({ kind: "seat", seat });
    this.#tell(verdictWords(state, message), message?.rule);
  }

  /** Where `preview` promises a panel about a command, that is shown before it is sent. */
  #isShownFirst(command) {
    const told = this.#mode.kind !== "preview" && this.#preview(command, this.#view);
    if (!told) return false;
    const mode = { kind: "preview", seat: command.button };
    this.#open(mode);
    told.then((panel) => this.#mode === mode && this.#open({ ...mode, panel }));
    return true;
  }

  #afterSending(command, seat, then) {
    if (then) return then;
    return STAYS_OPEN.has(command.type) ? { kind: "seat", seat } : PLAN;
  }

  /** What has been on its way for that long. */
  #waits(longerMs = 0) {
    const { commands, clock } = this.#client;
    const pending = commands.pending.filter(({ table }) => table === this.#table);
    return waitsOf(pending, clock.nowMs() - longerMs);
  }

  #tell(text, rule = "") {
    this.#notice = text === "" ? null : { text, rule, kind: "refused" };
    this.#alert.textContent = text;
    this.#show();
  }

  // ── the picture ────────────────────────────────────────

  #panel() {
    if (this.#view === null) return null;
    const told = { rights: this.#rights, settings: this.#settings, questions: this.#questions };
    return panel(this.#mode, this.#view, { ...told, maySleep: this.maySleep });
  }

  #draw(moving) {
    if (this.#stops.signal.aborted) return;
    const table = this.#copy;
    const link = this.#client.connection.state;
    const told = pageNotice({ options: { table: this.#table }, table, link, code: this.#pairingCode() });
    const nowMs = this.#client.serverClock.nowMs();
    const freshness = table?.freshness ?? { state: "unknown", reason: "unpaired", silentMs: 0 };
    const common = { freshness, settings: this.#settings, mode: this.#mode.kind, nowMs };
    const note = told && { say: told.say, next: told.next ?? lastKnown(table, nowMs) };
    const felt = this.#view === null ? EMPTY_FELT : this.#feltPicture();
    this.#terminal.render({ ...common, ...felt, note, drain: this.#drainWords() }, { moving });
  }

  #drainWords() {
    const leftMs = this.#drainUntilMs - this.#client.clock.nowMs();
    return leftMs > 0 ? say("draining", { seconds: Math.ceil(leftMs / 1000) }) : "";
  }

  #feltPicture() {
    const view = this.#view;
    const waits = this.#waits(WAITS_MS);
    return {
      ...feltPicture({ view, news: this.#copy.news, mode: this.#mode, panel: this.#panel(), waits }),
      offset: this.#copy.position.offset,
      notice: checkingNotice(waits) ?? this.#notice,
      rule: this.#rule,
      primary: primaryControl(primary(view, { shuffles: this.#shuffles }), {
        isLive: this.#isLive,
        inert: this.#client.clock.nowMs() < this.#inertUntilMs,
        waits: waits.table,
      }),
      undo: control(undo(view, { rights: this.#rights }), waits.undo),
    };
  }
}
