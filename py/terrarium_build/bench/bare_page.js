"use strict";
/** The bare peer's page: reads the assets that Pyodide and one model need, and hands them to a worker. */
(async () => {
  const LIBRARIES = ["pyodide.js", "pyodide.asm.js", "ort.wasm.min.js"];
  const NEEDED = /^(pyodide\.asm\.wasm|python_stdlib\.zip|pyodide-lock\.json|numpy-.*\.whl|ort-wasm-simd-threaded\.(mjs|wasm)|models\/minilm-l6\.onnx)$/;

  /** @param {string} file @returns {Promise<void>} */
  const runScript = (file) =>
    new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement("script"), { src: file, onload: () => resolve() });
      script.onerror = () => reject(new Error(`${file} cannot be read`));
      document.head.append(script);
    });

  /** @param {AssetEntry} asset @returns {Promise<Uint8Array>} */
  async function load(asset) {
    /** @type {Uint8Array<ArrayBuffer>[]} */
    const parts = [];
    globalThis.__asset = (_name, carrier) => {
      const source = carrier.toString();
      const encoded = source.slice(source.indexOf("/*") + 2, source.lastIndexOf("*/"));
      parts.push(/** @type {any} */ (Uint8Array).fromBase64(encoded));
    };
    for (const { file } of asset.shards) await runScript(file);
    const stored = new Blob(parts);
    const stream = asset.gzip ? stored.stream().pipeThrough(new DecompressionStream("gzip")) : stored.stream();
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  /** @type {Manifest | undefined} */
  let manifest;
  globalThis.__manifest = (given) => void (manifest = given);
  await runScript("assets/manifest.js");

  const assets = new Map();
  const libraries = new Map();
  for (const asset of manifest?.assets ?? []) {
    const held = (asset.members ?? [asset]).filter(({ name }) => LIBRARIES.includes(name));
    if (!held.length && !NEEDED.test(asset.name)) continue;
    const bytes = await load(asset);
    if (held.length === 0) assets.set(asset.name, bytes);
    for (const { name } of held) {
      const member = asset.members?.find((one) => one.name === name);
      libraries.set(name, member ? bytes.subarray(member.offset, member.offset + member.length) : bytes);
    }
  }

  const parts = LIBRARIES.flatMap((name) => [libraries.get(name), "\n;\n"]);
  parts.push(/** @type {HTMLElement} */ (document.getElementById("worker")).textContent);
  const worker = new Worker(URL.createObjectURL(new Blob(parts, { type: "text/javascript" })));
  const page = /** @type {any} */ (globalThis);
  worker.onerror = (event) => (page.outcome = { failed: event.message });
  worker.onmessage = ({ data }) => (page.outcome = { failed: data.failed, ready: performance.now() });
  worker.postMessage(assets, [...new Set([...assets.values()].map((bytes) => bytes.buffer))]);
})().catch((error) => (/** @type {any} */ (globalThis).outcome = { failed: String(error) }));
