import assert from "node:assert/strict";
import test from "node:test";

import { Client } from "./client.js";
import { fakeLink, WELCOME } from "./testing/fakes.js";

/** A client watching table t, whose first socket has brought a snapshot at offset 4. */
function watching() {
  const link = fakeLink();
  const client = new Client(link.options);
  client.watch("t");
  client.start();
  greet(link.latest(), 4);
  const heard = [];
  client.addEventListener("change", ({ detail }) => heard.push(detail.cause));
  return { ...link, client, heard, state: () => client.table("t").freshness.state };
}

function greet(socket, offset, { live = true } = {}) {
  socket.opens();
  socket.says(WELCOME);
  socket.says({ type: "snapshot", table: "t", epoch: "e", offset, view: { hand: offset } });
  if (live) socket.says({ type: "live", table: "t", recovered: false });
}

const delta = (offset) => ({
  type: "delta",
  table: "t",
  epoch: "e",
  offset,
  patch: { hand: offset },
  events: [],
});
const heartbeat = (offset, now_ms = WELCOME.now_ms) => ({
  type: "heartbeat",
  tables: { t: ["e", offset] },
  now_ms,
});

/** Keep the server talking while time passes. */
function beat(link, ms, offset) {
  for (let passed = 0; passed < ms; passed += 1000) {
    link.clock.step(1000);
    link.latest().says(heartbeat(offset, serverNowMs(link)));
  }
}

/** What a server's clock says that runs as ours does. */
function serverNowMs({ clock }) {
  return WELCOME.now_ms + clock.nowMs();
}

test("hello comes first, then the subscribe, and the table is fresh when live", () => {
  const { client, latest, state } = watching();
  const [hello, subscribe] = latest().sent;
  assert.deepEqual(hello, { type: "hello", token: "token-1", client: "screen" });
  assert.deepEqual(subscribe, { type: "subscribe", table: "t" });
  assert.equal(latest().subprotocol, "livebutton.v1.json");
  assert.equal(state(), "fresh");
  assert.deepEqual(client.table("t").view, { hand: 4 });
});

test("a delta is told as news, and its offset is the position", () => {
  const { client, latest, heard } = watching();
  latest().says(delta(5));
  assert.deepEqual(heard, ["delta"]);
  assert.deepEqual(client.table("t").position, { epoch: "e", offset: 5 });
});

test("heartbeats that are held up on the way are silence, however often they come", () => {
  const link = watching();
  const [first] = link.sockets;
  for (let second = 1; second <= 8; second += 1) {
    link.clock.step(1000);
    first.says(heartbeat(4, WELCOME.now_ms + second * 500));
    assert.equal(link.state(), "fresh", `${second / 2} seconds late is not yet too late`);
  }
  link.clock.step(1000);
  first.says(heartbeat(4, WELCOME.now_ms + 3000));
  assert.equal(link.state(), "stale");
  link.clock.step(1000);
  assert.equal(link.sockets.length, 2, "another link may be better");
  greet(link.latest(), 4);
  assert.equal(link.state(), "fresh");
});

test("two clocks that drift apart in an evening are no sign of a slow link", () => {
  const link = watching();
  for (let hours = 0; hours < 10; hours += 1) {
    for (let passed = 0; passed < 3600; passed += 2) {
      link.clock.step(2000);
      link.latest().says(heartbeat(4, WELCOME.now_ms + link.clock.nowMs() * 0.9998));
    }
    assert.equal(link.state(), "fresh");
  }
  assert.equal(link.sockets.length, 1);
});

test("a gap subscribes again from the position held", () => {
  const { latest } = watching();
  latest().says(delta(7));
  assert.deepEqual(latest().of("subscribe").at(-1), {
    type: "subscribe",
    table: "t",
    since: ["e", 4],
  });
});

test("a closed socket is stale at once, and the count runs from what was last heard", () => {
  const { client, clock, latest, state, chances } = watching();
  chances.next = 0.999;
  clock.step(400);
  latest().ends();
  assert.equal(state(), "stale");
  clock.step(900);
  assert.equal(client.table("t").freshness.silentMs >= 1000, true);
});

