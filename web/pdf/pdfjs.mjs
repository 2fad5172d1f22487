/** pdf.js inside a worker of its own: both of its halves, and what it would otherwise fetch. */

const scope = /** @type {any} */ (globalThis);

/**
 * pdf.js's own worker half takes over the messages of any worker in which it finds itself, unless there is a `window`
 * (`WorkerMessageHandler`'s static block, pdf.js 5.6). May go when importing it has no effects.
 */
export async function loadPdfjs() {
  scope.window = scope;
  // @ts-expect-error: pdf.js publishes no types for this half
  scope.pdfjsWorker = await import("pdfjs-dist/legacy/build/pdf.worker.mjs");
  delete scope.window;
  return import("pdfjs-dist/legacy/build/pdf.mjs");
}

/**
 * Gives pdf.js the files that came with the message.
 * @param {Record<string, Uint8Array>} files by their paths, "cmaps/…", "standard_fonts/…", "wasm/…"
 */
export const reader = (files) => async (/** @type {{kind: string, filename: string}} */ { filename }) => {
  const bytes = ["cmaps", "standard_fonts", "wasm"].map((folder) => files[`${folder}/${filename}`]).find(Boolean);
  if (!bytes) throw new Error(`${filename} is not packed with this page.`);
  return bytes.slice(); // pdf.js transfers what it is given
};
