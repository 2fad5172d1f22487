"use strict";
/**
 * Which generator writes the answers: the one that the person wants, of those that lie in the folder and those that this
 * browser keeps from model packs. The choice stands on the page while it loads; afterwards another one starts it again.
 */
const writers = (() => {
  const KEY = "terrarium.writer";
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
   * The remembered writer; "#writer=NAME" and "#writer=none" in the address go before it.
   * @param {string[]} names the best first: the last one is the smallest and runs everywhere
   */
  function wanted(names) {
    const asked = new URLSearchParams(location.hash.slice(1)).get("writer");
    let name = asked === "none" ? "" : asked;
    try {
      name ??= localStorage.getItem(KEY);
    } catch {
      // As in remember().
    }
    if (name === "") return "";
    return name !== null && names.includes(name) ? name : (names.at(-1) ?? "");
  }

  /**
   * The control on the loading page. `changed` hears of another choice.
   * @param {Manifest} manifest
   * @param {Map<string, string>} unable generators that cannot run here, with the reason
   * @param {() => string} current
   * @param {(name: string) => void} changed
   */
  function control(manifest, unable, current, changed) {
    const box = /** @type {HTMLFieldSetElement} */ (element("boot-writer"));
    const draw = () => {
      box.querySelectorAll("label").forEach((label) => label.remove());
      const several = manifest.generators.length + unable.size > 1;
      for (const name of [...unable.keys(), ...manifest.generators, ""]) {
        const label = document.createElement("label");
        const radio = document.createElement("input");
        Object.assign(radio, { type: "radio", name: "writer", value: name, checked: name === current(), disabled: unable.has(name) });
        radio.addEventListener("change", () => (remember(name), changed(name)));
        const megabytes = Math.round(shards.groupBytes(manifest, `generator-${name}`) / 1e6).toLocaleString("en");
        const written = `Written answers${several ? `, ${name} model` : ""}`;
        const text = document.createElement("span");
        text.textContent = name ? (unable.has(name) ? written : `${written} (${megabytes}\u00a0MB)`) : "Quotes only: starts faster";
        const reason = document.createElement("small");
        reason.textContent = unable.get(name) ?? "";
        text.append(reason);
        label.append(radio, text);
        box.append(label);
      }
      box.hidden = manifest.generators.length + unable.size === 0;
    };
    draw();
    return { draw, close: () => void (box.hidden = box.disabled = true) };
  }

  /**
   * Loads the chosen writer, and starts over when the choice changes while it loads. A model pack that is being taken in
   * meanwhile is waited for, and is then the choice.
   * @param {object} page
   * @param {Manifest} page.manifest
   * @param {Terrarium["info"]} page.info
   * @param {(name: string, signal: AbortSignal) => Promise<Map<string, Uint8Array<ArrayBuffer>>>} page.load
   * @param {(sentence: string) => void} page.notice
   * @param {(sentence: string) => void} page.say
   */
  function choose({ manifest, info, load, notice, say }) {
    let change = new AbortController();
    /** @type {Map<string, string>} */
    const unable = new Map();
    /** @param {string} name */
    const choice = (name) => {
      info.generator = name;
      change.abort();
    };
    const box = control(manifest, unable, () => info.generator ?? "", choice);
    /** @param {string} name */
    const added = (name) => {
      remember(name);
      choice(name);
      box.draw();
    };
    const intake = packControl.open(added, (sentence) => info.notices.push(sentence));

    /** Goes on without a generator, with the next best if it was the chosen one. @param {string} name @param {string} why */
    function leaveOut(name, why) {
      packs.forget(manifest, name, why);
      if (info.generator === name) {
        notice(why);
        choice(wanted(manifest.generators));
      }
      box.draw();
    }

    const asked = manifest.generators.map(async (name) => {
      const why = await gpu.lacking(manifest, name);
      if (!why) return;
      unable.set(name, why);
      leaveOut(name, why);
    });

    async function finish() {
      await Promise.all(asked);
      for (;;) {
        change = new AbortController();
        const { signal } = change;
        const name = info.generator;
        try {
          const assets = name ? await load(name, signal) : new Map();
          if (intake.busy()) say("Waiting for the model pack …");
          await intake.settled();
          if (!signal.aborted) return assets;
        } catch (error) {
          if (signal.aborted) continue;
          if (!name || !packs.source(name)) throw error;
          // The page must start in spite of it: only there can the pack be removed.
          leaveOut(name, /** @type {Error} */ (error).message);
        }
      }
    }

    return { finish, close: () => (box.close(), intake.close()) };
  }

  return { remember, wanted, choose };
})();
