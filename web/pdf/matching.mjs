/**
 * The pieces of text that pdf.js gives, each with the letters that its page draws for them: pdf.js's text says neither
 * how a letter is painted nor where in its piece it stands.
 *
 * @import { Letter } from "./painting.mjs"
 * @typedef {{str: string, dir: string, width: number, height: number, transform: number[], fontName: string, hasEOL: boolean, hidden?: boolean, visual?: boolean}} TextItem
 *   `visual`: letters from left to right as they stand, whatever their script
 * @typedef {{item: TextItem, own: Letter[] | null, straight: boolean}} Match `own`: its letters but for spaces; `straight`: in the order of its text
 */

const LEAP = 200; // letters for each one looked for: how far ahead they may be found
const SPACE = /\s+/gu;

/**
 * Both hold the same letters in the same order, but for what pdf.js leaves out (off the page) and turns round (bidi).
 *
 * @param {TextItem[]} items
 * @param {Letter[]} letters grow a mark: `matched`
 * @returns {Match[]}
 */
export function match(items, letters) {
  const solid = letters.filter((letter) => letter.text.replace(SPACE, ""));
  const text = solid.map((letter) => letter.text.replace(SPACE, "")).join("");
  const at = solid.flatMap((letter) => Array(letter.text.replace(SPACE, "").length).fill(letter)); // by place in `text`
  let from = 0;
  return items.map((item) => {
    const wanted = item.str.replace(SPACE, "");
    const found = wanted ? find(wanted, text, from, at) : null;
    if (!found) return { item, own: null, straight: false };
    from = found.start + wanted.length;
    const own = at.slice(found.start, from);
    for (const letter of own) letter.matched = true;
    return { item, own, straight: found.straight };
  });
}

/**
 * @param {string} wanted @param {string} text @param {number} from @param {Letter[]} at
 * @returns {{start: number, straight: boolean} | null}
 */
function find(wanted, text, from, at) {
  if (text.startsWith(wanted, from)) return { start: from, straight: true };
  let start = from;
  while (at[start]?.outside) start++;
  const turned = (/** @type {string} */ one) => [...one].sort().join("");
  for (const place of [start, from]) {
    if (turned(text.slice(place, place + wanted.length)) === turned(wanted)) {
      return { start: place, straight: text.startsWith(wanted, place) };
    }
  }
  const leap = text.slice(from, from + LEAP * wanted.length).indexOf(wanted);
  return leap < 0 ? null : { start: from + leap, straight: true };
}
