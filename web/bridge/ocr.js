"use strict";
/**
 * One recognition worker a document, made from its source: ocr_worker.js describes its messages. Python asks for them one
 * at a time, and ends the worker whatever it is doing.
 */
const bridgeOcr = (() => {
  // Taken before worker.js switches the global one off.
  const OcrWorker = Worker;
  const CORE = "ocr/tesseract-core-simd-lstm";
  const DATA = ".traineddata.gz";

  const { begin, next, close, workerOf } = talks("Recognition was ended.");
  let address = "";

  /** Tesseract's codes of the languages that came with the page. */
  const languages = () => {
    const data = bridgeAssets.names().filter((name) => name.startsWith("ocr/") && name.endsWith(DATA));
    return data.map((name) => name.slice("ocr/".length, -DATA.length));
  };

  /**
   * Starts a worker; "ready" is its first message.
   * @param {string[]} codes some of `languages`
   * @returns {number} for the others
   */
  function open(codes) {
    const worker = new OcrWorker((address ||= sealedSource("ocr", [`${CORE}.js`, "ocr_worker.js"])));
    const id = begin(worker, (message) => ({ type: "error", message }));
    const wanted = codes.map((code) => ({ code, data: bridgeAssets.bytes(`ocr/${code}${DATA}`) }));
    worker.postMessage({ wasm: bridgeAssets.bytes(`${CORE}.wasm`), languages: wanted });
    return id;
  }

  /**
   * Begins to read one page; `next` brings "progress" and in the end "page".
   * @param {number} id
   * @param {Uint8Array<ArrayBuffer>} data one byte of grey a pixel, transferred
   * @param {number} width
   * @param {number} height
   * @param {number} dpi
   */
  function read(id, data, width, height, dpi) {
    workerOf(id)?.postMessage({ data, width, height, dpi }, [data.buffer]);
  }

  return { languages, open, read, next, close };
})();
