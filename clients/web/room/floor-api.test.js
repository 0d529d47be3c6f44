import assert from "node:assert/strict";
import test from "node:test";

import { FloorApi } from "./floor-api.js";

const json = (body, status = 200) => new Response(JSON.stringify(body), { status });

/** What a server answers (null: nothing), and what it was asked. */
function asking(context, ...answers) {
  const asked = [];
  context.mock.method(globalThis, "fetch", async (address, { method, headers, body }) => {
    asked.push([method, address.pathname, headers.Authorization, body]);
    const answer = answers.shift();
    if (!answer) throw new TypeError("unreachable");
    return answer;
  });
  return { asked, api: new FloorApi({ token: () => "the-floors", base: "http://room.test/room/" }) };
}

test("a reload is done, or the screen is not there, or nobody knows", async (context) => {
  const gone = json({ code: "not_connected" }, 409);
  const broken = new Response("<html>", { status: 502 });
  const { asked, api } = asking(context, new Response(null, { status: 204 }), gone, broken, json({ code: "forbidden" }, 403), null);
  const told = [];
  for (let turn = 0; turn < 5; turn += 1) told.push(await api.reload("a b"));
  assert.deepEqual(told, ["done", "not_connected", "failed", "failed", "failed"]);
  assert.deepEqual(asked[0], ["POST", "/v1/tokens/a%20b/reload", "Bearer the-floors", undefined]);
});

test("a screen is given a name or a set-up, and what did not work is known", async (context) => {
  const { asked, api } = asking(context, new Response(null, { status: 204 }), json({}, 422));
  assert.equal(await api.give("tok", { setup: { size: "l" } }), true);
  assert.equal(await api.give("tok", { name: "Rail" }), false);
  assert.deepEqual(asked.map(([method, path, , body]) => [method, path, body]), [
    ["PATCH", "/v1/tokens/tok", '{"setup":{"size":"l"}}'],
    ["PATCH", "/v1/tokens/tok", '{"name":"Rail"}'],
  ]);
});

test("a display is paired for its room and shown a table, any other screen is that table's", async (context) => {
  const no = () => json({}, 404);
  const none = () => new Response(null, { status: 204 });
  const { asked, api } = asking(context, json({ id: "d" }), none(), json({ id: "p" }), no(), json({ id: "e" }), no());
  assert.equal(await api.pair("AB", { role: "display", table: "t7", seat: 3 }), true);
  assert.equal(await api.pair("AC", { role: "player", table: "t7", seat: 3 }), true);
  assert.equal(await api.pair("AD", { role: "dealer", table: "t7", seat: 0 }), false);
  assert.equal(await api.pair("AE", { role: "display", table: "t7", seat: 0 }), false);
  assert.deepEqual(asked.map(([method, path, , body]) => `${method} ${path} ${body}`), [
    'POST /v1/pairings/AB {"role":"display"}',
    'PATCH /v1/tokens/d {"setup":{"table":"t7"}}',
    'POST /v1/pairings/AC {"role":"player","tables":["t7"],"seat":3}',
    'POST /v1/pairings/AD {"role":"dealer","tables":["t7"]}',
    'POST /v1/pairings/AE {"role":"display"}',
    'PATCH /v1/tokens/e {"setup":{"table":"t7"}}',
  ]);
});
