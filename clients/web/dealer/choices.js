/** The price and the wait of an answer, in words: no choice is shown without them. */
import { hasWords, price, priceWords, say, waitWords } from "../shared/words.js";

/** → { label, detail, wait } of an offer {choice, live, dead, hands}: "Post 10+5", its price, "next hand". */
export function offerWords({ choice, live, dead, hands }) {
  return {
    label: choiceLabel(choice, price(live, dead)),
    detail: priceWords(live, dead),
    wait: waitWords(hands),
  };
}

/** The same, as short as a strip needs it: no price beside a label that has it, "10+5" for both. */
export function shortOfferWords(offer) {
  const { label, detail, wait } = offerWords(offer);
  const { choice, live, dead } = offer;
  if (label !== choiceLabel(choice)) return { label, detail: "", wait };
  return { label, detail: live && dead ? price(live, dead) : detail, wait };
}

/** A choice that is newer than this screen shows as its id, in words as good as any. */
export function choiceLabel(choice, chips = "") {
  const key = `choice.${choice}`;
  return hasWords(key) ? say(key, { amount: chips }).trim() : choice.replaceAll("_", " ");
}

/** An offer aloud: "Post 10+5, 10 plays · 5 to the middle, next hand". */
export function offerAloud(offer) {
  const { label, detail, wait } = offerWords(offer);
  return say("say_choice", { choice: label, price: detail, wait });
}
