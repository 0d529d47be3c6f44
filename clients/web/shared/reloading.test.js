import assert from "node:assert/strict";
import test from "node:test";

import { reload } from "./reloading.js";
import { FakeClock } from "./testing/fakes.js";

const settled = () => new Promise((done) => setImmediate(done));

/** A page of that age, and a server that answers its requests one after the other. */
function pageOf({ ageMs = 60_000, keepsToken = true, answers = [{ ok: true }], pending = [] }) {
  const clock = new FakeClock();
  const seen = { loads: 0, asked: [] };
  const call = async (address, { cache }) => {
    seen.asked.push([address, cache]);
    const answer = answers.shift();
    if (!answer) throw new TypeError("unreachable");
    return answer;
  };
  const page = { ageMs, keepsToken, address: "http://room.test/table/", load: () => (seen.loads += 1) };
  return { clock, seen, done: reload({ clock, commands: { pending } }, page, call) };
}

test("a page is loaded anew when the server has it to give", async () => {
  const { seen, done } = pageOf({});
  await done;
  assert.deepEqual(seen, { loads: 1, asked: [["http://room.test/table/", "reload"]] });
});

test("a page that has just come is not loaded again, nor one that would come back without a token", async () => {
  for (const { seen, done } of [pageOf({ ageMs: 4_999 }), pageOf({ keepsToken: false })]) {
    await done;
    assert.deepEqual(seen, { loads: 0, asked: [] });
  }
});

test("a page that cannot be had now is asked for again, and stays if it never can", async () => {
  const healed = pageOf({ answers: [null, { ok: false }, { ok: true }] });
  const dead = pageOf({ answers: [] });
  for (let turn = 0; turn < 10; turn += 1) {
    await settled();
    for (const { clock } of [healed, dead]) clock.step(2_000);
  }
  await Promise.all([healed.done, dead.done]);
  assert.equal(healed.seen.loads, 1);
  assert.equal(healed.seen.asked.length, 3);
  assert.deepEqual([dead.seen.loads, dead.seen.asked.length], [0, 5]);
});

test("a verdict that is on its way is waited for, but not for ever", async () => {
  let settle;
  const verdict = new Promise((done) => (settle = done));
  const waiting = pageOf({ pending: [{ verdict }] });
  await settled();
  assert.equal(waiting.seen.loads, 0);
  settle({ state: "accepted" });
  await waiting.done;
  assert.equal(waiting.seen.loads, 1);
  const never = pageOf({ pending: [{ verdict: new Promise(() => {}) }] });
  await settled();
  never.clock.step(8_000);
  await never.done;
  assert.equal(never.seen.loads, 1);
});
