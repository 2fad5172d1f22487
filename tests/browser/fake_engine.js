"use strict";
/**
 * An engine that plays a script, for the tests and screenshots of the interface: the same object as `boot.js` makes,
 * with failing files and a writer that comes later, and delays in `fakeEngine.pace` milliseconds a step
 * (`fakeEngine.writerPace` for the writer). Its documents and answers are in `fake_library.js`.
 */
(() => {
  const at = (/** @type {string} */ name) => document.getElementById(name);
  const wait = (/** @type {number} */ steps) => new Promise((resolve) => setTimeout(resolve, steps * fakeEngine.pace));

  const { info, known } = fakeLibrary;

  /** @param {any} args @param {(event: object) => void} emit @param {() => void} check */
  async function add(args, emit, check) {
    const name = args.name.split("/").at(-1);
    for (const [stage, total, left] of [["reading", 0, null], ["chunking", 1, null], ["embedding", 20, 1.5], ["indexing", 1, null]]) {
      for (let done = 0; done <= total; done++) {
        emit({ type: "progress", stage, done, total, seconds_left: left && (total - done) * left });
        await wait(1);
        check();
        if (stage === "reading" && /damaged/.test(name)) throw { kind: "UnreadableFile", message: `${name} is not a complete PDF: its table of contents is missing. Save it again from the program that made it.` };
        if (stage === "reading" && /locked/.test(name) && args.password !== "open sesame") {
          throw { kind: "PasswordNeeded", message: args.password ? "That password does not open it." : "This file opens with a password." };
        }
      }
    }
    const twin = known.find((one) => one.name === args.name);
    if (twin && fakeEngine.documents.includes(twin)) return { document: twin, duplicate: true, enclosed: [] };
    const made = twin ?? info(args.name, args.name, { kind: /pdf$/.test(name) ? "pdf" : "text", pages: /pdf$/.test(name) ? 12 : null, size: args.data.byteLength });
    const enclosed = fakeLibrary.enclosed(made);
    if (/full/.test(name)) {
      fakeEngine.documents.push(made);
      throw { kind: "StorageError", message: "The browser's storage is full." };
    }
    fakeEngine.documents.push(made, ...enclosed);
    return { document: made, duplicate: false, enclosed };
  }

  /** @param {any} args @param {(event: object) => void} emit @param {() => void} check */
  async function ask(args, emit, check) {
    if (!fakeEngine.documents.length && adding) {
      emit({ type: "progress", stage: "indexing", done: 0, total: 1 });
      await adding;
      check();
    }
    const result = { ...fakeLibrary.answerTo(args, fakeEngine.documents), ...fakeEngine.answer };
    if (result.resolved) emit({ type: "understood", question: result.resolved });
    if (result.refusal?.code === "empty_library") return result;
    await wait(3);
    check();
    emit({ type: "evidence", passages: [...result.passages].reverse().map((/** @type {any} */ one, /** @type {number} */ place) => ({ ...one, number: place + 1 })), final: false });
    emit({ type: "progress", stage: "reranking", done: 0, total: 12 });
    await wait(3);
    emit({ type: "evidence", passages: result.passages, final: true });
    if (args.mode === "both" && result.mode !== "refused") emit({ type: "quoted", quotes: result.quotes });
    if (args.mode !== "quote" && writer) {
      emit({ type: "progress", stage: "loading", done: 0, total: 1 });
      await writer;
      check();
    }
    if (result.mode !== "generated") return result;
    for (let done = 0; done <= 10; done++) {
      emit({ type: "progress", stage: "reading", done, total: 10 });
      await wait(1);
      check();
    }
    const words = result.sentences.map((/** @type {any} */ one) => `${one.text} ${one.citations.map((/** @type {number} */ n) => `[${n}]`).join("")}`).join(" ").split(" ");
    for (let shown = 1; shown <= words.length; shown++) {
      emit({ type: "writing", text: words.slice(0, shown).join(" ") });
      await wait(1);
      check();
    }
    return result;
  }

  /** Takes in the documents that its text names. @param {any} args @param {(event: object) => void} emit @param {() => void} check */
  async function takeLibrary(args, emit, check) {
    const names = (await args.data.text()).split("\n").filter(Boolean);
    if (names[0] !== "library") throw { kind: "StorageError", message: "This is not a Terrarium library." };
    let added = 0;
    for (const name of names.slice(1)) {
      emit({ type: "progress", stage: "importing", done: added, total: names.length - 1 });
      await wait(1);
      check();
      if (fakeEngine.documents.some((one) => one.name === name)) continue;
      fakeEngine.documents.push(info(name, name, {}));
      added += 1;
    }
    return { added, already: names.length - 1 - added, notices: fakeEngine.importNotices };
  }

  /** @param {any} args @param {(event: object) => void} emit @param {() => void} check */
  async function saveLibrary(args, emit, check) {
    for (let done = 0; done < 10; done++) {
      emit({ type: "progress", stage: "exporting", done, total: 10 });
      await wait(1);
      check();
    }
    const names = ["library", ...fakeEngine.documents.map((one) => one.name), args.originals ? "originals" : "texts"];
    const file = new Blob([names.join("\n")]);
    return { file, documents: fakeEngine.documents.length, size: file.size, notices: [] };
  }

  /** @type {Promise<unknown> | null} the file that is being added */
  let adding = null;
  /** @type {Promise<unknown> | null} the writer that is on its way */
  let writer = null;

  /** @param {(event: object) => void} emit */
  async function loadGenerator(emit) {
    for (let done = 0; done <= 10; done++) {
      emit({ type: "progress", stage: "generator", done, total: done ? 10 : 1 });
      await new Promise((resolve) => setTimeout(resolve, fakeEngine.writerPace));
    }
    writer = null;
    if (fakeEngine.writerFails) throw { kind: "ModelError", message: fakeEngine.writerFails };
    return { models: fakeEngine.models };
  }

  const commands = {
    open: async () => ({ documents: [...fakeEngine.documents], persistent: true, notices: fakeEngine.notices, models: { ...fakeEngine.models, generator: null } }),
    load_generator: (/** @type {any} */ _args, /** @type {(event: object) => void} */ emit) => (writer = loadGenerator(emit)),
    add: (/** @type {any} */ args, /** @type {(event: object) => void} */ emit, /** @type {() => void} */ check) => (adding = add(args, emit, check).finally(() => (adding = null))),
    ask,
    remove: async (/** @type {any} */ { document_id }) => {
      const removed = fakeLibrary.going(fakeEngine.documents, document_id);
      fakeEngine.documents = fakeEngine.documents.filter((one) => !removed.includes(one.id));
      return { removed };
    },
    import: (/** @type {any} */ args, /** @type {(event: object) => void} */ emit, /** @type {() => void} */ check) => takeLibrary(args, emit, check),
    export: (/** @type {any} */ args, /** @type {(event: object) => void} */ emit, /** @type {() => void} */ check) => saveLibrary(args, emit, check),
    status: async () => ({ models: fakeEngine.models, selftest: fakeEngine.selftest }),
    trace: async (/** @type {any} */ { trace_id }) => {
      if (fakeEngine.traceGone) throw { kind: "TerrariumError", message: fakeEngine.traceGone };
      return { record: JSON.stringify({ ...fakeTrace(trace_id), ...fakeEngine.trace }) };
    },
    traces: async () => ({ jsonl: '{"question": "one"}\n' }),
    forget_traces: async () => ({ forgotten: 3 }),
  };

  let lastId = 0;
  /** @type {Set<number>} */
  const cancelled = new Set();
  /** @type {() => void} */
  let becomeReady;
  const ready = new Promise((resolve) => (becomeReady = () => resolve(undefined)));

  const fakeEngine = {
    pace: 20,
    writerPace: 0,
    writerFails: "",
    documents: /** @type {any[]} */ ([]),
    notices: /** @type {string[]} */ ([]),
    importNotices: /** @type {string[]} */ ([]),
    kept: /** @type {KeptModel[]} */ ([]),
    selftest: [{ model: "qwen@1", backend: "webgpu", device: "", passed: false, reason: "This browser offers no WebGPU.", reading: 0, writing: 0, chosen: false }],
    models: { embedder: "all-MiniLM-L6-v2 (int8)", reranker: "late interaction", generator: "Qwen2.5 0.5B", runtime: "onnxruntime-web 1.30.0, wasm build" },
    calls: /** @type {{command: string, args: any}[]} */ ([]),
    known,
    trace: {}, // what is different in every trace
    traceGone: "",
    answer: {}, // and in every answer
    finishBoot() {
      seal.tighten();
      seal.guard(window.terrarium.ledger);
      at("boot").hidden = true;
      becomeReady();
    },
    /** @param {number} done */
    showBoot(done) {
      at("boot-status").textContent = `Loading the engine: ${Math.round(done * 683)} of 683 MB …`;
      at("boot-progress").value = done;
      const choice = at("boot-writer");
      if (choice.hidden) choice.innerHTML += '<label><input type="radio" name="writer" checked> Written answers (651 MB)</label><label><input type="radio" name="writer"> Quotes only: starts faster</label>';
      choice.hidden = false;
    },
  };

  window.terrarium = {
    call(command, args, onEvent) {
      const id = ++lastId;
      fakeEngine.calls.push({ command, args });
      const check = () => {
        if (cancelled.has(id)) throw { kind: "Cancelled", message: "Cancelled." };
      };
      const promise = commands[command](args, (event) => onEvent?.(event), check).catch((error) => {
        throw Object.assign(new Error(error.message), { kind: error.kind ?? "InternalError" });
      });
      return { id, promise };
    },
    cancel: (id) => void cancelled.add(id),
    info: {
      version: "0.1.0", build: "", embedders: ["english"], embedder: "english", generators: ["small"], generator: "small", notices: [], timings: { total: 9.4 },
      protections: {
        enforced: ["No request by fetch, XMLHttpRequest, WebSocket, beacon or link ping, from the page, the engine or the readers of files.", "No image, style, font, script, frame, form or media from any address."],
        ours: ["Opening windows and tabs, following links, starting downloads of anything but your own exports.", "WebRTC and address look-ups ahead of a link: no browser policy covers them. The functions are removed.", "A fresh about:blank frame, and a click dispatched on a link outside the document."],
      },
    },
    ledger: [],
    ready,
    packs: {
      isPack: async (file) => /pack/.test(file.name),
      add(file, heard) {
        let stopped = false;
        const keep = async () => {
          for (let done = 0; done <= 4; done++) {
            heard(done * 4e8, 16e8);
            await wait(1);
            if (stopped) throw Object.assign(new Error("Stopped, as you asked."), { kind: "Cancelled" });
          }
          if (/damaged/.test(file.name)) throw new Error(`${file.name} is damaged. Copy it again.`);
          fakeEngine.kept.push({ key: "large 0.1.0", name: "large", title: "Qwen2.5 1.5B", licence: "Apache-2.0", bytes: 16e8, unused: "" });
          window.terrarium.info.generators.unshift("large");
          return "large";
        };
        return { promise: keep(), cancel: () => (stopped = true) };
      },
      list: async () => fakeEngine.kept,
      remove: async (key) => void (fakeEngine.kept = fakeEngine.kept.filter((one) => one.key !== key)),
    },
    chooseWriter() {},
  };
  Object.assign(commands, fakeEvaluation(fakeEngine, wait), fakeReport(fakeEngine), fakeRecognise(fakeEngine, wait), fakeViewer.commands(fakeEngine));
  Object.assign(globalThis, { fakeEngine });
})();
