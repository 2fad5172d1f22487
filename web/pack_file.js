"use strict";
/**
 * Reads the head of a model pack (types.d.ts says how one is laid out) and says what is wrong with it.
 * The hashes show damage, not who made the pack; what it may hold is checked instead: models, and nothing of the page's own.
 */
const packFile = (() => {
  const MAGIC = "TERRARIUM PACK ";
  const FORMAT = "1";
  const PREFIX_BYTES = 52;
  const LONGEST_SHARD = 64 << 20;

  /** @param {number} bytes "1.3 GB" */
  function size(bytes) {
    const [unit, value] = bytes < 999.5e3 ? ["kB", bytes / 1e3] : bytes < 999.5e6 ? ["MB", bytes / 1e6] : ["GB", bytes / 1e9];
    return `${value.toFixed(value < 9.95 ? 1 : 0)}\u00a0${unit}`;
  }

  /** @param {Blob} file @param {number} from @param {number} to */
  const part = async (file, from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer());

  /** @param {Uint8Array} bytes */
  const text = (bytes) => new TextDecoder().decode(bytes);

  /** Whether a file is a pack, whatever it is called. @param {File} file */
  const isPack = async (file) => text(await part(file, 0, MAGIC.length)) === MAGIC;

  /** @param {File} file */
  const damaged = (file) => new Error(`${file.name} is damaged, and nothing of it was kept. Copy it again from where you got it, then give it to this page again.`);

  /** @param {AssetEntry[]} assets */
  const storedBytes = (assets) => assets.flatMap((asset) => asset.shards).reduce((sum, shard) => sum + shard.bytes, 0);

  /**
   * The header of a whole pack that this page can use, and where its shards begin. Throws a sentence for the person.
   * @param {File} file
   * @param {Manifest} manifest
   * @returns {Promise<{header: PackHeader, start: number}>}
   */
  async function read(file, manifest) {
    const prefix = await part(file, 0, PREFIX_BYTES);
    if (text(prefix.subarray(0, MAGIC.length)) !== MAGIC) {
      throw new Error(`${file.name} is not a model pack of Terrarium. One is called “terrarium-NAME.pack”; choose such a file.`);
    }
    const ask = `Ask for a pack made with Terrarium ${manifest.version}.`;
    if (text(prefix.subarray(MAGIC.length, 16)) !== FORMAT) throw new Error(`${file.name} has a format that this page does not know. ${ask}`);
    if (prefix.length < PREFIX_BYTES) throw damaged(file);
    const start = PREFIX_BYTES + new DataView(prefix.buffer).getUint32(16, true);
    const encoded = await part(file, PREFIX_BYTES, start);
    const digest = shards.hexadecimal(prefix.subarray(20));
    if ((await shards.sha256(encoded)) !== digest) throw damaged(file);
    /** @type {PackHeader} */
    const header = JSON.parse(text(encoded));
    if (header.version !== manifest.version) throw new Error(`${file.name} was made for Terrarium ${header.version}, and this page is ${manifest.version}. ${ask}`);
    if (!isSound(header, manifest)) throw new Error(`${file.name} holds something else than a model, so it was not taken. Ask for another pack of it.`);
    const whole = start + storedBytes(header.assets);
    if (file.size < whole) throw new Error(`${file.name} is cut short: ${size(file.size)} of ${size(whole)} are there. Copy it again, then give it to this page again.`);
    if (file.size > whole) throw damaged(file);
    return { header, start };
  }

  /**
   * Whether a pack holds one generator and nothing that could take the place of the page's own assets, programs above
   * all. Asked again of what the browser kept: every page opened from disk may share, and change, that store.
   * @param {PackHeader} header
   * @param {Manifest} manifest
   */
  function isSound(header, manifest) {
    const group = `generator-${header.generator}`;
    const taken = new Set(manifest.assets.filter((asset) => asset.group !== group).flatMap(offered));
    return (
      /^[a-z0-9][a-z0-9.-]*$/.test(header.generator) &&
      header.generator !== "none" &&
      header.assets.every(
        (asset) =>
          asset.group === group &&
          offered(asset).every((name) => name.startsWith("models/") && !taken.has(name)) &&
          asset.shards.every((shard) => /^[0-9a-f]{64}$/.test(shard.sha256 ?? "") && shard.bytes >= 0 && shard.bytes <= LONGEST_SHARD),
      )
    );
  }

  /** The names that an asset brings. @param {AssetEntry} asset */
  const offered = (asset) => asset.members?.map((member) => member.name) ?? [asset.name];

  return { isPack, read, isSound, damaged, storedBytes, size };
})();
