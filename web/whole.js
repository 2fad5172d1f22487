"use strict";
/**
 * Names a script of the page that is missing: a folder that was copied in part would stay at its first words for ever.
 * The only script that does not wait for the document, so that it hears of all others.
 */
(() => {
  /** @type {string[]} */
  const missing = [];
  const hear = (/** @type {Event} */ event) => {
    if (event.target instanceof HTMLScriptElement) missing.push(event.target.getAttribute("src") ?? "");
  };
  addEventListener("error", hear, true); // such an event does not bubble
  addEventListener("DOMContentLoaded", () => {
    removeEventListener("error", hear, true); // from now on whoever adds a script listens himself
    if (!missing.length) return;
    const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
    const files = `The file${missing.length > 1 ? "s" : ""} ${missing.join(", ")}`;
    document.documentElement.dataset["stage"] = "failed";
    element("boot-progress").hidden = true;
    element("boot-status").textContent = "Terrarium could not start.";
    element("boot-failure").textContent = `${files} cannot be read. Copy the whole folder again, then reload this page.`;
    element("boot-failure").hidden = false;
  });
})();
