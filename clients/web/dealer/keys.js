/** The keys of the dealer's desk: what each does, or says. */

/** Key → [act, the words that explain it]. Seats are the digits, 0 being seat 10. */
const ACTS = {
  Enter: "primary",
  Backspace: "undo",
  a: "away",
  l: "leave",
  m: "move",
  p: "post",
  w: "wait",
  n: "behind",
  t: "straddle",
  u: "button",
  Escape: "plan",
  "?": "help",
  b: "say_blinds",
  o: "say_out",
  q: "say_question",
  f: "say_live",
};

/** Those that stay when single-key shortcuts are switched off. */
const ALWAYS = new Set(["Escape"]);

/** Which of a panel's items a key stands for, the dearest first. */
export const KEYED_ITEMS = {
  away: ["sit_out", "sit_in", "back"],
  leave: ["leave"],
  move: ["change_seat"],
  post: ["choose post", "back post", "choose free"],
  wait: ["choose wait_big_blind", "back wait_big_blind", "choose wait"],
  behind: ["choose wait_button", "back wait_button"],
  straddle: ["straddle"],
};

/**
 * → { act, seat } of a DOM key event, or null. `shortcuts`: whether single keys are on; `writes`:
 * whether there is something to write, to which every letter belongs.
 */
export function keyAct(event, { shortcuts, writes }) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return null;
  const { target, key } = event;
  if (!shortcuts && !ALWAYS.has(key)) return null;
  if ((writes || target instanceof HTMLInputElement) && !ALWAYS.has(key)) return null;
  // On a control that has the focus, Enter is that control's.
  if (key === "Enter" && target.closest?.("button, a, input")) return null;
  if (/^\d$/.test(key)) return { act: "seat", seat: Number(key) || 10 };
  const act = ACTS[key] ?? ACTS[key.toLowerCase()];
  return act ? { act } : null;
}

/** → [{ key, act }] for the list of keys, in the order they are told. */
export function keyList() {
  const acts = Object.entries(ACTS).map(([key, act]) => ({ key, act }));
  return [{ key: "1–9, 0", act: "seat" }, ...acts];
}
