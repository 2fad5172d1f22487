/**
 * What a PDF says of itself: its title, its outline, what kind of form it holds.
 *
 * @typedef {{title: string, level: number, page: number}} OutlineEntry
 * @typedef {{type: "info", pages: number, title: string, encrypted: boolean, rescued: boolean, xfa: boolean, outline: OutlineEntry[]}} Info
 *   `rescued`: its end is lost; `xfa`: it is a form of a kind that only few programs show
 */

const MOST_OUTLINE_ENTRIES = 20_000;

/**
 * @param {any} pdf
 * @param {boolean} rescued
 * @returns {Promise<Info>}
 */
export async function readInfo(pdf, rescued) {
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
  return {
    type: "info",
    pages: pdf.numPages,
    title: typeof info?.Title === "string" ? info.Title : "",
    encrypted: Boolean(info?.EncryptFilterName),
    rescued,
    xfa: Boolean(info?.IsXFAPresent && !info.IsAcroFormPresent),
    outline: await readOutline(pdf).catch(() => []),
  };
}

/**
 * @param {any} pdf
 * @returns {Promise<OutlineEntry[]>} depth first; page 0 where the target is not in the document
 */
async function readOutline(pdf) {
  /** @type {OutlineEntry[]} */
  const entries = [];
  const stack = ((await pdf.getOutline()) ?? []).map((/** @type {any} */ node) => ({ node, level: 1 })).reverse();
  while (stack.length && entries.length < MOST_OUTLINE_ENTRIES) {
    const { node, level } = stack.pop();
    entries.push({ title: node.title ?? "", level, page: await pageOf(pdf, node.dest).catch(() => 0) });
    for (const child of [...(node.items ?? [])].reverse()) {
      stack.push({ node: child, level: level + 1 });
    }
  }
  return entries;
}

/**
 * @param {any} pdf
 * @param {any} dest
 */
async function pageOf(pdf, dest) {
  const explicit = typeof dest === "string" ? await pdf.getDestination(dest) : dest;
  const target = Array.isArray(explicit) ? explicit[0] : null;
  if (typeof target === "number") {
    return target + 1;
  }
  return target ? (pdf.cachedPageNumber(target) ?? (await pdf.getPageIndex(target)) + 1) : 0;
}
