/**
 * One file, read by the engine of this page as if it were added, and not kept. For drive_read.py.
 * Evaluates to a function for the page: {input: a file input that holds the file, password, limit: seconds}.
 */
async (/** @type {any} */ { input, password, limit }) => {
  const { terrarium } = /** @type {any} */ (window);
  const [file] = input.files;
  const data = await file.arrayBuffer();
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1000;
  /** @type {number[][]} */
  const progress = [];
  const { id, promise } = terrarium.call("read", { name: file.name, data, ...(password === null ? {} : { password }) }, (/** @type {any} */ event) => {
    if (event.type === "progress") progress.push([event.done, event.total, seconds()]);
  });
  const outcome = promise.then(
    (/** @type {any} */ result) => ({ result }),
    (/** @type {any} */ { kind, message }) => ({ error: { kind, message } }),
  );
  /** @param {number} after */
  const nothing = (after) => new Promise((resolve) => setTimeout(() => resolve(null), after * 1000));
  let found = await Promise.race([outcome, nothing(limit)]);
  const stopped = found === null;
  if (stopped) {
    terrarium.cancel(id);
    found = await Promise.race([outcome, nothing(10)]);
  }
  return { ...found, stopped, stuck: found === null, seconds: seconds(), progress };
};
