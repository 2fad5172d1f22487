"use strict";
/**
 * Which embedder finds passages by their meaning. It stands on the loading page before the first file is added, because
 * vectors of two embedders are never compared: documents added with another one are found by their words only.
 */
const embedders = (() => {
  const NAME = "embedder";
  /** @type {Record<string, string>} */
  const WORDS = { english: "Documents in English: quicker", multilingual: "Documents in many languages: half as quick" };
  /** @param {string} id */
  const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

  /**
   * The remembered one, or what fits the browser's language; "#embedder=NAME" in the address goes before it.
   * @param {string[]} names
   */
  function wanted(names) {
    const fitting = navigator.language.startsWith("en") ? "english" : "multilingual";
    const name = choices.asked(NAME) ?? choices.remembered(NAME) ?? fitting;
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
    const { changed, finish } = choices.loading((signal) => load(info.embedder, signal));
    for (const name of manifest.embedders) {
      const label = document.createElement("label");
      const radio = choices.radio(NAME, name, name === info.embedder, () => {
        info.embedder = name;
        changed();
      });
      label.append(radio, ` ${WORDS[name] ?? name} (${choices.megabytes(manifest, `embedder-${name}`)} MB)`);
      box.append(label);
    }
    box.hidden = manifest.embedders.length < 2;
    return { finish, close: () => void (box.hidden = box.disabled = true) };
  }

  /** For the page's next start. @param {string} name */
  const remember = (name) => choices.remember(NAME, name);

  return { remember, wanted, choose };
})();
