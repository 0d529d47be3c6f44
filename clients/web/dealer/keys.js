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

/** → { act, seat } of a DOM key event, or null. `shortcuts`: whether single keys are on. */
export function keyAct(event, { shortcuts }) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return null;
  const { target, key } = event;
  if (!shortcuts && !ALWAYS.has(key)) return null;
  if (target instanceof HTMLInputElement && !ALWAYS.has(key)) return null;
  // On a control that has the focus, Enter is that control's.
  if (key === "Enter" && target.closest?.("button, a, input")) return null;
  if (/^\d$/.test(key)) return { act: "seat", seat: Number(key) || 10 };
  const act = ACTS[key] ?? ACTS[key.toLowerCase()];
  return act ? { act } : null;
}

/** → [[key as printed, words' key]] for the list of keys. */
export function keyList() {
  const shown = { Enter: "↵", Backspace: "⌫", Escape: "Esc" };
  const acts = Object.entries(ACTS).map(([key, act]) => [shown[key] ?? key.toUpperCase(), act]);
  return [["1–9, 0", "seat"], ...acts];
}
