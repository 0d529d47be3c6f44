/** The price and the wait of an answer, in words: no choice is shown without them. */
import { hasWords, price, priceWords, say, waitWords } from "../shared/words.js";

/** → { label, detail } of an offer {choice, live, dead, hands}. */
export function offerWords(offer) {
  return { label: offerLabel(offer), detail: say("price_and_wait", parts(offer)) };
}

/** The same, as short as a strip needs it: "Post 10+5", "next hand". */
export function shortOfferWords({ choice, live, dead, hands }) {
  const chips = price(live, dead);
  const label = offerLabel({ choice, live, dead });
  const wait = waitWords(hands);
  const isPriced = label !== choiceLabel(choice);
  return { label, detail: isPriced ? wait : say("price_and_wait", { price: chips, wait }) };
}

function offerLabel({ choice, live, dead }) {
  return choiceLabel(choice, price(live, dead));
}

/** A choice that is newer than this screen shows as its id, in words as good as any. */
export function choiceLabel(choice, chips = "") {
  const key = `choice.${choice}`;
  return hasWords(key) ? say(key, { amount: chips }).trim() : choice.replaceAll("_", " ");
}

function parts({ live, dead, hands }) {
  return { price: priceWords(live, dead), wait: waitWords(hands) };
}

/** An offer aloud: "Post 10+5, 10 plays · 5 to the middle, next hand". */
export function offerAloud(offer) {
  return say("say_choice", { choice: offerLabel(offer), ...parts(offer) });
}
