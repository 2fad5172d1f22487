"use strict";
/**
 * Taking in a model pack while the page loads: a button and a drop, beside the choice of a writer. Once the page runs its
 * interface does the same under “What runs here”.
 */
const packControl = (() => {
  /** @param {string} id */
  const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

  /**
   * `settled` waits for a pack that is being chosen or taken in.
   * @param {(generator: string) => void} added
   * @param {(sentence: string) => void} failed for those whom the page has left no time to read it
   * @returns {{busy: () => boolean, settled: () => Promise<void>, close: () => void}}
   */
  function open(added, failed) {
    const box = element("boot-pack");
    const input = /** @type {HTMLInputElement} */ (element("boot-pack-file"));
    const choose = element("boot-pack-choose");
    const running = element("boot-pack-running");
    const bar = /** @type {HTMLProgressElement} */ (element("boot-pack-progress"));
    /** @type {(() => void) | undefined} */
    let cancel;
    /** @type {Promise<void>} */
    let work = Promise.resolve();
    // While the person looks for the file, the page waits for them.
    /** @type {Promise<void>} */
    let picking = Promise.resolve();
    /** @type {(() => void) | undefined} */
    let endPicking;
    const picked = () => {
      endPicking?.();
      endPicking = undefined;
    };

    /** @param {string} sentence @param {boolean} [bad] */
    function say(sentence, bad = false) {
      element("boot-pack-status").textContent = sentence;
      element("boot-pack-status").classList.toggle("bad", bad);
    }

    /** @param {File} file */
    async function take(file) {
      bar.removeAttribute("value");
      const intake = window.terrarium.packs.add(file, (done, total) => {
        bar.value = done / total;
        say(`Keeping ${file.name}: ${packFile.size(done)} of ${packFile.size(total)}`);
      });
      cancel = intake.cancel;
      [choose.hidden, running.hidden] = [true, false];
      say(`Checking ${file.name} …`);
      try {
        const name = await intake.promise;
        say(`The ${name} model is kept in this browser.`);
        added(name);
      } catch (error) {
        const { kind, message } = /** @type {CommandError} */ (error);
        say(message, true);
        if (kind !== "Cancelled") failed(message);
      }
      cancel = undefined;
      [choose.hidden, running.hidden] = [false, true];
    }

    /** @param {Iterable<File>} files */
    function takeFirst(files) {
      const [file] = files;
      if (file && !cancel) work = take(file);
    }

    /** @param {DragEvent} event */
    function dropped(event) {
      event.preventDefault(); // else the browser opens the file in the tab's place
      const files = [...(event.dataTransfer?.files ?? [])];
      takeFirst(files.filter((file) => file.name.endsWith(".pack")));
    }
    const over = (/** @type {DragEvent} */ event) => event.preventDefault();

    choose.onclick = () => {
      picking = new Promise((resolve) => (endPicking = resolve));
      input.click();
    };
    element("boot-pack-cancel").onclick = () => cancel?.();
    input.oncancel = picked;
    input.onchange = () => {
      takeFirst(input.files ?? []);
      input.value = "";
      picked();
    };
    document.addEventListener("dragover", over);
    document.addEventListener("drop", dropped);
    box.hidden = false;

    return {
      busy: () => endPicking !== undefined || cancel !== undefined,
      async settled() {
        await picking;
        await work;
      },
      close() {
        box.hidden = true;
        input.onchange = null;
        document.removeEventListener("dragover", over);
        document.removeEventListener("drop", dropped);
      },
    };
  }

  return { open };
})();
