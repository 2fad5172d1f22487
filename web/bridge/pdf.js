"use strict";
/**
 * One worker a PDF, made from its source and thrown away: a hostile or endless file costs that worker only.
 * Its messages are described in pdf_worker.js; Python asks for them one at a time and may stop at any of them.
 */
const bridgePdf = (() => {
  // Taken before worker.js switches the global one off.
  const PdfWorker = Worker;
  const { begin, next, close } = talks("This document was closed.");
  let address = "";

  /**
   * @param {Uint8Array<ArrayBuffer>} data transferred
   * @param {string | undefined} password
   * @returns {number} for `next` and `close`
   */
  function open(data, password) {
    const worker = new PdfWorker((address ||= sealedSource("pdf", ["pdf_worker.js"])));
    const id = begin(worker, (message) => ({ type: "error", name: "WorkerError", message, code: 0 }));
    worker.postMessage({ data: data.buffer, password, files: pdfFiles() }, [data.buffer]);
    return id;
  }

  return { open, next, close };
})();
