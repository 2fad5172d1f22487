/**
 * A PDF whose end is lost has no list of its pages and no root: both are written anew behind what is there. Objects in
 * compressed streams, whose list is lost with the end too, are written out.
 */

const OBJECT = /(\d{1,8})\s+\d{1,5}\s+obj\b/g;
const PAGE = /\/Type\s*\/Page(?![A-Za-z])/;
const PACKED = /\/Type\s*\/ObjStm\b/;
const MOST_OBJECTS = 200_000;
const MOST_UNPACKED = 64e6; // bytes of all compressed streams of objects

/** @param {Uint8Array<ArrayBuffer>} data @returns {Promise<Uint8Array<ArrayBuffer> | null>} null where no page is left */
export async function rescued(data) {
  const text = new TextDecoder("latin1").decode(data);
  if (/\/Encrypt\s+\d/.test(text)) return null;
  const found = [...text.matchAll(OBJECT)].slice(0, MOST_OBJECTS);
  /** @type {number[]} */
  const pages = [];
  let more = "";
  let last = 0;
  let left = MOST_UNPACKED;
  for (let i = 0; i < found.length; i++) {
    const start = found[i].index + found[i][0].length;
    const body = text.slice(start, found[i + 1]?.index ?? text.length);
    const head = body.split(/\bstream\b/, 1)[0];
    const number = Number(found[i][1]);
    last = Math.max(last, number);
    if (PAGE.test(head)) pages.push(number);
    if (!PACKED.test(head) || left <= 0) continue;
    for (const [inner, content] of await unpacked(data, start, head, left)) {
      left -= content.length;
      if (PAGE.test(content)) pages.push(inner);
      more += `${inner} 0 obj\n${content}\nendobj\n`;
      last = Math.max(last, inner);
    }
  }
  const kids = [...new Set(pages)];
  if (!kids.length) return null;
  more += `${last + 1} 0 obj\n<</Type/Pages/Count ${kids.length}/Kids[${kids.map((kid) => `${kid} 0 R`).join(" ")}]>>\nendobj\n`;
  more += `${last + 2} 0 obj\n<</Type/Catalog/Pages ${last + 1} 0 R>>\nendobj\n`;
  more += `trailer\n<</Size ${last + 3}/Root ${last + 2} 0 R>>\nstartxref\n0\n%%EOF\n`;
  // Closed first, whatever was open: a stream, or a list of objects, which ends with a trailer.
  const end = Uint8Array.from(`\nendstream\nendobj\ntrailer\n<<>>\nstartxref\n0\n${more}`, (letter) => letter.charCodeAt(0));
  const whole = new Uint8Array(data.length + end.length);
  whole.set(data);
  whole.set(end, data.length);
  return whole;
}

/**
 * @param {Uint8Array<ArrayBuffer>} data @param {number} start of the stream's dictionary @param {string} head the dictionary
 * @param {number} most bytes
 * @returns {Promise<[number, string][]>} the objects in a stream, as far as it goes
 */
async function unpacked(data, start, head, most) {
  const count = Number(/\/N\s+(\d+)/.exec(head)?.[1] ?? 0);
  const first = Number(/\/First\s+(\d+)/.exec(head)?.[1] ?? 0);
  if (!/\/FlateDecode/.test(head) || !count || count > MOST_OBJECTS) return [];
  let from = start + head.length + "stream".length;
  from += data[from] === 13 ? 2 : 1;
  const length = Number(/\/Length\s+(\d+)(?!\s+\d+\s+R)/.exec(head)?.[1] ?? data.length - from);
  const content = await inflated(data.subarray(from, from + length), most);
  const numbers = content.slice(0, first).trim().split(/\s+/).map(Number);
  /** @type {[number, string][]} */
  const objects = [];
  for (let i = 0; i + 1 < Math.min(2 * count, numbers.length); i += 2) {
    const body = content.slice(first + numbers[i + 1], i + 3 < numbers.length ? first + numbers[i + 3] : undefined);
    if (body.trim()) objects.push([numbers[i], body]);
  }
  return objects;
}

/** @param {Uint8Array<ArrayBuffer>} data @param {number} most @returns {Promise<string>} a letter a byte */
async function inflated(data, most) {
  const reader = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  const decoder = new TextDecoder("latin1");
  let text = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done || text.length > most) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // Cut off: what came before is whole.
  }
  return text;
}
