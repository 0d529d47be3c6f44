/** A command id: 128 random bits in hex. `randomUUID` is missing on plain-http LAN origins. */
export function commandId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
