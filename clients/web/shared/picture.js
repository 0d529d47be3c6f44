/**
 * What a view means to somebody who looks at a table: the pure step between wire and drawing.
 *
 * A view leaves out what is false or empty; here every field is there. The discs lie where the
 * plan puts them: during a hand the committed plan, between hands the next one.
 */

/** Posts that have a disc of their own; the others are words and an amount. */
const DISCS = new Set(["small", "middle", "big"]);

/** How many seats the table has: an empty one is left out, or there as an empty map. */
export function seatCount(view) {
  return view.seat_count ?? Object.keys(view.seats ?? {}).length;
}

/**
 * → { table, name, stakes {small, big}, rules, phase, hand, inHand, closed, corrected, none,
 *     button, firstToAct, toCall, capped, ante (what everybody puts out, or 0),
 *     seats: [seat pictures, seat 1 first] }
 */
export function picture(view) {
  const plan = view.plan ?? {};
  const seats = Array.from({ length: seatCount(view) }, (_, index) => seatPicture(view, index + 1));
  return {
    table: view.table,
    name: view.name ?? view.table,
    stakes: stakes(view),
    rules: view.rules,
    phase: view.phase,
    hand: plan.hand ?? view.hand ?? 0,
    inHand: view.phase === "in_hand",
    closed: view.phase === "closed",
    corrected: view.corrected === true,
    none: plan.none ?? null,
    button: buttonSeat(view),
    firstToAct: plan.first_to_act ?? 0,
    toCall: plan.to_call ?? 0,
    capped: plan.capped === true,
    ante: everybodysAnte(plan),
    seats,
  };
}

/**
 * → { seat, taken, held, heldFor, name, away, awaySinceMs, dealMeIn, owes, discs, posts, dealt,
 *     why, question, choices, first, option, place, forecast }
 *
 * `owes`: null or {small, big, live, dead}. `discs`: [{kind, dead}], `kind` being button, small,
 * middle or big. `posts`: [{kind, live, dead, allIn}]. `dealt`: null where no hand can be dealt.
 */
export function seatPicture(view, number) {
  const seat = view.seats?.[number] ?? {};
  const plan = view.plan ?? {};
  const marks = seat.marks ?? [];
  const question = plan.questions?.find((asked) => asked.seat === number);
  const taken = Boolean(seat.player);
  const held = !taken && (marks.includes("lock_up") || Boolean(seat.held_for));
  return {
    seat: number,
    taken,
    held,
    heldFor: held ? (seat.held_for ?? "") : "",
    name: seat.name ?? seat.player ?? "",
    away: seat.sitting_out === true,
    absent: marks.includes("absent"),
    awaySinceMs: seat.away_since_ms ?? null,
    dealMeIn: seat.deal_me_in === true,
    owes: debt(view, seat),
    discs: discsAt(view, number),
    posts: postsAt(plan, number),
    dealt: plan.none || !view.plan ? null : (plan.dealt ?? []).includes(number),
    why: plan.not_dealt?.find((out) => out.seat === number)?.why ?? "",
    question: question !== undefined,
    choices: question?.choices ?? [],
    first: plan.first_to_act === number,
    option: (plan.options ?? []).includes(number),
    place: seat.place ?? "",
    forecast: seat.forecast ?? null,
    stack: seat.stack ?? null,
  };
}

/** The two amounts people call the stakes: of a longer structure, its smallest and its largest. */
export function stakes(view) {
  const { small, big, blinds = [] } = view.stakes ?? {};
  const amounts = blinds.map((blind) => blind.amount);
  return {
    small: small ?? (amounts.length ? Math.min(...amounts) : 0),
    big: big ?? (amounts.length ? Math.max(...amounts) : 0),
  };
}

/** Seats with a post of that kind, in the order they are dealt. */
export function seatsPosting(view, kind) {
  return (view.plan?.posts ?? []).filter((post) => post.kind === kind).map((post) => post.seat);
}

/**
 * The rulings to show, the most telling first: [{rule, seats, text, params}].
 *
 * A plan's first ruling only says where button and blinds go, which the discs say already: it
 * comes after whatever the newest commit, and then the plan, has to tell besides.
 */
export function rulings(view, news) {
  const [ordinary, ...special] = view.plan?.rulings ?? [];
  const commit = news.flatMap((event) => event.rulings ?? []);
  const isOrdinary = (ruling) => ruling.text === ordinary?.text;
  const told = new Map();
  for (const ruling of [...commit, ...special]) {
    if (!isOrdinary(ruling)) told.set(ruling.text, ruling);
  }
  return ordinary ? [...told.values(), ordinary] : [...told.values()];
}

function buttonSeat(view) {
  return view.plan?.button ?? view.button ?? 0;
}

function discsAt(view, number) {
  const plan = view.plan ?? {};
  const discs = [];
  if (buttonSeat(view) === number) discs.push({ kind: "button", dead: false });
  for (const { seat, kind } of plan.posts ?? []) {
    if (seat === number && DISCS.has(kind)) discs.push({ kind, dead: false });
  }
  for (const { seat, kind } of plan.dead_blinds ?? []) {
    if (seat === number && DISCS.has(kind)) discs.push({ kind, dead: true });
  }
  return discs;
}

/** What each pays where several pay an ante: said once, beside the stakes, not at every seat. */
function everybodysAnte(plan) {
  const antes = (plan.posts ?? []).filter(({ kind }) => kind === "ante");
  return antes.length > 1 ? Math.max(...antes.map(({ dead = 0 }) => dead)) : 0;
}

function postsAt(plan, number) {
  const said = everybodysAnte(plan) > 0 ? "ante" : "";
  return (plan.posts ?? [])
    .filter((post) => post.seat === number && post.kind !== said)
    .map(({ kind, live = 0, dead = 0, all_in: allIn = false }) => ({ kind, live, dead, allIn }));
}

/** What a marker stands for, and what the house asks for it; an older server does not say. */
function debt(view, { owes, debt: asked }) {
  if (!owes || !(owes.big || owes.small || owes.middle)) return null;
  const { small, big } = stakes(view);
  const { live, dead } = asked ?? { live: owes.big ? big : 0, dead: owes.small ? small : 0 };
  return { big: Boolean(owes.big), small: Boolean(owes.small), live, dead };
}
