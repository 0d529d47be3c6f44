import assert from "node:assert/strict";
import test from "node:test";

import { panel } from "./panels.js";
import { planCells, planLines } from "./plan-words.js";
import { primary, undo } from "./primary.js";
import { adoptStep, formCommand } from "./rare-panels.js";
import { straddleItems, stripItems } from "./strip.js";

const OFFERS = [
  { choice: "post", live: 10, dead: 5, hands: 0 },
  { choice: "wait_big_blind", live: 10, dead: 0, hands: 3 },
];
const VIEW = {
  table: "t7",
  phase: "between_hands",
  hand: 141,
  seat_count: 6,
  stakes: { small: 5, big: 10 },
  seats: {
    1: { player: "ann", name: "Ann", in_rotation: true, forecast: { big: 2 } },
    4: { player: "dan", name: "Dan", sitting_out: true, owes: { big: true, small: true } },
    5: { player: "eve", name: "Eve" },
  },
  waiting: ["gus", "jo", "kim", "lee"],
  plan: {
    hand: 142,
    button: 1,
    raise_to: 20,
    posts: [{ seat: 2, kind: "big", live: 10 }],
    dead_blinds: [{ seat: 3, kind: "small" }],
    dealt: [1, 2],
    not_dealt: [{ seat: 4, why: "sitting_out" }],
    questions: [{ seat: 5, choices: OFFERS }],
  },
  allowed: [
    { type: "sit_out", seat: 1 },
    { type: "leave", seat: 1 },
    { type: "straddle", seat: 1 },
    { type: "sleeper", seat: 1 },
    { type: "sit_in", seat: 4, choices: OFFERS },
    { type: "leave", seat: 4 },
    { type: "set_owes", seat: 4 },
    { type: "choose", seat: 5, choices: ["post", "wait_big_blind"] },
    { type: "take_seat", seat: 6 },
    { type: "deal" },
    { type: "undo", of: { type: "end_hand" } },
  ],
};
const CONTEXT = { rights: "dealer", settings: {}, questions: [5] };

test("the primary deals and names the seats that are left out", () => {
  assert.deepEqual(primary(VIEW), {
    command: { type: "deal" },
    label: "Deal hand 142",
    detail: "seat 5 not in",
  });
});

test("the primary says why no hand can be dealt", () => {
  const none = { reason: "no_hand", text: "Needs two players in rotation" };
  const view = { ...VIEW, allowed: [], plan: { hand: 142, none } };
  const { command, detail } = primary(view);
  assert.equal(command, null);
  assert.equal(detail, none.text);
});

test("a dealer's undo stops at the end of a hand, the floor's does not", () => {
  assert.equal(undo(VIEW).command, null);
  assert.equal(undo(VIEW).label, "Undo: hand over");
  assert.deepEqual(undo(VIEW, { rights: "floor" }).command, { type: "undo" });
});

test("an undo of a command that is newer than the screen still has a name", () => {
  const allowed = [{ type: "undo", of: { type: "brand_new" } }];
  assert.equal(undo({ ...VIEW, allowed }).label, "Undo: last command");
});

test("coming back and the answer are one tap each, priced, most common first", () => {
  const items = stripItems(VIEW, 4);
  assert.deepEqual(
    items.map(({ label, detail, wait = "" }) => [label, detail, wait].join(" | ")),
    ["Back: post 10+5 |  | next hand", "Back: wait for big | 10 plays | in 3 hands", "Leaves |  | "],
  );
  assert.deepEqual(items[0].send, [
    { type: "sit_in", seat: 4 },
    { type: "choose", seat: 4, choice: "post" },
  ]);
});

test("an empty seat offers the next three of the list, and somebody else", () => {
  assert.deepEqual(
    stripItems(VIEW, 6).map(({ label }) => label),
    ["gus", "jo", "kim", "Other…"],
  );
});

test("only the floor is offered a debt to set", () => {
  assert.ok(!stripItems(VIEW, 4).some(({ id }) => id === "form set_owes"));
  assert.ok(stripItems(VIEW, 4, { rights: "floor" }).some(({ id }) => id === "form set_owes"));
});

test("a straddle says what it costs where the server does", () => {
  assert.deepEqual(
    straddleItems(VIEW).map(({ label, detail }) => [label, detail]),
    [["Straddle 20", "Seat 1"]],
  );
  const labels = stripItems(VIEW, 1).map(({ label }) => label);
  assert.ok(labels.includes("Straddle 20") && labels.includes("Sleeper 20"));
});

