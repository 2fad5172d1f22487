"use strict";
/**
 * The peer's page: wllama (llama.cpp in WebAssembly) on the GGUF that our graph was made from.
 * `#threads=2&context=1024` says how to load it.
 */
(async () => {
  const page = /** @type {any} */ (globalThis);
  const asked = new URLSearchParams(location.hash.slice(1));
  const address = "/npm/@wllama/wllama/esm/index.js";
  const { Wllama } = await import(address);
  const peer = new Wllama({ default: "/npm/@wllama/wllama/esm/wasm/wllama.wasm" }, { suppressNativeLog: true });
  const model = await (await fetch("/model.gguf")).blob();
  const sizes = { n_threads: Number(asked.get("threads")), n_ctx: Number(asked.get("context")), n_batch: 512 };
  // One text at a time, and no GPU.
  await peer.loadModel([model], { ...sizes, n_parallel: 1, n_gpu_layers: 0 });

  /**
   * The seconds are llama.cpp's own: what wllama adds around it does not count.
   * @param {{prompt: string, tokens: number}} wanted
   */
  page.write = async ({ prompt, tokens }) => {
    const greedy = { temperature: 0, top_k: 1, repeat_penalty: 1.1, ignore_eos: true, cache_prompt: false };
    const { timings, choices } = await peer.createCompletion({ prompt, max_tokens: tokens, ...greedy });
    const { prompt_n, prompt_ms, predicted_n, predicted_ms } = timings;
    const counts = { prompt_tokens: prompt_n, prefill_seconds: prompt_ms / 1000, tokens: predicted_n, decode_seconds: predicted_ms / 1000 };
    return { ...counts, text: choices[0].text };
  };
  page.outcome = { threads: peer.getNumThreads() };
})().catch((error) => (/** @type {any} */ (globalThis).outcome = { failed: String(error?.message ?? error) }));
