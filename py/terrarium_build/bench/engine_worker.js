/**
 * The end of the engine worker's source in a benchmark: a command "bench" whose Python code runs beside the engine, and
 * as many threads as asked for.
 */
(() => {
  const scope = /** @type {any} */ (self);
  const { loadPyodide: load } = scope;
  /** @type {any} */
  let python;
  scope.loadPyodide = async (/** @type {unknown} */ options) => (python = await load(options));

  // The bridge sets one thread, as pages opened from disk have no more.
  Object.defineProperty(ort.env.wasm, "numThreads", { get: () => scope.benchThreads, set: () => {} });

  const others = scope.onmessage;
  scope.onmessage = (/** @type {MessageEvent} */ event) => {
    const { id, command, args } = event.data;
    if (command !== "bench") return others(event);
    python.runPythonAsync(args.code).then(
      (/** @type {string | undefined} */ result) => scope.postMessage({ id, result: result ? JSON.parse(result) : null }),
      (/** @type {Error} */ error) => scope.postMessage({ id, error: { kind: "InternalError", message: error.message } }),
    );
  };
})();
