/**
 * The seat display as an element of somebody else's page:
 *
 *   <script type="module" src="https://tables.example/seat/widget.js"></script>
 *   <livebutton-seat table="7" seat="4"></livebutton-seat>
 *
 * Then give it its token: `element.token = "…"`, again whenever a newer one is to be had. It tells
 * of what happened by DOM events: `livebutton-accepted`, `-refused`, `-fresh`, `-stale`, `-unknown`.
 * Its styles are its own, in a shadow root; a host themes it by the custom properties of
 * elements/tokens.css and nothing else.
 */
import "../elements/seat-panel.js";
import { Announcer } from "../shared/announcer.js";
import { Client } from "../shared/client.js";
import { pageClock } from "../shared/clock.js";
import { socketAddress } from "../shared/page.js";
import { make } from "../elements/draw.js";
import { seatScreen } from "./seat-screen.js";

const STYLES = ["../elements/tokens.css", "../elements/elements.css", "seat.css"];

export class LivebuttonSeat extends HTMLElement {
  #client = null;
  #token = "";

  set token(token) {
    this.#token = String(token);
    this.#client?.refresh(this.#token);
  }

  connectedCallback() {
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    const status = make("p", { class: "aloud", role: "status" });
    const panel = make("seat-panel");
    const styles = STYLES.map((name) =>
      make("link", { rel: "stylesheet", href: new URL(name, import.meta.url) }),
    );
    root.replaceChildren(...styles, panel, status);
    this.#client = new Client({
      url: socketAddress(this.getAttribute("server") ?? import.meta.url),
      token: this.#token,
      name: "seat-widget/1",
    });
    this.#open(panel, status);
  }

  disconnectedCallback() {
    this.#client.stop();
    this.#client = null;
  }

  #open(panel, status) {
    const say = (text) => (status.textContent = text);
    const announcer = new Announcer({ clock: pageClock, say });
    seatScreen({
      client: this.#client,
      panel,
      options: {
        table: this.getAttribute("table") ?? "",
        seat: Number(this.getAttribute("seat")) || 0,
        shortcuts: this.getAttribute("keys") !== "off",
      },
      announce: (text) => announcer.announce(text),
      tell: ({ type, ...detail }) =>
        this.dispatchEvent(new CustomEvent(`livebutton-${type}`, { detail, bubbles: true })),
    });
  }
}

customElements.define("livebutton-seat", LivebuttonSeat);
