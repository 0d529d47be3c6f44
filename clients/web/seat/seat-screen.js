/** What a seat display does, wherever it stands: on its own panel, in a frame, in a host's page. */
import { lastKnown, notice } from "../shared/notices.js";
import { drawing } from "../shared/page.js";
import { ownSeat } from "../shared/own-seat.js";
import { seatCount } from "../shared/picture.js";
import { say } from "../shared/words.js";

const DOTS_AFTER_MS = 150;
const KEYS = { p: "post", w: "wait_big_blind", n: "wait_button", t: "straddle" };

/**
 * Bring a panel to life. `options` = {table, seat, shortcuts}; `announce(text)` speaks politely;
 * `pairing.code` is shown while the server will not have this screen;
 * `tell(event)` is told {type: "accepted" | "refused" | "fresh" | "stale" | "unknown", …}.
 */
export function seatScreen({ client, panel, options, announce, pairing, tell = () => {} }) {
  const state = { pending: null, key: "", answer: "", said: "", freshness: "" };

  function draw() {
    const table = client.table(options.table) ?? null;
    const freshness = table?.freshness ?? { state: "unknown", reason: "unpaired", silentMs: 0 };
    const link = client.connection.state;
    const { code } = pairing ?? {};
    const told =
      notice({ options, table, link, needsSeat: true, code }) ?? noSuchSeat(table, options);
    const next = told && (told.next ?? lastKnown(table, client.serverClock.nowMs()));
    panel.render({
      view: table?.view ?? null,
      seat: options.seat,
      offset: table?.position?.offset,
      freshness,
      notice: told && { ...told, next },
      pending: pendingWords(),
      answer: state.answer,
    });
    if (told === null) speak(table.view);
    if (state.freshness !== freshness.state) tell({ type: freshness.state });
    state.freshness = freshness.state;
  }

  function pendingWords() {
    const { pending, key } = state;
    if (pending === null) return null;
    if (pending.state === "checking") return { key, text: say("checking") };
    const isLate = client.clock.nowMs() - pending.sentMs >= DOTS_AFTER_MS;
    return { key, text: isLate ? say("in_flight") : "" };
  }

  /** The question once, and each change of what the player must know; never the focus. */
  function speak(view) {
    const { headline, detail, choices } = ownSeat(view, options.seat);
    const offered = choices.map(({ label, wait }) => `${label}, ${wait}`);
    const words = [headline, detail, ...offered].filter(Boolean).join(". ");
    if (words !== state.said) announce(words);
    state.said = words;
  }

  function wish({ key, command }) {
    if (state.pending !== null) return; // One at a time: a second tap is the same wish.
    state.answer = "";
    state.key = key;
    const pending = client.command(options.table, command);
    if (pending.state === "sent") {
      state.pending = pending;
      client.clock.after(DOTS_AFTER_MS, redraw);
    }
    pending.verdict.then((verdict) => settled(verdict));
    redraw();
  }

  function settled({ state: outcome, message }) {
    state.pending = null;
    state.answer = answerTo(outcome, message);
    if (outcome === "accepted" || outcome === "refused") {
      tell({ type: outcome, id: message.id, reason: message.reason });
    }
    redraw();
  }

  function pressed(event) {
    if (!options.shortcuts || event.ctrlKey || event.altKey || event.metaKey) return;
    const key = event.key.toLowerCase();
    const button = key === "a" ? awayOrBack(panel) : buttonOf(panel, KEYS[key]);
    if (button === null) return;
    event.preventDefault();
    button.click();
  }

  const redraw = drawing(draw);
  panel.addEventListener("wish", ({ detail }) => wish(detail));
  panel.addEventListener("keydown", pressed);
  client.addEventListener("change", ({ detail }) => redraw(detail.cause));
  client.addEventListener("link", () => redraw("link"));
  client.addEventListener("command", () => redraw("command"));
  redraw("link");
  if (options.table) client.watch(options.table);
  client.start();
}

function answerTo(outcome, message) {
  if (outcome === "unsent") return say("not_sent");
  if (outcome === "lost") return say("lost");
  if (outcome !== "refused") return "";
  if (!message.rule) return message.message;
  return say("refused_rule", { message: message.message, rule: message.rule });
}

/** A chair that nobody holds is left out of the view; one beyond the last is a mistake. */
function noSuchSeat(table, { seat }) {
  if (seat <= seatCount(table.view)) return null;
  return { say: say("no_such_seat", { seat }), next: say("closed_what_now") };
}

function buttonOf(panel, key) {
  const found = (each) => panel.querySelector(`button[data-key="${each}"]`);
  return key ? (found(key) ?? found(`answer ${key}`)) : null;
}

function awayOrBack(panel) {
  return buttonOf(panel, "sit_in") ?? buttonOf(panel, "sit_out");
}
