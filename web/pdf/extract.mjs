/**
 * PDF bytes → text items with their places, page by page. The same code runs in the tab's PDF worker and at
 * the desk under Node, so that both read the same passages. No rendering, no images, no layout: order, lines and
 * paragraphs are made of the items in Python (`terrarium.readers.pdf.reading`).
 *
 * Coordinates are PDF points from the page's top left corner, y downwards, with the page's own rotation applied;
 * `angle` is what remains of an item's rotation, in degrees clockwise. `visual` items hold their letters from left to right.
 *
 * @typedef {{str: string, x: number, y: number, width: number, height: number, font: string, angle: number, eol: boolean, dir: string, visual: boolean, hidden: boolean}} Item
 * @import { Attached, File } from "./files.mjs"
 * @import { Font } from "./fonts.mjs"
 * @import { Info } from "./info.mjs"
 * @import { Comment, Field } from "./notes.mjs"
 * @typedef {{type: "page", number: number, label: string, width: number, height: number, items: Item[], fonts: Record<string, Font>, rules: number[][], fields: Field[], comments: Comment[], error: string}} Page
 *   `rules`: thin lines, each left, top, right, bottom
 * @typedef {{kind: string, filename: string}} Wanted
 */

import { attachedTo, emitFiles } from "./files.mjs";
import { readFonts } from "./fonts.mjs";
import { markHidden } from "./hidden.mjs";
import { readInfo } from "./info.mjs";
import { asDrawn } from "./letters.mjs";
import { match } from "./matching.mjs";
import { NoteReader } from "./notes.mjs";
import { openPdf } from "./opening.mjs";
import { Painter } from "./painting.mjs";
import { bounds } from "./shapes.mjs";

// A page of more items than this is damaged or hostile; a dense page of print has about 3,000.
const MOST_ITEMS = 60_000;

/** @param {number} value */
const round = (value) => Math.round(value * 100) / 100;

/**
 * @param {any} pdfjs the pdf.js API module
 * @param {Uint8Array} data taken over by pdf.js: unusable afterwards
 * @param {string | undefined} password
 * @param {(wanted: Wanted) => Promise<Uint8Array>} readFile gives character maps and standard fonts
 * @param {(message: Info | Page | File) => void} emit
 */
export async function extractPdf(pdfjs, data, password, readFile, emit) {
  class BinaryDataFactory {
    /** @param {Wanted} wanted */
    fetch(wanted) {
      return readFile(wanted);
    }
  }
  const { pdf, rescued } = await openPdf(pdfjs, data, password, {
    BinaryDataFactory,
    // pdf.js looks at these addresses only to see whether a factory may be asked.
    cMapUrl: "cmaps/",
    cMapPacked: true,
    standardFontDataUrl: "standard_fonts/",
    wasmUrl: "wasm/",
    useWorkerFetch: false,
    useWasm: false,
    isEvalSupported: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    fontExtraProperties: true, // names of glyphs, for those without a letter
    maxImageSize: 1, // images are never decoded: a tiny file may hold a giant bitmap
    verbosity: 0,
  });
  try {
    emit(await readInfo(pdf, rescued));
    const labels = (await pdf.getPageLabels().catch(() => null)) ?? [];
    /** @type {Map<string, Font>} */
    const fonts = new Map();
    /** @type {Attached[]} */
    const files = await attachedTo(pdf);
    const notes = new NoteReader(pdfjs, pdf);
    const layers = await pdf.getOptionalContentConfig().catch(() => null);
    const read = (/** @type {any} */ page, /** @type {any[]} */ items) => drawn(pdfjs.OPS, layers, page, items);
    for (let number = 1; number <= pdf.numPages; number++) {
      emit(await readPage(pdf, number, labels[number - 1] ?? "", fonts, read, notes, files));
    }
    emitFiles(files, emit);
  } finally {
    await pdf.loadingTask.destroy();
  }
}

