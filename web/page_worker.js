/**
 * The tab's page worker: a classic blob worker that draws pages of one PDF while it is looked at. Whoever started it may
 * terminate it at any time. It makes no request: character maps, standard fonts and decoders come with the first message.
 *
 * In: `{data: ArrayBuffer, password?: string, files: {"cmaps/…" | "standard_fonts/…" | "wasm/…": Uint8Array}}`, then
 * `{number, ask: "draw" | "gray" | "items", page, size?}` (see page_drawing.mjs), answered one after another.
 * Out: `{number: 0, answer: {pages}}` once it is open, then `{number, answer}`, or `{number, error: {name, message, code}}`
 * with the names of pdf.js ("PasswordException", …).
 */

import { DrawnDocument } from "./pdf/page_drawing.mjs";
import { loadPdfjs, reader } from "./pdf/pdfjs.mjs";

/** @type {DrawnDocument | undefined} */
let opened;
/** @type {Promise<void>} */
let queue = Promise.resolve();

self.onmessage = ({ data }) => {
  queue = queue.then(() => reply(data.number ?? 0, () => (data.files ? open(data) : ask(data))));
};

/** @param {{data: ArrayBuffer, password?: string, files: Record<string, Uint8Array>}} given */
async function open({ data, password, files }) {
  opened = new DrawnDocument(await loadPdfjs(), reader(files));
  return { answer: { pages: await opened.open(new Uint8Array(data), password) }, transfer: [] };
}

/** @param {{ask: "draw" | "gray" | "items", page: number, size: number}} given */
async function ask({ ask, page, size }) {
  if (!opened) throw new Error("No document is open.");
  return opened[ask](page, size);
}

/**
 * @param {number} number
 * @param {() => Promise<{answer: object, transfer: Transferable[]}>} work
 */
async function reply(number, work) {
  try {
    const { answer, transfer } = await work();
    self.postMessage({ number, answer }, { transfer });
  } catch (error) {
    const { name = "Error", message = String(error), code = 0 } = /** @type {any} */ (error) ?? {};
    self.postMessage({ number, error: { name, message, code } });
  }
}
