/** How elements write: attributes and text, and only where something changed. */
import { fittingName } from "../shared/names.js";

/** A new node: `make("span", { class: "name", hidden: true }, child, "text")`. */
export function make(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

const SVG = "http://www.w3.org/2000/svg";

export function makeSvg(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

function furnish(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) setAttribute(node, name, value);
  node.append(...children);
  return node;
}

export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** `true` sets the bare attribute; `false`, null and undefined take it away. */
export function setAttribute(node, name, value) {
  if (value === false || value === null || value === undefined) node.removeAttribute(name);
  else {
    const text = value === true ? "" : String(value);
    if (node.getAttribute(name) !== text) node.setAttribute(name, text);
  }
}

/** Show the text, or hide a node that has nothing to say. */
export function showText(node, text) {
  setText(node, text);
  node.hidden = text === "";
}

/** The same for words joined by dots: a line breaks at a dot first, and only then within a part. */
export function showParts(node, text) {
  if (node.textContent === text) return;
  const parts = text.split(/(?<=·) /).flatMap((part) => [" ", make("span", {}, part)]);
  node.replaceChildren(...parts.slice(1));
  node.classList.add("parts");
  node.hidden = text === "";
}

const roomOf = new WeakMap();

/** Write the longest form of a name that fits in there; found anew when name or room changes. */
export function fitted(node, name, within = node) {
  const { clientWidth, clientHeight } = within; // As high as its letters are large.
  const room = `${clientWidth} ${clientHeight} ${name}`;
  if (roomOf.get(node) === room) return;
  roomOf.set(node, room);
  setText(node, name);
  if (name === "" || clientWidth === 0) return;
  fittingName(name, (text) => {
    setText(node, text);
    return within.scrollWidth <= within.clientWidth;
  });
}

/**
 * Make `parent` hold one node for each key, in order, reusing those it has: a node that stays keeps
 * its focus and its half-pressed button. `create(key)` makes a missing one.
 */
export function keyed(parent, keys, create) {
  const had = new Map(Array.from(parent.children, (node) => [node.dataset.key, node]));
  const nodes = keys.map((key) => {
    const node = had.get(String(key)) ?? create(key);
    node.dataset.key = key;
    had.delete(String(key));
    return node;
  });
  for (const node of had.values()) node.remove();
  nodes.forEach((node, index) => {
    if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] ?? null);
  });
  return nodes;
}
