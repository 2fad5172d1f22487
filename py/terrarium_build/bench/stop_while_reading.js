/**
 * Presses Stop while the prompt of the running question is being read; waits until the engine says that it stopped.
 * Evaluates to a function for the page, which gives {seconds, kind}: kind is the error's, or "finished".
 */
async () => {
  const pause = () => new Promise((/** @type {(value: void) => void} */ resolve) => setTimeout(resolve, 1));
  const { heardCalls } = /** @type {any} */ (window);
  const running = heardCalls.filter((/** @type {any} */ call) => call.command === "ask").at(-1);
  const isReading = (/** @type {any} */ event) => event.stage === "reading";
  while (!running.done && running.events.filter(isReading).length < 2) await pause();
  const begun = performance.now();
  /** @type {HTMLElement | null} */ (document.querySelector("[data-action=stop]"))?.click();
  while (!running.done) await pause();
  return { seconds: (performance.now() - begun) / 1000, kind: running.error?.kind ?? "finished" };
};
