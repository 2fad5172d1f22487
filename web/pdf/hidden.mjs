/**
 * Which pieces of a PDF page's text nobody sees who looks at the page: drawn invisible, in the colour of what they
 * stand on, smaller than can be read, outside the page or its clipping, under a later rectangle, or in a layer that is
 * switched off. pdf.js's text says nothing of that, so its letters are matched with those of the drawing instructions.
 *
 * An invisible text over a picture stays: it is what a text recognition read there. Not seen by this: text under a
 * picture (a scan lies over its text), under a shape that is no rectangle, or in a font whose glyphs are blank.
 * What cannot be told is taken for visible.
 *
 * @import { Box } from "./shapes.mjs"
 * @import { Area } from "./canvas.mjs"
 * @import { Letter, Paint, Painting } from "./painting.mjs"
 * @import { Match, TextItem } from "./matching.mjs"
 */

const SMALLEST = 2; // points of the font: text below that is not read by anybody
const NEAR = 20; // of 255 in each colour: on white paper from #ebebeb on
const FAINT = 0.05;
const PAPER = [255, 255, 255];
const SPACE = /\s+/gu;

/** @typedef {{item: TextItem, paint: Paint | null}} Piece a stretch of an item that was drawn in one go */

/**
 * @param {Match[]} matches
 * @param {Painting} painting
 * @returns {TextItem[]} the same text, an item in several where part of it is hidden; at the end what lies off the page
 */
export function markHidden(matches, painting) {
  const pieces = matches.map(inPieces);
  const page = surroundings(painting, isScan(pieces.flat(), painting.areas));
  const marked = pieces.flatMap((parts, i) => {
    const verdicts = parts.map(({ item, paint }) => paint !== null && isHidden(item, paint, page));
    return verdicts.every((hidden) => hidden === verdicts[0])
      ? [{ ...matches[i].item, hidden: verdicts[0] ?? false }]
      : parts.map(({ item }, j) => ({ ...item, hidden: verdicts[j] }));
  });
  const result = [...marked, ...offPage(painting.letters)];
  const shown = new Set(result.filter((item) => !item.hidden).map(place));
  return result.filter((item) => !(item.hidden && shown.has(place(item)))); // drawn twice, and seen once
}

/** @param {TextItem} item */
const place = ({ str, transform }) => `${str.replace(SPACE, "")} ${Math.round(transform[4] / 4)} ${Math.round(transform[5] / 4)}`;

/** @param {Match} match @returns {Piece[]} the pieces of an item */
function inPieces({ item, own, straight }) {
  if (!own?.length) return [{ item, paint: null }];
  return straight && item.width ? cut(item, own) : [{ item, paint: commonest(own) }];
}

