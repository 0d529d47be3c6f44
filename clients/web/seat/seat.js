/** The seat display as a page: on a panel at the seat, or in a frame of the room's own page. */
import "../elements/seat-panel.js";
import { openPage } from "../shared/page.js";
import { say } from "../shared/words.js";
import { seatScreen } from "./seat-screen.js";

const byId = (id) => document.getElementById(id);
byId("alert").dataset.lost = say("lost_aloud");

/**
 * In a frame: `?host=https://room.example` names the page that may give us a token and hear what
 * happened. From any other page nothing is taken, and to no other is anything said.
 */
const host = window.parent === window ? null : hostOrigin();

function hostOrigin() {
  try {
    return new URL(new URLSearchParams(location.search).get("host")).origin;
  } catch {
    return null;
  }
}

const { client, options, announcer, pairing, useToken } = openPage({
  name: "seat-display/1",
  status: byId("status"),
  alert: byId("alert"),
  pairs: host === null,
});

/** By the name that people call the table by, once it is known. */
function entitle() {
  const name = client.table(options.table)?.view?.name ?? options.table;
  const title = `${say("seat", { seat: options.seat })} · ${say("table", { name })}`;
  if (document.title !== title) document.title = byId("title").textContent = title;
}

entitle();
client.addEventListener("change", entitle);

if (host !== null) {
  addEventListener("message", ({ origin, source, data }) => {
    if (origin !== host || source !== window.parent) return;
    if (data?.type !== "livebutton:token" || typeof data.token !== "string") return;
    useToken(data.token);
  });
}

seatScreen({
  client,
  panel: byId("panel"),
  options,
  pairing,
  announce: (text) => announcer.announce(text),
  tell(event) {
    if (host !== null) {
      window.parent.postMessage({ ...event, type: `livebutton:${event.type}` }, host);
    }
  },
});
