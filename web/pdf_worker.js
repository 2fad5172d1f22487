/**
 * The tab's PDF worker: a classic blob worker that reads one document and is then thrown away. Whoever started it
 * may terminate it at any time: a hostile file costs this worker only. It makes no request: character maps and
 * standard fonts come with the message.
 *
 * In: `{data: ArrayBuffer, password?: string, files: {"cmaps/…": Uint8Array, "standard_fonts/…": Uint8Array}}`.
 * Out: `{type: "info", …}`, `{type: "page", …}` for each page, then `{type: "done"}` or
 * `{type: "error", name, message, code}` with the names of pdf.js: "PasswordException" (code 1: needed, 2: wrong),
 * "InvalidPDFException", …
 */

import { extractPdf } from "./pdf_extract.mjs";

const scope = /** @type {any} */ (globalThis);

self.onmessage = async ({ data: { data, password, files } }) => {
  try {
    const pdfjs = await loadPdfjs();
    const readFile = async (/** @type {{kind: string, filename: string}} */ { filename }) => {
      const bytes = files[`cmaps/${filename}`] ?? files[`standard_fonts/${filename}`];
      if (!bytes) {
        throw new Error(`${filename} is not packed with this page.`);
      }
      return bytes.slice(); // pdf.js transfers what it is given
    };
    await extractPdf(pdfjs, new Uint8Array(data), password, readFile, (message) => self.postMessage(message));
    self.postMessage({ type: "done" });
  } catch (error) {
    const { name = "Error", message = String(error), code = 0 } = /** @type {any} */ (error) ?? {};
    self.postMessage({ type: "error", name, message, code });
  }
};

/**
 * pdf.js's own worker half takes over the messages of any worker in which it finds itself, unless there is a `window`
 * (`WorkerMessageHandler`'s static block, pdf.js 5.6). May go when importing it has no effects.
 */
async function loadPdfjs() {
  scope.window = scope;
  // @ts-expect-error: pdf.js publishes no types for this half
  scope.pdfjsWorker = await import("pdfjs-dist/legacy/build/pdf.worker.mjs");
  delete scope.window;
  return import("pdfjs-dist/legacy/build/pdf.mjs");
}
