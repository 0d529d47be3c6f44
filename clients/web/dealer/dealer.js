/** The dealer's page: one terminal, one table. */
import "./dealer-terminal.js";
import { Desk } from "./desk.js";
import { openPage } from "../shared/page.js";
import { say } from "../shared/words.js";

const SETTINGS_KEY = "livebutton.desk";
const byId = (id) => document.getElementById(id);
const alert = byId("alert");
alert.dataset.lost = say("lost_aloud");

const { client, options, announcer } = openPage({
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
    rights: asked.get("rights") === "floor" ? "floor" : "dealer",
    shuffles: asked.get("shuffle") === "on",
    settings: keptSettings(),
  },
});
addEventListener("keydown", (event) => desk.press(event));
client.addEventListener("change", () => {
  document.body.dataset.freshness = client.table(options.table)?.freshness.state ?? "unknown";
  document.title = say("table", { name: client.table(options.table)?.view?.name ?? options.table });
});
if (options.table) {
  client.watch(options.table);
  client.start();
}
