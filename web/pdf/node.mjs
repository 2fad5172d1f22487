/**
 * The desk's PDF runner: `node node.mjs PDFJS_DIST < file.pdf` writes the messages of `extract.mjs` as JSON
 * Lines, then `{"type": "done"}` or `{"type": "error", name, message, code}`. The password, if any, comes in the
 * environment variable TERRARIUM_PDF_PASSWORD, where other users of the machine cannot read it.
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { extractPdf } from "./extract.mjs";

const dist = process.argv[2];
const output = process.stdout;

/** @param {object} message */
const write = (message) => output.write(`${JSON.stringify(message)}\n`);

/** @param {string} name */
const load = (name) => import(pathToFileURL(join(dist, "legacy", "build", name)).href);

// pdf.js warns on the console of drawing features that it misses here; text needs none of them.
console.log = console.warn = () => {};

try {
  /** @type {Buffer[]} */
  const parts = [];
  for await (const part of process.stdin) {
    parts.push(part);
  }
  /** @type {any} */ (globalThis).pdfjsWorker = await load("pdf.worker.mjs");
  await extractPdf(
    await load("pdf.mjs"),
    new Uint8Array(Buffer.concat(parts)),
    process.env.TERRARIUM_PDF_PASSWORD || undefined,
    async ({ kind, filename }) => {
      const folder = kind === "cMapUrl" ? "cmaps" : "standard_fonts";
      return new Uint8Array(await readFile(join(dist, folder, filename)));
    },
    write,
  );
  write({ type: "done" });
} catch (error) {
  const { name = "Error", message = String(error), code = 0 } = /** @type {any} */ (error) ?? {};
  write({ type: "error", name, message, code });
}
