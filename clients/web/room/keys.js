/** The keys of the room's screen; while a table is open, the rest are its desk's. */

const NUMBER_WITHIN_MS = 1_500;

/**
 * `on` = { isDrawerOpen(), closes(), close(), find(), open(name), move(by), desk(event) }.
 * `/` finds, `g` and a number goes to a table, `j` and `k` go through the needs.
 */
export function roomKeys(on) {
  let digits = null;
  let timer = 0;

  function go() {
    clearTimeout(timer);
    if (digits) on.open(digits);
    digits = null;
  }

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event)) return;
    if (digits !== null && /^\d$/.test(event.key)) {
      digits += event.key;
      clearTimeout(timer);
      timer = setTimeout(go, NUMBER_WITHIN_MS);
      event.preventDefault();
    } else if (digits !== null && event.key === "Enter") {
      event.preventDefault();
      go();
    } else if (event.key === "g") {
      digits = "";
    } else if (event.key === "/") {
      event.preventDefault();
      on.find();
    } else if (event.key === "j" || event.key === "k") {
      on.move(event.key === "j" ? 1 : -1);
    } else if (event.key === "Escape" && on.isDrawerOpen() && on.closes()) {
      on.close();
    } else if (on.isDrawerOpen()) {
      on.desk(event);
    }
  });
}

function isWriting({ target, key }) {
  return target.closest?.("input, select, textarea") && key !== "Escape";
}
