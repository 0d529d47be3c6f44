import assert from "node:assert/strict";
import test from "node:test";

import { Client } from "./client.js";
import { fakeLink, WELCOME } from "./testing/fakes.js";

function ready() {
  const link = fakeLink();
  const client = new Client(link.options);
  client.watch("t");
  client.start();
  welcome(link.latest());
  const states = [];
  client.addEventListener("command", ({ detail }) => states.push(detail.pending.state));
  return { ...link, client, states };
}

function welcome(socket) {
  socket.opens();
  socket.says(WELCOME);
  socket.says({ type: "snapshot", table: "t", epoch: "e", offset: 4, view: { hand: 4 } });
  socket.says({ type: "live", table: "t", recovered: true });
}

const accepted = (id) => ({ type: "accepted", id, table: "t", epoch: "e", offset: 5 });

test("a command carries an id, the server's deadline, and the position it was chosen from", () => {
  const { client, latest } = ready();
  const pending = client.command("t", { type: "deal" }, { ifUnmoved: true });
  const sent = latest().of("command")[0];
  assert.match(sent.id, /^[0-9a-f]{32}$/);
  assert.equal(sent.id, pending.id);
  assert.equal(sent.deadline_ms, WELCOME.now_ms + 4000);
  assert.deepEqual(sent.expected, ["e", 4]);
  assert.deepEqual(sent.command, { type: "deal" });
});

test("two commands never share an id", () => {
  const { client, latest } = ready();
  for (let count = 0; count < 20; count += 1) {
    latest().says(accepted(client.command("t", { type: "cut" }).id));
  }
  assert.equal(new Set(latest().of("command").map(({ id }) => id)).size, 20);
});

test("accepted and refused settle it, once", async () => {
  const { client, latest, states } = ready();
  const first = client.command("t", { type: "deal" });
  latest().says(accepted(first.id));
  latest().says(accepted(first.id));
  assert.equal((await first.verdict).state, "accepted");
  const second = client.command("t", { type: "deal" });
  const refusal = { type: "refused", id: second.id, table: "t", reason: "wrong_phase", message: "No.", retry: false };
  latest().says(refusal);
  assert.deepEqual(await second.verdict, { state: "refused", message: refusal });
  assert.deepEqual(states, ["sent", "accepted", "sent", "refused"]);
  assert.deepEqual(client.commands.pending, []);
});

test("while stale nothing is sent, and nothing is kept for later", async () => {
  const { client, clock, latest, sockets } = ready();
  latest().ends();
  const pending = client.command("t", { type: "deal" });
  assert.equal((await pending.verdict).state, "unsent");
  clock.step(1);
  welcome(latest());
  clock.step(10_000);
  assert.equal(sockets.flatMap((socket) => socket.of("command")).length, 0);
});

test("a link lost before the verdict: the server is asked once, and nothing is sent again", async () => {
  const { client, clock, latest, sockets, states } = ready();
  const pending = client.command("t", { type: "deal" });
  latest().ends();
  assert.equal(pending.state, "checking");
  clock.step(1);
  latest().opens();
  latest().says(WELCOME);
  assert.deepEqual(latest().of("verdict"), [{ type: "verdict", id: pending.id, table: "t" }]);
  latest().says(accepted(pending.id));
  assert.equal((await pending.verdict).state, "accepted");
  clock.step(60_000);
  assert.equal(sockets.flatMap((socket) => socket.of("verdict")).length, 1);
  assert.equal(sockets.flatMap((socket) => socket.of("command")).length, 1);
  assert.deepEqual(states, ["sent", "checking", "accepted"]);
});

test("a muted link is asked once too, on the socket that replaced it", async () => {
  const { client, clock, latest, sockets } = ready();
  const pending = client.command("t", { type: "deal" });
  clock.step(5_300);
  assert.equal(pending.state, "checking");
  latest().opens();
  latest().says(WELCOME);
  latest().says(accepted(pending.id));
  assert.equal((await pending.verdict).state, "accepted");
  assert.equal(sockets.flatMap((socket) => socket.of("verdict")).length, 1);
});

test("unknown before the deadline may still arrive: asked again after it, then given up", async () => {
  const { client, clock, latest } = ready();
  const pending = client.command("t", { type: "deal" });
  latest().ends();
  clock.step(1);
  latest().opens();
  latest().says(WELCOME);
  latest().says({ type: "unknown", id: pending.id, table: "t" });
  assert.equal(pending.state, "checking");
  for (let passed = 0; passed < 4; passed += 1) {
    clock.step(1000);
    latest().says({ type: "heartbeat", tables: { t: ["e", 4] }, now_ms: WELCOME.now_ms + clock.nowMs() });
  }
  assert.equal(latest().of("verdict").length, 2);
  latest().says({ type: "unknown", id: pending.id, table: "t" });
  assert.equal((await pending.verdict).state, "lost");
});

test("a verdict that does not come on a living link is asked for", () => {
  const { client, clock, latest } = ready();
  client.command("t", { type: "deal" });
  for (let passed = 0; passed < 7; passed += 1) {
    clock.step(1000);
    latest().says({ type: "heartbeat", tables: { t: ["e", 4] }, now_ms: WELCOME.now_ms + clock.nowMs() });
  }
  assert.equal(latest().of("verdict").length, 1);
});

test("an error that names the command settles it; a store that is away leaves it open", async () => {
  const { client, latest } = ready();
  const error = { type: "error", message: "Slowly.", retry: true, table: "t" };
  const first = client.command("t", { type: "deal" });
  latest().says({ ...error, code: "too_many", id: first.id });
  assert.equal((await first.verdict).state, "refused");
  const second = client.command("t", { type: "deal" });
  latest().says({ ...error, code: "unavailable", id: second.id });
  assert.deepEqual(client.commands.pending, [second]);
});

test("commands without a verdict are bounded", async () => {
  const { client, latest } = ready();
  for (let count = 0; count < 32; count += 1) client.command("t", { type: "cut" });
  const onePastTheBound = client.command("t", { type: "cut" });
  assert.equal((await onePastTheBound.verdict).state, "unsent");
  assert.equal(latest().of("command").length, 32);
});
