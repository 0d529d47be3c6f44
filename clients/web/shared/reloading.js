/** The floor wants this page anew; fetched when it does, which is seldom. */
import { DEADLINE_MS } from "./commands.js";
import { pageStores, takeToken } from "./page.js";

const TRIES = 5;
const TRY_AGAIN_MS = 2_000;
const TIMEOUT_MS = 5_000;
const NEW_MS = 5_000;

/**
 * Load the page anew, once nothing that was sent from it waits for its verdict, and only when the
 * server has the page to give: what cannot be loaded is worse than what is old. One that has just
 * come is not loaded again, whatever a server says, nor one that would have lost its token: in a
 * frame whose browser keeps nothing. `page` = { ageMs, keepsToken, address, load() }.
 */
export async function reload({ clock, commands }, page = thisPage(), call = fetch) {
  if (page.ageMs < NEW_MS || !page.keepsToken) return;
  const after = (ms) => new Promise((done) => clock.after(ms, done));
  const verdicts = Promise.all(commands.pending.map(({ verdict }) => verdict));
  await Promise.race([verdicts, after(2 * DEADLINE_MS)]);
  for (let tries = 1; tries <= TRIES; tries += 1) {
    if (await isThere(call, page.address)) {
      page.load();
      return;
    }
    await after(TRY_AGAIN_MS);
  }
}

function thisPage() {
  return {
    ageMs: performance.now(),
    keepsToken: takeToken(location, history, pageStores) !== "",
    address: location.href,
    load: () => location.reload(),
  };
}

async function isThere(call, address) {
  try {
    const answer = await call(address, { cache: "reload", signal: AbortSignal.timeout(TIMEOUT_MS) });
    return answer.ok;
  } catch {
    return false;
  }
}
