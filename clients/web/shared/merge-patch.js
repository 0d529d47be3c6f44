/**
 * JSON merge patch (RFC 7386): `null` in a patch removes, maps merge, all else replaces.
 *
 * The target is never changed; what the patch does not touch is shared with the result, so
 * `before.seats === after.seats` says that no seat changed.
 */
export function mergePatch(target, patch) {
  if (!isMap(patch)) return patch;
  const merged = isMap(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else put(merged, key, mergePatch(Object.hasOwn(merged, key) ? merged[key] : undefined, value));
  }
  return merged;
}

function isMap(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A key called `__proto__` is data like any other: plain assignment would swap the prototype. */
function put(map, key, value) {
  Object.defineProperty(map, key, { value, writable: true, enumerable: true, configurable: true });
}
