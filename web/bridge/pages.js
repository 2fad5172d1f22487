"use strict";
/**
 * One worker a PDF whose pages are drawn, made from its source: page_worker.js describes its messages. It stays until
 * `close`, which ends it whatever it is doing: all that still waits for it ends in an error then.
 */
const bridgePages = (() => {
  // Taken before worker.js switches the global one off.
  const PageWorker = Worker;

  /** @typedef {{resolve: (answer: any) => void, reject: (error: Error) => void}} Waiting */
  /** @typedef {{worker: Worker, waiting: Map<number, Waiting>, opened: Promise<any>, broken: Error | undefined}} Opened */
  /** @type {Map<number, Opened>} */
  const documents = new Map();
  /** Drawn pages on their way to the page, by the number that stands in a command's result. @type {Map<number, ImageBitmap>} */
  const drawn = new Map();
  let last = 0;
  let address = "";

  /** An error of the worker, by pdf.js's own name: Python tells them apart by it. @param {{name: string, message: string, code: number}} given */
  const errorOf = ({ name, message, code }) => Object.assign(new Error(message), { name, code });

  /**
   * @param {Uint8Array<ArrayBuffer>} data transferred
   * @param {string | undefined} password
   * @returns {number} for the others; `opened` says whether it could be read
   */
  function open(data, password) {
    const worker = new PageWorker((address ||= sealedSource("pages", ["page_worker.js"])));
    /** @type {Map<number, Waiting>} */
    const waiting = new Map();
    const opened = new Promise((resolve, reject) => void waiting.set(0, { resolve, reject }));
    opened.catch(() => {}); // nobody may ask
    /** @type {Opened} */
    const entry = { worker, waiting, opened, broken: undefined };
    worker.onmessage = ({ data: message }) => {
      if (message.refused) return self.postMessage(message);
      const asked = waiting.get(message.number);
      waiting.delete(message.number);
      if (message.error) asked?.reject(errorOf(message.error));
      else asked?.resolve(message.answer);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      fail(entry, errorOf({ name: "WorkerError", message: event.message ?? "", code: 0 }));
    };
    worker.postMessage({ data: data.buffer, password, files: pdfFiles() }, [data.buffer]);
    documents.set(++last, entry);
    return last;
  }

  /** @param {Opened} entry @param {Error} error */
  function fail(entry, error) {
    entry.broken = error;
    for (const { reject } of entry.waiting.values()) reject(error);
    entry.waiting.clear();
  }

  /** @param {number} id @param {object} question @returns {Promise<any>} */
  function ask(id, question) {
    const entry = documents.get(id);
    return new Promise((resolve, reject) => {
      if (!entry || entry.broken) return reject(entry?.broken ?? new Error("This document was closed."));
      const number = ++last;
      entry.waiting.set(number, { resolve, reject });
      entry.worker.postMessage({ number, ...question });
    });
  }

  /** Its number of pages, once it is open. @param {number} id @returns {Promise<number>} */
  const opened = async (id) => (await documents.get(id)?.opened)?.pages;

  /**
   * Draws a page. JSON of `{bitmap, pixels: [width, height], width, height}`: the size of the picture, that of the page in
   * points, and a number for `attach`.
   * @param {number} id
   * @param {number} page
   * @param {number} width pixels
   */
  async function draw(id, page, width) {
    const { bitmap, ...points } = await ask(id, { ask: "draw", page, size: width });
    drawn.set(++last, bitmap);
    return JSON.stringify({ bitmap: last, pixels: [bitmap.width, bitmap.height], ...points });
  }

  /**
   * A page in grey: `{data: Uint8Array, pixels: [width, height], width, height}`, the page's own size in points.
   * @param {number} id
   * @param {number} page
   * @param {number} dpi
   */
  const gray = (id, page, dpi) => ask(id, { ask: "gray", page, size: dpi });

  /** The page's text with its places, as JSON. @param {number} id @param {number} page */
  const items = async (id, page) => JSON.stringify(await ask(id, { ask: "items", page }));

  /** Ends the worker, whatever it is doing. @param {number} id */
  function close(id) {
    const entry = documents.get(id);
    if (!entry) return;
    entry.worker.terminate();
    documents.delete(id);
    fail(entry, new Error("This document was closed."));
  }

  /** Forgets a drawn page that nobody wants any more. @param {number} number */
  function discard(number) {
    drawn.get(number)?.close();
    drawn.delete(number);
  }

  /**
   * A message of the engine, with the drawn page itself where its result names one, and what of it is transferred.
   * @param {any} message
   */
  function attach(message) {
    const number = message.result?.bitmap;
    const bitmap = drawn.get(number);
    if (!bitmap) return { message, transfer: [] };
    drawn.delete(number);
    return { message: { ...message, result: { ...message.result, bitmap } }, transfer: [bitmap] };
  }

  return { open, opened, draw, gray, items, close, discard, attach };
})();
