/** How a table display is set up: its table, size, colours, turn, names and sound. */
import { make } from "../elements/draw.js";
import { say } from "../shared/words.js";

const MOST_SEATS = 10;
const CHOICES = {
  table: [],
  size: ["s", "m", "l"],
  theme: ["dark", "light", "overlay"],
  rotate: [],
  names: ["on", "off"],
  chime: ["on", "off"],
};

/**
 * A form; `fill(setup, { seats, tables })` shows how a display of so many seats is set up, in a room
 * of these tables. Done tells `setUp` what was chosen: { table?, size?, theme?, rotate?, names?,
 * chime? }, what is left to the display's own address being left out.
 */
export function setupForm(setUp) {
  const selects = Object.fromEntries(Object.entries(CHOICES).map(([name, values]) => [name, choice(name, values)]));
  const labels = Object.entries(selects).map(([name, select]) =>
    make("label", { "data-role": "second" }, say(`setup.${name}`), " ", select),
  );
  const done = make("button", { type: "submit", "data-role": "second" }, say("screen_done"));
  const form = make("form", { class: "setting" }, ...labels, done);
  form.fill = (setup, { seats, tables }) => fill(selects, setup, seats || MOST_SEATS, tables);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = Object.entries(selects).map(([name, { value }]) => [name, value]);
    setUp(Object.fromEntries(chosen.filter(([, value]) => value !== "").map(([name, value]) => [name, meant(name, value)])));
  });
  return form;
}

function choice(name, values) {
  const options = values.map((value) => make("option", { value }, say(`setup.${name}.${value}`)));
  return make("select", { name, "data-role": "second" }, asAddressed(), ...options);
}

function asAddressed() {
  return make("option", { value: "" }, say("setup.as_addressed"));
}

function fill(selects, setup, seats, tables) {
  const there = tables.map(({ table, name }) => make("option", { value: table }, name));
  selects.table.replaceChildren(asAddressed(), ...there);
  const turns = Array.from({ length: seats }, (_, rotate) =>
    make("option", { value: rotate }, say("setup.rotate.by", { count: rotate })),
  );
  selects.rotate.replaceChildren(asAddressed(), ...turns);
  for (const [name, select] of Object.entries(selects)) select.value = shown(setup[name]);
}

function shown(value = "") {
  return typeof value === "boolean" ? (value ? "on" : "off") : String(value);
}

function meant(name, value) {
  if (name === "rotate") return Number(value);
  return name === "names" || name === "chime" ? value === "on" : value;
}
