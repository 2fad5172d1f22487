/**
 * What only the letters of a PDF page tell: in which order right-to-left text stands (pdf.js guesses it from pieces of a
 * line), where the letters of s p a c e d words are, and what a ligature without meaning is called in its font.
 *
 * @import { Letter } from "./painting.mjs"
 * @import { Match, TextItem } from "./matching.mjs"
 */

export const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;
const SPACED = /^(?:[\p{L}\d]{1,2} )+[\p{L}\d]{1,2}[.,:;!?]?$/u;
const UNKNOWN = /[\0\ufffd\ue000-\uefff\uf8ff]/u; // \uf000 and on are the codes of symbols
const MARK = /^\p{M}+$/u;
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gu;
const STRETCH = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+/gu;
const GAP = 0.13; // of the font's size: wider white is a space
const LIGATURES = new Set(["ff", "fi", "fl", "ffi", "ffl", "ft", "fft", "tt", "fj", "Th", "st"]);

/**
 * @param {Match[]} matches
 * @param {(letter: Letter) => string} nameOf the name of a letter's glyph in its font, "" where it has none
 * @returns {Match[]} the same text, some of it as it stands on the page
 */
export function asDrawn(matches, nameOf) {
  return matches.flatMap((one) => {
    if (!one.own?.length) return [one];
    const match = UNKNOWN.test(one.item.str) && one.straight ? named(one, nameOf) : one;
    if (RIGHT_TO_LEFT.test(match.item.str)) return [leftToRight(match)];
    return SPACED.test(match.item.str) && match.straight ? apart(match) : [match];
  });
}

/**
 * Letters without meaning by the names of their glyphs ("f_f_i", "uniFB01"); in words only, where they must be letters.
 *
 * @param {Match} match @param {(letter: Letter) => string} nameOf @returns {Match}
 */
function named({ item, own, straight }, nameOf) {
  let next = 0;
  let str = "";
  /** @type {Letter[]} */
  const letters = [];
  for (const unit of item.str.split("")) {
    const letter = unit.trim() ? /** @type {Letter[]} */ (own)[next++] : null;
    const text = letter && UNKNOWN.test(unit) ? meaning(nameOf(letter)) || unit : unit;
    str += text;
    if (letter) letters.push(...Array(text.length).fill(letter));
  }
  return { item: { ...item, str }, own: letters, straight };
}

/** The letters that a glyph's name stands for, by the rules of the Adobe Glyph List. @param {string} name */
function meaning(name) {
  const parts = name.split(".")[0].split("_").map((part) => {
    const code = /^(?:uni([0-9A-F]{4})|u([0-9A-F]{4,6}))$/.exec(part);
    if (code) return String.fromCodePoint(Number.parseInt(code[1] ?? code[2], 16));
    return LIGATURES.has(part) || /^[A-Za-z]$/.test(part) ? part : "";
  }); // prettier-ignore
  return parts.every(Boolean) ? parts.join("") : "";
}

/** @param {TextItem} item @returns {(letter: Letter) => number} how far along the line of its text a letter stands */
function along({ transform: [a, b, , , e, f] }) {
  const length = Math.hypot(a, b) || 1;
  return ({ x, y }) => ((x - e) * a + (y - f) * b) / length;
}

/** @param {TextItem} item @param {number} distance */
function moved(item, distance) {
  const [a, b, c, d, e, f] = item.transform;
  const length = Math.hypot(a, b) || 1;
  return [a, b, c, d, e + (a / length) * distance, f + (b / length) * distance];
}

/**
 * Letters by their places. Marks stay behind the letter that they stand on: whoever draws from left to right draws
 * them before it.
 *
 * @param {Match} match @returns {Match}
 */
function leftToRight({ item, own }) {
  const place = along(item);
  const letters = [...new Set(own)];
  const bases = letters.filter(({ text }) => !MARK.test(text));
  if (!bases.length || !letters[0].size) return { item, own, straight: false };
  const rising = bases.filter((letter, i) => i && place(letter) > place(bases[i - 1])).length * 2 > bases.length - 1;
  /** @type {Letter[][]} */
  const clusters = [];
  /** @type {Letter[]} */
  let waiting = [];
  for (const letter of letters) {
    if (!MARK.test(letter.text)) {
      clusters.push([letter, ...waiting]);
      waiting = [];
    } else if (rising || !clusters.length) waiting.push(letter);
    else clusters[clusters.length - 1].push(letter);
  }
  clusters[clusters.length - 1].push(...waiting);
  clusters.sort((one, other) => place(one[0]) - place(other[0]));
  let str = "";
  let end = place(clusters[0][0]);
  for (const [base, ...marks] of clusters) {
    if (place(base) - end > GAP * base.size) str += " ";
    // One glyph of several letters: turned round, because the whole line is turned back.
    str += base.text.replace(STRETCH, (part) => (part.match(CLUSTER) ?? []).reverse().join(""));
    str += marks.map(({ text }) => text).join("");
    end = place(base) + base.width;
  }
  const start = place(clusters[0][0]);
  return { item: { ...item, str, visual: true, width: end - start, transform: moved(item, start) }, own, straight: false };
}

/** A spaced word: an item for each letter. @param {Match} match @returns {Match[]} */
function apart({ item, own }) {
  const place = along(item);
  return [...new Set(own)].map((letter) => ({
    item: { ...item, str: letter.text, width: letter.width, transform: moved(item, place(letter)) },
    own: Array(letter.text.length).fill(letter),
    straight: true,
  }));
}
