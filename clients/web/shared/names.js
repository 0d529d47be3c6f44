/**
 * A name that fits: whole, else first name and initial, else the first name, else a first name cut
 * with a full stop. It never ends in the middle of a word without saying so.
 */
const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export function shortName(name, most) {
  const words = name.trim().split(/\s+/);
  const [first] = words;
  const last = words.length > 1 ? split(words.at(-1))[0] : "";
  const candidates = [words.join(" "), last && `${first} ${last}.`, first];
  const fitting = candidates.find((text) => text && split(text).length <= most);
  return fitting ?? `${split(first).slice(0, most - 1).join("")}.`;
}

function split(text) {
  return Array.from(letters.segment(text), ({ segment }) => segment);
}
