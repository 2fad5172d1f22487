/**
 * Listens along between interface and engine: every call of `terrarium.call` leaves a record in `heardCalls`.
 * Evaluates to a function for the page; driving.py reads the records.
 */
() => {
  const page = /** @type {any} */ (window);
  const { call } = page.terrarium;
  /** @type {object[]} */
  const heard = (page.heardCalls = []);
  page.terrarium.call = (/** @type {string} */ command, /** @type {any} */ args, /** @type {any} */ onEvent) => {
    const begun = performance.now();
    const seconds = () => (performance.now() - begun) / 1000;
    const record = { command, name: args?.name, events: /** @type {object[]} */ ([]), done: false };
    heard.push(record);
    const running = call(command, args, (/** @type {any} */ event) => {
      record.events.push({ type: event.type, stage: event.stage, done: event.done, after: seconds() });
      onEvent?.(event);
    });
    /** @param {object} outcome */
    const finish = (outcome) => Object.assign(record, outcome, { seconds: seconds(), done: true });
    running.promise.then(
      // A whole document is not worth keeping twice.
      (/** @type {any} */ result) => finish({ result: command === "document" ? null : result }),
      (/** @type {any} */ { kind, message, detail }) => finish({ error: { kind, message, detail } }),
    );
    return running;
  };
};
