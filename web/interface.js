// @ts-check
/// <reference path="./types.d.ts" />
"use strict";
/**
 * Starts the page's own program: Python (web/ui/*.py) on PyScript's core and MicroPython, all from blobs, no request.
 *
 * What happens here is only what Python cannot do for itself: making the interpreter's module out of two assets and
 * turning a rejected promise into a value. Everything that a person sees is written in Python.
 */

/**
 * What the page's program is made of: `pyscript-core.mjs` (PyScript's core bundled into one ES module),
 * `micropython.mjs`, `micropython.wasm` and every `ui/*.py`.
 * @typedef {Map<string, Uint8Array>} InterfaceAssets
 */

(() => {
  /** Where MicroPython's heap starts; it grows by itself, and each growth costs a pause. */
  const HEAP_BYTES = 16 * 1024 * 1024;
  const START_LIMIT_MS = 30_000;

  const PROGRAM = `
from pyscript import window
try:
    from ui.app import start
    start()
except Exception as error:
    window.terrariumInterface.failed(f"{type(error).__name__}: {error}")
    raise
`;

  // polyscript 0.20 (interpreters.js) takes only addresses with "//" for addresses, and a `blob:` one for a version
  // number of its CDN path. An import map would do instead, but an inline one cannot be hashed in advance because it
  // holds the blob's address. May go when polyscript accepts `blob:` addresses in `interpreter`.
  const ADDRESS_TEST = "[a-z0-9-]+:\\/\\/)/i";
  const ADDRESS_TEST_WITH_BLOBS = "[a-z0-9-]+:\\/\\/|blob:)/i";

  /** Every address made here; they hold their bytes in memory until they are given back. @type {string[]} */
  const addresses = [];

  /** @param {string | Uint8Array} data @param {string} type */
  function blobAddress(data, type) {
    const address = URL.createObjectURL(new Blob([/** @type {BlobPart} */ (data)], { type }));
    addresses.push(address);
    return address;
  }

  /** @param {string | Uint8Array} data */
  const moduleAddress = (data) => blobAddress(data, "text/javascript");

  /** @param {InterfaceAssets} assets @param {string} name */
  function needed(assets, name) {
    const bytes = assets.get(name);
    if (!bytes) throw new Error(`The asset ${name} is missing. Copy the whole folder again, then reload this page.`);
    return bytes;
  }

  /** @param {InterfaceAssets} assets @returns {string} the address of a module that PyScript takes for MicroPython */
  function interpreterAddress(assets) {
    const micropython = JSON.stringify(moduleAddress(needed(assets, "micropython.mjs")));
    const wasm = JSON.stringify(blobAddress(needed(assets, "micropython.wasm"), "application/wasm"));
    return moduleAddress(
      `import { loadMicroPython as load } from ${micropython};` +
        `export const loadMicroPython = (options) => load({ ...options, url: ${wasm}, heapsize: ${HEAP_BYTES} });`,
    );
  }

  /** @param {InterfaceAssets} assets @returns {string} the address of PyScript's core */
  function coreAddress(assets) {
    const source = new TextDecoder().decode(needed(assets, "pyscript-core.mjs"));
    if (!source.includes(ADDRESS_TEST)) throw new Error("This PyScript core is not the one that the page was built for.");
    return moduleAddress(source.replace(ADDRESS_TEST, ADDRESS_TEST_WITH_BLOBS));
  }

  /**
   * For `await` in Python: never rejects, because MicroPython keeps only an error's text and loses its kind.
   * @param {Promise<unknown>} promise
   */
  const settle = (promise) =>
    Promise.resolve(promise).then(
      (value) => ({ ok: true, value }),
      (error) => ({ ok: false, kind: error?.kind ?? error?.name ?? "Error", message: error?.message ?? String(error) }),
    );

  /**
   * Draws the page's interface into `<main id="app">`. Resolves when it stands, before the engine is ready.
   * @param {InterfaceAssets} assets
   * @returns {Promise<void>}
   */
  async function startInterface(assets) {
    /** @type {Record<string, string>} */
    const files = {};
    for (const [name, bytes] of assets) {
      if (name.startsWith("ui/") && name.endsWith(".py")) files[blobAddress(bytes, "text/x-python")] = `./${name}`;
    }
    const script = document.createElement("script");
    script.type = "mpy";
    script.setAttribute(
      "config",
      JSON.stringify({
        interpreter: interpreterAddress(assets),
        files,
        // The error plugin draws HTML made of error texts; the interface shows errors as plain text itself.
        plugins: ["!error", "!deprecations-manager", "!codemirror", "!donkey", "!py-editor", "!py-game", "!py-terminal"],
      }),
    );
    script.textContent = PROGRAM;
    /** @type {Promise<void>} */
    const started = new Promise((resolve, reject) => {
      /** @param {string} text */
      const failed = (text) => reject(new Error(`The page's interface did not start: ${text}. Reload the page.`));
      Object.assign(globalThis, { terrariumInterface: { settle, started: resolve, failed } });
      setTimeout(() => reject(new Error("The page's interface did not start within 30 seconds. Reload the page.")), START_LIMIT_MS);
    });
    document.body.append(script);
    await import(coreAddress(assets));
    await started;
    for (const address of addresses.splice(0)) URL.revokeObjectURL(address);
  }

  Object.assign(globalThis, { startInterface });
})();
