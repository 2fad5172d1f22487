"use strict";
/**
 * The page's end of the engine: makes the worker, hands it its assets, and turns messages into promises.
 * Commands and their events are described in py/terrarium/engine.py; this file does not know any of them.
 * What is asked before the engine runs is sent when it does.
 */
const engineLink = (() => {
  // In the order in which each may use the ones before it; what lies under bridge/ goes between them and worker.js.
  const PYODIDE = ["pyodide.js", "pyodide.asm.js"];
  const READER = [...PYODIDE, "bridge/assets.js", "bridge/doors.js", "bridge/sealed_workers.js", "bridge/pdf.js", "reader_worker.js"];
  const NOT_OF_THE_ENGINE = ["bridge/pdf.js"];
  // The page loaded one of them.
  const RUNTIMES = ["ort.jspi.min.js", "ort.wasm.min.js"];

  /** @typedef {{resolve: (value: any) => void, reject: (error: Error) => void, onEvent?: (event: object) => void}} Call */
  /** @type {Map<number, Call>} */
  const calls = new Map();
  /** @type {[object, ArrayBuffer[]][]} */
  const waiting = [];
  /** @type {Worker | undefined} */
  let worker;
  /** @type {CommandError | undefined} */
  let broken;
  let lastId = 0;

  /** @param {object} message @param {ArrayBuffer[]} [transfer] */
  function send(message, transfer = []) {
    if (worker) worker.postMessage(message, transfer);
    else waiting.push([message, transfer]);
  }

  /**
   * @param {string} command
   * @param {Record<string, unknown>} [args] buffers among its values are transferred
   * @param {(event: object) => void} [onEvent]
   */
  function call(command, args = {}, onEvent) {
    const id = ++lastId;
    const promise = new Promise((resolve, reject) => {
      if (broken) return reject(broken);
      calls.set(id, { resolve, reject, onEvent });
      const buffers = Object.values(args).map((value) => (ArrayBuffer.isView(value) ? value.buffer : value));
      send({ id, command, args }, /** @type {ArrayBuffer[]} */ (buffers.filter((value) => value instanceof ArrayBuffer)));
    });
    return { id, promise };
  }

  /** @param {number} id */
  const cancel = (id) => send({ cancel: id });

  /**
   * @param {string} kind
   * @param {string} message
   * @param {string} [detail]
   * @returns {CommandError}
   */
  const commandError = (kind, message, detail) => Object.assign(new Error(message), { kind, detail });

  /** Every open call ends and every later one is refused: only loading the page again helps. @param {CommandError} error */
  function breakDown(error) {
    broken = error;
    for (const { reject } of calls.values()) reject(error);
    calls.clear();
  }

  /** @param {any} message */
  function answer({ id, event, error, result }) {
    const open = calls.get(id);
    if (!open) return;
    if (event) return open.onEvent?.(event);
    calls.delete(id);
    if (error) open.reject(commandError(error.kind, error.message, error.detail));
    else open.resolve(result);
  }

  /**
   * @param {Map<string, Uint8Array<ArrayBuffer>>} assets the parts of the workers' sources are taken out of it
   * @returns {{engine: Blob, reader: Blob}} the whole source of each
   */
  function takeSources(assets) {
    const bridges = [...assets.keys()].filter((name) => name.startsWith("bridge/") && !NOT_OF_THE_ENGINE.includes(name)).sort();
    const runtime = RUNTIMES.find((name) => assets.has(name)) ?? "";
    /** @param {string[]} names */
    const joined = (names) => {
      /** @type {BlobPart[]} */
      const parts = [`${removeNetwork.toString()}\n`];
      for (const name of names) {
        const source = assets.get(name);
        if (!source) throw new Error(`The asset ${name} is missing. Copy the whole folder again, then reload this page.`);
        parts.push(source, "\n;\n");
      }
      return new Blob(parts, { type: "text/javascript" });
    };
    const ofEngine = [...PYODIDE, "tokenizers.js", runtime, ...bridges, "worker.js"];
    const sources = { engine: joined(ofEngine), reader: joined(READER) };
    for (const name of [...ofEngine, ...READER]) assets.delete(name);
    return sources;
  }

  /**
   * Starts the engine. The assets' buffers are transferred: they are gone from the page afterwards.
   * @param {Map<string, Uint8Array<ArrayBuffer>>} assets
   * @param {LedgerEntry[]} ledger
   * @param {(sentence: string) => void} onStage
   * @param {GpuFound} [gpu] what the page found of the graphics processor
   * @returns {Promise<Record<string, number>>} seconds of each stage, once it answers commands
   */
  function start(assets, ledger, onStage, gpu) {
    const { engine, reader } = takeSources(assets);
    const address = URL.createObjectURL(engine);
    const made = new Worker(address);
    return new Promise((resolve, reject) => {
      /** @param {string} message @param {string} [detail] */
      const fail = (message, detail) => {
        breakDown(commandError("InternalError", message, detail));
        reject(broken);
      };
      made.onerror = (event) => {
        event.preventDefault();
        fail("The engine stopped. What was stored is kept: reload this page.", `${event.message} (line ${event.lineno})`);
      };
      made.onmessageerror = () => fail("A message between page and engine was lost. Reload this page.");
      made.onmessage = ({ data }) => {
        if (data.stage) return onStage(data.stage);
        if (data.refused) return void ledger.push(data.refused);
        if (data.failed) return fail(data.failed, data.detail);
        if (!data.ready) return answer(data);
        URL.revokeObjectURL(address);
        worker = made;
        for (const [message, transfer] of waiting.splice(0)) send(message, transfer);
        resolve(data.ready);
      };
      const buffers = new Set([...assets.values()].map((bytes) => bytes.buffer));
      made.postMessage({ start: assets, gpu, reader }, [...buffers]);
      assets.clear();
    });
  }

  return { call, cancel, start, breakDown };
})();
