"use strict";
/**
 * Workers that parse what people drop, each made from packed scripts and ended with its document. Functions, not a
 * constant: the bridge is one script, in which these are there before its other parts begin.
 */

/**
 * The address of a worker's source: the scripts of those names behind the removal of all that reaches the network.
 * @param {string} where the worker's name in the ledger
 * @param {string[]} names of assets
 */
function sealedSource(where, names) {
  const report = `(api, target) => self.postMessage({ refused: { time: Date.now(), where: "${where}", api, target, by: "code" } })`;
  const scripts = names.flatMap((name) => [bridgeAssets.bytes(name), "\n;\n"]);
  const parts = [`${removeNetwork.toString()}\nremoveNetwork(${report});\n`, ...scripts];
  return URL.createObjectURL(new Blob(parts, { type: "text/javascript" }));
}

/**
 * Character maps, standard fonts and decoders, by the path that pdf.js asks for.
 * @returns {Record<string, Uint8Array<ArrayBuffer>>}
 */
function pdfFiles() {
  const names = bridgeAssets.names().filter((name) => name.startsWith("pdf/"));
  return Object.fromEntries(names.map((name) => [name.slice("pdf/".length), bridgeAssets.bytes(name)]));
}

/**
 * Workers by number, whose messages Python asks for one at a time; what they were refused goes to the ledger.
 * @param {string} ended what is said to whoever asks one that was closed
 */
function talks(ended) {
  /** @typedef {{worker: Worker, messages: object[], wake: () => void}} Talk */
  /** @type {Map<number, Talk>} */
  const open = new Map();
  let last = 0;

  /** @param {Worker} worker @param {(message: string) => object} broken its last message when the worker itself fails */
  function begin(worker, broken) {
    /** @type {Talk} */
    const talk = { worker, messages: [], wake: () => {} };
    /** @param {object} message */
    const deliver = (message) => {
      talk.messages.push(message);
      talk.wake();
    };
    worker.onmessage = ({ data: message }) => (message.refused ? self.postMessage(message) : deliver(message));
    worker.onerror = (event) => {
      event.preventDefault();
      deliver(broken(event.message ?? ""));
    };
    open.set(++last, talk);
    return last;
  }

  /** The next message as JSON. @param {number} id @returns {Promise<string>} */
  async function next(id) {
    const talk = open.get(id);
    if (!talk) throw new Error(ended);
    while (talk.messages.length === 0) {
      await new Promise((/** @type {(value: void) => void} */ resolve) => (talk.wake = resolve));
    }
    return JSON.stringify(talk.messages.shift());
  }

  /** Ends the worker, whatever it is doing. @param {number} id */
  function close(id) {
    open.get(id)?.worker.terminate();
    open.delete(id);
  }

  return { begin, next, close, workerOf: (/** @type {number} */ id) => open.get(id)?.worker };
}
