"use strict";
/**
 * The reader for the engine: a second worker with a Python of its own, that reads files and may be killed at any time.
 * It is made from its source when it is first wanted, and anew after it was killed; reader_worker.js describes its messages.
 */
const bridgeReader = (() => {
  // Taken before worker.js switches the global one off.
  const ReaderWorker = Worker;

  /** What it is made of, beside the files that pdf.js asks for. */
  const ASSETS = /^(?:python_stdlib\.zip|pyodide-lock\.json|pdf_worker\.js|pdf\/(?:cmaps|standard_fonts)\/.*|wheels\/.*)$/;

  /** @typedef {{worker: Worker, started: Promise<void>, messages: ReaderMessage[], wake: () => void}} Reader */
  /** @type {Reader | undefined} */
  let reader;
  /** @type {Blob | undefined} */
  let source;
  /** @type {WebAssembly.Module | undefined} */
  let pyodide;

  /** @param {Blob} given the source of the reader's worker */
  const fill = (given) => void (source = given);

  /** Remembers Pyodide as this worker compiles it: the reader need not compile it again. */
  function rememberPyodide() {
    const { instantiateStreaming } = WebAssembly;
    WebAssembly.instantiateStreaming = async (response, imports) => {
      WebAssembly.instantiateStreaming = instantiateStreaming;
      const made = await instantiateStreaming(response, imports);
      pyodide = made.module;
      return made;
    };
  }

  /** @returns {Promise<void>} resolves when it can read; makes it where there is none */
  function start() {
    if (reader?.messages.length) kill(); // What it says unasked is that it is broken.
    reader ??= make();
    return reader.started;
  }

  /** @returns {Reader} */
  function make() {
    const address = URL.createObjectURL(/** @type {Blob} */ (source));
    const worker = new ReaderWorker(address);
    /** @type {ReaderMessage[]} */
    const messages = [];
    /** @type {Reader} */
    const made = { worker, started: Promise.resolve(), messages, wake: () => {} };
    made.started = new Promise((resolve, reject) => {
      /** @param {string} message */
      const broken = (message) => {
        reject(new Error(message));
        messages.push({ json: JSON.stringify({ type: "broken", message }), buffers: [], megabytes: 0 });
        made.wake();
      };
      worker.onerror = (event) => {
        event.preventDefault();
        broken(event.message || "the worker ended");
      };
      worker.onmessage = ({ data }) => {
        if (data.refused) return self.postMessage(data);
        if (data.broken) return broken(data.broken);
        if (data.ready) return resolve(URL.revokeObjectURL(address));
        messages.push(data);
        made.wake();
      };
    });
    made.started.catch(() => {}); // Whoever asks next hears of it.
    const names = bridgeAssets.names().filter((name) => ASSETS.test(name));
    worker.postMessage({ start: new Map(names.map((name) => [name, bridgeAssets.bytes(name)])), pyodide });
    return made;
  }

  /**
   * @param {Uint8Array<ArrayBuffer>} data transferred
   * @param {string} name
   * @param {string | undefined} password
   * @param {string} words
   * @param {number} megabytes of memory that it may take
   */
  function read(data, name, password, words, megabytes) {
    reader?.worker.postMessage({ data, name, password, words, megabytes }, [data.buffer]);
  }

  /** @returns {Promise<ReaderMessage>} */
  async function next() {
    const asked = reader;
    if (!asked) throw new Error("The reader was ended.");
    while (asked.messages.length === 0) {
      await new Promise((/** @type {(value: void) => void} */ resolve) => (asked.wake = resolve));
    }
    return /** @type {ReaderMessage} */ (asked.messages.shift());
  }

  /** Ends it with all that it holds, whatever it is doing. */
  function kill() {
    reader?.worker.terminate();
    reader = undefined;
  }

  return { fill, rememberPyodide, start, read, next, kill };
})();
