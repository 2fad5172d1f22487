"use strict";
/**
 * onnxruntime-web for Python: sessions and results are numbers on the Python side, so that no proxy outlives a call.
 * Neither making a session nor running one is re-entrant ("Session already started",
 * https://github.com/huggingface/transformers.js/issues/909), so calls queue. May go when onnxruntime-web queues itself.
 */
const bridgeOrt = (() => {
  /** @typedef {import("onnxruntime-web").Tensor} Tensor */
  /** @typedef {import("onnxruntime-web").InferenceSession} Session */
  /** @typedef {[name: string, handle: number] | [name: string, type: string, dims: number[], data: ArrayBufferView]} Feed */

  /** @type {Map<number, Session>} */
  const sessions = new Map();
  /** @type {Map<number, Tensor>} */
  const tensors = new Map();
  let last = 0;
  /** @type {Promise<unknown>} */
  let queue = Promise.resolve();
  let configured = false;

  const channel = new MessageChannel();
  /** @type {(() => void)[]} */
  const resumed = [];
  channel.port1.onmessage = () => resumed.shift()?.();

  /** Lets messages in, a "cancel" above all: a run keeps the thread, and promises alone never give it back. */
  const breathe = () => new Promise((/** @type {(value: void) => void} */ resolve) => (resumed.push(resolve), channel.port2.postMessage(0)));

  /**
   * @template T
   * @param {() => Promise<T>} job
   * @returns {Promise<T>}
   */
  function enqueue(job) {
    const turn = queue.then(breathe).then(job);
    queue = turn.catch(() => {});
    return turn;
  }

  function configure() {
    if (configured) return;
    configured = true;
    const loader = new Blob([bridgeAssets.take("ort-wasm-simd-threaded.mjs")], { type: "text/javascript" });
    ort.env.wasm.wasmPaths = { mjs: URL.createObjectURL(loader) };
    ort.env.wasm.wasmBinary = bridgeAssets.take("ort-wasm-simd-threaded.wasm");
    ort.env.wasm.numThreads = 1; // pages opened from disk have no SharedArrayBuffer
    ort.env.logLevel = "error";
  }

  /**
   * Makes a session and lets go of the asset's bytes.
   * @param {string} graph asset name
   * @param {string | undefined} data asset name of the external weights
   */
  function create(graph, data) {
    return enqueue(async () => {
      configure();
      const bytes = bridgeAssets.bytes(graph);
      const externalData = data ? [{ path: data.slice(data.lastIndexOf("/") + 1), data: bridgeAssets.bytes(data) }] : undefined;
      const session = await ort.InferenceSession.create(bytes, { executionProviders: ["wasm"], graphOptimizationLevel: "all", externalData });
      for (const name of [graph, ...(data ? [data] : [])]) bridgeAssets.take(name);
      sessions.set(++last, session);
      return { id: last, inputs: session.inputNames, outputs: session.outputNames };
    });
  }

  /** @param {number} id @returns {Session} */
  function sessionOf(id) {
    const session = sessions.get(id);
    if (!session) throw new Error("This session was released.");
    return session;
  }

  /**
   * @param {number} id
   * @param {Feed[]} feeds
   * @param {string[]} fetch outputs to hand over as typed arrays
   * @param {string[]} keep outputs to keep here, under a handle
   */
  function run(id, feeds, fetch, keep) {
    return enqueue(async () => {
      /** @type {Record<string, Tensor>} */
      const inputs = {};
      for (const [name, ...feed] of feeds) {
        inputs[name] = feed.length === 1 ? tensorOf(feed[0]) : new ort.Tensor(/** @type {any} */ (feed[0]), /** @type {any} */ (feed[2]), feed[1]);
      }
      const results = await sessionOf(id).run(inputs, [...fetch, ...keep]);
      const fetched = fetch.map((name) => {
        const { type, dims, data } = /** @type {Tensor} */ (results[name]);
        const view = /** @type {ArrayBufferView & {length: number}} */ (data);
        // Some browsers have a Float16Array, which Python cannot read.
        return [type, dims, type === "float16" ? new Uint16Array(view.buffer, view.byteOffset, view.length) : data];
      });
      const kept = keep.map((name) => {
        tensors.set(++last, /** @type {Tensor} */ (results[name]));
        return last;
      });
      return [fetched, kept];
    });
  }

  /** @param {number} handle @returns {Tensor} */
  function tensorOf(handle) {
    const tensor = tensors.get(handle);
    if (!tensor) throw new Error("This tensor was released.");
    return tensor;
  }

  /** @param {number} handle */
  function releaseTensor(handle) {
    tensors.get(handle)?.dispose();
    tensors.delete(handle);
  }

  /** @param {number} id */
  function release(id) {
    return enqueue(async () => {
      await sessions.get(id)?.release();
      sessions.delete(id);
    });
  }

  /**
   * A copy of a Python buffer. `array` is a proxy that Pyodide destroys when the call returns.
   * @param {any} array
   * @param {string} type as in Pyodide's getBuffer
   */
  function copyIn(array, type) {
    const view = array.getBuffer(type);
    try {
      return view.data.slice(); // the view dies when Python's memory grows
    } finally {
      view.release();
    }
  }

  const counts = () => ({ sessions: sessions.size, tensors: tensors.size });

  return { version: () => ort.env.versions.common, create, run, release, releaseTensor, copyIn, counts };
})();
