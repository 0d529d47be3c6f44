/** The plan in words: where the discs go, who is left out, who acts first, and why. */
import { fittingName } from "../shared/names.js";
import { picture, rulings, seatsPosting } from "../shared/picture.js";
import { hasWords, price, say } from "../shared/words.js";

const LETTERS = 18;
const DISC_KINDS = ["small", "middle", "big"];
const WITH_DISC = new Set(DISC_KINDS);
const MOST_WHYS = 2;

/** A name short enough for a sentence. */
export function sentenceName(view, seat) {
  const { name = "", player = "" } = view.seats?.[seat] ?? {};
  return shortened(name || player);
}

/** A name or an id, cut by the rule of names where it is longer than a sentence bears. */
export function shortened(name) {
  return fittingName(name, (text) => text.length <= LETTERS);
}

/** → [{ kind, label, seats: [{ seat, name }], dead }], the button first. */
export function planCells(view) {
  const { button } = picture(view);
  if (!button || view.plan?.none) return [];
  const cells = [{ kind: "button", label: say("button"), seats: seatsOf(view, [button]), dead: false }];
  for (const kind of DISC_KINDS) {
    const posting = seatsPosting(view, kind);
    if (posting.length) cells.push({ kind, label: say(kind), seats: seatsOf(view, posting), dead: false });
  }
  for (const { kind, seat } of view.plan?.dead_blinds ?? []) {
    if (!WITH_DISC.has(kind) || cells.some((cell) => cell.kind === kind)) continue;
    const at = DISC_KINDS.slice(0, DISC_KINDS.indexOf(kind));
    const after = cells.filter((cell) => cell.kind === "button" || at.includes(cell.kind)).length;
    cells.splice(after, 0, { kind, label: say(`dead.${kind}`), seats: seatsOf(view, [seat]), dead: true });
  }
  return cells;
}

function seatsOf(view, seats) {
  return seats.map((seat) => ({ seat, name: view.seats?.[seat]?.name ?? "" }));
}

/** Under the discs: in a hand who acts first and what to call; before it who posts besides. */
export function planLines(view) {
  const plan = view.plan ?? {};
  if (plan.none || !view.plan) return [];
  const first = plan.first_to_act
    ? [say("first_of", { seat: plan.first_to_act, name: sentenceName(view, plan.first_to_act) })]
    : [];
  const call = plan.to_call ? [say("to_call", { amount: plan.to_call })] : [];
  const capped = plan.capped ? [say("capped")] : [];
  const action = view.phase === "in_hand" ? [...first, ...call, ...options(view), ...capped] : [];
  return [action.join(" · "), alsoPosting(view), notDealt(view)].filter(Boolean);
}

function options(view) {
  const seats = view.plan.options ?? [];
  return seats.length ? [say("option_of", { seats: seats.join(", ") })] : [];
}

function alsoPosting(view) {
  const others = (view.plan.posts ?? []).filter(({ kind }) => !WITH_DISC.has(kind));
  if (others.length === 0) return "";
  const seats = others.map(({ seat, live = 0, dead = 0 }) =>
    say("also_posting_one", { seat, name: sentenceName(view, seat), amount: price(live, dead) }),
  );
  return say("also_posting", { seats: seats.join(", ") });
}

function notDealt(view) {
  const out = notDealtSeats(view);
  return out.length ? say("not_dealt_list", { seats: out.join(", ") }) : "";
}

/** → ["4 Dan (away)"] */
export function notDealtSeats(view) {
  return (view.plan?.not_dealt ?? []).map(({ seat, why }) => {
    const words = hasWords(`why.${why}`) ? say(`why.${why}`) : why;
    return say("not_dealt_one", { seat, name: sentenceName(view, seat), why: words });
  });
}

/** The reasons to show, the most telling first. */
export function planWhys(view, news) {
  return rulings(view, news).slice(0, MOST_WHYS);
}

/** "Table 7 · Limit Hold'em 5/10 · Caro-Cooke". */
export function deskTitle(view, stakes) {
  const { family = "", betting = "" } = view.game ?? {};
  const words = [`betting.${betting}`, `game.${family}`].filter(hasWords).map((key) => say(key));
  const rules = hasWords(`rules.${view.rules}`) ? say(`rules.${view.rules}`) : (view.rules ?? "");
  return say("desk_title", { name: view.name ?? view.table, game: words.join(" "), stakes, rules });
}
