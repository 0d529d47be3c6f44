/** How this display is set up: as its address says, and over that as the floor says. */

/**
 * Keep `options` as the floor sets this display up, from now on; `changed()` after each change.
 * What the floor leaves out stands as the address has it.
 */
export function keepSetUp(client, options, changed) {
  const addressed = { ...options };
  client.addEventListener("setup", ({ detail }) => {
    Object.assign(options, addressed, detail.setup);
    const { dataset } = document.documentElement;
    dataset.theme = options.theme;
    dataset.size = options.size;
    changed();
  });
}
