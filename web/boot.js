"use strict";
/**
 * From an empty page to one that takes files, in numbered stages. Each says what it does and how far it is; the first
 * that fails leaves its sentence on the page.
 */
(() => {
  /** @param {string} id */
  const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const boot = element("boot");
  const progress = /** @type {HTMLProgressElement} */ (element("boot-progress"));

  /** @type {(value?: any) => void} */
  let becomeReady = () => {};
  /** @type {(error: Error) => void} */
  let failReady = () => {};
  const ready = new Promise((resolve, reject) => ((becomeReady = resolve), (failReady = reject)));
  ready.catch(() => {});

  /** @type {Manifest} */
  let manifest;

  window.terrarium = {
    call: engineLink.call,
    cancel: engineLink.cancel,
    info: { version: "", build: "", embedders: [], embedder: "", generators: [], generator: null, notices: [], timings: {}, protections: seal.protections },
    ledger: [],
    ready,
    packs: packs.commands(() => manifest),
    chooseWriter: (name) => startAgain(() => writers.remember(name)),
    chooseEmbedder: (name) => startAgain(() => embedders.remember(name)),
  };
  const { info, ledger } = window.terrarium;

  /** @param {() => void} remember */
  function startAgain(remember) {
    remember();
    location.hash = ""; // What is named there goes before what is remembered.
    location.reload();
  }

  /** @param {string} sentence */
  function say(sentence) {
    element("boot-status").textContent = sentence;
  }

  /** @param {string} sentence */
  function notice(sentence) {
    info.notices.push(sentence);
    const item = document.createElement("li");
    item.textContent = sentence;
    element("boot-notices").append(item);
  }

  /**
   * @template T
   * @param {string} name
   * @param {() => Promise<T>} work
   */
  async function stage(name, work) {
    document.documentElement.dataset["stage"] = name;
    const start = performance.now();
    const result = await work();
    info.timings[name] = (performance.now() - start) / 1000;
    return result;
  }

  /** 1. What this browser must have; without a sentence here the failure would come later and say less. */
  async function checkBrowser() {
    // The smallest module with a SIMD instruction: (func (result v128) i32.const 0 i8x16.splat).
    const simd = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11];
    const current = "Use a current version of Firefox or of a Chromium-based browser.";
    if (typeof WebAssembly !== "object") throw new Error(`WebAssembly is switched off in this browser, and Terrarium runs on it. ${current}`);
    if (!WebAssembly.validate(new Uint8Array(simd))) throw new Error(`This browser's WebAssembly has no SIMD instructions, which the models need. ${current}`);
    if (typeof DecompressionStream !== "function") throw new Error(`This browser cannot unpack gzip (DecompressionStream). ${current}`);
    const box = document.createElement("div");
    box.setAttribute("contenteditable", "plaintext-only");
    if (box.contentEditable !== "plaintext-only") throw new Error(`This browser has no box for plain text (contenteditable="plaintext-only"), which questions are typed into. ${current}`);
    if (!globalThis.crypto?.subtle) {
      notice("This address is not a secure one (https or a file), so the browser does not let the page check its own files.");
    }
    if (!globalThis.indexedDB) notice("This browser keeps no data for this page: what you add is gone when you close the tab.");
  }

  async function run() {
    await new Promise((heard) => addEventListener("DOMContentLoaded", heard)); // deferred scripts run before it
    if (!element("boot-failure").hidden) throw new Error(element("boot-failure").textContent); // whole.js missed one
    await stage("check", checkBrowser);
    say("Looking at the folder …");
    manifest = await stage("manifest", shards.loadManifest); // 2
    await stage("packs", () => packs.join(manifest));
    const { version, build, generators } = manifest;
    Object.assign(info, { version, build, generators, embedders: manifest.embedders, embedder: embedders.wanted(manifest.embedders) });
    info.generator = writers.wanted(manifest.generators);

    // 3. The base assets; the choices of a writer and of a search model stand beside them.
    let done = 0;
    const base = ["interface", "engine", "ort-wasm", "pdf", "ocr"].reduce((sum, group) => sum + shards.groupBytes(manifest, group), 0);
    /** @param {string} what */
    const counter = (what) => (/** @type {number} */ bytes) => {
      const chosen = [`embedder-${info.embedder}`, ...(info.generator ? [`generator-${info.generator}`] : [])];
      const total = chosen.reduce((sum, group) => sum + shards.groupBytes(manifest, group), base);
      done += bytes;
      progress.value = Math.min(1, done / total);
      say(`Loading ${what}: ${Math.round(done / 1e6)} of ${Math.round(total / 1e6)} MB …`);
    };
    /** @param {string} name @param {AbortSignal} signal */
    const load = (name, signal) => {
      done = base;
      return shards.loadGroup(manifest, `generator-${name}`, counter("the writer"), signal, packs.source(name));
    };
    const writer = writers.choose({ manifest, info, load, notice, say });
    const embedder = embedders.choose({
      manifest,
      info,
      load: (name, signal) => shards.loadGroup(manifest, `embedder-${name}`, counter("the search model"), signal),
    });
    const page = await stage("load interface", () => shards.loadGroup(manifest, "interface", counter("the page")));
    await stage("interface", () => startInterface(page)); // 4
    const assets = await stage("load engine", async () => {
      const engine = await shards.loadGroup(manifest, "engine", counter("the engine"));
      const pdf = await shards.loadGroup(manifest, "pdf", counter("the PDF reader"));
      return new Map([...engine, ...pdf, ...(await shards.loadGroup(manifest, "ocr", counter("text recognition")))]);
    });
    for (const [name, bytes] of await stage("load writer", writer.finish)) assets.set(name, bytes); // 5
    writer.close();
    for (const [name, bytes] of await stage("load embedder", embedder.finish)) assets.set(name, bytes);
    embedder.close();
    info.generator ||= null;
    const found = await stage("load runtime", async () => {
      const { refused, ...rest } = await gpu.forGenerator(manifest, info.generator);
      const runtime = await shards.loadGroup(manifest, refused ? "ort-wasm" : "ort-webgpu", counter("the models' runtime"));
      for (const [name, bytes] of runtime) assets.set(name, bytes);
      return { refused, ...rest };
    });

    // 6. The engine is made after the policy that it is to live under; then the page makes no worker any more.
    say("Closing the tab to the network …");
    progress.removeAttribute("value");
    const engine = await stage("engine", () => {
      seal.tighten();
      const started = engineLink.start(assets, ledger, say, found);
      seal.guard(ledger);
      return started;
    });
    for (const [name, seconds] of Object.entries(engine)) info.timings[`engine: ${name}`] = seconds;
    info.timings["total"] = performance.now() / 1000;
    document.documentElement.dataset["stage"] = "ready"; // 7
    boot.hidden = true;
    becomeReady();
  }

  /** @param {unknown} reason */
  function fail(reason) {
    const error = reason instanceof Error ? reason : new Error(String(reason));
    document.documentElement.dataset["stage"] = "failed";
    boot.hidden = false;
    progress.hidden = true;
    say("Terrarium could not start.");
    const detail = /** @type {Partial<CommandError>} */ (error).detail;
    element("boot-failure").textContent = detail ? `${error.message} (${detail})` : error.message;
    element("boot-failure").hidden = false;
    console.error(error);
    engineLink.breakDown(Object.assign(error, { kind: "InternalError" }));
    failReady(error);
  }

  seal.watch(ledger);
  run().catch(fail);
})();
