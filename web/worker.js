"use strict";
/**
 * The engine's worker: closes its own doors, starts Pyodide, installs the Python packages from the asset table and
 * passes messages to `terrarium.worker`. Its source is one script: the libraries, web/bridge/*.js and this file.
 */
(() => {
  /** @typedef {{receive: (id: number, command: string, args: object) => void, cancel: (id: number) => void}} Dispatcher */
  // The others are libraries for reading files, which the reader's worker has.
  const NEEDED_HERE = /^wheels\/(?:terrarium|charset_normalizer|markdown_it_py|mdurl|snowballstemmer)-/;

  /** @type {Dispatcher | undefined} */
  let dispatcher;

  async function start() {
    /** @type {Record<string, number>} */
    const timings = {};
    /**
     * @template T
     * @param {string} name
     * @param {string} sentence
     * @param {() => Promise<T>} work
     */
    async function stage(name, sentence, work) {
      self.postMessage({ stage: sentence });
      const begun = performance.now();
      const result = await work();
      timings[name] = (performance.now() - begun) / 1000;
      return result;
    }

    closeDoors("engine");
    bridgeReader.rememberPyodide();
    const { BASE } = bridgeAssets;
    const python = await stage("python", "Starting Python …", () =>
      loadPyodide({
        indexURL: BASE,
        lockFileURL: `${BASE}pyodide-lock.json`,
        stdLibURL: `${BASE}python_stdlib.zip`,
        packages: ["numpy", "micropip"],
      }),
    );

    await stage("packages", "Installing the engine …", async () => {
      const wheels = bridgeAssets.names().filter((name) => NEEDED_HERE.test(name));
      const micropip = python.pyimport("micropip");
      await micropip.install.callKwargs(wheels.map((name) => BASE + name), { deps: false });
      micropip.destroy();
    });
    // The reader's Python is made of the rest: the standard library and the wheels.
    for (const name of bridgeAssets.names().filter((name) => /^(?:pyodide\.asm\.wasm|[^/]+\.whl)$/.test(name))) {
      bridgeAssets.take(name);
    }

    dispatcher = await stage("engine", "Starting the engine …", async () => {
      /** @type {Bridge} */
      const bridge = { assets: bridgeAssets, gpu: bridgeGpu, ort: bridgeOrt, idb: bridgeIdb, files: bridgeFiles, tokenizers: bridgeTokenizers, reader: bridgeReader, pages: bridgePages, ocr: bridgeOcr, weights: bridgeWeights };
      python.registerJsModule("terrarium_bridge", bridge);
      const module = python.pyimport("terrarium.worker");
      // Messages leave as JSON: None stays null, and no proxy is left behind.
      return module.start((/** @type {string} */ json) => {
        const { message, transfer } = bridgePages.attach(bridgeFiles.attach(JSON.parse(json)));
        self.postMessage(message, { transfer });
      });
    });
    return timings;
  }

  /** @param {unknown} reason */
  function fail(reason) {
    const error = reason instanceof Error ? reason : new Error(String(reason));
    self.postMessage({ failed: "The engine could not start. Reload the page; if that does not help, copy the folder again.", detail: error.message });
  }

  self.onmessage = ({ data }) => {
    if (data.start) {
      bridgeAssets.fill(data.start);
      bridgeGpu.fill(data.gpu);
      bridgeReader.fill(data.reader);
      start().then((ready) => self.postMessage({ ready }), fail);
    } else if (data.cancel !== undefined) {
      dispatcher?.cancel(data.cancel);
    } else {
      dispatcher?.receive(data.id, data.command, data.args);
    }
  };
})();
