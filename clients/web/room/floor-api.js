/** What the floor asks over HTTP: the log of a table, and the screens that wait to be paired. */
const TIMEOUT_MS = 5_000;
const PAGE = 1_000;

export class FloorApi {
  #token;
  #base;

  /** `token()` gives the token in use. */
  constructor({ token, base = location.href }) {
    this.#token = token;
    this.#base = base;
  }

  /** The newest commits of a table, oldest first: [{offset, at_ms, command, events, client, role}]. */
  async entries(table, position) {
    const after = Math.max(0, position.offset - PAGE);
    const query = new URLSearchParams({ epoch: position.epoch, after, limit: PAGE });
    const answer = await this.#ask("GET", `/v1/tables/${encodeURIComponent(table)}/events?${query}`);
    return answer?.entries ?? null;
  }

  /** The screens that show a code: [{code, name, client, since_ms}], or null. */
  async pairings() {
    return (await this.#ask("GET", "/v1/pairings"))?.pairings ?? null;
  }

  /** Make a waiting screen something: → whether it worked. A display may be shown another table. */
  async pair(code, { role, table, seat }) {
    const wanted = role === "display" ? { role } : { role, tables: [table] };
    if (seat && role !== "display") wanted.seat = seat;
    const made = await this.#ask("POST", `/v1/pairings/${encodeURIComponent(code)}`, wanted);
    if (made === null || role !== "display") return made !== null;
    return this.give(made.id, { setup: { table } });
  }

  /** What a command would do, were it sent: { plan, events } or { refused: { message } }, or null. */
  async preview(table, command) {
    const answer = await this.#fetch("POST", `/v1/tables/${encodeURIComponent(table)}/commands?dry_run=true`, command);
    const told = await answer?.json().catch(() => null);
    if (!told) return null;
    return answer.ok ? told : { refused: { message: told.detail ?? told.title } };
  }

  /** Give the screen that shows this token a { name }, or a { setup }: → whether it worked. */
  async give(token, given) {
    return (await this.#ask("PATCH", `/v1/tokens/${encodeURIComponent(token)}`, given)) !== null;
  }

  /** Let the screen that shows this token load its page anew: → "done", "not_connected", "failed". */
  async reload(token) {
    const answer = await this.#fetch("POST", `/v1/tokens/${encodeURIComponent(token)}/reload`);
    if (answer?.ok) return "done";
    const told = await answer?.json().catch(() => null);
    return told?.code === "not_connected" ? "not_connected" : "failed";
  }

  /** Take a screen's token back: it must be paired again. → whether it worked. */
  async sendAway(token) {
    return (await this.#ask("DELETE", "/v1/tokens", { id: token })) !== null;
  }

  async #ask(method, path, body) {
    const answer = await this.#fetch(method, path, body);
    return answer?.ok ? await answer.json().catch(() => ({})) : null;
  }

  /** The server's answer, whatever it says; null where there is none in time. */
  async #fetch(method, path, body) {
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${this.#token()}` };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const address = new URL(path, this.#base);
      return await fetch(address, { method, headers, signal, body: body && JSON.stringify(body) });
    } catch {
      return null;
    }
  }
}
