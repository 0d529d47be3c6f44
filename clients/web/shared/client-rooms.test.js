import assert from "node:assert/strict";
import test from "node:test";

import { Client } from "./client.js";
import { fakeLink, WELCOME } from "./testing/fakes.js";

/** A client whose first socket is welcomed. */
function watching() {
  const link = fakeLink();
  const client = new Client(link.options);
  client.start();
  link.latest().opens();
  link.latest().says(WELCOME);
  return { ...link, client };
}

/** A watched room, and its server: pictures, and a heartbeat every two seconds. */
function watchingRoom() {
  const link = watching();
  link.client.watchRoom("main");
  const picture = { type: "room", room: "main", tables: [], screens: [], waiting: [], now_ms: 1 };
  const shows = (more = {}) => link.latest().says({ ...picture, ...more });
  const passes = (seconds, { showing }) => {
    for (let second = 1; second <= seconds; second += 1) {
      link.clock.step(1_000);
      link.latest().says({ type: "heartbeat", tables: {}, now_ms: WELCOME.now_ms + link.clock.nowMs() });
      if (showing && second % 2 === 0) shows();
    }
  };
  return { ...link, shows, passes, state: () => link.client.room("main").freshness.state };
}

test("a room whose pictures stay away is stale, though the link is alive", () => {
  const { shows, passes, state } = watchingRoom();
  shows();
  passes(20, { showing: true });
  assert.equal(state(), "fresh");
  passes(6, { showing: false });
  assert.equal(state(), "fresh");
  passes(2, { showing: false });
  assert.equal(state(), "stale");
  shows();
  assert.equal(state(), "fresh");
});

test("a room that was refused or is silent is asked for again, at a pace, and its refusal forgotten", () => {
  const { shows, passes, state, client, latest } = watchingRoom();
  const asks = () => latest().of("subscribe").filter(({ room }) => room === "main").length;
  assert.equal(asks(), 1);
  latest().says({ type: "error", room: "main", code: "too_many", message: "slow down", retry: true });
  assert.equal(client.room("main").error.code, "too_many");
  passes(9, { showing: false });
  assert.equal(asks(), 1);
  passes(5, { showing: false });
  assert.equal(asks(), 2);
  shows();
  assert.equal(client.room("main").error, null);
  assert.equal(state(), "fresh");
  passes(20, { showing: true });
  assert.equal(asks(), 2);
});

test("a picture that its server says may be old is stale after a second, and until it is not", () => {
  const { shows, passes, state, client } = watchingRoom();
  shows();
  shows({ stale: true });
  assert.equal(state(), "fresh");
  passes(2, { showing: false });
  shows({ stale: true });
  assert.equal(state(), "stale");
  assert.equal(client.room("main").freshness.reason, "behind");
  shows();
  assert.equal(state(), "fresh");
});

test("a room is watched again after each reconnect", () => {
  const link = watching();
  link.client.watchRoom("main");
  link.latest().says({ type: "room", room: "main", tables: [], screens: [], waiting: [], now_ms: 1 });
  assert.deepEqual(link.client.room("main").room.tables, []);
  assert.equal(link.client.room("main").freshness.state, "fresh");
  link.latest().ends();
  link.clock.step(1);
  link.latest().opens();
  link.latest().says(WELCOME);
  assert.deepEqual(link.latest().of("subscribe").at(-1), { type: "subscribe", room: "main" });
});
