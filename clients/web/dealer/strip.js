/**
 * What may be done at one seat, most common first: the seat's entries of the view's `allowed`.
 *
 * An item is { id, label, detail, wait?, send?, ask? }: `detail` a price, `wait` until he plays; `send` is the commands to give, one after the
 * other, each once the one before is accepted; `ask` is the mode that asks for what is missing.
 */
import { amount, choiceLabel, offerWords, say } from "../shared/words.js";

const WAITING_SHOWN = 3;

export function stripItems(view, seat, { rights = "dealer" } = {}) {
  const entries = (view.allowed ?? []).filter((entry) => entry.seat === seat);
  const has = (type) => entries.find((entry) => entry.type === type);
  return view.seats?.[seat]?.player
    ? takenItems({ view, seat, has, entries, rights })
    : emptyItems({ view, seat, has });
}

function emptyItems({ view, seat, has }) {
  const items = [];
  const heldFor = view.seats?.[seat]?.held_for;
  if (has("take_seat")) {
    const waiting = (view.waiting ?? []).filter((player) => player !== heldFor);
    const next = (heldFor ? [heldFor, ...waiting] : waiting).slice(0, WAITING_SHOWN);
    for (const player of next) {
      const send = [{ type: "take_seat", seat, player }];
      items.push({ id: `take ${player}`, label: player, detail: say("seat.take_detail"), send });
    }
    items.push(form("take_seat", seat, say("seat.take_other")));
  }
  if (has("release")) items.push(simple("release", seat, say("seat.release")));
  if (has("lock_up")) items.push(form("lock_up", seat, say("seat.lock_up")));
  return items;
}

function takenItems({ view, seat, has, entries, rights }) {
  const when = view.phase === "in_hand" ? say("from_next_hand") : "";
  const items = [...answers(view, seat, has("choose")), ...comeAndGo({ seat, has, when })];
  if (has("elect")) items.unshift(...elections(seat));
  if (has("leave")) items.push(simple("leave", seat, say("seat.leave"), when));
  if (has("change_seat")) {
    const ask = { kind: "move", seat };
    items.push({ id: "change_seat", label: say("seat.change_seat"), detail: "", ask });
  }
  for (const type of ["straddle", "sleeper"]) {
    if (has(type)) items.push(simple(type, seat, raiseLabel(type, view)));
  }
  if (has("report_unposted")) {
    const ask = { kind: "unposted", seat };
    items.push({ id: "report_unposted", label: say("seat.report_unposted"), detail: "", ask });
  }
  if (has("deal_me_in")) items.push(simple("deal_me_in", seat, say("seat.deal_me_in"), when));
  if (entries.some(({ type, at }) => type === "sit_out" && at === "next_big_blind")) {
    const send = [{ type: "sit_out", seat, at: "next_big_blind" }];
    items.push({ id: "sit_out at big", label: say("seat.away_next_big"), detail: "", send });
  }
  if (has("rename")) items.push(form("rename", seat, say("seat.rename")));
  if (has("set_stack")) items.push(form("set_stack", seat, say("seat.set_stack")));
  if (has("set_owes") && rights === "floor") items.push(form("set_owes", seat, say("seat.set_owes")));
  return items;
}

/** His open question with its prices; else, with theirs, what else he might choose than he did. */
function answers(view, seat, choose) {
  if (choose === undefined) return [];
  const ofSeat = (questions = []) => questions.find((question) => question.seat === seat);
  const open = ofSeat(view.plan?.questions);
  if (open?.choices?.length) return offerItems({ type: "choose", seat }, open.choices);
  const priced = ofSeat(view.answers)?.choices ?? [];
  return (choose.choices ?? []).map((choice) => {
    const offer = priced.find((each) => each.choice === choice);
    const words = offer ? inShort(offer) : { label: choiceLabel(choice), detail: "" };
    return { id: `choose ${choice}`, ...words, send: [{ type: "choose", seat, choice }] };
  });
}

/** Offers, each with its price and its wait, as what may be said with a command. */
export function offerItems(command, offers = []) {
  return offers.map((offer) => {
    const { label, price: detail, wait } = offerWords(offer);
    const { choice } = offer;
    return { id: `choose ${choice}`, label, detail, wait, send: [{ ...command, choice }] };
  });
}

/** An answer as short as a strip needs it: no price beside a label that has it. */
function inShort(offer) {
  const { label, cost: detail, wait } = offerWords(offer);
  return { label, detail, wait };
}

function comeAndGo({ seat, has, when }) {
  const back = has("sit_in");
  if (back) return returns(seat, back, when);
  return has("sit_out") ? [simple("sit_out", seat, say("seat.away"), when)] : [];
}

/** Coming back and the answer are one tap: sit in, then choose. */
function returns(seat, { choices = [] }, when) {
  if (choices.length === 0) return [simple("sit_in", seat, say("seat.back"), when)];
  return choices.map((offer) => {
    const { label, ...cost } = inShort(offer);
    const send = [
      { type: "sit_in", seat },
      { type: "choose", seat, choice: offer.choice },
    ];
    const choice = label.charAt(0).toLowerCase() + label.slice(1);
    return { id: `back ${offer.choice}`, label: say("seat.back_choice", { choice }), ...cost, send };
  });
}

function elections(seat) {
  return [
    { id: "elect post", label: say("seat.elect_post"), detail: "", send: [{ type: "elect", seat, post: true }] },
    { id: "elect not", label: say("seat.elect_not"), detail: "", send: [{ type: "elect", seat, post: false }] },
  ];
}

function simple(type, seat, label, detail = "") {
  return { id: type, label, detail, send: [{ type, seat }] };
}

function form(what, seat, label) {
  return { id: `form ${what}`, label, detail: "", ask: { kind: "form", what, seat } };
}

/** "Straddle 20" where the server says what it makes it to call. */
function raiseLabel(type, { plan }) {
  const to = plan?.raise_to;
  return to ? say(`post.${type}`, { amount: amount(to) }) : say(`seat.${type}`);
}

/** Those who may straddle before the deal, as chips in the plan: one tap. */
export function straddleItems(view) {
  return (view.allowed ?? [])
    .filter((entry) => entry.type === "straddle")
    .map(({ seat }) => {
      const label = raiseLabel("straddle", view);
      const detail = say("seat", { seat });
      return { id: `straddle ${seat}`, label, detail, send: [{ type: "straddle", seat }] };
    });
}
