/** Starts a function of the page by name; what it resolves to, or why it failed, stands in `ended` afterwards. */
(/** @type {[string, any]} */ [name, argument]) => {
  const page = /** @type {any} */ (globalThis);
  page.ended = undefined;
  page[name](argument).then(
    (/** @type {unknown} */ value) => (page.ended = { value }),
    (/** @type {any} */ error) => (page.ended = { failed: String(error?.message ?? error) }),
  );
};
