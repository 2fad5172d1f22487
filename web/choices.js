"use strict";
/**
 * A choice that stands on the page while it loads: what the address names, else what was chosen before; and loading anew
 * when another thing is chosen meanwhile. writers.js and embedders.js say what there is to choose.
 */
const choices = (() => {
  /** @param {string} name */
  const keyOf = (name) => `terrarium.${name}`;

  /** @param {string} name @param {string} value */
  function remember(name, value) {
    try {
      localStorage.setItem(keyOf(name), value);
    } catch {
      // Storage is switched off: the choice holds for this visit only.
    }
  }

  /** "#NAME=VALUE" of the page's address; null without. @param {string} name */
  const asked = (name) => new URLSearchParams(location.hash.slice(1)).get(name);

  /** @param {string} name */
  function remembered(name) {
    try {
      return localStorage.getItem(keyOf(name));
    } catch {
      return null; // as in remember()
    }
  }

  /**
   * A radio button; `chosen` hears of it after it was remembered.
   * @param {string} name
   * @param {string} value
   * @param {boolean} checked
   * @param {(value: string) => void} chosen
   */
  function radio(name, value, checked, chosen) {
    const made = document.createElement("input");
    Object.assign(made, { type: "radio", name, value, checked });
    made.addEventListener("change", () => (remember(name, value), chosen(value)));
    return made;
  }

  /** Size of a group of assets, as it is told. @param {Manifest} manifest @param {string} group */
  const megabytes = (manifest, group) => Math.round(shards.groupBytes(manifest, group) / 1e6).toLocaleString("en");

  /**
   * `finish` loads what is chosen, and starts over when `changed` was called meanwhile; then what `load` threw is dropped.
   * @template T
   * @param {(signal: AbortSignal) => Promise<T>} load
   */
  function loading(load) {
    let change = new AbortController();
    return {
      changed: () => change.abort(),
      async finish() {
        for (;;) {
          change = new AbortController();
          const { signal } = change;
          try {
            const loaded = await load(signal);
            if (!signal.aborted) return loaded;
          } catch (error) {
            if (!signal.aborted) throw error;
          }
        }
      },
    };
  }

  return { asked, remember, remembered, radio, megabytes, loading };
})();