/** @param {Letter[]} letters */
function commonest(letters) {
  const counts = new Map();
  for (const { paint } of letters) counts.set(paint, (counts.get(paint) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0][0];
}

/** @param {TextItem} item @param {Letter[]} letters of its text without spaces @returns {Piece[]} */
function cut(item, letters) {
  /** @type {{start: number, paint: Paint}[]} */
  const starts = [];
  let next = 0;
  for (let i = 0; i < item.str.length; i++) {
    if (!item.str[i].trim()) continue;
    const { paint } = letters[next++];
    if (starts.at(-1)?.paint !== paint) starts.push({ start: starts.length ? i : 0, paint });
  }
  const [a, b] = item.transform;
  const length = Math.hypot(a, b) || 1;
  return starts.map(({ start, paint }, i) => {
    const end = starts[i + 1]?.start ?? item.str.length;
    const along = (item.width * start) / item.str.length;
    const transform = [...item.transform];
    transform[4] += (a / length) * along;
    transform[5] += (b / length) * along;
    return { paint, item: { ...item, str: item.str.slice(start, end), width: (item.width * (end - start)) / item.str.length, transform } };
  });
}

/**
 * Text off the page, which pdf.js leaves out.
 *
 * @param {Letter[]} letters
 * @returns {TextItem[]} one for each drawing instruction
 */
function offPage(letters) {
  /** @type {Map<Paint, TextItem>} */
  const found = new Map();
  for (const { text, x, y, outside, matched, paint } of letters) {
    if (!outside || matched) continue;
    const item = found.get(paint);
    if (item) item.str += text;
    else found.set(paint, { str: text, dir: "ltr", width: 0, height: paint.size, transform: [1, 0, 0, 1, x, y], fontName: paint.font, hasEOL: false, hidden: true });
  }
  return [...found.values()];
}

/**
 * Whether the pictures of a page are its text: more letters lie invisible over them than are drawn on them.
 *
 * @param {Piece[]} pieces @param {Area[]} areas
 */
function isScan(pieces, areas) {
  const pictures = areas.filter((area) => area.picture);
  let invisible = 0;
  for (const { item, paint } of pictures.length ? pieces : []) {
    const on = paint && pictures.some(({ box }) => holds(box, points(item)[2]));
    invisible += on ? item.str.length * (paint.mode === 3 ? 1 : -1) : 0;
  }
  return invisible > 0;
}

/**
 * @typedef {{areas: Area[], lids: Area[], tones: (number[] | null)[], crowded: boolean, scanned: boolean}} Page
 *   `lids`: what can cover text; `tones`: all colours that text may stand on
 * @param {Painting} painting @param {boolean} scanned @returns {Page}
 */
function surroundings({ areas, crowded }, scanned) {
  const lids = areas.filter((area) => area.colour);
  const tones = new Map(lids.map(({ colour }) => [String(colour), colour]));
  return { areas, lids, tones: [PAPER, ...tones.values()], crowded, scanned };
}

/** @param {TextItem} item @param {Paint} paint @param {Page} page */
function isHidden(item, paint, { areas, lids, tones, crowded, scanned }) {
  const along = points(item);
  const on = (/** @type {Area} */ area) => along.some((point) => holds(area.box, point));
  if (paint.off || paint.narrow || isTiny(item, paint)) return true;
  if (paint.clip && !along.some((point) => holds(grown(/** @type {any} */ (paint.clip).box), point))) return true;
  if (paint.mode === 3) return !(scanned && areas.some((area) => area.picture && on(area)));
  if (paint.mode === 7) return !areas.some((area) => area.order > paint.order && on(area));
  if (paint.alpha < FAINT) return true;
  if (crowded) return false;
  if (lids.some((area) => area.order > paint.order && along.every((point) => holds(area.box, point)))) return true;
  if (!tones.some((tone) => isNear(paint.colours[0], paint.alpha, tone))) return false;
  return along.every((point) => {
    const ground = areas.findLast((area) => area.order < paint.order && holds(area.box, point));
    return paint.colours.every((colour) => isNear(colour, paint.alpha, ground ? ground.colour : PAPER));
  });
}

/** @param {number[] | null} colour @param {number} alpha @param {number[] | null} ground */
function isNear(colour, alpha, ground) {
  return colour !== null && ground !== null && colour.every((part, i) => Math.abs(part - ground[i]) * alpha <= NEAR);
}

/** Glyphs that are drawings have sizes of their own, and so have fonts far wider than their size says. @param {TextItem} item @param {Paint} paint */
function isTiny(item, paint) {
  const size = Math.hypot(item.transform[2], item.transform[3]);
  return !paint.drawn && size < SMALLEST && item.width < SMALLEST * item.str.length;
}

/** Five places along the middle of its letters. @param {TextItem} item @returns {number[][]} */
function points({ transform: [a, b, c, d, e, f], width }) {
  const length = Math.hypot(a, b) || 1;
  return [0.02, 0.25, 0.5, 0.75, 0.98].map((part) => [
    e + (a / length) * width * part + c * 0.3,
    f + (b / length) * width * part + d * 0.3,
  ]);
}

/** @param {Box} box @param {number[]} point */
const holds = (box, [x, y]) => box[0] <= x && x <= box[2] && box[1] <= y && y <= box[3];

/** Clipping boxes are often cut close. @param {Box} box @returns {Box} */
const grown = (box) => [box[0] - 1, box[1] - 1, box[2] + 1, box[3] + 1];
