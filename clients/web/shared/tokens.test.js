import assert from "node:assert/strict";
import test from "node:test";

import { FakeClock } from "./testing/fakes.js";
import { pair } from "./pairing.js";
import { isHalfOver, keepRenewed } from "./renewing.js";
import { claimsOf } from "./tokens.js";

const tokenOf = (claims) =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.signature`;

/** A server that answers each call from a list of {status, body}, or not at all (null). */
function scripted(...answers) {
  const calls = [];
  const call = async (address, { method, headers, body }) => {
    calls.push({ path: address.pathname, method, bearer: headers.Authorization, body });
    const answer = answers.shift();
    if (!answer) throw new TypeError("unreachable");
    return { status: answer.status, json: async () => answer.body };
  };
  return { calls, call };
}

/** Let time pass and promises settle. */
async function pass(clock, ms) {
  clock.step(ms);
  await new Promise((done) => setImmediate(done));
}

const base = "http://room.test/table/";

test("a token's claims are read, whatever letters a name has", () => {
  assert.deepEqual(claimsOf(tokenOf({ tables: ["t7"], name: "Größe" })), {
    tables: ["t7"],
    name: "Größe",
  });
  for (const garbage of ["", "abc", "a.b.c", "a.bnVsbA.c"]) assert.deepEqual(claimsOf(garbage), {});
});

test("a token is due for renewal in the second half of its life, and not after it", () => {
  const token = tokenOf({ iat: 100, exp: 200 });
  assert.equal(isHalfOver(token, 149_000), false);
  assert.equal(isHalfOver(token, 150_000), true);
  assert.equal(isHalfOver(token, 200_000), false);
  assert.equal(isHalfOver("opaque", 150_000), false);
});

test("a token is renewed once it is half over, and asked for again when that fails", async () => {
  const clock = new FakeClock();
  const { calls, call } = scripted(null, { status: 201, body: { token: "newer" } });
  let current = tokenOf({ iat: 10, exp: 210 });
  keepRenewed({
    clock,
    serverNowMs: () => clock.nowMs(),
    token: () => current,
    renewed: (token) => (current = token),
    base,
    call,
  });
  await pass(clock, 90_000);
  assert.equal(calls.length, 0);
  await pass(clock, 30_000);
  assert.equal(calls.length, 1);
  await pass(clock, 30_000);
  assert.equal(current, "newer");
  assert.deepEqual(
    calls.map(({ path, method, body }) => [path, method, body]),
    [
      ["/v1/tokens", "POST", "{}"],
      ["/v1/tokens", "POST", "{}"],
    ],
  );
});

test("an unpaired screen shows a code and waits until the floor has said what it is", async () => {
  const clock = new FakeClock();
  const code = { code: "KX7Q", secret: "s", expires_in_s: 600 };
  const { calls, call } = scripted(
    { status: 201, body: code },
    { status: 202, body: { state: "waiting" } },
    null,
    { status: 200, body: { token: "t", tables: ["t7"] } },
  );
  const shown = [];
  const given = [];
  pair({
    clock,
    name: "table-display/1",
    base,
    show: (each) => shown.push(each),
    paired: (reply) => given.push(reply),
    call,
  });
  for (let turn = 0; turn < 8; turn += 1) await pass(clock, 2_000);
  assert.deepEqual(shown, ["KX7Q"]);
  assert.deepEqual(given, [{ token: "t", tables: ["t7"] }]);
  assert.equal(calls.at(-1).bearer, "Bearer s");
  assert.equal(calls.length, 4);
});

test("a code that has run out is replaced, and stopping asks no more", async () => {
  const clock = new FakeClock();
  const { calls, call } = scripted(
    { status: 201, body: { code: "ONE", secret: "s" } },
    { status: 404, body: {} },
    { status: 201, body: { code: "TWO", secret: "s" } },
  );
  const shown = [];
  const stop = pair({ clock, name: "a/1", base, show: (code) => shown.push(code), paired() {}, call });
  for (let turn = 0; turn < 3; turn += 1) await pass(clock, 1_000);
  await pass(clock, 0);
  assert.deepEqual(shown, ["ONE", "TWO"]);
  stop();
  const before = calls.length;
  for (let turn = 0; turn < 10; turn += 1) await pass(clock, 2_000);
  assert.equal(calls.length, before);
});
