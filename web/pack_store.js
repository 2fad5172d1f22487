"use strict";
/**
 * Where this browser keeps model packs: an IndexedDB of its own, so that the library's never waits for a gigabyte.
 * A pack's slices come first and its record last: half a pack never counts.
 */
/** @typedef {{header: PackHeader, slices: string}} KeptPack `slices` begins the keys of its slices: [slices, asset, shard] */
const packStore = (() => {
  const NAME = "terrarium-packs";
  const OPEN_LIMIT_MS = 5_000;

  /** @type {Promise<IDBDatabase> | undefined} */
  let database;

  function open() {
    database ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => ["packs", "slices"].forEach((name) => request.result.createObjectStore(name));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
      setTimeout(() => reject(new DOMException("it does not answer", "TimeoutError")), OPEN_LIMIT_MS);
    });
    return database;
  }

  /**
   * One transaction over both stores; what `work` returns, once it is on the disk.
   * @template T
   * @param {IDBTransactionMode} mode
   * @param {(packs: IDBObjectStore, slices: IDBObjectStore) => T} work
   */
  async function transact(mode, work) {
    const transaction = (await open()).transaction(["packs", "slices"], mode, { durability: "strict" });
    const ended = new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new DOMException("the browser stopped writing", "UnknownError"));
    });
    const result = work(transaction.objectStore("packs"), transaction.objectStore("slices"));
    await ended;
    return result;
  }

  /** @param {string} slices */
  const allOf = (slices) => IDBKeyRange.bound([slices], [slices, []]);

  /** @param {PackHeader} header */
  const keyOf = (header) => `${header.generator} ${header.version}`;

  /** @returns {Promise<KeptPack[]>} */
  const kept = async () => (await transact("readonly", (records) => records.getAll())).result;

  /**
   * Does `work` unless another tab is taking in a pack. Where locks are refused, the commit alone keeps a pack whole.
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async function alone(work) {
    let begun = false;
    /** @param {Lock | null} lock */
    const granted = (lock) => {
      begun = true;
      if (!lock) throw new Error("Another tab is taking in a model pack. Wait until it is done, then give this one again.");
      return work();
    };
    try {
      return await navigator.locks.request(NAME, { ifAvailable: true }, granted);
    } catch (error) {
      if (begun) throw error;
      return work();
    }
  }

  /** Frees what an interrupted intake left. */
  async function sweep() {
    const [whole, keys] = await transact("readonly", (records, slices) => [records.getAll(), slices.getAllKeys()]);
    const known = new Set(whole?.result.map((pack) => pack.slices));
    const left = new Set(keys?.result.map((key) => /** @type {string[]} */ (key)[0]));
    for (const slices of left) if (slices && !known.has(slices)) await erase(slices);
  }

  /** @param {string} slices */
  const erase = (slices) => transact("readwrite", (_, store) => void store.delete(allOf(slices)));

  /** From here on the pack counts, if all of its slices are there; an older one of its name goes. @param {KeptPack} pack */
  const commit = (pack) =>
    transact("readwrite", (records, slices) => {
      const expected = pack.header.assets.flatMap((asset) => asset.shards).length;
      const older = records.get(keyOf(pack.header));
      older.onsuccess = () => older.result && slices.delete(allOf(older.result.slices));
      const count = slices.count(allOf(pack.slices));
      count.onsuccess = () => (count.result === expected ? records.put(pack, keyOf(pack.header)) : count.transaction?.abort());
    });

  /** @param {string} key */
  const remove = (key) =>
    transact("readwrite", (records, slices) => {
      const found = records.get(key);
      found.onsuccess = () => {
        if (found.result) slices.delete(allOf(found.result.slices));
        records.delete(key);
      };
    });

  /** @param {Uint8Array<ArrayBuffer>} bytes @param {[slices: string, asset: number, shard: number]} key */
  const putSlice = (bytes, key) => transact("readwrite", (_, slices) => void slices.put(bytes, key));

  /**
   * @param {[slices: string, asset: number, shard: number]} key
   * @returns {Promise<Uint8Array<ArrayBuffer> | undefined>}
   */
  const getSlice = async (key) => (await transact("readonly", (_, slices) => slices.get(key))).result;

  return { keyOf, kept, alone, sweep, erase, putSlice, getSlice, commit, remove };
})();
