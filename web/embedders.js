"use strict";
/**
 * Which embedder finds passages by their meaning. It stands on the loading page before the first file is added, because
 * vectors of two embedders are never compared: documents added with another one are found by their words only.
 */
const embedders = (() => {
  const KEY = "terrarium.embedder";
  /** @type {Record<string, string>} */
  const WORDS = { english: "Documents in English: quicker", multilingual: "Documents in many languages: half as quick" };
  /** @param {string} id */
  const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

  /** @param {string} name */
  function remember(name) {
    try {
      localStorage.setItem(KEY, name);
    } catch {
      // Storage is switched off: the choice holds for this visit only.
    }
  }

  /**
   * The remembered one, or what fits the browser's language; "#embedder=NAME" in the address goes before it.
   * @param {string[]} names
   */
  function wanted(names) {
    let name = new URLSearchParams(location.hash.slice(1)).get("embedder");
    try {
      name ??= localStorage.getItem(KEY);
    } catch {
      // As in remember().
    }
    name ??= navigator.language.startsWith("en") ? "english" : "multilingual";
    return names.includes(name) ? name : /** @type {string} */ (names[0]);
  }

  /**
   * Loads the chosen one, and starts over when the choice changes while it loads.
   * @param {object} page
   * @param {Manifest} page.manifest
   * @param {Terrarium["info"]} page.info
   * @param {(name: string, signal: AbortSignal) => Promise<Map<string, Uint8Array<ArrayBuffer>>>} page.load
   */
  function choose({ manifest, info, load }) {
    const box = /** @type {HTMLFieldSetElement} */ (element("boot-embedder"));
    let change = new AbortController();
    for (const name of manifest.embedders) {
      const label = document.createElement("label");
      const radio = document.createElement("input");
      Object.assign(radio, { type: "radio", name: "embedder", value: name, checked: name === info.embedder });
      radio.addEventListener("change", () => {
        remember(name);
        info.embedder = name;
        change.abort();
      });
      const megabytes = Math.round(shards.groupBytes(manifest, `embedder-${name}`) / 1e6).toLocaleString("en");
      label.append(radio, ` ${WORDS[name] ?? name} (${megabytes} MB)`);
      box.append(label);
    }
    box.hidden = manifest.embedders.length < 2;

    async function finish() {
      for (;;) {
        change = new AbortController();
        const { signal } = change;
        try {
          const assets = await load(info.embedder, signal);
          if (!signal.aborted) return assets;
        } catch (error) {
          if (!signal.aborted) throw error;
        }
      }
    }

    return { finish, close: () => void (box.hidden = box.disabled = true) };
  }

  return { remember, wanted, choose };
})();
