/**
 * A name, from its whole to its shortest: first name and initial, the first name alone, then the
 * first name cut with a full stop. Whoever draws takes the first that fits: a name never ends in
 * the middle of a word without saying so.
 */
const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });
// Beyond this no screen has room, and a name of thousands of letters must not slow it down.
const LONGEST = 40;

export function shortNames(name) {
  const words = name.trim().split(/\s+/);
  const whole = words.join(" ");
  const first = split(words[0]);
  const initial = words.length > 1 ? `${words[0]} ${split(words.at(-1))[0]}.` : "";
  const cut = [];
  for (let most = Math.min(first.length - 1, LONGEST); most >= 1; most -= 1) {
    cut.push(`${first.slice(0, most).join("")}.`);
  }
  const uncut = [whole, initial, words[0]].filter((text) => text && split(text).length <= LONGEST);
  return [...new Set([...uncut, ...cut])];
}

/** The first form of a name that `fits(text)`, or the shortest. */
export function fittingName(name, fits) {
  const forms = shortNames(name);
  return forms.find(fits) ?? forms.at(-1) ?? "";
}

function split(text) {
  return Array.from(letters.segment(text), ({ segment }) => segment);
}
