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
  const WRITER_KEY = "terrarium.writer";

  /** @type {(value?: any) => void} */
  let becomeReady = () => {};
  /** @type {(error: Error) => void} */
  let failReady = () => {};
  const ready = new Promise((resolve, reject) => ((becomeReady = resolve), (failReady = reject)));
  ready.catch(() => {});

  window.terrarium = {
    call: engineLink.call,
    cancel: engineLink.cancel,
    info: { version: "", build: "", generators: [], generator: null, notices: [], timings: {}, protections: seal.protections },
    ledger: [],
    ready,
    chooseWriter(name) {
      remember(name);
      location.hash = ""; // A writer named there goes before the remembered one.
      location.reload();
    },
  };
  const { info, ledger } = window.terrarium;

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

  /** @param {string} name */
  function remember(name) {
    try {
      localStorage.setItem(WRITER_KEY, name);
    } catch {
      // Storage is switched off: the choice holds for this visit only.
    }
  }

  /** The remembered writer; "#writer=NAME" and "#writer=none" in the address go before it. */
  function wantedWriter() {
    const asked = new URLSearchParams(location.hash.slice(1)).get("writer");
    let name = asked === "none" ? "" : asked;
    try {
      name ??= localStorage.getItem(WRITER_KEY);
    } catch {
      // As in remember().
    }
    if (name === "") return "";
    // The manifest names the best first; the last one is the smallest and runs everywhere.
    return name !== null && info.generators.includes(name) ? name : (info.generators.at(-1) ?? "");
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

  /**
   * The control that says which writer to load. `changed` hears of another choice; the function returned ends it.
   * @param {Manifest} manifest
   * @param {(name: string) => void} changed
   */
  function offerWriters(manifest, changed) {
    const choice = /** @type {HTMLFieldSetElement} */ (element("boot-writer"));
    const large = manifest.generators.length > 1;
    for (const name of [...manifest.generators, ""]) {
      const label = document.createElement("label");
      const radio = document.createElement("input");
      Object.assign(radio, { type: "radio", name: "writer", value: name, checked: name === info.generator });
      radio.addEventListener("change", () => (remember(name), changed(name)));
      const megabytes = Math.round(shards.groupBytes(manifest, `generator-${name}`) / 1e6);
      const written = `Written answers${large ? `, ${name} model` : ""} (${megabytes} MB)`;
      label.append(radio, ` ${name ? written : "Quotes only: starts faster"}`);
      choice.append(label);
    }
    choice.hidden = manifest.generators.length === 0;
    return () => void (choice.hidden = choice.disabled = true);
  }

  /**
   * 5. Loads the chosen writer, and starts over when the choice changes while it loads.
   * @param {Manifest} manifest
   * @param {(name: string, signal: AbortSignal) => Promise<Map<string, Uint8Array<ArrayBuffer>>>} load
   */
  function chooseWriter(manifest, load) {
    let change = new AbortController();
    const close = offerWriters(manifest, (name) => {
      info.generator = name;
      change.abort();
    });
    const finish = async () => {
      for (;;) {
        change = new AbortController();
        const { signal } = change;
        try {
          const assets = info.generator ? await load(info.generator, signal) : new Map();
          if (!signal.aborted) return assets;
        } catch (error) {
          if (!signal.aborted) throw error;
        }
      }
    };
    return { finish, close };
  }

  async function run() {
    await stage("check", checkBrowser);
    say("Looking at the folder …");
    const manifest = await stage("manifest", shards.loadManifest); // 2
    Object.assign(info, { version: manifest.version, build: manifest.build, generators: manifest.generators });
    info.generator = wantedWriter();

    // 3. The base assets; the choice of a writer stands beside them.
    let done = 0;
    const base = ["interface", "engine", "pdf"].reduce((sum, group) => sum + shards.groupBytes(manifest, group), 0);
    /** @param {string} what */
    const counter = (what) => (/** @type {number} */ bytes) => {
      const total = base + (info.generator ? shards.groupBytes(manifest, `generator-${info.generator}`) : 0);
      done += bytes;
      progress.value = Math.min(1, done / total);
      say(`Loading ${what}: ${Math.round(done / 1e6)} of ${Math.round(total / 1e6)} MB …`);
    };
    const writer = chooseWriter(manifest, (name, signal) => {
      done = base;
      return shards.loadGroup(manifest, `generator-${name}`, counter("the writer"), signal);
    });
    const page = await stage("load interface", () => shards.loadGroup(manifest, "interface", counter("the page")));
    await stage("interface", () => startInterface(page)); // 4
    const assets = await stage("load engine", async () => {
      const engine = await shards.loadGroup(manifest, "engine", counter("the engine"));
      return new Map([...engine, ...(await shards.loadGroup(manifest, "pdf", counter("the PDF reader")))]);
    });
    for (const [name, bytes] of await stage("load writer", writer.finish)) assets.set(name, bytes); // 5
    writer.close();
    info.generator ||= null;

    // 6. The engine is made after the policy that it is to live under; then the page makes no worker any more.
    say("Closing the tab to the network …");
    progress.removeAttribute("value");
    const engine = await stage("engine", () => {
      seal.tighten();
      const started = engineLink.start(assets, ledger, say);
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
