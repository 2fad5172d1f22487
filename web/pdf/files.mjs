/**
 * Files inside of a PDF, as messages. What is larger than all of them together may be is named and left out.
 *
 * @typedef {{name: string, content: Uint8Array}} Attached
 * @typedef {{type: "file", name: string, size: number, data: string | null}} File `data`: Base64; null where it was left out
 */

const MOST_FILES = 500;
const MOST_BYTES = 128 * 2 ** 20;
const SLICE = 32_766; // bytes: a multiple of three

/**
 * @param {Attached[]} attached
 * @param {(message: File) => void} emit
 */
export function emitFiles(attached, emit) {
  const known = new Set();
  let left = MOST_BYTES;
  for (const { name, content } of attached) {
    const key = `${name}\n${content.length}`;
    if (known.has(key)) continue; // listed in the document and pinned to a page
    known.add(key);
    const fits = content.length <= left && known.size <= MOST_FILES;
    left -= fits ? content.length : 0;
    emit({ type: "file", name, size: content.length, data: fits ? base64(content) : null });
  }
}

/** @param {any} pdf @returns {Promise<Attached[]>} */
export async function attachedTo(pdf) {
  const found = Object.values((await pdf.getAttachments().catch(() => null)) ?? {});
  return found.filter(({ content }) => content).map(({ filename, content }) => ({ name: filename, content }));
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let text = "";
  for (let start = 0; start < bytes.length; start += SLICE) {
    text += btoa(String.fromCharCode(...bytes.subarray(start, start + SLICE)));
  }
  return text;
}
