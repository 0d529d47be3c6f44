/** A screen asks to be paired; fetched when one has no token, which is seldom. */
import { pageClock } from "./clock.js";
import { pageStores, rememberToken } from "./page.js";
import { ask } from "./renewing.js";

const TRY_AGAIN_MS = 10_000;
const POLL_MS = 2_000;

/**
 * From now on, while the server will not have this page: show a code to the floor, and become what
 * it says the screen is. `options` are the page's, `pairing.code` is what it shows.
 */
export function keepPaired({ client, name, options, pairing, useToken }) {
  let stop = null;
  client.addEventListener("link", look);
  look();

  function look() {
    if (client.connection.state !== "unpaired") {
      stop?.();
      stop = null;
      pairing.code = "";
      return;
    }
    stop ??= pair({
      clock: pageClock,
      name,
      base: location.href,
      show(code) {
        pairing.code = code;
        client.dispatchEvent(new CustomEvent("change", { detail: { cause: "pairing" } }));
      },
      paired: (reply) => become(options, reply, useToken),
    });
  }
}

function become(options, { token, tables = [], seat = 0 }, useToken) {
  const address = new URL(location.href);
  for (const place of ["table", "seat"]) address.searchParams.delete(place);
  // After a power cut a screen comes back to where it was started, which may be at no table.
  rememberToken(address, pageStores, token);
  const isOurs = (!tables.length || tables[0] === options.table) && seat === options.seat;
  if (isOurs) {
    useToken(token);
    return;
  }
  address.searchParams.set("table", tables[0] ?? options.table);
  if (seat) address.searchParams.set("seat", seat);
  address.hash = new URLSearchParams({ token }).toString();
  location.assign(address);
}

/**
 * Ask to be paired: `show(code)` is what the floor must be told, `paired(reply)` gets
 * {token, role, tables?, seat?}. It goes on until then. Returns a function that stops it.
 */
export function pair({ clock, name, base, show, paired, call = fetch }) {
  let isStopped = false;
  let cancel = () => {};
  const later = (ms, act) => {
    if (!isStopped) cancel = clock.after(ms, act);
  };

  async function begin() {
    const [screen] = name.split("/");
    const wanted = { name: screen, client: name };
    const answer = await ask(call, "POST", new URL("/v1/pairings", base), "", wanted);
    if (isStopped) return;
    if (!answer?.body.code) {
      later(TRY_AGAIN_MS, begin);
      return;
    }
    show(answer.body.code);
    later(POLL_MS, () => collect(answer.body));
  }

  async function collect(pairing) {
    const address = new URL(`/v1/pairings/${encodeURIComponent(pairing.code)}`, base);
    const answer = await ask(call, "GET", address, pairing.secret);
    if (isStopped) return;
    if (answer?.body.token) paired(answer.body);
    // Out of reach: ask again. Answered with no: the code has run out, and a new one is due.
    else if (answer === null || answer.status === 202) later(POLL_MS, () => collect(pairing));
    else begin();
  }

  begin();
  return () => {
    isStopped = true;
    cancel();
  };
}
