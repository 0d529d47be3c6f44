/** How this display is set up: as its address says, and over that as the floor says. */

/**
 * Keep `options` as the floor sets this display up, from now on; `changed()` after each change.
 * What the floor leaves out stands as the address has it.
 */
export function keepSetUp(client, options, changed) {
  const addressed = { ...options };
  client.addEventListener("setup", ({ detail }) => {
    const before = options.table;
    Object.assign(options, addressed, detail.setup);
    if (options.table !== before) show(client, before, options.table);
    const { dataset } = document.documentElement;
    dataset.theme = options.theme;
    dataset.size = options.size;
    changed();
  });
}

function show(client, before, table) {
  if (before) client.unwatch(before);
  if (table) client.watch(table);
}
