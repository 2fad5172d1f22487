/**
 * The areas that a PDF page's drawing instructions paint: what text may stand on, or lie under.
 *
 * Pictures are left out of the instructions (`maxImageSize` in extract.mjs). What is left of one is its place: a
 * transformation that nothing is drawn under. Not followed: what a pattern, a gradient or a soft mask looks like.
 *
 * @import { Box } from "./shapes.mjs"
 * @typedef {{box: Box, exact: boolean}} Clip `exact`: to the box itself, not to a shape inside it
 * @typedef {{box: Box, order: number, colour: number[] | null, picture: boolean}} Area `colour` null: not one, or no opaque rectangle
 */

import { bounds, IDENTITY, meet, rectangles, straight, times } from "./shapes.mjs";

const MOST_AREAS = 20_000; // drawings have more, and little text
const MOST_RULES = 8_000; // a page of more is a drawing
const LEAST = 3; // points: what is thinner is a line, and hides nothing
const OPAQUE = 0.98;

export class Canvas {
  constructor() {
    /** @type {Area[]} */
    this.areas = [];
    this.crowded = false; // there were more areas than are kept
    /** @type {Box[]} */
    this.rules = [];
    /** @type {any} */
    this.state = {
      ctm: IDENTITY, fill: [0, 0, 0], stroke: [0, 0, 0], fillAlpha: 1, strokeAlpha: 1, unclear: false, line: 1,
      clip: null, outerAlpha: 1, outerUnclear: false,
    }; // prettier-ignore
    /** @type {any[]} */
    this.saved = [];
    /** @type {boolean[]} */
    this.content = []; // for each marked content that is open, whether it is optional and switched off
    this.order = 0; // of the instruction
    this.clips = false; // the next path is one to clip to
    this.bare = false; // nothing was drawn under the last transformation
    this.masks = 0; // soft masks that are being defined: they put nothing on the page themselves
  }

  save() {
    this.saved.push({ ...this.state });
  }

  restore() {
    if (this.bare) this.addPicture();
    this.state = this.saved.pop() ?? this.state;
  }

  /** @param {number[]} matrix */
  transform(matrix) {
    this.state.ctm = times(this.state.ctm, matrix);
    this.bare = true;
  }

  draw() {
    this.bare = false;
  }

  /** Whether what is painted now may look otherwise than its colour says. */
  get unclear() {
    return this.state.unclear || this.state.outerUnclear;
  }

  /** @param {string} name of what is done with it @param {Float32Array | null} path @param {Box | null} extent */
  path(name, path, extent) {
    const { state } = this;
    this.draw();
    if (path && extent) {
      const boxes = rectangles(path, state.ctm);
      const whole = bounds(state.ctm, extent);
      if (/fill/i.test(name)) {
        const holes = /eofill/i.test(name) && boxes && boxes.length > 1;
        const plain = boxes && !holes && !this.unclear && state.fillAlpha * state.outerAlpha > OPAQUE;
        for (const box of boxes ?? [whole]) {
          this.addArea(box, plain ? state.fill : null);
          if (Math.min(box[2] - box[0], box[3] - box[1]) < LEAST) this.addRule(box);
        }
      }
      const half = (state.line / 2) * Math.hypot(state.ctm[0], state.ctm[1]);
      if (/stroke/i.test(name) && 2 * half <= LEAST) straight(path, state.ctm).forEach((box) => this.addRule(box));
      if (/stroke/i.test(name) && 2 * half > LEAST) {
        this.addArea([whole[0] - half, whole[1] - half, whole[2] + half, whole[3] + half], null);
      }
      if (this.clips) this.clipTo(boxes, whole);
    }
    this.clips = false;
  }

  /** @param {Box[] | null} boxes @param {Box} whole */
  clipTo(boxes, whole) {
    const { clip } = this.state;
    const exact = boxes?.length === 1 && (clip?.exact ?? true);
    this.state.clip = { box: clip ? (meet(clip.box, whole) ?? [0, 0, 0, 0]) : whole, exact };
  }

  /** The thin lines; none of a drawing. */
  get ruled() {
    return this.rules.length < MOST_RULES ? this.rules : [];
  }

  /** @param {Box} box thin */
  addRule(box) {
    const { clip } = this.state;
    const seen = !clip || (box[0] <= clip.box[2] && clip.box[0] <= box[2] && box[1] <= clip.box[3] && clip.box[1] <= box[3]);
    if (seen && !this.masks && !this.content.includes(true) && this.rules.length < MOST_RULES) this.rules.push(box);
  }

  addPicture() {
    this.draw();
    this.addArea(bounds(this.state.ctm, [0, 0, 1, 1]), null, true);
  }

  /** @param {Box} box @param {number[] | null} colour @param {boolean} [picture] */
  addArea(box, colour, picture = false) {
    const { clip } = this.state;
    const seen = clip ? meet(box, clip.box) : box;
    if (this.masks || this.content.includes(true) || !seen || seen[2] - seen[0] < LEAST || seen[3] - seen[1] < LEAST) {
      return;
    }
    if (this.areas.length === MOST_AREAS) this.crowded = true;
    else this.areas.push({ box: seen, order: this.order, colour: clip && !clip.exact ? null : colour, picture });
  }
}
