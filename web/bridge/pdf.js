"use strict";
/**
 * One worker a PDF, made from its source and thrown away: a hostile or endless file costs that worker only.
 * Its messages are described in pdf_worker.js; Python asks for them one at a time and may stop at any of them.
 */
const bridgePdf = (() => {
  // Taken before worker.js switches the global one off.
  const PdfWorker = Worker;

  /** @typedef {{worker: Worker, messages: object[], wake: () => void}} Reading */
  /** @type {Map<number, Reading>} */
  const readings = new Map();
  let last = 0;
  let address = "";

  function sourceAddress() {
    const report = `(api, target) => self.postMessage({ refused: { time: Date.now(), where: "pdf", api, target, by: "code" } })`;
    const parts = [`${removeNetwork.toString()}\nremoveNetwork(${report});\n`, bridgeAssets.bytes("pdf_worker.js")];
    address ||= URL.createObjectURL(new Blob(parts, { type: "text/javascript" }));
    return address;
  }

  /** Character maps and standard fonts, by the path that pdf.js asks for. */
  function files() {
    const names = bridgeAssets.names().filter((name) => name.startsWith("pdf/"));
    return Object.fromEntries(names.map((name) => [name.slice("pdf/".length), bridgeAssets.bytes(name)]));
  }

  /**
   * @param {Uint8Array<ArrayBuffer>} data transferred
   * @param {string | undefined} password
   * @returns {number} for `next` and `close`
   */
  function open(data, password) {
    const worker = new PdfWorker(sourceAddress());
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
      deliver({ type: "error", name: "WorkerError", message: event.message ?? "", code: 0 });
    };
    worker.postMessage({ data: data.buffer, password, files: files() }, [data.buffer]);
    readings.set(++last, reading);
    return last;
  }

  /** The next message as JSON. @param {number} id @returns {Promise<string>} */
  async function next(id) {
    const reading = readings.get(id);
    if (!reading) throw new Error("This document was closed.");
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

  return { open, next, close };
})();
