"use strict";
/**
 * Loads the assets that lie beside the page as script shards (types.d.ts says how they are written).
 *
 * A script is the only kind of sibling file that a page opened from disk may read, in every browser. Shards come
 * one at a time and are let go as soon as they are decoded, because the text of a shard weighs more than its bytes.
 */
const shards = (() => {
  /** @type {Int16Array | undefined} */
  let sextets;

  /**
   * @param {string} text standard base64 without white space
   * @returns {Uint8Array<ArrayBuffer>}
   */
  function decodeBase64(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    if (!sextets) {
      sextets = new Int16Array(128).fill(-1);
      const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
      for (let i = 0; i < 64; i++) sextets[alphabet.charCodeAt(i)] = i;
    }
    const length = text.endsWith("==") ? text.length - 2 : text.endsWith("=") ? text.length - 1 : text.length;
    const bytes = new Uint8Array(Math.floor((length * 3) / 4));
    let bits = 0;
    let held = 0;
    let at = 0;
    for (let i = 0; i < length; i++) {
      const value = sextets[text.charCodeAt(i)] ?? -1;
      if (value < 0) throw new SyntaxError("not base64");
      bits = (bits << 6) | value;
      held += 6;
      if (held >= 8) {
        held -= 8;
        bytes[at++] = bits >> held;
        bits &= (1 << held) - 1;
      }
    }
    return bytes;
  }

  /**
   * @param {string} file
   * @returns {Promise<void>}
   */
  function runScript(file) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = file;
      script.onload = () => (script.remove(), resolve());
      script.onerror = () => {
        script.remove();
        reject(new Error(`The file ${file} is missing or cannot be read. Copy the whole folder again, then reload this page.`));
      };
      document.head.append(script);
    });
  }

  /** @returns {Promise<Manifest>} */
  async function loadManifest() {
    /** @type {Manifest | undefined} */
    let manifest;
    globalThis.__manifest = (given) => void (manifest = given);
    await runScript("assets/manifest.js");
    globalThis.__manifest = undefined;
    if (!manifest) throw damaged("assets/manifest.js");
    if (manifest.format !== 1) {
      throw new Error("The folder mixes files of two versions of Terrarium. Copy one whole folder again, then reload.");
    }
    return manifest;
  }

  /** @param {string} file */
  function damaged(file) {
    return new Error(`The file ${file} is damaged or cut short. Copy the whole folder again, then reload this page.`);
  }

  /** The folder beside the page. @type {AssetSource} */
  const folder = { read: readShard, damaged: (asset) => damaged(/** @type {AssetShard} */ (asset.shards[0]).file) };

  /**
   * @param {AssetEntry} asset
   * @param {number} index
   * @returns {Promise<Uint8Array<ArrayBuffer>>}
   */
  async function readShard(asset, index) {
    const { file, bytes: expected } = /** @type {AssetShard} */ (asset.shards[index]);
    let encoded = "";
    globalThis.__asset = (name, carrier) => {
      if (name !== `${asset.name}#${index}`) return;
      const source = carrier.toString();
      encoded = source.slice(source.indexOf("/*") + 2, source.lastIndexOf("*/"));
    };
    await runScript(file);
    globalThis.__asset = undefined;
    let decoded;
    try {
      decoded = decodeBase64(encoded);
    } catch {
      throw damaged(file);
    }
    if (decoded.length !== expected) throw damaged(file);
    return decoded;
  }

  /**
   * The final bytes of one asset, checked against its SHA-256 where the browser offers one.
   * @param {AssetEntry} asset
   * @param {AssetSource} source
   * @param {(bytes: number) => void} onBytes called with the stored bytes of each shard
   * @param {AbortSignal} [signal] looked at between shards
   * @returns {Promise<Uint8Array<ArrayBuffer>>}
   */
  async function loadAsset(asset, source, onBytes, signal) {
    const final = new Uint8Array(asset.bytes);
    let at = 0;
    /** @param {Uint8Array} part */
    const keep = (part) => {
      if (at + part.length > final.length) throw source.damaged(asset);
      final.set(part, at);
      at += part.length;
    };
    const unzip = asset.gzip ? new DecompressionStream("gzip") : undefined;
    const writer = unzip?.writable.getWriter();
    const reading = unzip && drain(unzip.readable, keep);
    reading?.catch(() => {});
    try {
      for (let index = 0; index < asset.shards.length; index++) {
        signal?.throwIfAborted();
        const part = await source.read(asset, index);
        if (writer) await writer.write(part);
        else keep(part);
        onBytes(part.length);
      }
      await writer?.close();
      await reading;
    } catch (error) {
      if (error instanceof TypeError) throw source.damaged(asset);
      throw error;
    }
    if (at !== final.length) throw source.damaged(asset);
    // Shards with hashes of their own were checked one by one: digest() takes a copy of what it is given.
    if (!asset.shards.every((shard) => shard.sha256)) await verify(asset, final);
    return final;
  }

  /**
   * @param {ReadableStream<Uint8Array>} stream
   * @param {(part: Uint8Array) => void} keep
   */
  async function drain(stream, keep) {
    const reader = stream.getReader();
    for (let step = await reader.read(); !step.done; step = await reader.read()) keep(step.value);
  }

  /** Lower-case. @param {Uint8Array} bytes */
  const hexadecimal = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

  /** In hexadecimal. @param {Uint8Array<ArrayBuffer>} bytes */
  const sha256 = async (bytes) => hexadecimal(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));

  /**
   * @param {AssetEntry} asset
   * @param {Uint8Array<ArrayBuffer>} bytes
   */
  async function verify(asset, bytes) {
    if (!globalThis.crypto?.subtle) return;
    const found = await sha256(bytes);
    if (found === asset.sha256) return;
    throw new Error(
      `The asset ${asset.name} is not the one this page was built with (SHA-256 expected ${asset.sha256}, ` +
        `found ${found}). Copy the whole folder again, then reload this page.`,
    );
  }

  /**
   * Every asset of a group by name; the members of bundles by their own names, as views of one buffer.
   * @param {Manifest} manifest
   * @param {string} group
   * @param {(bytes: number) => void} onBytes
   * @param {AbortSignal} [signal]
   * @param {AssetSource} [source]
   */
  async function loadGroup(manifest, group, onBytes, signal, source = folder) {
    /** @type {Map<string, Uint8Array<ArrayBuffer>>} */
    const table = new Map();
    for (const asset of manifest.assets.filter((entry) => entry.group === group)) {
      const bytes = await loadAsset(asset, source, onBytes, signal);
      if (!asset.members) table.set(asset.name, bytes);
      for (const { name, offset, length } of asset.members ?? []) table.set(name, bytes.subarray(offset, offset + length));
    }
    return table;
  }

  /**
   * @param {Manifest} manifest
   * @param {string} group
   * @returns {number} stored bytes of the group
   */
  function groupBytes(manifest, group) {
    const stored = manifest.assets.filter((entry) => entry.group === group).flatMap((entry) => entry.shards);
    return stored.reduce((sum, shard) => sum + shard.bytes, 0);
  }

  return { loadManifest, loadGroup, groupBytes, sha256, hexadecimal };
})();
