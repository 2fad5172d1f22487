"use strict";
/**
 * Which generator writes the answers: the one that the person wants, of those that lie in the folder and those that this
 * browser keeps from model packs. The choice stands on the page while it loads; afterwards another one starts it again.
 */
const writers = (() => {
  const NAME = "writer";
  /** @param {string} id */
  const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

  /** For the page's next start. @param {string} name */
  const remember = (name) => choices.remember(NAME, name);

  /**
   * The remembered writer; "#writer=NAME" and "#writer=none" in the address go before it.
   * @param {string[]} names the best first: the last one is the smallest and runs everywhere
   */
  function wanted(names) {
    const asked = choices.asked(NAME);
    const name = asked === "none" ? "" : (asked ?? choices.remembered(NAME));
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
        const radio = choices.radio(NAME, name, name === current(), changed);
        radio.disabled = unable.has(name);
        const megabytes = choices.megabytes(manifest, `generator-${name}`);
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
    const { changed, finish } = choices.loading(loadChosen);
    /** @type {Map<string, string>} */
    const unable = new Map();
    /** @param {string} name */
    const choice = (name) => {
      info.generator = name;
      changed();
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

    /** @param {AbortSignal} signal */
    async function loadChosen(signal) {
      await Promise.all(asked);
      const name = info.generator;
      try {
        const assets = name ? await load(name, signal) : new Map();
        if (intake.busy()) say("Waiting for the model pack …");
        await intake.settled();
        return assets;
      } catch (error) {
        // The page must start in spite of a pack that cannot be read: only there can it be removed. Leaving it out is
        // another choice, so this loading starts over.
        if (name && packs.source(name) && !signal.aborted) leaveOut(name, /** @type {Error} */ (error).message);
        throw error;
      }
    }

    return { finish, close: () => (box.close(), intake.close()) };
  }

  return { remember, wanted, choose };
})();
