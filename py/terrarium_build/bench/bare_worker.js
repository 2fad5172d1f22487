"use strict";
/** The bare peer's worker: Pyodide, numpy and one onnxruntime-web session, and nothing else. */
self.onmessage = async ({ data: assets }) => {
  const BASE = "https://assets.invalid/";
  try {
    const answer = async (/** @type {unknown} */ request) => {
      const name = String(request instanceof Request ? request.url : request).slice(BASE.length);
      const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
      return new Response(assets.get(name), { headers: { "content-type": type } });
    };
    Object.assign(self, { fetch: answer });
    const [lockFileURL, stdLibURL] = [`${BASE}pyodide-lock.json`, `${BASE}python_stdlib.zip`];
    const python = await loadPyodide({ indexURL: BASE, lockFileURL, stdLibURL, packages: ["numpy"] });
    python.runPython("import numpy");
    const loader = new Blob([assets.get("ort-wasm-simd-threaded.mjs")], { type: "text/javascript" });
    ort.env.wasm.wasmPaths = { mjs: URL.createObjectURL(loader) };
    ort.env.wasm.wasmBinary = assets.get("ort-wasm-simd-threaded.wasm");
    ort.env.wasm.numThreads = 1;
    await ort.InferenceSession.create(assets.get("models/minilm-l6.onnx"), { executionProviders: ["wasm"] });
    assets.clear();
    self.postMessage({});
  } catch (error) {
    self.postMessage({ failed: String(error) });
  }
};
