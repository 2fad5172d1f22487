/**
 * What a PDF's fonts look like, as far as their names and flags tell.
 *
 * @typedef {{name: string, bold: boolean, italic: boolean, mono: boolean, vertical: boolean}} Font
 */

const MONOSPACED = /mono|courier|typewriter|CMTT|SFTT|consol|fixed/i;
const MATHS = /^CM(SY|MI|EX)|^MS[AB]M|symbol/i; // often flagged as of one width, never code

/**
 * Names of fonts come with the drawing instructions only.
 *
 * @param {any} page
 * @param {string[]} ids
 * @param {Record<string, any>} styles
 * @param {Map<string, Font>} known
 */
export function readFonts(page, ids, styles, known) {
  for (const id of ids) {
    const font = page.commonObjs.has(id) ? page.commonObjs.get(id) : {};
    const name = String(font?.name ?? "").replace(/^[A-Z]{6}\+/, "");
    known.set(id, {
      name,
      bold: Boolean(font?.bold || font?.black) || /bold|black|heavy|demi|-Medi|SFBX|CMBX|CMSSBX/i.test(name),
      italic: Boolean(font?.italic) || /italic|oblique/i.test(name),
      mono: (styles[id]?.fontFamily === "monospace" && !MATHS.test(name)) || MONOSPACED.test(name),
      vertical: Boolean(styles[id]?.vertical),
    });
  }
}
