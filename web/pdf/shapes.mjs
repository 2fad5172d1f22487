/**
 * Boxes, transformations and paths of a PDF page.
 *
 * @typedef {[number, number, number, number]} Box left, bottom, right, top
 */

export const IDENTITY = [1, 0, 0, 1, 0, 0];
// The path codes of pdf.js's `constructPath`, and how many numbers follow each (DrawOPS in its shared util).
const MOVE = 0;
const LINE = 1;
const CLOSE = 4;
const NEARLY = 0.01; // points

/** @param {ArrayLike<number>} m applied after n @param {ArrayLike<number>} n @returns {number[]} */
export function times(m, n) {
  return [
    m[0] * n[0] + m[2] * n[1],
    m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3],
    m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4],
    m[1] * n[4] + m[3] * n[5] + m[5],
  ];
}

/** The upright box around a transformed one. @param {ArrayLike<number>} m @param {ArrayLike<number>} box @returns {Box} */
export function bounds(m, box) {
  const x = [box[0], box[2]].flatMap((a) => [box[1], box[3]].map((b) => m[0] * a + m[2] * b + m[4]));
  const y = [box[0], box[2]].flatMap((a) => [box[1], box[3]].map((b) => m[1] * a + m[3] * b + m[5]));
  return [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)];
}

/** What two boxes share, or null. @param {Box} a @param {Box} b @returns {Box | null} */
export function meet(a, b) {
  /** @type {Box} */
  const box = [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
  return box[0] < box[2] && box[1] < box[3] ? box : null;
}

/**
 * The path as upright rectangles on the page, or null when it is anything else.
 *
 * @param {ArrayLike<number>} path @param {ArrayLike<number>} m
 * @returns {Box[] | null}
 */
export function rectangles(path, m) {
  if (Math.min(Math.abs(m[0]) + Math.abs(m[3]), Math.abs(m[1]) + Math.abs(m[2])) > 1e-6) return null; // turned
  /** @type {Box[]} */
  const found = [];
  /** @type {number[][]} */
  let points = [];
  const take = () => {
    const box = rectangle(points);
    points = [];
    return box && found.push(bounds(m, box));
  };
  for (let i = 0; i < path.length;) {
    const code = path[i];
    if (code === MOVE && points.length && !take()) return null;
    if (code === MOVE || code === LINE) {
      points.push([path[i + 1], path[i + 2]]);
      i += 3;
      if (points.length > 5) return null;
    } else if (code === CLOSE) {
      if (points.length && !take()) return null;
      i += 1;
    } else {
      return null;
    }
  }
  return points.length && !take() ? null : found;
}

/** The upright and level lines of a path, as thin boxes. @param {ArrayLike<number>} path @param {ArrayLike<number>} m @returns {Box[]} */
export function straight(path, m) {
  /** @type {Box[]} */
  const found = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const to = (/** @type {number} */ nextX, /** @type {number} */ nextY) => {
    const box = bounds(m, [x, y, nextX, nextY]);
    if (Math.min(box[2] - box[0], box[3] - box[1]) < 0.5) found.push(box);
    [x, y] = [nextX, nextY];
  };
  for (let i = 0; i < path.length;) {
    const code = path[i];
    if (code === MOVE) [x, y] = [startX, startY] = [path[i + 1], path[i + 2]];
    else if (code === LINE) to(path[i + 1], path[i + 2]);
    else if (code === CLOSE) to(startX, startY);
    else return found; // curved
    i += code === CLOSE ? 1 : 3;
  }
  return found;
}

/** @param {number[][]} points @returns {Box | null} */
function rectangle(points) {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (rest.length === 4 && last && same(first, last)) points = points.slice(0, 4);
  if (points.length !== 4) return null;
  /** @type {Box} */
  const box = [
    Math.min(...points.map(([x]) => x)), Math.min(...points.map(([, y]) => y)),
    Math.max(...points.map(([x]) => x)), Math.max(...points.map(([, y]) => y)),
  ]; // prettier-ignore
  const upright = points.every(([x, y], i) => {
    const [nextX, nextY] = points[(i + 1) % 4];
    return Math.abs(x - nextX) < NEARLY !== Math.abs(y - nextY) < NEARLY;
  });
  return upright ? box : null;
}

/** @param {number[]} a @param {number[]} b */
const same = (a, b) => Math.abs(a[0] - b[0]) < NEARLY && Math.abs(a[1] - b[1]) < NEARLY;

/** "#rrggbb" → numbers of 0–255; null for a pattern. @param {unknown} text @returns {number[] | null} */
export function rgb(text) {
  return typeof text === "string" && text.length === 7
    ? [1, 3, 5].map((start) => Number.parseInt(text.slice(start, start + 2), 16))
    : null;
}
