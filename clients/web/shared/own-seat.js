/** A player's own seat: what he reads at a glance, and what he may wish for. Pure. */
import { seatPicture } from "./picture.js";
import { notDealtWords, planWords } from "./seat-words.js";
import { addWords, amount, hasWords, offerWords, price, priceWords, say } from "./words.js";
import english from "./words/en-seat.js";

addWords(english);

/** Wishes in the order they stand, each with its words; others in `allowed` are not a player's. */
const WISHES = [
  ["sit_in", "do.sit_in"],
  ["sit_out", "do.sit_out"],
  ["sit_out next_big_blind", "do.sit_out_next_big"],
  ["deal_me_in", "do.deal_me_in"],
  ["straddle", "do.straddle"],
  ["sleeper", "do.sleeper"],
  ["leave", "do.leave"],
];
/** In a hand these count from the next one only, and say so. */
const FROM_NEXT_HAND = new Set(["sit_out", "leave", "sit_in"]);

/** → { seat, headline, detail, disc, choices, wishes, plan }, of which a panel draws all. */
export function ownSeat(view, number) {
  const seat = seatPicture(view, number);
  const choices = questionOf(view, number).map((offer) => choiceOf(offer, number));
  return {
    seat,
    disc: choices.length === 0 ? (seat.discs.at(-1) ?? null) : null,
    headline: headline(seat, view, choices),
    detail: detail(seat, view, choices),
    choices,
    wishes: wishesOf(view, number),
    plan: planWords(view),
  };
}

function questionOf(view, number) {
  return offersTo(number, view.own?.questions);
}

/** Each answer of his with its price, after he has given one: until he is dealt in it may be another. */
function answersOf(view, number) {
  return offersTo(number, view.own?.answers);
}

function offersTo(number, questions = []) {
  return questions.find(({ seat }) => seat === number)?.choices ?? [];
}

/** A choice is never shown without its price and its wait. */
function choiceOf(offer, seat) {
  const { choice } = offer;
  return { choice, ...offerWords(offer), command: { type: "choose", seat, choice } };
}

function wishesOf(view, number) {
  const allowed = view.own?.allowed ?? [];
  const inHand = view.phase === "in_hand";
  return WISHES.flatMap(([kind, key]) => {
    const found = allowed.find(
      ({ type, seat, at }) => seat === number && [type, at].filter(Boolean).join(" ") === kind,
    );
    if (found === undefined) return [];
    const command = { type: found.type, seat: number, ...(found.at && { at: found.at }) };
    const note = inHand && FROM_NEXT_HAND.has(found.type) && !found.at ? say("from_next_hand") : "";
    const wish = { kind, label: wishLabel(kind, key, view), note, command, isLeave: kind === "leave" };
    return kind === "leave" ? [...otherAnswers(view, number), wish] : [wish];
  });
}

/** "Straddle 20" where it is known what it makes it to call. */
function wishLabel(kind, key, { plan }) {
  const to = ["straddle", "sleeper"].includes(kind) && plan?.raise_to;
  return to ? say(`post.${kind}`, { amount: amount(to) }) : say(key);
}

/** What else he might answer than he did, priced: any time until he is dealt in. */
function otherAnswers(view, number) {
  const open = view.own.allowed.find(({ type, seat }) => type === "choose" && seat === number);
  return answersOf(view, number)
    .filter(({ choice }) => open?.choices?.includes(choice))
    .map((offer) => choiceOf(offer, number))
    .map(({ choice, label, cost, wait, command }) => {
      const note = [cost, wait].filter(Boolean).join(" · ");
      return { kind: `answer ${choice}`, label, note, command, isLeave: false };
    });
}

function headline(seat, view, choices) {
  if (!seat.taken) return seat.held ? say("held") : say("seat_open");
  const posts = seat.posts.reduce((sum, { live, dead }) => sum + live + dead, 0);
  if (choices.length > 0 || seat.away) {
    if (seat.owes) return say("you_owe", { amount: amount(seat.owes.live + seat.owes.dead) });
    return choices.length > 0 ? say("question") : say("you_are_away");
  }
  if (posts > 0) return say("you_post", { amount: amount(posts) });
  if (seat.discs.some(({ kind }) => kind === "button")) return say("you_have_button");
  if (view.plan?.none) return say("no_hand");
  return seat.dealt ? say("dealt_in") : say("not_dealt_in");
}

function detail(seat, view, choices) {
  if (!seat.taken) return "";
  const told = [];
  if (view.corrected) told.push(say("you_corrected"));
  if (choices.length > 0) return told.join(" · "); // Each choice says its own price.
  const answer = answerOf(view, seat);
  if (seat.owes && seat.away) told.push(say("away"));
  if (seat.owes && !answer) told.push(priceWords(seat.owes.live, seat.owes.dead));
  else told.push(...(answer ? [answer] : calm(seat)));
  return told.join(" · ");
}

function placeWords(place) {
  const steps = /^under_the_gun_(\d+)$/.exec(place)?.[1];
  if (steps) return say("place_under_the_gun", { steps });
  return hasWords(`place.${place}`) ? say(`place.${place}`) : place;
}

/** "Behind the button · in 3 hands": what he has answered, while he waits for it; else "". */
function answerOf(view, { seat, dealt, away }) {
  const given = answersOf(view, seat).find(({ choice }) => choice === view.seats[seat].choice);
  if (given === undefined || dealt || away) return "";
  const { label, wait } = choiceOf(given, seat);
  return `${label} · ${wait}`;
}

/** "cutoff · big blind in 3 hands", or why he gets no hand. */
function calm({ posts, dealt, why, place, forecast, away }) {
  const told = [];
  const paid = posts.reduce((sum, { live, dead }) => [sum[0] + live, sum[1] + dead], [0, 0]);
  if (paid[1]) told.push(priceWords(...paid));
  if (dealt === false && why && !away) told.push(notDealtWords(why));
  if (place && !posts.length && place !== "button") told.push(placeWords(place));
  if (forecast?.big > 0) told.push(say("big_in", { count: forecast.big }));
  else if (forecast?.big === 0 && !posts.length) told.push(say("big_now"));
  return told;
}
