/**
 * One table as a client knows it: a pure function of a snapshot and the deltas that follow it.
 *
 * A feed is an immutable map:
 *   view      the table's view, or null before the first snapshot
 *   position  {epoch, offset} of that view, always as a pair, or null
 *   live      the server said `live` on this connection: what comes now is news, not replay
 *   asked     a subscribe is on its way and unanswered: further gaps need no second one
 *   claim     where the last heartbeat says the table stands: {epoch, offset}, "none" when it names
 *             no such table (the server itself is deaf), or null when none has spoken yet
 *   news      events of the last delta, with their rulings; empty after a snapshot
 *   error     the server's refusal to let us watch {code, message}, or null
 *
 * `receive` returns `{feed, resubscribe}`; a gap always means loss, so it is never guessed over.
 */
import { mergePatch } from "./merge-patch.js";

export const EMPTY_FEED = Object.freeze({
  view: null,
  position: null,
  live: false,
  asked: false,
  claim: null,
  news: [],
  error: null,
});

/** The feed after a new subscribe was sent; the picture stays until the server answers. */
export function asked(feed) {
  return { ...feed, live: false, asked: true };
}

/** The feed after its socket was lost. */
export function cut(feed) {
  return { ...feed, live: false, asked: false, claim: null };
}

export function receive(feed, message) {
  switch (message.type) {
    case "snapshot":
      return changed(feed, {
        view: message.view,
        position: { epoch: message.epoch, offset: message.offset },
        asked: false,
        // An older claim may be of a stream that is gone; a deaf server stays deaf.
        claim: feed.claim === "none" ? "none" : null,
        news: [],
        error: null,
      });
    case "delta":
      return receiveDelta(feed, message);
    case "live":
      return feed.view === null
        ? again(feed)
        : changed(feed, { live: true, asked: false, error: null });
    default:
      return { feed, resubscribe: false };
  }
}

/** A heartbeat: `[epoch, offset]` is where the server's copy stands, undefined if it says nothing. */
export function compare(feed, place) {
  if (!feed.live || feed.asked) return feed;
  const claim = Array.isArray(place) ? { epoch: place[0], offset: place[1] } : "none";
  return { ...feed, claim };
}

/** Whether something was lost: the server claims to stand elsewhere, or does not know. */
export function isBehind({ claim, position }) {
  if (claim === null || position === null) return false;
  if (claim === "none" || claim.epoch !== position.epoch) return true;
  // A delta may overtake the heartbeat that claims less.
  return position.offset < claim.offset;
}

function receiveDelta(feed, { epoch, offset, patch, events }) {
  if (feed.position === null || epoch !== feed.position.epoch) return again(feed);
  if (offset <= feed.position.offset) return { feed, resubscribe: false };
  if (offset !== feed.position.offset + 1) return again(feed);
  return changed(feed, {
    view: mergePatch(feed.view, patch ?? {}),
    position: { epoch, offset },
    news: events ?? [],
  });
}

function changed(feed, fields) {
  return { feed: { ...feed, ...fields }, resubscribe: false };
}

function again(feed) {
  return { feed, resubscribe: !feed.asked };
}
