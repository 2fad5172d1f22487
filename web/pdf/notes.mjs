/**
 * What people wrote on a PDF page: values of form fields, comments, attached files. Nothing is run: scripts and actions
 * are not looked at, links are left out.
 *
 * @import { Attached } from "./files.mjs"
 * @typedef {{kind: "text" | "box" | "choice", name: string, label: string, value: string, on: boolean, x: number, y: number, width: number, height: number, size: number}} Field
 *   a box is what is ticked or not; places as of items, from the top left corner
 * @typedef {{author: string, text: string, areas: number[][]}} Comment `areas`: left, top, right, bottom of what it marks
 * @typedef {{fields: Field[], comments: Comment[], files: Attached[]}} Notes
 */

import { bounds } from "./shapes.mjs";

const MOST = 5_000; // of each, on a page
const HIDDEN = 2 | 32; // the flags Hidden and NoView
const MARKS = ["HIGHLIGHT", "UNDERLINE", "SQUIGGLY", "STRIKEOUT"];
const OTHERS = ["TEXT", "FREETEXT", "LINE", "SQUARE", "CIRCLE", "POLYGON", "POLYLINE", "STAMP", "CARET", "INK", "FILEATTACHMENT"];
const BATCH = 64; // pages: links, which are many, are passed over only when several pages are asked for at once

/** @param {number} value */
const round = (value) => Math.round(value * 100) / 100;

export class NoteReader {
  /** @param {any} pdfjs @param {any} pdf */
  constructor(pdfjs, pdf) {
    this.pdf = pdf;
    const codes = (/** @type {string[]} */ names) => names.map((name) => pdfjs.AnnotationType[name]);
    this.marks = new Set(codes(MARKS));
    this.remarks = new Set(codes([...MARKS, ...OTHERS]));
    this.widget = pdfjs.AnnotationType.WIDGET;
    /** @type {{first: number, found: any[] | null}} */
    this.batch = { first: -1, found: [] };
  }

  /**
   * @param {any} page @param {number[]} view the transformation of its viewport
   * @returns {Promise<Notes>}
   */
  async read(page, view) {
    /** @type {Notes} */
    const notes = { fields: [], comments: [], files: [] };
    const seen = (await this.annotations(page)).filter(isSeen);
    for (const one of seen.slice(0, MOST)) {
      const [x, y, right, bottom] = bounds(view, one.rect).map(round);
      if (one.annotationType === this.widget) {
        const read = field(one);
        const size = round(one.defaultAppearanceData?.fontSize || 0);
        if (read) notes.fields.push({ ...read, x, y, width: round(right - x), height: round(bottom - y), size });
      } else if (this.remarks.has(one.annotationType)) {
        const text = one.contentsObj?.str?.trim() ?? "";
        const areas = this.marks.has(one.annotationType) ? quads(one.quadPoints ?? [], view) : [];
        if (text) notes.comments.push({ author: one.titleObj?.str?.trim() ?? "", text, areas });
        if (one.file?.content) notes.files.push({ name: one.file.filename, content: one.file.content });
      }
    }
    return notes;
  }

  /** @param {any} page @returns {Promise<any[]>} */
  async annotations(page) {
    const index = page.pageNumber - 1;
    const first = index - (index % BATCH);
    if (this.batch.first !== first) {
      const skipped = Array.from({ length: this.pdf.numPages }, (_, i) => i).filter((i) => i < first || i >= first + BATCH);
      const types = new Set([...this.remarks, this.widget]);
      const found = await this.pdf.getAnnotationsByType(types, new Set(skipped)).catch(() => null);
      this.batch = { first, found };
    }
    // One damaged page spoils its batch.
    if (!this.batch.found) return page.getAnnotations().catch(() => []);
    return this.batch.found.filter((one) => one.pageIndex === index);
  }
}

/** @param {any} one */
const isSeen = (one) => !(one.annotationFlags & HIDDEN) && (!one.hidden);

/** @param {any} one @returns {{kind: "text" | "box" | "choice", name: string, label: string, value: string, on: boolean} | null} */
function field(one) {
  const own = { name: one.fieldName ?? "", label: one.alternativeText ?? "", on: false };
  const value = one.fieldValue ?? "";
  if (one.fieldType === "Tx" && !one.password) return { ...own, kind: "text", value: String(value) };
  if (one.fieldType === "Ch") {
    const chosen = [value].flat().map((key) => one.options?.find((/** @type {any} */ option) => option.exportValue === key)?.displayValue ?? key);
    return { ...own, kind: "choice", value: chosen.join(", ") };
  }
  if (one.fieldType !== "Btn" || one.pushButton) return null;
  const state = one.radioButton ? one.buttonValue : one.exportValue;
  return { ...own, kind: "box", value: String(state ?? ""), on: Boolean(value) && value !== "Off" && value === state };
}

/** @param {ArrayLike<number>} points eight a box @param {number[]} view */
function quads(points, view) {
  const boxes = [];
  for (let i = 0; i + 8 <= points.length; i += 8) {
    const part = Array.from(points).slice(i, i + 8);
    const x = part.filter((_, j) => j % 2 === 0);
    const y = part.filter((_, j) => j % 2 === 1);
    boxes.push(bounds(view, [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)]).map(round));
  }
  return boxes;
}
