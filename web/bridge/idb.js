"use strict";
/**
 * IndexedDB for Python: one object store a kind, bytes under text keys, every change one transaction.
 * Errors keep the browser's names ("QuotaExceededError", …); py/terrarium/storage/indexeddb.py makes sentences of them.
 */
const bridgeIdb = (() => {
  const NAME = "terrarium";
  // The layout of the object stores; what is in the values is the library's business.
  const VERSION = 2;
  const OPEN_LIMIT_MS = 10_000;

  /** @type {IDBDatabase | undefined} */
  let database;
  /** Why there is no database any more: "" while there is. */
  let lost = "";
  /** @type {(value?: unknown) => void} */
  let letGo = () => {};

  /**
   * @template T
   * @param {IDBRequest<T>} request
   * @returns {Promise<T>}
   */
  const settled = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });

  /**
   * Whether this tab is the one that may write. It stays so until it closes; a second tab reads.
   * @returns {Promise<boolean>}
   */
  async function claim() {
    if (!navigator.locks) return true;
    return new Promise((resolve) => {
      const held = navigator.locks.request(NAME, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock === null ? undefined : new Promise((done) => (letGo = done));
      });
      // Where locks are refused there is no second tab to know of: transactions alone keep the store whole.
      held.catch(() => resolve(true));
    });
  }

  /**
   * @param {string[]} kinds
   * @returns {Promise<boolean>} whether this tab may write
   */
  async function open(kinds) {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      const there = request.result.objectStoreNames;
      kinds.filter((kind) => !there.contains(kind)).forEach((kind) => request.result.createObjectStore(kind));
    };
    const blocked = new Promise((_, reject) => {
      const late = () => reject(new DOMException("Another tab keeps an older version of the library open.", "BlockedError"));
      request.onblocked = late;
      setTimeout(late, OPEN_LIMIT_MS);
    });
    blocked.catch(() => {});
    const opened = /** @type {IDBDatabase} */ (await Promise.race([settled(request), blocked]));
    opened.onversionchange = () => {
      opened.close();
      lost = "another tab replaced it";
    };
    opened.onclose = () => void (lost = "the browser closed it");
    [database, lost] = [opened, ""];
    // Firefox may ask the person, so the answer is never waited for (https://bugzilla.mozilla.org/show_bug.cgi?id=1392449).
    Promise.resolve(navigator.storage?.persist?.()).catch(() => {});
    return claim();
  }

  /**
   * @param {IDBTransactionMode} mode
   * @param {string[]} kinds
   * @param {(store: (kind: string) => IDBObjectStore) => void} work
   */
  function transact(mode, kinds, work) {
    return new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
      if (!database || lost) throw new DOMException(lost || "it is not open", "InvalidStateError");
      // "strict": on the disk before it counts as written.
      const transaction = database.transaction(kinds, mode, { durability: "strict" });
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new DOMException("the browser stopped writing", "AbortError"));
      try {
        work((kind) => transaction.objectStore(kind));
      } catch (error) {
        transaction.abort();
        reject(error);
      }
    });
  }

  /** @param {string[][]} entries */
  const kindsOf = (entries) => [...new Set(entries.map(([kind]) => /** @type {string} */ (kind)))];

  /** All of it or none of it. @param {[kind: string, key: string, value: Uint8Array][]} entries */
  const put = (entries) =>
    transact("readwrite", kindsOf(/** @type {any} */ (entries)), (store) => {
      for (const [kind, key, value] of entries) store(kind).put(value, key);
    });

  /** @param {[kind: string, key: string][]} entries */
  const remove = (entries) =>
    transact("readwrite", kindsOf(entries), (store) => {
      for (const [kind, key] of entries) store(kind).delete(key);
    });

  /** @param {string} kind @param {string[]} keys @returns {Promise<(Uint8Array | undefined)[]>} */
  async function getMany(kind, keys) {
    /** @type {Promise<(Uint8Array | undefined)[]> | undefined} */
    let values;
    await transact("readonly", [kind], (store) => (values = Promise.all(keys.map((key) => settled(store(kind).get(key))))));
    return values ?? [];
  }

  /** @param {string} kind @returns {Promise<string[]>} in their order */
  async function keys(kind) {
    /** @type {Promise<IDBValidKey[]> | undefined} */
    let found;
    await transact("readonly", [kind], (store) => (found = settled(store(kind).getAllKeys())));
    return ((await found) ?? []).map(String);
  }

  /** @param {string} kind @returns {Promise<[string, Uint8Array][]>} in the order of the keys */
  async function items(kind) {
    /** @type {[Promise<IDBValidKey[]>, Promise<Uint8Array[]>] | undefined} */
    let both;
    await transact("readonly", [kind], (store) => {
      both = [settled(store(kind).getAllKeys()), settled(store(kind).getAll())];
    });
    const [keys, values] = await Promise.all(/** @type {NonNullable<typeof both>} */ (both));
    return keys.map((key, at) => [String(key), /** @type {Uint8Array} */ (values[at])]);
  }

  function close() {
    database?.close();
    database = undefined;
    letGo();
  }

  return { open, put, remove, getMany, keys, items, close };
})();