test("a silent socket is stale after two and a half heartbeats, and is replaced", () => {
  const { clock, latest, sockets, state } = watching();
  const mute = latest();
  clock.step(5000);
  assert.equal(state(), "fresh");
  clock.step(300);
  assert.equal(state(), "stale");
  clock.step(1);
  assert.equal(sockets.length, 2);
  assert.equal(mute.isClosed, true);
});

test("what an abandoned socket says or does is ignored", () => {
  const { client, clock, sockets, latest, state } = watching();
  const old = latest();
  clock.step(5300);
  greet(latest(), 9);
  old.says(delta(5));
  old.ends(4003);
  assert.equal(client.table("t").view.hand, 9);
  assert.equal(state(), "fresh");
  assert.equal(sockets.length, 2);
});

test("a server that makes views otherwise is asked for a whole one until it sends it", () => {
  const { clock, latest } = watching();
  const sinceAt = (session) => {
    latest().ends();
    clock.step(5000);
    latest().opens();
    latest().says({ ...WELCOME, session });
    return latest().of("subscribe")[0].since;
  };
  assert.equal(sinceAt("new.1"), undefined);
  assert.equal(sinceAt("new.2"), undefined);
  latest().says({ type: "snapshot", table: "t", epoch: "e", offset: 4, view: { hand: 5 } });
  assert.deepEqual(sinceAt("new.3"), ["e", 4]);
});

test("a resume is replay, not news, and the picture stays while it comes", () => {
  const { client, clock, latest, heard, state } = watching();
  latest().ends();
  clock.step(1);
  heard.length = 0;
  latest().opens();
  latest().says(WELCOME);
  assert.deepEqual(latest().of("subscribe")[0].since, ["e", 4]);
  latest().says(delta(5));
  latest().says(delta(6));
  assert.equal(state(), "stale");
  latest().says({ type: "live", table: "t", recovered: true });
  assert.equal(state(), "fresh");
  assert.equal(client.table("t").view.hand, 6);
  assert.equal(heard.includes("delta"), false);
  latest().says(delta(7));
  assert.equal(heard.at(-1), "delta");
});

test("after a minute without proof nothing is claimed any more", () => {
  const { clock, latest, state, chances } = watching();
  chances.next = 0.999;
  latest().ends();
  clock.step(59_000);
  assert.equal(state(), "stale");
  clock.step(2_000);
  assert.equal(state(), "unknown");
});

test("a quiet table stays fresh on heartbeats, and one that fell behind is healed", () => {
  const link = watching();
  beat(link, 120_000, 4);
  assert.equal(link.state(), "fresh");
  assert.equal(link.latest().of("subscribe").length, 1);
  beat(link, 3_000, 5);
  assert.equal(link.latest().of("subscribe").length, 2);
  assert.equal(link.state(), "stale");
  link.latest().says(delta(5));
  link.latest().says({ type: "live", table: "t", recovered: true });
  assert.equal(link.state(), "fresh");
});

test("a deaf server's heartbeats name no table: stale, without flicker, until they do", () => {
  const link = watching();
  const deaf = () => ({ type: "heartbeat", tables: {}, now_ms: serverNowMs(link) });
  const states = new Set();
  const answer = () => {
    if (!link.client.table("t").asked) return;
    link.latest().says({ type: "snapshot", table: "t", epoch: "e", offset: 4, view: { hand: 4 } });
    link.latest().says({ type: "live", table: "t", recovered: false });
  };
  for (let second = 0; second < 20; second += 1) {
    link.latest().says(deaf());
    link.clock.step(1000);
    answer();
    if (second > 2) states.add(link.state());
  }
  assert.deepEqual([...states], ["stale"]);
  assert.equal(link.latest().of("subscribe").length < 10, true);
  link.latest().says(heartbeat(4, serverNowMs(link)));
  assert.equal(link.state(), "fresh");
});

