/** The table display: what everybody at a table may see, and no controls at all. */
import "../elements/freshness-bar.js";
import "../elements/seat-ring.js";
import "../elements/why-line.js";
import { setAttribute, setText, showText } from "../elements/draw.js";
import { drawing, openPage } from "../shared/page.js";
import { picture, rulings } from "../shared/picture.js";
import { planAloud, planWords } from "../shared/seat-words.js";
import { lastKnown, notice, stakesWords } from "../shared/notices.js";
import { say } from "../shared/words.js";
import { Questions, ring } from "./chime.js";
import { keepSetUp } from "./setup.js";

const WHY_MS = 20_000;
const SHIFT_EVERY_MS = 600_000;
const SHIFTS = [
  [0, 0],
  [2, 0],
  [2, 2],
  [0, 2],
];

const byId = (id) => document.getElementById(id);
const part = {
  ring: byId("ring"),
  felt: byId("felt"),
  place: byId("place"),
  hand: byId("hand"),
  plan: byId("plan"),
  first: byId("first"),
  why: byId("why"),
  title: byId("title"),
  notice: byId("notice"),
  noticeTable: byId("notice-table"),
  noticeSay: byId("notice-say"),
  noticeNext: byId("notice-next"),
  freshness: byId("freshness"),
};
byId("alert").dataset.lost = say("lost_aloud");

const { client, options, announcer, pairing } = openPage({
  name: "table-display/1",
  status: byId("status"),
  alert: byId("alert"),
});
options.chime = new URLSearchParams(location.search).get("chime") === "on";
const questions = new Questions();
const why = { ruling: null, at: null, stop: () => {} };

/** A new commit's reason stands for a while, or until the next. */
function learnWhy() {
  const { view = null, news, position } = client.table(options.table) ?? {};
  const at = view && `${position.epoch} ${position.offset}`;
  if (view === null || at === why.at) return;
  why.at = at;
  why.stop();
  [why.ruling = null] = rulings(view, news);
  why.stop = client.clock.after(WHY_MS, () => {
    why.ruling = null;
    redraw("calm");
  });
  announcer.announce([planAloud(view), why.ruling?.text].filter(Boolean).join(" "));
}

function draw({ moving }) {
  const table = client.table(options.table) ?? null;
  const nowMs = client.serverClock.nowMs();
  const link = client.connection.state;
  const told = notice({ options, table, link, needsSeat: false, code: pairing.code });
  const freshness = table?.freshness ?? { state: "unknown", reason: "unpaired", silentMs: 0 };
  document.body.dataset.freshness = freshness.state;
  part.freshness.render(freshness);
  setText(part.title, say("table", { name: table?.view?.name ?? options.table }));
  document.title = part.title.textContent;
  drawNotice(told, table, nowMs);
  part.ring.hidden = part.felt.hidden = told !== null;
  setAttribute(part.felt, "data-offset", table?.position?.offset);
  if (told === null) drawTable(picture(table.view), table.view, moving);
}

function drawNotice(told, table, nowMs) {
  part.notice.hidden = told === null;
  if (told === null) return;
  setText(part.noticeTable, table?.view ? say("table", { name: table.view.name ?? options.table }) : "");
  setText(part.noticeSay, told.say);
  setText(part.noticeNext, told.next ?? lastKnown(table, nowMs));
}

function drawTable(table, view, moving) {
  part.ring.render(table.seats, { moving, rotate: options.rotate, names: options.names });
  setText(part.place, `${say("table", { name: table.name })} · ${stakesWords(table)}`);
  drawHand(table, view);
  part.why.render(why.ruling);
}

function drawHand(table, view) {
  if (table.none) {
    setText(part.hand, table.none.text);
    showText(part.plan, "");
    showText(part.first, "");
    return;
  }
  const key = table.inHand ? "hand" : "next_hand";
  const hand = say(key, { hand: table.hand });
  setText(part.hand, table.corrected ? `${hand} · ${say("corrected")}` : hand);
  setAttribute(part.hand, "data-phase", table.phase);
  showText(part.plan, planWords(view));
  const first = table.firstToAct ? say("first_to_act", { seat: table.firstToAct }) : "";
  showText(part.first, table.capped ? `${first} · ${say("capped")}` : first);
}

const redraw = drawing(draw);

/** Against burn-in: the whole picture stands two pixels elsewhere every ten minutes. */
function shift(step) {
  const [x, y] = SHIFTS[step % SHIFTS.length];
  document.body.style.setProperty("--shift-x", `${x}px`);
  document.body.style.setProperty("--shift-y", `${y}px`);
  client.clock.after(SHIFT_EVERY_MS, () => shift(step + 1));
}

client.addEventListener("change", ({ detail }) => {
  const { view = null } = client.table(options.table) ?? {};
  if (questions.learn(view, detail.cause === "delta") && options.chime) ring();
  learnWhy();
  redraw(detail.cause);
});
client.addEventListener("link", () => redraw("link"));
keepSetUp(client, options, () => redraw("setup"));
if (options.table) client.watch(options.table);
client.start();
shift(0);
redraw("link");
