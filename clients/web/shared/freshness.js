/**
 * How far a picture may be trusted: `fresh`, `stale` or `unknown`.
 *
 * Judged from what was heard, never from the socket's own word: a silent link closes nothing.
 */
export const SILENT_HEARTBEATS = 2.5;
export const BEHIND_MS = 1_000;
export const UNKNOWN_AFTER_MS = 60_000;

/**
 * `link` = {
 *   nowMs, heardMs (null: never), heartbeatMs, open (welcomed and not closed), unpaired,
 *   woken (awake again, and not yet answered) }
 * `copy` = { known, live, behindSinceMs (null: not behind), provenMs (when last proven right) }
 * → { state, reason, silentMs }, `silentMs` being how long ago that was.
 *
 * `reason`: "" | "unpaired" | "never_heard" | "closed" | "silent" | "woken" | "behind" | "catching_up"
 */
export function freshness(link, copy) {
  const reason = whyNotFresh(link, copy);
  const silentMs = reason === "" ? 0 : Math.max(0, link.nowMs - (copy.provenMs ?? link.nowMs));
  if (reason === "") return { state: "fresh", reason, silentMs };
  const unknown =
    reason === "unpaired" || reason === "never_heard" || silentMs > UNKNOWN_AFTER_MS;
  return { state: unknown ? "unknown" : "stale", reason, silentMs };
}

function whyNotFresh(link, copy) {
  if (link.unpaired) return "unpaired";
  if (!copy.known || link.heardMs === null) return "never_heard";
  if (!link.open) return "closed";
  if (link.nowMs - link.heardMs > SILENT_HEARTBEATS * link.heartbeatMs) return "silent";
  if (link.woken) return "woken";
  if (!copy.live) return "catching_up";
  if (copy.behindSinceMs !== null && link.nowMs - copy.behindSinceMs > BEHIND_MS) return "behind";
  return "";
}
