/** Keeping a token young; fetched a while after the page, for no token is old at once. */
import { claimsOf } from "./tokens.js";

const CHECK_MS = 30_000;
const TIMEOUT_MS = 4_000;

/** Whether a token's life is half over: time to renew it, with half a life to try again in. */
export function isHalfOver(token, nowMs) {
  const { iat, exp } = claimsOf(token);
  return iat > 0 && exp > iat && nowMs / 1000 >= (iat + exp) / 2 && nowMs / 1000 < exp;
}

/**
 * Keep a screen's token young. `token()` is the one in use; `renewed(token)` takes a newer one.
 * `call` is `fetch`. Returns a function that stops it.
 */
export function keepRenewed({ clock, serverNowMs, token, renewed, base, call = fetch }) {
  let isAsking = false;
  return clock.every(CHECK_MS, async () => {
    const nowMs = serverNowMs();
    if (isAsking || nowMs === null || !isHalfOver(token(), nowMs)) return;
    isAsking = true;
    const answer = await ask(call, "POST", new URL("/v1/tokens", base), token(), {});
    isAsking = false;
    if (answer?.body.token) renewed(answer.body.token);
  });
}

/** → {status, body}, or null when there was no answer. */
export async function ask(call, method, address, bearer, body) {
  const headers = { "Content-Type": "application/json" };
  if (bearer) headers.Authorization = `Bearer ${bearer}`;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const answer = await call(address, { method, headers, signal, body: body && JSON.stringify(body) });
    return { status: answer.status, body: await answer.json() };
  } catch {
    return null;
  }
}
