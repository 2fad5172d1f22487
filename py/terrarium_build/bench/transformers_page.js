/**
 * The peer's page: @huggingface/transformers with the same onnxruntime-web, tokenizer and texts on one WASM thread. A
 * module, because the library is one. `#dtype=fp32` says which of the model's files it loads.
 */
const page = /** @type {any} */ (globalThis);
const asked = new URLSearchParams(location.hash.slice(1));

async function start() {
  const address = "/npm/@huggingface/transformers/dist/transformers.web.js";
  const { env, pipeline } = await import(address);
  Object.assign(env, { allowRemoteModels: false, allowLocalModels: true, localModelPath: "/peer/", useBrowserCache: false });
  Object.assign(env.backends.onnx.wasm, { numThreads: 1, wasmPaths: "/npm/onnxruntime-web/dist/", proxy: false });
  const extract = await pipeline("feature-extraction", "minilm", { device: "wasm", dtype: asked.get("dtype") });
  page.outcome = {};

  /**
   * In the order given, as its users call it: it pads each batch to its longest text.
   * @param {{texts: string[], batch: number}} wanted
   */
  page.embed = async ({ texts, batch }) => {
    const begun = performance.now();
    const vectors = [];
    for (let at = 0; at < texts.length; at += batch) {
      const found = await extract(texts.slice(at, at + batch), { pooling: "mean", normalize: true });
      vectors.push(...found.tolist());
    }
    return { seconds: (performance.now() - begun) / 1000, vectors };
  };
}

start().catch((error) => (page.outcome = { failed: String(error?.stack ?? error) }));
