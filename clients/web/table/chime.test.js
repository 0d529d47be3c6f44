import assert from "node:assert/strict";
import test from "node:test";

import { Questions, ring } from "./chime.js";

const asking = (...seats) => ({ plan: { questions: seats.map((seat) => ({ seat })) } });

test("a new question rings once, whoever else is still asked", () => {
  const questions = new Questions();
  assert.equal(questions.learn(asking(), true), false);
  assert.equal(questions.learn(asking(9), true), true);
  assert.equal(questions.learn(asking(9), true), false);
  assert.equal(questions.learn(asking(9, 4), true), true);
  assert.equal(questions.learn(asking(4), true), false);
  assert.equal(questions.learn({}, true), false);
  assert.equal(questions.learn(asking(4), true), true);
});

test("a question that was found after a reconnect is no news, then or later", () => {
  const questions = new Questions();
  assert.equal(questions.learn(asking(9), false), false);
  assert.equal(questions.learn(asking(9), true), false);
  assert.equal(questions.learn(null, true), false);
});

/** A browser's AudioContext that lets a page sound, or not. */
function contextOf({ state, made = [] }) {
  const node = () => ({
    gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} },
    frequency: {},
    connect: (to) => to,
    start() {},
    stop() {
      setImmediate(() => this.onended());
    },
  });
  return class {
    state = state;
    currentTime = 0;
    destination = {};
    isClosed = false;
    tones = 0;

    constructor() {
      made.push(this);
    }

    resume = () => (state === "running" ? Promise.resolve() : new Promise(() => {}));
    createGain = node;
    createOscillator = () => {
      this.tones += 1;
      return node();
    };
    close = async () => {
      this.isClosed = true;
    };
  };
}

test("a browser that lets the page sound is heard, and the sound's machinery let go", async () => {
  const made = [];
  assert.equal(await ring(contextOf({ state: "running", made })), true);
  assert.deepEqual([made.length, made[0].tones, made[0].isClosed], [1, 2, true]);
});

test("a browser that forbids sound, or has none, is left alone", async () => {
  const made = [];
  assert.equal(await ring(contextOf({ state: "suspended", made })), false);
  assert.deepEqual([made[0].tones, made[0].isClosed], [0, true]);
  assert.equal(await ring(undefined), false);
});
