"use strict";
/**
 * One job of onnxruntime-web at a time: neither making a session nor running one is re-entrant ("Session already started",
 * https://github.com/huggingface/transformers.js/issues/909). May go when onnxruntime-web queues itself.
 */
const bridgeQueue = (() => {
  /** @type {Promise<unknown>} */
  let queue = Promise.resolve();

  const channel = new MessageChannel();
  /** @type {(() => void)[]} */
  const resumed = [];
  channel.port1.onmessage = () => resumed.shift()?.();

  /** Lets messages in, a "cancel" above all: a run keeps the thread, and promises alone never give it back. */
  const breathe = () => new Promise((/** @type {(value: void) => void} */ resolve) => (resumed.push(resolve), channel.port2.postMessage(0)));

  /**
   * @template T
   * @param {() => Promise<T>} job
   * @returns {Promise<T>}
   */
  function enqueue(job) {
    const turn = queue.then(breathe).then(job);
    queue = turn.catch(() => {});
    return turn;
  }

  return { enqueue };
})();
