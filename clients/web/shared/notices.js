/** The sentence that stands instead of a picture, when there is none that may be shown. */
import { picture } from "./picture.js";
import { amount, say } from "./words.js";

/**
 * → { say, next } or null when the picture may be shown. `next` says what to do; without one, the
 * last known picture is named. `table` is a client's table or null.
 */
export function notice({ options, table, link, needsSeat, code = "" }) {
  if (link === "unpaired") {
    const next = code ? say("pair_code", { code }) : say("unpaired_what_now");
    return { say: say("unpaired"), next };
  }
  if (!options.table) return { say: say("no_table"), next: "" };
  if (needsSeat && !options.seat) return { say: say("no_seat"), next: "" };
  if (table?.error) {
    return { say: say("wrong_table", { table: options.table, message: table.error.message }), next: "" };
  }
  if (table?.view?.phase === "closed") return { say: say("closed"), next: say("closed_what_now") };
  if (table?.freshness.state === "unknown") {
    return { say: say("use_discs"), next: table.view ? null : "" };
  }
  return null;
}

/** "Last known: hand 142, button seat 3, 21:04": the server's time, as this screen reads it. */
export function lastKnown(table, nowMs) {
  if (!table?.view || nowMs === null) return "";
  const { hand, button } = picture(table.view);
  const at = new Date(nowMs - table.freshness.silentMs);
  const time = at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return say("last_known", { hand, button, time });
}

/** "5/10", or "5/10 · Ante 1" where everybody puts one out. */
export function stakesWords({ stakes: { small, big }, ante }) {
  const stakes = say("stakes", { small: amount(small), big: amount(big) });
  return ante ? `${stakes} · ${say("post.ante", { amount: amount(ante) })}` : stakes;
}