test("a subscribe that nobody answers is sent again", () => {
  const link = fakeLink();
  const client = new Client(link.options);
  client.watch("t");
  client.start();
  link.latest().opens();
  link.latest().says(WELCOME);
  beat(link, 10_000, undefined);
  assert.equal(link.latest().of("subscribe").length >= 3, true);
  assert.equal(client.table("t").freshness.state, "unknown");
});

test("a table that may not be watched shows the server's sentence and asks again, slowly", () => {
  const link = watching();
  link.latest().says({ type: "error", code: "forbidden", message: "Not yours.", retry: false, table: "t" });
  assert.equal(link.client.table("t").error.message, "Not yours.");
});

test("reconnects spread over the window that the server gave, and double it", () => {
  const { clock, sockets, latest, chances } = watching();
  chances.next = 0.5;
  latest().ends();
  clock.step(499);
  assert.equal(sockets.length, 1);
  clock.step(1);
  assert.equal(sockets.length, 2);
  latest().ends();
  clock.step(999);
  assert.equal(sockets.length, 2);
  clock.step(1);
  assert.equal(sockets.length, 3);
});

test("a drain sets the window of the next reconnect", () => {
  const { clock, sockets, latest, chances } = watching();
  chances.next = 0.5;
  latest().says({ type: "drain", reconnect_in_ms: 8000 });
  latest().ends(1012);
  clock.step(3999);
  assert.equal(sockets.length, 1);
  clock.step(1);
  assert.equal(sockets.length, 2);
});

test("a socket that never opens is given up", () => {
  const { clock, sockets, latest } = watching();
  latest().ends();
  clock.step(1);
  assert.equal(sockets.length, 2);
  clock.step(5002);
  assert.equal(sockets[1].isClosed, true);
  assert.equal(sockets.length, 3);
});

for (const code of [4001, 4003]) {
  test(`close code ${code} ends in pairing, not in retries; a new token comes back`, () => {
    const { client, clock, sockets, latest, state } = watching();
    latest().ends(code);
    clock.step(120_000);
    assert.equal(sockets.length, 1);
    assert.equal(client.connection.state, "unpaired");
    assert.equal(state(), "unknown");
    client.refresh("token-2");
    latest().opens();
    assert.equal(latest().sent[0].token, "token-2");
  });
}

test("without a token no socket is opened", () => {
  const link = fakeLink();
  const client = new Client({ ...link.options, token: "" });
  client.start();
  assert.equal(link.sockets.length, 0);
  assert.equal(client.connection.state, "unpaired");
});

test("a token is refreshed in-band while the socket is open", () => {
  const { client, latest, sockets } = watching();
  client.refresh("token-2");
  assert.deepEqual(latest().sent.at(-1), { type: "refresh", token: "token-2" });
  assert.equal(sockets.length, 1);
});

test("a page that slept is stale until the server answers its ping", () => {
  const { clock, latest, state } = watching();
  clock.sleep(3_600_000);
  clock.step(250);
  assert.equal(state(), "stale");
  assert.equal(latest().sent.at(-1).type, "ping");
  latest().says(heartbeat(4));
  assert.equal(state(), "fresh");
});

test("a page that slept and gets no answer takes a new socket within two seconds", () => {
  const { clock, sockets, state } = watching();
  clock.sleep(60_000);
  clock.step(2_300);
  assert.equal(sockets.length, 2);
  assert.equal(state(), "stale");
});

test("bytes that are no message are passed over", () => {
  const { latest, state } = watching();
  for (const data of ["{", "null", "[1]", '"x"', "{}"]) latest().onmessage({ data });
  latest().says({ type: "a_later_invention" });
  assert.equal(state(), "fresh");
});

test("the server's clock is carried on between messages, whatever the tablet's date", () => {
  const { client, clock, latest } = watching();
  clock.step(1000);
  latest().says(heartbeat(4, WELCOME.now_ms + 1000));
  clock.step(500);
  assert.equal(client.serverClock.nowMs(), WELCOME.now_ms + 1500);
});

test("stopping closes the socket and the timers", () => {
  const { client, clock, sockets, latest } = watching();
  client.stop();
  assert.equal(latest().isClosed, true);
  clock.step(100_000);
  assert.equal(sockets.length, 1);
});
