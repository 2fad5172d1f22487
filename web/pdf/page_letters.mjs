/**
 * Letters that neither the file nor the browser has: a box is drawn for each. Told by their look, which is that of a
 * character that no font has; so not in browsers whose boxes name the character.
 */

const SAMPLES = 12; // of a page's letters
const SIZE = 24; // pixels
const NOBODYS = "\u{10fffe}"; // no character, ever

/** Whether a page that was drawn has such letters. @param {any} page of pdf.js */
export async function lacksLetters(page) {
  const borrowed = new Set([...page.commonObjs].filter(([, font]) => font?.missingFile).map(([id]) => id));
  if (!borrowed.size) return false;
  const { items } = await page.getTextContent({ disableNormalization: true });
  const letters = items.filter((/** @type {any} */ item) => borrowed.has(item.fontName)).flatMap((/** @type {any} */ item) => [...item.str]);
  const others = [...new Set(letters)].filter((letter) => letter > "\u02ff" && letter.trim());
  const box = look(NOBODYS);
  return others.slice(0, SAMPLES).some((letter) => look(letter) === box);
}

/** @param {string} letter */
function look(letter) {
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(SIZE, SIZE).getContext("2d"));
  context.font = `${SIZE - 6}px sans-serif`;
  context.fillText(letter, 2, SIZE - 6);
  return context.getImageData(0, 0, SIZE, SIZE).data.join();
}
