/**
 * Tesseract's blocks → words in the order in which they are read, each with a box that is as high as its line's letters, or
 * its paragraph's where these are nearly alike: from the top of the tall ones to below the baseline, so that words of one
 * line are marked alike and the height says how large the print is.
 *
 * @import { SeenWord } from "./ocr_worker.js"
 * @typedef {{x0: number, y0: number, x1: number, y1: number}} Stretch
 * @typedef {{text: string, confidence: number, bbox: Stretch}} FoundWord
 * @typedef {{words: FoundWord[], baseline: Stretch, rowAttributes: {rowHeight: number, descenders: number}}} FoundLine
 * @typedef {{paragraphs: {lines: FoundLine[]}[]}} FoundBlock
 */

const ALIKE = 1.35; // times: heights of lines of one size
const BELOW = 0.3; // of the tall letters' height, for what hangs below the baseline

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/** @param {number[]} values */
const median = (values) => [...values].sort((one, other) => one - other)[(values.length - 1) >> 1] ?? 0;

/** @param {FoundBlock[]} blocks @returns {SeenWord[]} */
export function wordsOf(blocks) {
  let line = -1;
  return blocks.flatMap(({ paragraphs }) =>
    paragraphs.flatMap(({ lines }) => {
      const own = lines.map(({ rowAttributes: { rowHeight, descenders } }) => rowHeight - descenders);
      const usual = median(own);
      // A line with accented capitals, or without tall letters, only seems to be of another size than those around it.
      const tall = own.map((height) => (Math.max(height / usual, usual / height) < ALIKE ? usual : height));
      return lines.flatMap((one, at) => (line++, wordsOfLine(one, line, /** @type {number} */ (tall[at]))));
    }),
  );
}

/** @param {FoundLine} found @param {number} line @param {number} tall pixels from the baseline to the tops @returns {SeenWord[]} */
function wordsOfLine({ words, baseline: { x0, y0, x1, y1 } }, line, tall) {
  const slope = x1 > x0 ? (y1 - y0) / (x1 - x0) : 0;
  return words.map(({ text, confidence, bbox }) => ({
    text,
    line,
    confidence: Math.round(confidence),
    x: bbox.x0,
    y: round(y0 + ((bbox.x0 + bbox.x1) / 2 - x0) * slope - tall),
    width: bbox.x1 - bbox.x0,
    height: round((1 + BELOW) * tall),
  }));
}
