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

  /** @typedef {{worker: Worker, messages: object[], wake: () => void}} Reading */
  /** @type {Map<number, Reading>} */
  const readings = new Map();
  let last = 0;
  let address = "";

  function sourceAddress() {
    const report = `(api, target) => self.postMessage({ refused: { time: Date.now(), where: "ocr", api, target, by: "code" } })`;
    const parts = [`${removeNetwork.toString()}\nremoveNetwork(${report});\n`, bridgeAssets.bytes(`${CORE}.js`), "\n;\n", bridgeAssets.bytes("ocr_worker.js")];
    address ||= URL.createObjectURL(new Blob(parts, { type: "text/javascript" }));
    return address;
  }

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
    const worker = new OcrWorker(sourceAddress());
    /** @type {Reading} */
    const reading = { worker, messages: [], wake: () => {} };
    /** @param {object} message */
    const deliver = (message) => {
      reading.messages.push(message);
      reading.wake();
    };
    worker.onmessage = ({ data: message }) => (message.refused ? self.postMessage(message) : deliver(message));
    worker.onerror = (event) => {
      event.preventDefault();
      deliver({ type: "error", message: event.message ?? "" });
    };
    const wanted = codes.map((code) => ({ code, data: bridgeAssets.bytes(`ocr/${code}${DATA}`) }));
    worker.postMessage({ wasm: bridgeAssets.bytes(`${CORE}.wasm`), languages: wanted });
    readings.set(++last, reading);
    return last;
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
    readings.get(id)?.worker.postMessage({ data, width, height, dpi }, [data.buffer]);
  }

  /** The next message as JSON. @param {number} id @returns {Promise<string>} */
  async function next(id) {
    const reading = readings.get(id);
    if (!reading) throw new Error("Recognition was ended.");
    while (reading.messages.length === 0) {
      await new Promise((/** @type {(value: void) => void} */ resolve) => (reading.wake = resolve));
    }
    return JSON.stringify(reading.messages.shift());
  }

  /** Ends the worker, whatever it is doing. @param {number} id */
  function close(id) {
    readings.get(id)?.worker.terminate();
    readings.delete(id);
  }

  return { languages, open, read, next, close };
})();
