"use strict";
/**
 * onnxruntime-web for Python: sessions and results are numbers on the Python side, so that no proxy outlives a call.
 * Calls queue (queue.js).
 *
 * The page brings one of two builds: for WebAssembly alone, or for WebGPU ("jspi"), whose WebAssembly part is the same.
 */
const bridgeOrt = (() => {
  /** @typedef {import("onnxruntime-web").Tensor} Tensor */
  /** @typedef {{session: import("onnxruntime-web").InferenceSession, device: GPUDevice | undefined, places: number[]}} Loaded */
  /** @typedef {[name: string, handle: number] | [name: string, type: string, dims: number[], data: ArrayBufferView]} Feed */

  const CAUSE_MS = 300;
  const BUILDS = /** @type {const} */ ([["webgpu", "ort-wasm-simd-threaded.jspi"], ["wasm", "ort-wasm-simd-threaded"]]);
  const BYTES = { float32: 4, float16: 2 };

  /** @type {Map<number, Loaded>} */
  const sessions = new Map();
  /** @type {Map<number, Tensor>} */
  const tensors = new Map();
  let last = 0;
  /** @type {"wasm" | "webgpu" | undefined} */
  let build;

  /**
   * A job of a device. What fails when the device goes fails because it goes, and may not even end.
   * @template T
   * @param {GPUDevice | undefined} device
   * @param {() => Promise<T>} job
   * @returns {Promise<T>}
   */
  async function onDevice(device, job) {
    if (!device) return job();
    if (bridgeGpu.isLost(device)) throw bridgeGpu.lostError();
    const lost = device.lost.then(() => Promise.reject(bridgeGpu.lostError()));
    try {
      return await Promise.race([job(), lost]);
    } catch (error) {
      // The work's failure is told before its cause.
      await Promise.race([device.lost, new Promise((resolve) => setTimeout(resolve, CAUSE_MS))]);
      throw bridgeGpu.isLost(device) ? bridgeGpu.lostError() : error;
    }
  }

  /** Sets onnxruntime-web up at the first call. @returns {string} its version and build */
  function name() {
    if (!build) configure();
    return `onnxruntime-web ${ort.env.versions.common}, ${build} build`;
  }

  function configure() {
    const [found, files] = BUILDS.find(([, file]) => bridgeAssets.has(`${file}.wasm`)) ?? BUILDS[1];
    build = found;
    const loader = new Blob([bridgeAssets.take(`${files}.mjs`)], { type: "text/javascript" });
    ort.env.wasm.wasmPaths = { mjs: URL.createObjectURL(loader) };
    ort.env.wasm.wasmBinary = bridgeAssets.take(`${files}.wasm`);
    ort.env.wasm.numThreads = 1; // pages opened from disk have no SharedArrayBuffer
    ort.env.logLevel = "error";
  }

  /**
   * Makes a session and lets go of the bytes; a graph for WebGPU stays, as its device may be lost.
   * @param {string} graph asset name
   * @param {[path: string, data: string | Uint8Array][]} externals the graph's weights files: assets by name, or bytes
   * @param {"wasm" | "webgpu" | "webgpu-f16"} backend
   */
  function create(graph, externals, backend) {
    return bridgeQueue.enqueue(async () => {
      if (!build) configure();
      const bytes = bridgeAssets.bytes(graph);
      const externalData = externals.map(([path, data]) => ({ path, data: typeof data === "string" ? bridgeAssets.bytes(data) : data }));
      const device = backend === "wasm" ? undefined : await bridgeGpu.open();
      /** @type {import("onnxruntime-web").InferenceSession.SessionOptions} */
      const options = { executionProviders: [device ? { name: "webgpu", device } : "wasm"], graphOptimizationLevel: "all", logSeverityLevel: 3, externalData };
      if (device) options.preferredOutputLocation = "gpu-buffer";
      const session = await onDevice(device, () => ort.InferenceSession.create(bytes, options));
      sessions.set(++last, { session, device, places: [] });
      if (!device) bridgeAssets.take(graph);
      for (const [, data] of externals) if (typeof data === "string") bridgeAssets.take(data);
      return { id: last, inputs: session.inputNames, outputs: session.outputNames };
    });
  }

  /** @param {number} id @returns {Loaded} */
  function loadedAs(id) {
    const loaded = sessions.get(id);
    if (!loaded) throw new Error("This session was released.");
    return loaded;
  }

  /**
   * A tensor of zeros on the graphics processor, which goes with its session.
   * @param {number} id
   * @param {"float32" | "float16"} type
   * @param {number[]} dims
   */
  function allocate(id, type, dims) {
    const { device, places } = loadedAs(id);
    if (!device) throw new Error("In WebAssembly a result has no place of its own.");
    if (bridgeGpu.isLost(device)) throw bridgeGpu.lostError();
    const buffer = bridgeGpu.buffer(device, dims.reduce((product, one) => product * one, BYTES[type]));
    tensors.set(++last, ort.Tensor.fromGpuBuffer(buffer, { dataType: type, dims, dispose: () => buffer.destroy() }));
    places.push(last);
    return last;
  }

  /**
   * @param {number} id
   * @param {Feed[]} feeds
   * @param {string[]} fetch outputs to hand over as typed arrays
   * @param {string[]} keep outputs to keep here, under a handle
   * @param {[string, number][]} into outputs to write into tensors that are here already
   */
  function run(id, feeds, fetch, keep, into) {
    return bridgeQueue.enqueue(async () => {
      const { session, device } = loadedAs(id);
      /** @type {Record<string, Tensor>} */
      const inputs = {};
      for (const [name, ...feed] of feeds) {
        inputs[name] = feed.length === 1 ? tensorOf(feed[0]) : new ort.Tensor(/** @type {any} */ (feed[0]), /** @type {any} */ (feed[2]), feed[1]);
      }
      /** @type {Record<string, Tensor | null>} */
      const outputs = {};
      for (const name of [...fetch, ...keep]) outputs[name] = null;
      for (const [name, handle] of into) outputs[name] = tensorOf(handle);
      return onDevice(device, async () => {
        const results = /** @type {Record<string, Tensor>} */ (await session.run(inputs, outputs));
        const fetched = await Promise.all(fetch.map((name) => arrayOf(/** @type {Tensor} */ (results[name]))));
        const kept = keep.map((name) => {
          tensors.set(++last, /** @type {Tensor} */ (results[name]));
          return last;
        });
        return [fetched, kept];
      });
    });
  }

  /** [type, dims, typed array]. @param {Tensor} tensor */
  async function arrayOf(tensor) {
    const { type, dims } = tensor;
    const data = /** @type {ArrayBufferView & {length: number}} */ (tensor.location === "gpu-buffer" ? await tensor.getData(true) : tensor.data);
    // Some browsers have a Float16Array, which Python cannot read.
    return [type, dims, type === "float16" ? new Uint16Array(data.buffer, data.byteOffset, data.length) : data];
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

  /** Ends a session and what was allocated for it. @param {number} id */
  function release(id) {
    return bridgeQueue.enqueue(async () => {
      const loaded = sessions.get(id);
      sessions.delete(id);
      loaded?.places.forEach(releaseTensor);
      await loaded?.session.release();
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

  return { name, create, allocate, run, release, releaseTensor, copyIn, counts };
})();