/**
 * A page that cannot be read is given with its error and without items: the others go on.
 *
 * @param {any} pdf
 * @param {number} number
 * @param {string} label
 * @param {Map<string, Font>} known fonts of the pages before; grows
 * @param {(page: any, items: any[]) => Promise<{items: any[], rules: number[][]}>} read what is drawn
 * @param {NoteReader} noteReader
 * @param {Attached[]} files grows
 * @returns {Promise<Page>}
 */
async function readPage(pdf, number, label, known, read, noteReader, files) {
  /** @type {Page} */
  const result = {
    type: "page", number, label, width: 0, height: 0, items: [], fonts: {}, rules: [], fields: [], comments: [], error: "",
  }; // prettier-ignore
  try {
    const page = await pdf.getPage(number);
    const viewport = page.getViewport({ scale: 1 });
    result.width = round(viewport.width);
    result.height = round(viewport.height);
    const content = await page.getTextContent({ disableNormalization: true }); // done after reordering, in Python
    const { items, rules } = await read(page, content.items);
    result.rules = rules.map((box) => bounds(viewport.transform, box).map(round));
    for (const item of items) {
      if (typeof item.str === "string" && item.str.trim()) {
        result.items.push(placed(item, viewport.transform, Boolean(content.styles[item.fontName]?.vertical)));
      }
    }
    if (result.items.length > MOST_ITEMS) {
      result.items.length = MOST_ITEMS;
      result.error = `only its first ${MOST_ITEMS} pieces of text were read`;
    }
    const used = new Set(result.items.map((item) => item.font));
    const fresh = [...used].filter((id) => !known.has(id));
    if (fresh.length) {
      readFonts(page, fresh, content.styles, known);
      result.fonts = Object.fromEntries([...known].filter(([id]) => fresh.includes(id)));
    }
    const notes = await noteReader.read(page, viewport.transform);
    result.fields = notes.fields;
    result.comments = notes.comments;
    files.push(...notes.files);
    page.cleanup();
  } catch (error) {
    result.error = error instanceof Error ? error.message : String(error);
  }
  return result;
}

/**
 * The drawing instructions say what is hidden and where each letter is, and bring the fonts. Without them all text counts
 * as visible.
 *
 * @param {Record<string, number>} OPS
 * @param {any} layers which optional content is switched on
 * @param {any} page
 * @param {any[]} items
 * @returns {Promise<{items: any[], rules: number[][]}>}
 */
async function drawn(OPS, layers, page, items) {
  const list = await page.getOperatorList({ annotationMode: 0 }).catch(() => null);
  if (!list) {
    return { items, rules: [] };
  }
  const fontOf = (/** @type {string} */ id) => (page.commonObjs.has(id) ? page.commonObjs.get(id) : null);
  const isVisible = (/** @type {any} */ group) => layers?.isVisible(group) ?? true;
  const painting = new Painter(OPS, fontOf, isVisible, page.view).read(list);
  const nameOf = (/** @type {any} */ letter) => fontOf(letter.paint.font)?.differences?.[letter.code] ?? "";
  return { items: markHidden(asDrawn(match(items, painting.letters), nameOf), painting), rules: painting.rules };
}

/**
 * @param {any} item
 * @param {number[]} view
 * @param {boolean} vertical written downwards: pdf.js gives the length as height
 * @returns {Item}
 */
export function placed(item, view, vertical) {
  const [a, b, c, d, e, f] = item.transform;
  const along = [view[0] * a + view[2] * b, view[1] * a + view[3] * b];
  const up = [view[0] * c + view[2] * d, view[1] * c + view[3] * d];
  return {
    str: item.str,
    x: round(view[0] * e + view[2] * f + view[4]),
    y: round(view[1] * e + view[3] * f + view[5]),
    width: round(vertical ? item.height : item.width),
    height: round(Math.hypot(up[0], up[1]) || item.height),
    font: item.fontName,
    angle: Math.round((Math.atan2(along[1], along[0]) * 180) / Math.PI),
    eol: item.hasEOL,
    dir: item.dir,
    visual: item.visual ?? false,
    hidden: item.hidden ?? false,
  };
}
