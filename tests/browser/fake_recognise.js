"use strict";
/** The fake engine's text recognition: a page of a document after the other, until it is stopped. */
(() => {
  /** @param {any} engine the fake one @param {(steps: number) => Promise<void>} wait */
  const fakeRecognise = (engine, wait) => ({
    recognise: async (/** @type {any} */ args, /** @type {(event: object) => void} */ emit, /** @type {() => void} */ check) => {
      const info = engine.documents.find((/** @type {any} */ one) => one.id === args.document_id);
      if (info.locked && args.password !== info.locked) {
        throw { kind: "PasswordNeeded", message: `“${info.name}” is encrypted. It opens with a password only. Enter the password to recognise its text.` };
      }
      for (let done = 0; done <= info.pages; done++) {
        emit({ type: "progress", stage: "recognising", done, total: info.pages, seconds_left: done ? 4 * (info.pages - done) : null });
        await wait(5);
        check();
        if (done === 1 && info.unreadable) throw { kind: "UnreadableFile", message: info.unreadable };
      }
      const said = `text recognised on pages 1–${info.pages} from their pictures (${args.languages.join(" and ")}): it may have mistakes`;
      const document = { ...info, warnings: [said], recognised: info.pages, chunks: 9 };
      engine.documents = engine.documents.map((/** @type {any} */ one) => (one.id === info.id ? document : one));
      return { document };
    },
  });
  Object.assign(globalThis, { fakeRecognise });
})();
