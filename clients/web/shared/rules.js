/** The texts of the rules, in the project's own words: `GET /v1/rules/{id}`, each asked for once. */
const texts = new Map();
const TIMEOUT_MS = 4_000;

/** → {rule, title, text, alternates, example}, or null where the server does not give it. */
export async function ruleText(rule, base = location.href) {
  if (!texts.has(rule)) {
    const text = await fetchRule(new URL(`/v1/rules/${encodeURIComponent(rule)}`, base));
    if (text === null) return null; // It may be had later: ask again then.
    texts.set(rule, text);
  }
  return texts.get(rule);
}

async function fetchRule(address) {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
