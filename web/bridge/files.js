"use strict";
/**
 * Files for Python: those that the person gave, read piece by piece without a copy of the whole, and new ones, made of
 * pieces that leave this process one by one.
 */
const bridgeFiles = (() => {
  const reader = new FileReaderSync();
  /** @type {Map<number, Blob[]>} */
  const growing = new Map();
  let last = 0;

  /** @param {Blob} file @param {number} start @param {number} end */
  const read = (file, start, end) => new Uint8Array(reader.readAsArrayBuffer(file.slice(start, end)));

  /** @returns {number} the new file, by which Python and a command's result name it */
  function begin() {
    growing.set(++last, []);
    return last;
  }

  /** @param {number} number @param {Uint8Array<ArrayBuffer>} bytes */
  async function add(number, bytes) {
    const piece = new Blob([bytes]);
    // Its copy of the bytes leaves this process when the browser has them all.
    await piece.slice(-1).arrayBuffer();
    growing.get(number)?.push(piece);
  }

  /** @param {number} number */
  const discard = (number) => void growing.delete(number);

  /** A message of the engine, with the file itself where its result names one. @param {any} message */
  function attach(message) {
    const number = message.result?.file;
    const pieces = growing.get(number);
    if (!pieces) return message;
    growing.delete(number);
    return { ...message, result: { ...message.result, file: new Blob(pieces, { type: "application/vnd.terrarium.library" }) } };
  }

  return { read, begin, add, discard, attach };
})();
