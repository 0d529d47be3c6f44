/** Seating the next on the list: his name, then one of the empty seats of the games he waits for. */
import { seatCount } from "../shared/picture.js";
import { say } from "../shared/words.js";

const TABLES_WATCHED = 3;
const PLACES_SHOWN = 6;

export class Seating {
  #client;
  #changed;
  #isOpen;
  #tables = [];

  /** `isOpen(table)`: whether the table is being watched for another reason, too. */
  constructor(client, { changed, isOpen }) {
    this.#client = client;
    this.#isOpen = isOpen;
    this.#changed = changed;
    this.player = "";
    client.addEventListener("change", ({ detail }) => this.#tables.includes(detail.table) && changed());
  }

  /** Somebody of the list was tapped: find him a seat, or let it be. */
  ask(player, room) {
    this.#letGo();
    const isSame = this.player === player;
    this.player = isSame ? "" : player;
    if (!isSame) this.#watch(room?.waiting.find((entry) => entry.player === player)?.games ?? [], room);
    this.#changed();
  }

  #watch(games, room) {
    const free = new Set(room.tables.filter(({ seated, seats }) => seated < seats).map(({ table }) => table));
    this.#tables = games.map(({ table }) => table).filter((table) => free.has(table)).slice(0, TABLES_WATCHED);
    for (const table of this.#tables) this.#client.watch(table);
  }

  /** The empty seats found: [{table, name, seat}]. */
  places() {
    const found = this.#tables.flatMap((table) => emptySeats(table, this.#client.table(table)?.view));
    return found.slice(0, PLACES_SHOWN);
  }

  /** Seat him; `told(text)` says what came of it when that was not well. */
  async seat({ player, table, seat }, told) {
    const pending = this.#client.command(table, { type: "take_seat", seat, player });
    const { state, message } = await pending.verdict;
    told(state === "accepted" ? "" : (message?.message ?? say(state === "unsent" ? "not_sent" : "lost")));
    if (state !== "accepted") return;
    this.#letGo();
    this.player = "";
    this.#changed();
  }

  #letGo() {
    for (const table of this.#tables) if (!this.#isOpen(table)) this.#client.unwatch(table);
    this.#tables = [];
  }
}

function emptySeats(table, view) {
  if (!view) return [];
  const seats = Array.from({ length: seatCount(view) }, (_, index) => index + 1);
  return seats
    .filter((seat) => !view.seats?.[seat]?.player && !view.seats?.[seat]?.held_for)
    .map((seat) => ({ table, name: view.name ?? table, seat }));
}
