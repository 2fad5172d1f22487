/**
 * One PDF as pictures of its pages, drawn by pdf.js on OffscreenCanvas. Nothing of the document is live: links, scripts
 * and form fields are ink; comments and fields are drawn as their file says that they look.
 *
 * Letters are drawn as outlines, so no font is ever given to the browser. Of a font that the file does not hold and that
 * is none of PDF's fourteen, the browser's own letters are drawn, where it has them.
 *
 * @typedef {{str: string, x: number, y: number, width: number, height: number, angle: number, dir: string}} Item
 */

import { CanvasFactory, FilterFactory } from "./page_canvas.mjs";
import { lacksLetters } from "./page_letters.mjs";
import { placed } from "./extract.mjs";
import { openPdf } from "./opening.mjs";

const MOST_PIXELS = 16_777_216; // of a drawn page: 64 MiB
const MOST_SIDE = 8192;
const MOST_RECOGNISED = 33_554_432; // of a page for text recognition: A3 at 400 dots per inch
const MOST_PICTURE = 80_000_000; // of a picture inside a page: A4 at 1,200 dots per inch, one bit each
const LUMA = [0.299, 0.587, 0.114]; // ITU-R BT.601

export class DrawnDocument {
  /**
   * @param {any} pdfjs
   * @param {(wanted: {kind: string, filename: string}) => Promise<Uint8Array>} readFile
   */
  constructor(pdfjs, readFile) {
    this.pdfjs = pdfjs;
    this.BinaryDataFactory = class {
      /** @param {{kind: string, filename: string}} wanted */
      fetch(wanted) {
        return readFile(wanted);
      }
    };
  }

  /**
   * @param {Uint8Array} data taken over by pdf.js
   * @param {string | undefined} password
   * @returns {Promise<number>} how many pages it has
   */
  async open(data, password) {
    const { pdf } = await openPdf(this.pdfjs, data, password, {
      BinaryDataFactory: this.BinaryDataFactory,
      CanvasFactory,
      FilterFactory,
      // pdf.js looks at these addresses only to see whether a factory may be asked.
      cMapUrl: "cmaps/",
      cMapPacked: true,
      standardFontDataUrl: "standard_fonts/",
      wasmUrl: "wasm/",
      useWorkerFetch: false,
      isEvalSupported: false,
      isImageDecoderSupported: false, // its decoders differ between browsers
      disableFontFace: true,
      useSystemFonts: false,
      enableXfa: false,
      maxImageSize: MOST_PICTURE,
      canvasMaxAreaInBytes: 4 * MOST_RECOGNISED, // larger pictures are made smaller while they are decoded
      verbosity: 0,
    });
    this.pdf = pdf;
    this.layers = await this.pdf.getOptionalContentConfig().catch(() => null);
    return this.pdf.numPages;
  }

  /**
   * A page as a picture of `width` pixels, or less where that would be more than is ever drawn. `lacking`: some of its
   * letters are boxes.
   * @param {number} number
   * @param {number} width
   */
  async draw(number, width) {
    const { canvas, points } = await this.#paint(number, (box) => width / box.width, MOST_PIXELS);
    const bitmap = canvas.transferToImageBitmap();
    return { answer: { bitmap, lacking: await lacksLetters(await this.pdf.getPage(number)), ...points }, transfer: [bitmap] };
  }

  /**
   * A page for text recognition: one byte of grey a pixel, row by row.
   * @param {number} number
   * @param {number} dpi
   */
  async gray(number, dpi) {
    const { canvas, points } = await this.#paint(number, () => dpi / 72, MOST_RECOGNISED);
    const { width, height } = canvas;
    const colours = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d")).getImageData(0, 0, width, height).data;
    const data = new Uint8Array(width * height);
    for (let at = 0, from = 0; at < data.length; at++, from += 4) {
      data[at] = LUMA[0] * colours[from] + LUMA[1] * colours[from + 1] + LUMA[2] * colours[from + 2];
    }
    canvas.width = canvas.height = 0;
    return { answer: { data, pixels: [width, height], ...points }, transfer: [data.buffer] };
  }

  /**
   * The page's text with its places, as the reader gets it: points from the top left corner, `y` on the baseline.
   * @param {number} number
   */
  async items(number) {
    const page = await this.pdf.getPage(number);
    const view = page.getViewport({ scale: 1 });
    const { items, styles } = await page.getTextContent({ disableNormalization: true });
    const found = items.filter((/** @type {any} */ item) => item.str?.trim());
    const places = found.map((/** @type {any} */ item) => {
      const vertical = Boolean(styles[item.fontName]?.vertical);
      const { str, x, y, width, height, angle, dir } = placed(item, view.transform, vertical);
      return { str, x, y, width, height, angle: angle + (vertical ? 90 : 0), dir };
    });
    return { answer: { items: places, width: view.width, height: view.height }, transfer: [] };
  }

  /**
   * @param {number} number
   * @param {(box: {width: number, height: number}) => number} scaleOf
   * @param {number} most pixels
   */
  async #paint(number, scaleOf, most) {
    const page = await this.pdf.getPage(number);
    const box = page.getViewport({ scale: 1 });
    const fits = Math.min(Math.sqrt(most / (box.width * box.height)), MOST_SIDE / Math.max(box.width, box.height));
    const viewport = page.getViewport({ scale: Math.min(scaleOf(box), fits) });
    const canvas = new OffscreenCanvas(Math.max(1, Math.round(viewport.width)), Math.max(1, Math.round(viewport.height)));
    const canvasContext = canvas.getContext("2d", { alpha: false });
    const layers = this.layers ? { optionalContentConfigPromise: Promise.resolve(this.layers) } : {};
    await page.render({ canvas: null, canvasContext, viewport, annotationMode: this.pdfjs.AnnotationMode.ENABLE, ...layers }).promise;
    page.cleanup();
    return { canvas, points: { width: box.width, height: box.height } };
  }
}