test("an answer that may be changed shows what the other ones cost", () => {
  const view = { ...VIEW, plan: { ...VIEW.plan, questions: [] }, answers: [{ seat: 5, choices: OFFERS }] };
  const shown = stripItems(view, 5).map(({ label, detail, wait }) => [label, detail, wait]);
  assert.deepEqual(shown, [
    ["Post 10+5", "", "next hand"],
    ["Wait for big", "10 plays", "in 3 hands"],
  ]);
});

test("an answer that leads to no hand says so, and not that it is the next", () => {
  const choices = [{ choice: "wait_button", live: 10, dead: 0 }];
  const view = { ...VIEW, plan: { ...VIEW.plan, questions: [{ seat: 5, choices }] } };
  assert.equal(stripItems(view, 5)[0].wait, "no hand in sight");
});

test("a move may go to every seat that the server names, and each way to come in has its price", () => {
  const allowed = [
    { type: "change_seat", seat: 1, to: [3] },
    { type: "change_seat", seat: 1, to: [6], choices: ["pass", "post"] },
  ];
  const stays = { live: 0, dead: 0, hands: 0 };
  const moves = [{ seat: 1, to: [6], choices: [stays, { choice: "pass", ...stays, hands: 3 }, OFFERS[0]] }];
  const view = { ...VIEW, allowed, moves };
  assert.deepEqual(panel({ kind: "move", seat: 1 }, view, CONTEXT).targets, [3, 6]);
  const shown = panel({ kind: "move", seat: 1, to: 6 }, view, CONTEXT);
  assert.equal(shown.heading, "Seat 1, Ann, moves to 6: how?");
  assert.deepEqual(
    shown.items.map(({ label, detail, wait }) => [label, detail, wait]),
    [
      ["Stay in", "free", "next hand"],
      ["Let the blinds pass", "free", "in 3 hands"],
      ["Post 10+5", "10 plays · 5 to the middle", "next hand"],
      ["Back", "", undefined],
    ],
  );
  const move = { type: "change_seat", seat: 1, to: 6 };
  assert.deepEqual(
    shown.items.slice(0, 3).map(({ send }) => JSON.parse(JSON.stringify(send))),
    [[move], [{ ...move, choice: "pass" }], [{ ...move, choice: "post" }]],
  );
});

test("a question shows what plays, what goes to the middle, and the wait", () => {
  const shown = panel({ kind: "plan" }, VIEW, CONTEXT);
  assert.equal(shown.heading, "Seat 5, Eve: post or wait?");
  assert.deepEqual(
    shown.items.map(({ detail, wait }) => [detail, wait]),
    [
      ["10 plays · 5 to the middle", "next hand"],
      ["10 plays", "in 3 hands"],
    ],
  );
});

test("the plan's cells name the button and each blind, a dead one too", () => {
  assert.deepEqual(
    planCells(VIEW).map(({ kind, dead, seats }) => [kind, dead, seats[0].seat]),
    [
      ["button", false, 1],
      ["small", true, 3],
      ["big", false, 2],
    ],
  );
  assert.deepEqual(planLines(VIEW), ["Not dealt: 4 Dan (away)"]);
});

test("catching up asks for button, small and big, and a small of nobody is left out", () => {
  assert.deepEqual(adoptStep({}, 4), { mode: { kind: "adopt", button: 4 } });
  assert.deepEqual(adoptStep({ button: 4, small: 0 }, 6), {
    command: { type: "adopt_game", button: 4, big: 6 },
  });
});

test("a form becomes the command of what it asks for", () => {
  assert.deepEqual(formCommand({ what: "set_stack", seat: 2 }, "500", "ok"), {
    type: "set_stack",
    seat: 2,
    stack: 500,
  });
  assert.deepEqual(formCommand({ what: "set_owes", seat: 2 }, "told twice", "both"), {
    type: "set_owes",
    seat: 2,
    owes: { big: true, small: true },
    reason: "told twice",
  });
});

test("in a hand the dealer is told that the button is the floor's now", () => {
  const view = { ...VIEW, phase: "in_hand" };
  assert.deepEqual(panel({ kind: "button" }, view, CONTEXT).targets, []);
  assert.match(panel({ kind: "button" }, view, CONTEXT).heading, /floor/);
});
