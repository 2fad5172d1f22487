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

import { extractPdf } from "./pdf/extract.mjs";
import { loadPdfjs, reader } from "./pdf/pdfjs.mjs";

self.onmessage = async ({ data: { data, password, files } }) => {
  try {
    const pdfjs = await loadPdfjs();
    await extractPdf(pdfjs, new Uint8Array(data), password, reader(files), (message) => self.postMessage(message));
    self.postMessage({ type: "done" });
  } catch (error) {
    const { name = "Error", message = String(error), code = 0 } = /** @type {any} */ (error) ?? {};
    self.postMessage({ type: "error", name, message, code });
  }
};
