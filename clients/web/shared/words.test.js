import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";

import { Announcer } from "./announcer.js";
import { readOptions, socketAddress, takeToken } from "./page.js";
import { FakeClock } from "./testing/fakes.js";
import { hasWords, price, say, speak } from "./words.js";

test("a sentence is filled in", () => {
  assert.equal(say("not_live", { seconds: 14 }), "Not live: 14 s");
  assert.equal(say("held_for", { name: "{name}" }), "Held for {name}");
});

test("a count chooses its form", () => {
  assert.equal(say("in_hands", { count: 0 }), "next hand");
  assert.equal(say("in_hands", { count: 1 }), "in 1 hand");
  assert.equal(say("in_hands", { count: 3 }), "in 3 hands");
});

test("a key without words is a mistake, never shown", () => {
  assert.throws(() => say("no_such_key"));
  assert.equal(hasWords("why.new"), true);
});

test("a translation falls back to English, sentence by sentence", () => {
  speak("de", { live: "Live!" });
  assert.equal(say("live"), "Live!");
  assert.equal(say("away"), "Away");
  assert.equal(say("hand", { hand: 1234 }), "Hand 1.234");
  speak("en", {});
});

test("a price says what plays first, then what goes to the middle", () => {
  assert.equal(price(10, 5), "10+5");
  assert.equal(price(0, 5), "5");
  assert.equal(price(10), "10");
  assert.equal(price(), "0");
});

/** Every .js file of the screens that is shipped. */
function shipped(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && file.name.endsWith(".js") && !file.name.endsWith(".test.js"))
    .filter((file) => !`${file.parentPath}/`.includes("/testing/"))
    .map((file) => readFileSync(`${file.parentPath}/${file.name}`, "utf8"));
}

const WHOLE_KEY = /\bsay\(\s*"([\w.]+)"/g;

test("every sentence that a screen asks for by its whole key is there", async () => {
  const source = shipped(new URL("..", import.meta.url).pathname).join("\n");
  const asked = [...source.matchAll(WHOLE_KEY)].map(([, key]) => key);
  const files = readdirSync(new URL("words", import.meta.url)).map((name) => import(`./words/${name}`));
  const known = (await Promise.all(files)).flatMap((file) => Object.keys(file.default));
  for (const key of asked) {
    assert.ok(known.some((each) => each === key || each.startsWith(`${key}.`)), key);
  }
});

/** The sources of a page's entry and of all that it imports. */
function modules(entry, found = new Map()) {
  const source = readFileSync(entry, "utf8");
  found.set(entry.pathname, source);
  for (const [, path] of source.matchAll(/\bimport\b(?:[^;"]*?\bfrom)?\s*\(?"([^"]+)"/g)) {
    const imported = new URL(path, entry);
    if (!found.has(imported.pathname)) modules(imported, found);
  }
  return found;
}

for (const entry of ["table/table.js", "seat/seat.js", "seat/widget.js", "dealer/dealer.js", "room/room.js"]) {
  test(`${entry} brings the words that it says`, async () => {
    const loaded = modules(new URL(`../${entry}`, import.meta.url));
    const known = new Set();
    for (const path of loaded.keys()) {
      if (!path.includes("/words/")) continue;
      for (const key of Object.keys((await import(path)).default)) known.add(key);
    }
    const asked = [...loaded.values()].flatMap((source) => [...source.matchAll(WHOLE_KEY)]);
    assert.ok(asked.length > 10);
    for (const [, key] of asked) {
      assert.ok([...known].some((each) => each === key || each.startsWith(`${key}.`)), key);
    }
  });
}

test("the page's address is read, and what it does not understand has its default", () => {
  const options = readOptions("?table=t%207&seat=4&theme=pink&size=L&rotate=-3&motion=off");
  assert.equal(options.table, "t 7");
  assert.equal(options.seat, 4);
  assert.equal(options.theme, "dark");
  assert.equal(options.size, "l");
  assert.equal(options.rotate, 0);
  assert.equal(options.motion, false);
  assert.equal(readOptions("").names, true);
});

test("the socket is beside the page, and as secure", () => {
  assert.equal(socketAddress("http://192.168.1.2:8080/table/?table=7"), "ws://192.168.1.2:8080/v1/ws");
  assert.equal(socketAddress("https://room.test/table/"), "wss://room.test/v1/ws");
});

function storage() {
  const kept = new Map();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
  };
}

test("a token leaves the address bar and outlives a reload, even where one storage is forbidden", () => {
  const kept = storage();
  const stores = [
    () => {
      throw new Error("forbidden here");
    },
    () => kept,
  ];
  const shown = [];
  const history = { replaceState: (_state, _title, address) => shown.push(address) };
  const page = { pathname: "/table/", search: "?table=7", hash: "#token=abc.def" };
  assert.equal(takeToken(page, history, stores), "abc.def");
  assert.deepEqual(shown, ["/table/?table=7"]);
  assert.equal(takeToken({ ...page, hash: "" }, history, stores), "abc.def");
  assert.equal(takeToken({ ...page, hash: "", search: "?table=8" }, history, stores), "");
});

test("at most one sentence a second is announced, and the last is the newest", () => {
  const clock = new FakeClock();
  const said = [];
  const announcer = new Announcer({ clock, say: (text) => said.push([clock.nowMs(), text]) });
  for (const text of ["one", "two", "three"]) announcer.announce(text);
  clock.step(400);
  announcer.announce("four");
  clock.step(5000);
  announcer.announce("five");
  assert.deepEqual(said, [
    [0, "one"],
    [1000, "four"],
    [5400, "five"],
  ]);
});
