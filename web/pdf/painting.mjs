/**
 * The drawing instructions of a PDF page → its letters in the order in which they are drawn, each with how it is
 * painted, and the areas painted around them. Coordinates are the page's own: points, y upwards, not rotated.
 *
 * @import { Area, Clip } from "./canvas.mjs"
 * @import { Box } from "./shapes.mjs"
 * @typedef {{colours: (number[] | null)[], alpha: number, mode: number, off: boolean, clip: Clip | null, narrow: boolean, drawn: boolean, font: string, size: number, order: number}} Paint
 *   `colours`: null where it cannot be told; `mode`: text rendering mode 0–3, or 7; `drawn`: glyphs that are drawings
 * @typedef {{text: string, code: number, x: number, y: number, width: number, size: number, outside: boolean, matched: boolean, paint: Paint}} Letter
 *   `code`: in its font; `width`, `size`: 0 where the text runs downwards; `outside` the crop box; `matched` by who reads it
 * @typedef {{letters: Letter[], areas: Area[], rules: Box[], crowded: boolean}} Painting
 *   `rules`: thin straight lines; `crowded`: it has more areas than are kept
 */

import { Canvas } from "./canvas.mjs";
import { bounds, IDENTITY, rgb, times } from "./shapes.mjs";

const NARROW = 0.1; // as wide as the font is, of its height
const FORMAT = /^\p{Cf}/u; // pdf.js leaves such letters out of its text
const PARAMETERS = new Map([
  ["setLineWidth", "line"], ["setTextRenderingMode", "mode"], ["setCharSpacing", "spacing"],
  ["setWordSpacing", "wordSpacing"], ["setLeading", "leading"], ["setTextRise", "rise"],
]); // prettier-ignore

export class Painter extends Canvas {
  /**
   * @param {Record<string, number>} OPS of pdf.js
   * @param {(id: string) => any} fontOf
   * @param {(group: any) => boolean} isVisible for optional content
   * @param {Box} view the page's crop box
   */
  constructor(OPS, fontOf, isVisible, view) {
    super();
    this.names = new Map(Object.entries(OPS).map(([name, code]) => [code, name]));
    this.fontOf = fontOf;
    this.isVisible = isVisible;
    this.view = view;
    /** @type {Letter[]} */
    this.letters = [];
    Object.assign(this.state, { mode: 0, font: "", size: 0, scale: 1, spacing: 0, wordSpacing: 0, leading: 0, rise: 0 });
    this.matrix = this.lineMatrix = IDENTITY;
  }

  /** @param {{fnArray: number[], argsArray: any[]}} list of `getOperatorList` @returns {Painting} */
  read({ fnArray, argsArray }) {
    fnArray.forEach((code, i) => {
      this.order = i;
      this.step(this.names.get(code) ?? "", argsArray[i] ?? []);
    });
    return { letters: this.letters, areas: this.areas, rules: this.ruled, crowded: this.crowded };
  }

  /** @param {string} name @param {any[]} args */
  step(name, args) {
    const { state } = this;
    switch (name) {
      case "save":
        return this.save();
      case "restore":
      case "paintFormXObjectEnd":
        return this.restore();
      case "transform":
        return this.transform(args);
      case "paintFormXObjectBegin":
        this.save();
        state.ctm = args[0] ? times(state.ctm, args[0]) : state.ctm;
        if (args[1]) this.clipTo([bounds(state.ctm, args[1])], bounds(state.ctm, args[1]));
        return;
      case "beginGroup":
        this.save();
        Object.assign(state, { outerAlpha: state.outerAlpha * state.fillAlpha, outerUnclear: this.unclear });
        Object.assign(state, { fillAlpha: 1, strokeAlpha: 1, unclear: false });
        this.masks += args[0].smask ? 1 : 0;
        return;
      case "endGroup":
        this.masks -= args[0].smask ? 1 : 0;
        return this.restore();
      case "beginMarkedContent":
      case "beginMarkedContentProps":
        return this.content.push(args[0] === "OC" && Boolean(args[1]) && !this.isVisible(args[1]));
      case "endMarkedContent":
        return this.content.pop();
      case "setGState":
        return args[0].forEach((/** @type {[string, any]} */ entry) => this.setGState(...entry));
      case "setFillRGBColor":
      case "setFillColorN":
      case "setFillTransparent":
        return (state.fill = rgb(args[0]));
      case "setStrokeRGBColor":
      case "setStrokeColorN":
      case "setStrokeTransparent":
        return (state.stroke = rgb(args[0]));
      case "clip":
      case "eoClip":
        return (this.clips = true);
      case "constructPath":
        return this.path(this.names.get(args[0]) ?? "", args[1]?.[0], args[2]);
      case "shadingFill":
        return this.addArea(state.clip?.box ?? this.view, null);
      default:
        return name.startsWith("paint") ? this.addPicture() : this.text(name, args);
    }
  }

