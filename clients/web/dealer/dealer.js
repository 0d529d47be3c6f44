/** The dealer's page: one terminal, one table. */
import "./dealer-terminal.js";
import { Desk } from "./desk.js";
import { keepAwake, openPage, pageStores, takeToken } from "../shared/page.js";
import { claimsOf } from "../shared/tokens.js";
import { say } from "../shared/words.js";

const SETTINGS_KEY = "livebutton.desk";
// The floor is told of a terminal that falls silent: one that is well has to say so.
const ALIVE_EVERY_MS = 2_000;
const LATER_MS = 10_000;
const byId = (id) => document.getElementById(id);
const alert = byId("alert");
alert.dataset.lost = say("lost_aloud");

// What a dealer may not do is not offered to her; the server judges by the token all the same.
const { role } = claimsOf(takeToken(location, history, pageStores));
const { client, options, announcer, pairing } = openPage({
  name: "dealer-terminal/1",
  status: byId("status"),
  alert,
});
const asked = new URLSearchParams(location.search);
const terminal = byId("terminal");

/** What the dealer last chose on this tablet; a tablet that keeps nothing has the defaults. */
function keptSettings() {
  const defaults = { left_handed: false, far_side: false, shortcuts: options.shortcuts };
  try {
    return { ...defaults, ...JSON.parse(localStorage.getItem(SETTINGS_KEY)) };
  } catch {
    return defaults;
  }
}

function keepSettings({ detail }) {
  try {
    localStorage.setItem(SETTINGS_KEY, JSON.stringify(detail));
  } catch {
    // They hold until the page is closed.
  }
}

terminal.addEventListener("settings-changed", keepSettings);
const desk = new Desk({
  client,
  table: options.table,
  terminal,
  announcer,
  alert,
  options: {
    rights: role === "floor" || role === "backend" ? "floor" : "dealer",
    pairingCode: () => pairing.code,
    shuffles: asked.get("shuffle") === "on",
    settings: keptSettings(),
  },
});
// On plain http no tablet may be kept awake: whoever sets it up has to know.
keepAwake().then((isAwake) => (desk.maySleep = !isAwake));
addEventListener("keydown", (event) => desk.press(event));
client.addEventListener("change", () => {
  document.body.dataset.freshness = client.table(options.table)?.freshness.state ?? "unknown";
  document.title = say("table", { name: client.table(options.table)?.view?.name ?? options.table });
});
if (options.table) client.watch(options.table);
client.start();
client.clock.every(ALIVE_EVERY_MS, () => client.connection.send({ type: "ping" }));
// What is seldom wanted comes once the evening has begun: then a lost link cannot keep it away.
client.clock.after(LATER_MS, () => {
  const seldom = ["./rare-panels.js", "./desk-form.js", "./key-list.js", "../elements/rule-card.js", "../shared/rules.js"];
  Promise.allSettled(seldom.map((path) => import(path)));
});
