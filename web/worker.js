"use strict";
/**
 * The engine's worker: closes its own doors, starts Pyodide, installs the Python packages from the asset table and
 * passes messages to `terrarium.worker`. Its source is one script: the libraries, web/bridge/*.js and this file.
 */
(() => {
  /** @typedef {{receive: (id: number, command: string, args: object) => void, cancel: (id: number) => void}} Dispatcher */
  /** @type {Dispatcher | undefined} */
  let dispatcher;

  /** @param {string} api @param {string} target @param {"browser" | "code"} by */
  const refused = (api, target, by) => self.postMessage({ refused: { time: Date.now(), where: "engine", api, target, by } });

  /** 1. What this worker may reach from now on: its asset table. */
  function closeDoors() {
    /** @param {string} api @param {string} target */
    const report = (api, target) => refused(api, target, "code");
    self.addEventListener("securitypolicyviolation", (event) => refused(event.effectiveDirective, event.blockedURI, "browser"));
    Object.defineProperty(self, "fetch", { value: bridgeAssets.closedFetch(report), writable: false, configurable: false });
    removeNetwork(report, ["fetch"]);
  }

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

    closeDoors();
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
      const wheels = bridgeAssets.names().filter((name) => name.startsWith("wheels/"));
      const micropip = python.pyimport("micropip");
      await micropip.install.callKwargs(wheels.map((name) => BASE + name), { deps: false });
      micropip.destroy();
    });
    for (const name of bridgeAssets.names().filter((name) => /\.(whl|zip|wasm)$/.test(name) && !name.startsWith("ort-"))) {
      bridgeAssets.take(name);
    }

    dispatcher = await stage("engine", "Starting the engine …", async () => {
      /** @type {Bridge} */
      const bridge = { assets: bridgeAssets, gpu: bridgeGpu, ort: bridgeOrt, idb: bridgeIdb, files: bridgeFiles, tokenizers: bridgeTokenizers, pdf: bridgePdf, weights: bridgeWeights };
      python.registerJsModule("terrarium_bridge", bridge);
      const module = python.pyimport("terrarium.worker");
      // Messages leave as JSON: None stays null, and no proxy is left behind.
      return module.start((/** @type {string} */ message) => self.postMessage(bridgeFiles.attach(JSON.parse(message))));
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
      start().then((ready) => self.postMessage({ ready }), fail);
    } else if (data.cancel !== undefined) {
      dispatcher?.cancel(data.cancel);
    } else {
      dispatcher?.receive(data.id, data.command, data.args);
    }
  };
})();