  /** @param {string} name @param {any[]} args */
  text(name, args) {
    const { state } = this;
    const parameter = PARAMETERS.get(name);
    if (parameter) state[parameter] = args[0];
    else if (name === "setHScale") state.scale = args[0] / 100;
    else if (name === "setFont") [state.font, state.size] = args;
    else if (name === "setTextMatrix") this.matrix = this.lineMatrix = args[0];
    else if (name === "moveText") this.moveLine(args[0], args[1]);
    else if (name === "nextLine") this.moveLine(0, -state.leading);
    else if (name === "setLeadingMoveText") {
      state.leading = -args[1];
      this.moveLine(args[0], args[1]);
    } else if (name === "beginText") {
      this.draw();
      this.matrix = this.lineMatrix = IDENTITY;
    } else if (name === "showText") this.show(args[0]);
  }

  /** @param {string} key @param {any} value */
  setGState(key, value) {
    if (key === "ca") this.state.fillAlpha = value;
    else if (key === "CA") this.state.strokeAlpha = value;
    else if (key === "BM") this.state.unclear = value !== "source-over";
    else if (key === "SMask" && value) this.state.unclear = true;
    else if (key === "Font") [this.state.font, this.state.size] = value;
    else if (key === "LW") this.state.line = value;
  }

  /** @param {number} x @param {number} y */
  moveLine(x, y) {
    this.matrix = this.lineMatrix = times(this.lineMatrix, [1, 0, 0, 1, x, y]);
  }

  /** @returns {Paint} */
  paint() {
    const { fill, stroke, fillAlpha, strokeAlpha, outerAlpha, clip, font } = this.state;
    const mode = this.state.mode === 7 ? 7 : this.state.mode & 3;
    const drawn = Boolean(this.fontOf(font)?.isType3Font);
    const alpha = mode === 1 ? strokeAlpha : mode === 2 ? Math.max(fillAlpha, strokeAlpha) : fillAlpha;
    const colours = mode === 1 ? [stroke] : mode === 2 ? [fill, stroke] : [fill];
    return {
      colours: this.unclear || drawn ? [null] : colours, alpha: alpha * outerAlpha, mode, clip, drawn, font, size: 0,
      off: this.content.includes(true), narrow: false, order: this.order,
    }; // prettier-ignore
  }

  /** @param {any[]} glyphs with numbers between them, which move the pen by thousandths of the font's size */
  show(glyphs) {
    const { state, view } = this;
    const { vertical, fontMatrix } = this.fontOf(state.font) ?? {};
    const unit = (fontMatrix?.[0] ?? 0.001) * state.size;
    const paint = this.paint();
    const [a, b, c, d] = times(state.ctm, this.matrix);
    paint.size = Math.abs(state.size) * Math.hypot(c, d);
    paint.narrow = Math.abs(state.scale) * Math.hypot(a, b) < NARROW * Math.hypot(c, d);
    for (const glyph of glyphs) {
      let move = (vertical ? 1 : -1) * state.size * 0.001 * Number(glyph);
      if (typeof glyph !== "number") {
        const width = (vertical ? (glyph.vmetric?.[0] ?? -glyph.width) : glyph.width) * unit;
        const [, , , , x, y] = times(state.ctm, times(this.matrix, [1, 0, 0, 1, 0, state.rise]));
        const outside = x + Math.max(width, 0) < view[0] || x > view[2] || y < view[1] || y + Math.min(width, 0) > view[3];
        if (!this.masks && glyph.unicode && !FORMAT.test(glyph.unicode)) {
          const across = vertical ? 0 : Math.abs(width * state.scale) * Math.hypot(a, b);
          this.letters.push({
            text: glyph.unicode, code: glyph.originalCharCode, x, y, width: across, size: vertical ? 0 : paint.size,
            outside, matched: false, paint,
          }); // prettier-ignore
        }
        move = width + state.spacing + (glyph.originalCharCode === 0x20 ? state.wordSpacing : 0);
      }
      this.matrix = times(this.matrix, vertical ? [1, 0, 0, 1, 0, move] : [1, 0, 0, 1, move * state.scale, 0]);
    }
  }
}
