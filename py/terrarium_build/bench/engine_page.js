"use strict";
/**
 * The engine's worker without its page: the built page's own shards and link, and a few more lines at the worker's end
 * (engine_worker.js) that run Python of the benchmark. `#threads=2&writer=small` says what to load.
 */

// Stands where seal.js has the function of this name: threads of WebAssembly are workers, which a seal takes away.
Object.assign(globalThis, { removeNetwork: function removeNetwork() {} });

(async () => {
  const page = /** @type {any} */ (globalThis);
  const asked = new URLSearchParams(location.hash.slice(1));
  const manifest = await shards.loadManifest();
  /** @type {Map<string, Uint8Array<ArrayBuffer>>} */
  const assets = new Map();
  for (const group of ["engine", "ort-wasm", `generator-${asked.get("writer")}`, `embedder-${asked.get("embedder")}`]) {
    for (const [name, bytes] of await shards.loadGroup(manifest, group, () => {})) assets.set(name, bytes);
  }
  const source = new TextDecoder().decode(assets.get("worker.js"));
  const more = /** @type {HTMLElement} */ (document.getElementById("more")).textContent;
  const threads = `self.benchThreads = ${Number(asked.get("threads"))};`;
  assets.set("worker.js", new TextEncoder().encode([source, threads, more].join("\n;\n")));
  await engineLink.start(assets, [], () => {});
  page.bench = (/** @type {string} */ code) => engineLink.call("bench", { code }).promise;
  page.outcome = {};
})().catch((error) => (/** @type {any} */ (globalThis).outcome = { failed: String(error.detail ?? error) }));
