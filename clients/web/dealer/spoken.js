/** What the query keys say, and what each commit is announced with. */
import { freshnessWords } from "../elements/freshness-bar.js";
import { planAloud } from "../shared/seat-words.js";
import { offerWords, say } from "../shared/words.js";
import { notDealtSeats, sentenceName } from "./plan-words.js";
import { allowedEntry, undoWords } from "./primary.js";

/** What a query key says. `told` = { questions: oldest first, freshness }. */
export function spoken(act, view, told) {
  switch (act) {
    case "say_blinds":
      return planAloud(view);
    case "say_out":
      return outAloud(view);
    case "say_question":
      return questionAloud(view, told.questions);
    default:
      return liveAloud(view, told.freshness);
  }
}

/** One sentence for one commit: what was done, and why or where the discs go now. */
export function commitAloud(view, news) {
  const done = allowedEntry(view, "undo")?.of;
  const [why] = news.flatMap((event) => event.rulings ?? []);
  const what = done && news.every(({ type }) => type !== "undone") ? undoWords(done) : "";
  const sentence = what && say("say_done", { what: what.charAt(0).toUpperCase() + what.slice(1) });
  return [sentence, why?.text ?? planAloud(view)].filter(Boolean).join(" ");
}

function outAloud(view) {
  const out = notDealtSeats(view);
  return out.length ? say("say_out", { seats: out.join(", ") }) : say("say_everybody");
}

/** The question that has been open longest, with its prices. */
function questionAloud(view, [seat]) {
  const open = view.plan?.questions?.find((question) => question.seat === seat);
  if (open === undefined) return say("say_no_question");
  const choices = (open.choices ?? []).map(offerAloud).join("; ");
  return say("say_question", { seat, name: sentenceName(view, seat), choices });
}

/** "Post 10+5, 10 plays · 5 to the middle, next hand". */
function offerAloud(offer) {
  const { label, price, wait } = offerWords(offer);
  return say("say_choice", { choice: label, price, wait });
}

function liveAloud(view, freshness) {
  if (freshness.state !== "fresh") return freshnessWords(freshness);
  return say("say_live", { hand: view.plan?.hand ?? view.hand ?? 0 });
}
