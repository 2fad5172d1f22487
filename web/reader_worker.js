"use strict";
/**
 * The reader's worker: a Python without numpy that reads one file at a time (`terrarium.readers.apart`). Whoever
 * started it may end it at any time, so a hostile file costs this worker only. Its source is one script: Pyodide,
 * bridge/assets.js, bridge/doors.js, bridge/sealed_workers.js, bridge/pdf.js and this file.
 *
 * In: `{start: Map of assets, pyodide: WebAssembly.Module}`, then `{data, name, password, words, megabytes}` a file.
 * Out: `{ready}` or `{broken: why}`, then for each file ReaderMessages; `{broken}` at any time, when Python itself is.
 */
(() => {
  const PAGE = 65536;
  /** Bytes that Python's memory may take, for the file that is being read. */
  let most = Infinity;
  let held = 0;

  /** What Python cannot get, it raises MemoryError for. */
  function boundMemory() {
    const { grow } = WebAssembly.Memory.prototype;
    WebAssembly.Memory.prototype.grow = function (pages) {
      if (this.buffer.byteLength + pages * PAGE > most) throw new RangeError("over the limit of memory for this file");
      const before = grow.call(this, pages);
      held = this.buffer.byteLength;
      return before;
    };
  }

  /** @param {Map<string, Uint8Array<ArrayBuffer>>} assets @param {WebAssembly.Module | undefined} compiled */
  async function start(assets, compiled) {
    bridgeAssets.fill(assets);
    closeDoors("reader");
    boundMemory();
    if (compiled) {
      assets.set("pyodide.asm.wasm", new Uint8Array(0)); // Pyodide asks for it, and takes what this gives:
      WebAssembly.instantiateStreaming = async (_, imports) => ({ module: compiled, instance: await WebAssembly.instantiate(compiled, imports) });
    }
    const { BASE } = bridgeAssets;
    const files = { indexURL: BASE, lockFileURL: `${BASE}pyodide-lock.json`, stdLibURL: `${BASE}python_stdlib.zip` };
    const python = await loadPyodide(files);
    /** @type {any} */ (python)._api.on_fatal = (/** @type {unknown} */ error) => self.postMessage({ broken: String(error) });
    install(python);
    python.registerJsModule("terrarium_bridge", { pdf: bridgePdf });
    return python.pyimport("terrarium.readers.apart");
  }

  /**
   * Wheels are put on the path as they are: Python reads a module out of one when it is first imported, so a rare
   * format's library costs nothing before. The project's own is unpacked: zipimport knows no package without __init__.py.
   * @param {Awaited<ReturnType<typeof loadPyodide>>} python
   */
  function install(python) {
    const path = python.pyimport("sys").path;
    for (const name of bridgeAssets.names().filter((name) => name.startsWith("wheels/"))) {
      const bytes = bridgeAssets.take(name);
      if (name.startsWith("wheels/terrarium-")) {
        python.unpackArchive(bytes, "wheel");
        continue;
      }
      const file = `/${name.replaceAll("/", "_")}`;
      python.FS.writeFile(file, bytes);
      path.append(file);
    }
    path.destroy();
  }

  /** @type {Promise<any>} */
  let reading;

  self.onmessage = async ({ data: message }) => {
    try {
      if (message.start) {
        reading = start(message.start, message.pyodide);
        await reading;
        return self.postMessage({ ready: true });
      }
      const { data, name, password, words, megabytes } = message;
      most = megabytes << 20;
      const post = (/** @type {string} */ json, /** @type {Uint8Array<ArrayBuffer>[]} */ buffers) =>
        self.postMessage({ json, buffers, megabytes: held >> 20 }, { transfer: buffers.map((bytes) => bytes.buffer) });
      await (await reading).read(data, name, password, words, post);
    } catch (error) {
      self.postMessage({ broken: String(error) });
    }
  };
})();
