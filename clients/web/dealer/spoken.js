/** What the query keys say, and what each commit is announced with. */
import { picture, seatsPosting } from "../shared/picture.js";
import { freshnessWords } from "../elements/freshness-bar.js";
import { say } from "../shared/words.js";
import { offerAloud } from "./choices.js";
import { notDealtSeats, sentenceName } from "./plan-words.js";

export function blindsAloud(view) {
  if (view.plan?.none) return view.plan.none.text;
  const seats = (kind) => seatsPosting(view, kind).join(", ") || say("nobody");
  const { button } = picture(view);
  return say("plan_aloud", { button, small: seats("small"), big: seats("big") });
}

export function outAloud(view) {
  const out = notDealtSeats(view);
  return out.length ? say("say_out", { seats: out.join(", ") }) : say("say_everybody");
}

/** The question that has been open longest, with its prices. */
export function questionAloud(view, [seat]) {
  const open = view.plan?.questions?.find((question) => question.seat === seat);
  if (open === undefined) return say("say_no_question");
  const choices = (open.choices ?? []).map(offerAloud).join("; ");
  return say("say_question", { seat, name: sentenceName(view, seat), choices });
}

export function liveAloud(view, freshness) {
  if (freshness.state !== "fresh") return freshnessWords(freshness);
  return say("say_live", { hand: view.plan?.hand ?? view.hand ?? 0 });
}
