/**
 * A PDF opened by pdf.js: with the bytes that its password may have been saved as, and, where its end is lost, with a
 * page tree of the pages that are there.
 *
 * Not opened: what is encrypted and damaged; pages whose dictionaries lie in a compressed stream that is cut off.
 */

import { rescued } from "./rescue.mjs";

const MOST_KEPT = 100e6; // bytes of a file that is kept until it is open, to be tried once more
const PDF_DOC = ["˘ˇˆ˙˝˛˚˜", "•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\u0000€"]; // PDFDocEncoding from 0x18 and 0x80 on
const WINDOWS = ["", "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"];

/**
 * @param {any} pdfjs the pdf.js API module
 * @param {Uint8Array} data taken over by pdf.js: unusable afterwards
 * @param {string | undefined} password
 * @param {object} options of `getDocument`
 * @returns {Promise<{pdf: any, rescued: boolean}>} end it with `pdf.loadingTask.destroy()`
 */
export async function openPdf(pdfjs, data, password, options) {
  const copy = data.length <= MOST_KEPT ? data.slice() : null;
  try {
    return { pdf: await attempt(pdfjs, data, password, options), rescued: false };
  } catch (error) {
    const { name = "" } = /** @type {any} */ (error);
    const mended = name !== "PasswordException" && copy ? await rescued(copy) : null;
    if (!mended) throw error;
    return { pdf: await attempt(pdfjs, mended, password, options), rescued: true };
  }
}

/** @param {any} pdfjs @param {Uint8Array} data @param {string | undefined} password @param {object} options */
async function attempt(pdfjs, data, password, options) {
  const [first, ...others] = password ? spellings(password) : [undefined];
  const task = pdfjs.getDocument({ ...options, data, password: first });
  task.onPassword = (/** @type {(next: string) => void} */ update) => {
    if (!others.length) throw new Error("no other spelling"); // pdf.js then says what it asked for
    update(/** @type {string} */ (others.shift()));
  };
  try {
    return await task.promise;
  } catch (error) {
    await task.destroy();
    throw error;
  }
}

/**
 * What pdf.js must be given for the bytes of a password: it writes UTF-8 for the newest encryption only, and takes
 * letters for bytes in all others. The standards say SASLprep (RFC 4013) and PDFDocEncoding; programs differ.
 *
 * @param {string} password
 */
export function spellings(password) {
  const prepared = password.replace(/[\u00ad\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff]/gu, "").replace(/\p{Zs}/gu, " ").normalize("NFKC");
  const texts = [password, prepared, password.normalize("NFC"), password.normalize("NFD")];
  const bytes = texts.flatMap((text) => [encoded(text, PDF_DOC), encoded(text, WINDOWS), utf8(text)]);
  return [...new Set([...texts, ...bytes.filter((one) => one !== null)])];
}

/** @param {string} text @param {string[]} table @returns {string | null} a letter a byte */
function encoded(text, [low, high]) {
  const codes = [...text].map((letter) => {
    const place = [low.indexOf(letter) + 0x18, high.indexOf(letter) + 0x80][low.includes(letter) ? 0 : 1];
    return low.includes(letter) || high.includes(letter) ? place : letter.codePointAt(0) ?? 0;
  });
  return codes.every((code) => code < 256) ? String.fromCharCode(...codes) : null;
}

/** @param {string} text */
const utf8 = (text) => String.fromCharCode(...new TextEncoder().encode(text));
