/** What is said of a seat picture, on its tile and aloud, and of a plan in one line. */
import { seatsPosting } from "./picture.js";
import { amount, hasWords, price, say } from "./words.js";

/** Kinds whose disc says what they are, so that the amount alone stands beside it. */
const SHOWN_BY_DISC = new Set(["small", "middle", "big"]);

/** The amounts that lie beside the discs: "5", or "10 all in". */
export function discAmounts({ posts }) {
  return posts.filter(({ kind }) => SHOWN_BY_DISC.has(kind)).map(chipsOf).join(" · ");
}

/** What no disc says: "Straddle 20", "Posts 10+5", "Dead small". */
export function postWords({ posts, discs }) {
  const told = posts
    .filter(({ kind }) => !SHOWN_BY_DISC.has(kind))
    .map((post) => kindWords("post", post.kind, chipsOf(post)));
  const dead = discs.filter((disc) => disc.dead).map(({ kind }) => say(`dead.${kind}`));
  return [...told, ...dead].join(" · ");
}

/**
 * Why a person must look at this seat, or "": held, away, what he posts besides, not dealt and
 * why. `nowMs` is the server's time, or null where minutes away are not shown.
 */
export function statusWords(seat, nowMs = null, isAloud = false) {
  const told = [standing(seat, nowMs, isAloud), postWords(seat)];
  return told.filter(Boolean).join(" · ");
}

function standing(seat, nowMs, isAloud) {
  if (seat.held) return seat.heldFor ? say("held_for", { name: seat.heldFor }) : say("held");
  if (!seat.taken) return "";
  if (seat.away) return awayWords(seat, nowMs, isAloud);
  if (seat.dealt === false && seat.why && !seat.question) return notDealtWords(seat.why);
  return "";
}

export function notDealtWords(why) {
  return say("not_dealt", { why: hasWords(`why.${why}`) ? say(`why.${why}`) : why });
}

function chipsOf({ live, dead, allIn }) {
  const chips = price(live, dead);
  return allIn ? `${chips} ${say("all_in")}` : chips;
}

/** A kind that is newer than this screen shows as its amount. */
function kindWords(family, kind, chips) {
  const key = `${family}.${kind}`;
  return hasWords(key) ? say(key, { amount: chips }) : chips;
}

/** An absent button lies with who was picked up without a list; any other is just away. */
function awayWords({ absent, awaySinceMs }, nowMs, isAloud) {
  const word = absent ? "absent" : "away";
  if (awaySinceMs === null || nowMs === null) return say(word);
  const count = Math.max(0, Math.floor((nowMs - awaySinceMs) / 60_000));
  return say(`${word}_${isAloud ? "aloud" : "minutes"}`, { count });
}

/** The whole seat in one sentence: "Seat 4, Dan, away, owes 10 live and 5 dead". */
export function seatAloud(seat, nowMs = null) {
  const told = [say("seat", { seat: seat.seat })];
  if (seat.taken) told.push(seat.name);
  else if (!seat.held) told.push(say("empty"));
  for (const { kind } of seat.discs.filter((disc) => disc.kind === "button")) {
    told.push(say("has", { thing: say(kind).toLowerCase() }));
  }
  for (const post of seat.posts.filter(({ kind }) => SHOWN_BY_DISC.has(kind))) {
    told.push(kindWords("post", post.kind, chipsOf(post)));
  }
  told.push(statusWords(seat, nowMs, true));
  if (seat.question) told.push(say("question"));
  if (seat.owes) told.push(owesAloud(seat.owes));
  return told.filter(Boolean).join(", ");
}

function owesAloud({ live, dead }) {
  const chips = { live: amount(live), dead: amount(dead) };
  if (live && dead) return say("owes_aloud", chips);
  return live ? say("owes_live_aloud", chips) : say("owes_dead_aloud", chips);
}

/** "Button 3 · Small 5 · Big 6", or why no hand can be dealt. */
export function planWords(view) {
  const plan = view.plan ?? {};
  if (plan.none) return plan.none.text;
  const dead = (plan.dead_blinds ?? []).some(({ kind }) => kind === "small");
  const seats = (kind) => seatsPosting(view, kind).join(", ");
  return say("plan_line", {
    button: String(plan.button ?? "–"),
    small: seats("small") || (dead ? say("dead") : "–"),
    big: seats("big") || "–",
  });
}

/** The same for ears: "Button 3, small 5, big 6." */
export function planAloud(view) {
  const plan = view.plan ?? {};
  if (plan.none) return plan.none.text;
  const seats = (kind) => seatsPosting(view, kind).join(", ") || say("nobody");
  return say("plan_aloud", {
    button: String(plan.button ?? say("nobody")),
    small: seats("small"),
    big: seats("big"),
  });
}
