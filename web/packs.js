"use strict";
/**
 * Model packs: a generator that the page's folder lacks, given as one file, checked and kept slice by slice, so that never
 * more than 64 MiB of it are in memory before it is loaded. A file and the browser's store need no network: a sealed tab
 * takes packs in too, and writes with them once it is started again.
 */
const packs = (() => {
  /** What this page loads from the store, by generator. @type {Map<string, KeptPack>} */
  const usable = new Map();
  /** Why it goes on without one of these after all. @type {Map<string, string>} */
  const leftOut = new Map();

  /**
   * Adds to the manifest what the browser keeps and this page can use. Without a store there is nothing.
   * @param {Manifest} manifest
   */
  async function join(manifest) {
    try {
      for (const pack of await packStore.kept()) use(manifest, pack);
      packStore.alone(packStore.sweep).catch(() => {});
    } catch {
      // No storage: the page says so itself.
    }
  }

  /** @param {Manifest} manifest @param {KeptPack} pack */
  function use(manifest, pack) {
    const { generator, assets, binding, version } = pack.header;
    if (version !== manifest.version || manifest.generators.includes(generator) || !packFile.isSound(pack.header, manifest)) return;
    usable.set(generator, pack);
    leftOut.delete(generator);
    manifest.assets.push(...assets);
    manifest.generators.push(generator);
    manifest.bindings[generator] = binding;
    /** @param {string} name */
    const weight = (name) => shards.groupBytes(manifest, `generator-${name}`);
    manifest.generators.sort((one, other) => weight(other) - weight(one));
  }

  /** The page offers this generator no longer. @param {Manifest} manifest @param {string} generator @param {string} why */
  function forget(manifest, generator, why) {
    usable.delete(generator);
    leftOut.set(generator, why);
    manifest.generators.splice(0, Infinity, ...manifest.generators.filter((name) => name !== generator));
    manifest.assets = manifest.assets.filter((asset) => asset.group !== `generator-${generator}`);
  }

  /** Where a generator's shards are when a pack brought it. @param {string} generator @returns {AssetSource | undefined} */
  function source(generator) {
    const pack = usable.get(generator);
    if (!pack) return undefined;
    const damaged = () => new Error(`The ${generator} model that this browser keeps is damaged. Remove it under “What runs here” and give its pack again.`);
    return {
      damaged,
      async read(asset, index) {
        const bytes = await packStore.getSlice([pack.slices, pack.header.assets.indexOf(asset), index]);
        if (!bytes || (await shards.sha256(bytes)) !== asset.shards[index]?.sha256) throw damaged();
        return bytes;
      },
    };
  }

  /**
   * Takes in a pack; the generator's name in the end. `heard` gets stored and whole bytes.
   * @param {Manifest} manifest
   * @param {File} file
   * @param {(done: number, total: number) => void} heard
   * @param {AbortSignal} signal
   */
  async function takeIn(manifest, file, heard, signal) {
    if (!globalThis.crypto?.subtle) throw new Error(`This address is not a secure one (https or a file), so the browser does not let the page check ${file.name}. Open the page from disk, then give it again.`);
    const { header, start } = await packFile.read(file, manifest);
    const { generator, assets, binding } = header;
    if (manifest.generators.includes(generator)) throw new Error(`This page has the ${generator} model already.`);
    const lacking = await gpu.lacking({ ...manifest, assets, bindings: { [generator]: binding } }, generator);
    if (lacking) throw new Error(`${lacking} So ${file.name} was not kept.`);
    /** @type {KeptPack} */
    const pack = { header, slices: crypto.randomUUID() };
    const total = packFile.storedBytes(header.assets);
    let done = 0;
    await packStore.sweep();
    try {
      for (const [at, asset] of header.assets.entries()) {
        for (const [index, shard] of asset.shards.entries()) {
          const bytes = new Uint8Array(await file.slice(start + done, start + done + shard.bytes).arrayBuffer());
          if ((await shards.sha256(bytes)) !== shard.sha256) throw packFile.damaged(file);
          signal.throwIfAborted();
          await packStore.putSlice(bytes, [pack.slices, at, index]);
          heard((done += shard.bytes), total);
        }
      }
      signal.throwIfAborted();
      await packStore.commit(pack);
    } catch (error) {
      await packStore.erase(pack.slices).catch(() => {});
      throw error;
    }
    use(manifest, pack);
    return generator;
  }

  /** @param {any} error @param {File} file @param {AbortSignal} signal */
  function inWords(error, file, signal) {
    if (signal.aborted) return Object.assign(new Error("Stopped, as you asked. Nothing of the pack was kept."), { kind: "Cancelled" });
    const { name, message } = error;
    if (name === "QuotaExceededError") return new Error(`The browser's storage is full, so nothing of ${file.name} (${packFile.size(file.size)}) was kept. Free space on the disk, or remove documents or another model, then give it again.`);
    if (name === "NotReadableError" || name === "NotFoundError") return new Error(`${file.name} could not be read from the disk. Check that it is still there, then give it again.`);
    if (name === "Error") return error;
    return new Error(`The browser could not keep ${file.name} (${message}). Nothing of it was kept. Reload the page, then give it again.`);
  }

  /** Why this page does not use what the browser keeps; "" when it does. @param {PackHeader} header @param {Manifest} manifest */
  function unused({ generator, version }, manifest) {
    if (version !== manifest.version) return `Made for Terrarium ${version}, so this page (${manifest.version}) does not use it.`;
    if (usable.has(generator)) return "";
    if (manifest.generators.includes(generator)) return "This page's own folder has it too.";
    return leftOut.get(generator) ?? "It is not one that this page can use.";
  }

  /** What the interface may do with packs; `Terrarium.packs` in globals.d.ts says what each is. @param {() => Manifest} manifest @returns {Terrarium["packs"]} */
  const commands = (manifest) => ({
    isPack: packFile.isPack,
    add(file, heard) {
      const stop = new AbortController();
      const work = packStore.alone(() => takeIn(manifest(), file, heard, stop.signal));
      const promise = work.catch((error) => Promise.reject(inWords(error, file, stop.signal)));
      return { promise, cancel: () => stop.abort() };
    },
    async list() {
      return (await packStore.kept()).map(({ header }) => ({
        key: packStore.keyOf(header),
        name: header.generator,
        title: header.title,
        licence: header.licence,
        bytes: packFile.storedBytes(header.assets),
        unused: unused(header, manifest()),
      }));
    },
    async remove(key) {
      await packStore.remove(key);
      for (const [generator, pack] of usable) if (packStore.keyOf(pack.header) === key) forget(manifest(), generator, "");
    },
  });

  return { join, source, forget, commands };
})();
