import { setText } from "../elements/draw.js";
import { fittingName } from "../shared/names.js";

const known = new WeakMap();

/** Write a name into a node as long as it fits in there; found anew when either changes. */
export function fitted(node, name) {
  const room = `${node.clientWidth} ${name}`;
  if (known.get(node) === room) return;
  known.set(node, room);
  if (node.clientWidth === 0) {
    setText(node, name);
    return;
  }
  fittingName(name, (text) => {
    setText(node, text);
    return node.scrollWidth <= node.clientWidth;
  });
}
