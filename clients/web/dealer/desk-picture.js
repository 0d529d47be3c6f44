/** The picture that a terminal draws: pure, from the view and where the dealer is in her taps. */
import { picture } from "../shared/picture.js";
import { stakesWords } from "../shared/notices.js";
import { say } from "../shared/words.js";
import { EMPTY_PANEL } from "./panels.js";
import { deskTitle, planCells, planLines, planWhys } from "./plan-words.js";

/**
 * → { table, undo, seats: Map seat → state }: the states of the commands that were sent at `sinceMs`
 * or before and have no verdict yet.
 */
export function waitsOf(pending, sinceMs) {
  const waits = { table: null, undo: null, seats: new Map() };
  for (const { command, state, sentMs } of pending) {
    if (sentMs > sinceMs) continue;
    if (command.type === "undo") waits.undo = state;
    else if (command.seat !== undefined) waits.seats.set(command.seat, state);
    else waits.table = state;
  }
  return waits;
}

const NO_CONTROL = { label: "", detail: "", tappable: false };

/** Before the first view. */
export const EMPTY_FELT = Object.freeze({
  title: "",
  hand: "",
  seats: [],
  mark: () => ({}),
  plan: { title: "", cells: [], lines: [], none: "", corrected: false },
  whys: [],
  panel: EMPTY_PANEL,
  notice: null,
  primary: { ...NO_CONTROL, lit: false, inert: false },
  undo: NO_CONTROL,
});

/** What lies on the felt and in its middle; `news` are the newest commit's events. */
export function feltPicture({ view, news, mode, panel, waits }) {
  const table = picture(view);
  return {
    title: deskTitle(view, stakesWords(table)),
    hand: say("hand", { hand: table.hand }),
    phase: table.phase,
    seats: table.seats,
    mark: (seat) => ({
      selected: mode.seat === seat && mode.kind !== "plan",
      target: panel.anySeat === true || panel.targets.includes(seat),
      waits: waits.seats.get(seat),
    }),
    plan: {
      title: say(table.inHand ? "now" : "next"),
      cells: planCells(view),
      lines: planLines(view),
      none: table.none?.text ?? "",
      corrected: table.corrected,
    },
    whys: table.none ? [] : planWhys(view, news),
    panel,
  };
}

/** A command whose verdict was lost on the way is asked for: that is said, whatever else was. */
export function checkingNotice({ table, undo, seats }) {
  const isChecking = [table, undo, ...seats.values()].includes("checking");
  return isChecking ? { text: say("checking"), rule: "", kind: "checking" } : null;
}

/** Why a command came to nothing. */
export function verdictWords(state, message) {
  if (state === "refused") return message.message ?? message.reason;
  return say(state === "unsent" ? "not_sent" : "lost");
}

export function control({ label, detail, command }, waits) {
  return { label, detail, tappable: command !== null, waits };
}

/** The primary: never lit while not live, and for a moment after a new phase not to be tapped. */
export function primaryControl(told, { isLive, inert, waits }) {
  if (isLive) return { ...control(told, waits), lit: told.command !== null, inert };
  const lost = { label: say("primary_lost"), detail: say("primary_lost_detail"), command: told };
  return { ...control(lost), lit: false, inert: false };
}

/** A rule's text; undefined when it cannot be drawn. What draws it is fetched when the first is asked for: few evenings ask. */
export async function fetchRule(rule) {
  try {
    const asked = [import("../shared/rules.js"), import("../elements/rule-card.js")];
    const [{ ruleText }] = await Promise.all(asked);
    return await ruleText(rule);
  } catch {
    return undefined;
  }
}
