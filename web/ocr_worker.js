/**
 * The tab's recognition worker: a classic blob worker that reads the text of pictured pages, and is thrown away after a
 * document. Whoever started it may terminate it at any time. It makes no request: Tesseract and the language data come
 * with the first message. Its source is tesseract.js-core's script, then this file with tesseract.js's own worker half.
 *
 * In: `{wasm: Uint8Array, languages: {code, data}[]}` with gzipped data, then `{data: Uint8Array, width, height, dpi}`: a
 * page in grey, one byte a pixel.
 * Out: `{type: "ready"}`; for each page `{type: "progress", done}` (0–1) any number of times, then `{type: "page", words}`.
 * In place of either answer `{type: "error", message}`.
 *
 * Not done: turning a page that lies on its side (that needs another kind of language data).
 *
 * @typedef {{text: string, line: number, confidence: number, x: number, y: number, width: number, height: number}} SeenWord
 *   `line` counts the lines of the page, `confidence` is 0–100, the rest are pixels
 */

// @ts-expect-error: tesseract.js publishes no types for this half
import { dispatchHandlers, setAdapter } from "tesseract.js/src/worker-script/index.js";
import { wordsOf } from "./ocr_words.mjs";

const LSTM_ONLY = 1; // the engine that the packed data is for
const AUTOMATIC = "3"; // page segmentation: columns are looked for, which the library's own default (one block) does not

self.onmessage = async ({ data }) => {
  try {
    if (data.wasm) {
      await start(data.wasm, data.languages);
      self.postMessage({ type: "ready" });
    } else {
      self.postMessage({ type: "page", words: await read(data) });
    }
  } catch (error) {
    self.postMessage({ type: "error", message: error instanceof Error ? error.message : String(error) });
  }
};

/**
 * One action of tesseract.js's worker half.
 * @param {string} action
 * @param {object} payload
 * @returns {Promise<any>}
 */
const act = (action, payload) =>
  new Promise((resolve, reject) => {
    dispatchHandlers({ workerId: "", jobId: action, action, payload }, (/** @type {any} */ { status, data }) => {
      if (status === "resolve") resolve(data);
      else if (status === "reject") reject(new Error(String(data)));
      else if (data.status === "recognizing text") self.postMessage({ type: "progress", done: data.progress });
    });
  });

/** @param {Uint8Array} wasm @param {{code: string, data: Uint8Array<ArrayBuffer>}[]} languages */
async function start(wasm, languages) {
  const broken = new Promise((_, reject) => {
    setAdapter({
      getCore: async () => (/** @type {object} */ hooks) => {
        const core = TesseractCore({ ...hooks, wasmBinary: wasm, print: () => {}, printErr: () => {} });
        core.catch(reject); // tesseract.js 7.0 waits for ever for a core that does not start
        return core;
      },
    });
  });
  await Promise.race([act("load", { options: { lstmOnly: true, corePath: "", logging: false } }), broken]);
  const langs = await Promise.all(languages.map(async ({ code, data }) => ({ code, data: await unzipped(data) })));
  await act("loadLanguage", { langs, options: { cacheMethod: "none", lstmOnly: true } });
  await act("initialize", { langs: langs.map(({ code }) => code).join("+"), oem: LSTM_ONLY });
}

/** @param {Uint8Array<ArrayBuffer>} data */
async function unzipped(data) {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @param {{data: Uint8Array, width: number, height: number, dpi: number}} page */
async function read({ data, width, height, dpi }) {
  const head = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`); // https://netpbm.sourceforge.net/doc/pgm.html
  const image = new Uint8Array(head.length + data.length);
  image.set(head);
  image.set(data, head.length);
  await act("setParameters", { params: { user_defined_dpi: String(Math.round(dpi)), tessedit_pageseg_mode: AUTOMATIC } });
  const { blocks } = await act("recognize", { image, options: {}, output: { text: false, blocks: true } });
  return wordsOf(blocks ?? []);
}
