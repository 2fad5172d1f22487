/** Runs before the page's own scripts: notes, in milliseconds since the navigation, when files may be dropped. */
(() => {
  const page = /** @type {any} */ (window);
  const watch = new MutationObserver(() => {
    if (!document.querySelector(".seal-button.sealed")) return;
    page.readyAfter = performance.now();
    watch.disconnect();
  });
  watch.observe(document, { subtree: true, childList: true, attributes: true });
})();
