/**
 * What pdf.js draws on where there is no document: canvases that belong to no page.
 *
 * Soft masks whose brightness says how much is seen are filters of SVG in pdf.js, which need a document. Here a context
 * that is given such a filter makes the mask of the pixels of the next picture. Not done: transfer functions over colours.
 */

/** @typedef {OffscreenCanvasRenderingContext2D} Context */
/** @typedef {(pixels: Uint8ClampedArray) => void} Mask sets each pixel's alpha */

/** By the name that stands for it in a context's `filter`. @type {Map<string, Mask>} */
const masks = new Map();

export class CanvasFactory {
  /** @param {number} width @param {number} height */
  create(width, height) {
    if (width <= 0 || height <= 0) throw new Error("Invalid canvas size");
    const canvas = new OffscreenCanvas(width, height);
    return { canvas, context: withMasks(/** @type {Context} */ (canvas.getContext("2d", { willReadFrequently: true }))) };
  }

  /** @param {{canvas: OffscreenCanvas}} made @param {number} width @param {number} height */
  reset({ canvas }, width, height) {
    if (width <= 0 || height <= 0) throw new Error("Invalid canvas size");
    canvas.width = width;
    canvas.height = height;
  }

  /** @param {{canvas: OffscreenCanvas | null, context: unknown}} made */
  destroy(made) {
    if (made.canvas) made.canvas.width = made.canvas.height = 0;
    made.canvas = made.context = null;
  }
}

export class FilterFactory {
  addFilter() {
    return "none";
  }

  addHCMFilter() {
    return "none";
  }

  addHighlightHCMFilter() {
    return "none";
  }

  /** @param {Uint8Array} map */
  addAlphaFilter(map) {
    return named(`alpha ${map}`, (pixels) => {
      for (let at = 3; at < pixels.length; at += 4) pixels[at] = map[pixels[at]];
    });
  }

  /** The weights are those of the PDF specification (ISO 32000-1, 10.3.5). @param {Uint8Array} [map] */
  addLuminosityFilter(map) {
    return named(`luminosity ${map ?? ""}`, (pixels) => {
      for (let at = 0; at < pixels.length; at += 4) {
        const bright = Math.round(0.3 * pixels[at] + 0.59 * pixels[at + 1] + 0.11 * pixels[at + 2]);
        pixels[at + 3] = map ? map[bright] : bright;
      }
    });
  }

  destroy() {
    masks.clear();
  }
}

/** @param {string} name @param {Mask} mask */
function named(name, mask) {
  masks.set(name, mask);
  return name;
}

/** @param {Context} context */
function withMasks(context) {
  const plain = /** @type {(picture: unknown, ...place: number[]) => void} */ (context.drawImage.bind(context));
  /** @type {Mask | undefined} */
  let mask;
  Object.defineProperty(context, "filter", { get: () => "none", set: (name) => void (mask = masks.get(name)) });
  context.drawImage = (/** @type {any} */ picture, /** @type {number[]} */ ...place) => {
    const [left, top, width, height, ...target] = place;
    if (!mask || target.length !== 4) return plain(picture, ...place);
    const part = new OffscreenCanvas(width, height);
    const pixels = picture.getContext("2d").getImageData(left, top, width, height);
    mask(pixels.data);
    mask = undefined; // pdf.js restores the context after it
    /** @type {Context} */ (part.getContext("2d")).putImageData(pixels, 0, 0);
    plain(part, target[0], target[1]);
  };
  return context;
}
