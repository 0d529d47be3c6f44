/**
 * The one place that sentences come from. `say("not_live", { seconds: 14 })`.
 *
 * An unknown key is a mistake of ours and throws: a screen must never show a key.
 */
import english from "./words/en.js";

let known = english;
let told = {};
let catalogue = english;
let plurals = new Intl.PluralRules("en");
let numbers = new Intl.NumberFormat("en");

/** Speak another language: what its catalogue lacks is said in English. */
export function speak(language, translated) {
  told = translated;
  catalogue = { ...known, ...told };
  plurals = new Intl.PluralRules(language);
  numbers = new Intl.NumberFormat(language);
}

/** Take in the English of one screen alone, which the others need not load. */
export function addWords(words) {
  known = { ...known, ...words };
  catalogue = { ...known, ...told };
}

export function say(key, params = {}) {
  const form = sentence(key, params.count);
  if (form === undefined) throw new Error(`no words for ${key}`);
  return form.replace(/\{(\w+)\}/g, (_, name) => shown(params[name]));
}

/** Whether there are words for a key: for ids that come over the wire, which may be newer. */
export function hasWords(key) {
  return Object.hasOwn(catalogue, key);
}

/** An amount as people read it, in the smallest unit. */
export function amount(chips) {
  return numbers.format(chips);
}

/** "10+5": what plays, then what goes to the middle. */
export function price(live = 0, dead = 0) {
  if (dead && live) return `${amount(live)}+${amount(dead)}`;
  return amount(live || dead);
}

/** "10 plays · 5 to the middle", "5 to the middle", "free". */
export function priceWords(live = 0, dead = 0) {
  const parts = [];
  if (live) parts.push(say("price_live", { live: amount(live) }));
  if (dead) parts.push(say("price_dead", { dead: amount(dead) }));
  return parts.join(" · ") || say("price_free");
}

/** "next hand", "in 3 hands"; `hands` is left out where a choice leads to none as things stand. */
export function waitWords(hands) {
  return hands === undefined ? say("no_hand_ahead") : say("in_hands", { count: hands });
}

/** A choice that is newer than this screen shows as its id, in words as good as any. */
export function choiceLabel(choice, chips = "") {
  const key = `choice.${choice}`;
  return hasWords(key) ? say(key, { amount: chips }).trim() : choice.replaceAll("_", " ");
}

/**
 * → { label, price, cost, wait } of an offer {choice, live, dead, hands}: "Post 10+5", what it costs,
 * in short what of that the label does not say ("10+5" for both), "next hand". Without a choice
 * nothing is said: he stays in the rotation.
 */
export function offerWords({ choice = "none", live, dead, hands }) {
  const label = choiceLabel(choice, price(live, dead));
  const whole = priceWords(live, dead);
  const short = live && dead ? price(live, dead) : whole;
  const cost = label === choiceLabel(choice) ? short : "";
  return { label, price: whole, cost, wait: waitWords(hands) };
}

function sentence(key, count) {
  if (count === undefined) return catalogue[key];
  const exact = count === 0 ? catalogue[`${key}.zero`] : undefined;
  return exact ?? catalogue[`${key}.${plurals.select(count)}`] ?? catalogue[`${key}.other`];
}

function shown(value) {
  return typeof value === "number" ? numbers.format(value) : String(value ?? "");
}
