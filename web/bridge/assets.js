"use strict";
/**
 * The engine's asset table: what the page handed over, by name. The worker's `fetch` answers from it and from nothing
 * else. A model's bytes are taken out when onnxruntime has them, so that they are in memory once.
 */
const bridgeAssets = (() => {
  /** An address that no server can have (RFC 2606): whatever escapes this table leads nowhere. */
  const BASE = "https://assets.invalid/";
  const PIECE = 32 << 20;

  /** @type {Map<string, Uint8Array<ArrayBuffer>>} */
  let table = new Map();
  /** @type {Map<string, Blob>} */
  const parked = new Map();

  /** @param {Map<string, Uint8Array<ArrayBuffer>>} assets */
  const fill = (assets) => void (table = assets);

  /** @param {string} name */
  const has = (name) => table.has(name) || parked.has(name);

  const names = () => [...table.keys()];

  /** @param {string} name @returns {Uint8Array<ArrayBuffer>} */
  function bytes(name) {
    const found = table.get(name);
    if (!found) throw new Error(`The asset ${name} is missing from this page.`);
    return found;
  }

  /** @param {string} name */
  const text = (name) => new TextDecoder().decode(bytes(name));

  /** The asset's bytes, which the table forgets. @param {string} name */
  function take(name) {
    const found = bytes(name);
    table.delete(name);
    return found;
  }

  /**
   * Moves an asset's bytes out of this process: the browser keeps them, on the disk if it likes, until `restore`. What
   * only a lost graphics processor would ask for again weighs nothing meanwhile.
   * @param {string} name
   */
  async function park(name) {
    const found = bytes(name);
    const parts = [];
    for (let start = 0; start < found.length; start += PIECE) {
      const part = new Blob([found.subarray(start, start + PIECE)]);
      // Its copy of the bytes leaves this process when the browser has them all: a whole generator's would double it.
      await part.slice(-1).arrayBuffer();
      parts.push(part);
    }
    parked.set(name, new Blob(parts));
    table.delete(name);
  }

  /** Brings parked bytes back into the table; does nothing for bytes that are there. @param {string} name */
  async function restore(name) {
    const blob = parked.get(name);
    if (!blob) return;
    const found = new Uint8Array(blob.size);
    for (let start = 0; start < blob.size; start += PIECE) {
      found.set(new Uint8Array(await blob.slice(start, start + PIECE).arrayBuffer()), start);
    }
    table.set(name, found);
    parked.delete(name);
  }

  /**
   * A `fetch` that knows the table and nothing else.
   * @param {(api: string, target: string) => void} report
   * @returns {typeof fetch}
   */
  function closedFetch(report) {
    return async (request) => {
      const address = String(request instanceof Request ? request.url : request);
      const name = address.startsWith(BASE) ? decodeURIComponent(address.slice(BASE.length)) : undefined;
      if (name !== undefined && table.has(name)) {
        const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
        return new Response(bytes(name), { headers: { "content-type": type } });
      }
      report("fetch", address.slice(0, 200));
      throw new TypeError(`The engine reads only what came with the page (asked for ${address.slice(0, 200)}).`);
    };
  }

  return { BASE, fill, has, names, bytes, text, take, park, restore, closedFetch };
})();
