/**
 * Presses Stop while the prompt of the running question is being read; waits until the engine says that it stopped.
 * Evaluates to a function for the page, which takes the number of questions asked before this one and gives
 * {seconds, kind}: kind is the error's, or "finished".
 */
async (/** @type {number} */ before) => {
  const pause = () => new Promise((/** @type {(value: void) => void} */ resolve) => setTimeout(resolve, 1));
  const { heardCalls } = /** @type {any} */ (window);
  const asked = () => heardCalls.filter((/** @type {any} */ call) => call.command === "ask");
  while (asked().length <= before) await pause(); // the page asks in a task of its own
  const running = asked().at(-1);
  const isReading = (/** @type {any} */ event) => event.stage === "reading";
  while (!running.done && running.events.filter(isReading).length < 2) await pause();
  const begun = performance.now();
  /** @type {HTMLElement | null} */ (document.querySelector("[data-action=stop]"))?.click();
  while (!running.done) await pause();
  return { seconds: (performance.now() - begun) / 1000, kind: running.error?.kind ?? "finished" };
};
