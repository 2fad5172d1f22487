/** What tests/browser/test_page_worker.py calls in the page of drawing_page.py, beside the page's own code. */
"use strict";
const decoded = (/** @type {string} */ text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
bridgeAssets.fill(new Map(Object.entries(pageFiles).map(([name, text]) => [name, decoded(text)])));

/** What the seal and the policy stopped. @type {string[]} */
const stopped = [];
document.addEventListener("securitypolicyviolation", (event) => stopped.push(`${event.effectiveDirective} ${event.blockedURI}`));
seal.tighten();
seal.guard([]);

let opened = 0;

/** @param {string} text a PDF in base64 @param {string} [password] @returns {Promise<number | string>} its pages, or the error's name */
async function openDocument(text, password) {
  bridgePages.close(opened);
  opened = bridgePages.open(decoded(text), password);
  return bridgePages.opened(opened).catch((error) => error.name);
}

/** The colours of some places of a page, [x, y] in points. @param {number} page @param {number} width @param {[number, number][]} places */
async function drawn(page, width, places) {
  const said = JSON.parse(await bridgePages.draw(opened, page, width));
  const { message } = bridgePages.attach({ result: { bitmap: said.bitmap } });
  const { bitmap } = message.result;
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  context.drawImage(bitmap, 0, 0);
  const scale = bitmap.width / said.width;
  const colours = places.map(([x, y]) => [...context.getImageData(Math.round(x * scale), Math.round(y * scale), 1, 1).data].slice(0, 3));
  return { ...said, pixels: [bitmap.width, bitmap.height], colours, stopped };
}

/** A page in grey: its size, and the values of some places. @param {number} page @param {number} dpi @param {[number, number][]} places */
async function grey(page, dpi, places) {
  const { data, pixels, width } = await bridgePages.gray(opened, page, dpi);
  const scale = pixels[0] / width;
  return { pixels, length: data.length, values: places.map(([x, y]) => data[Math.round(y * scale) * pixels[0] + Math.round(x * scale)]) };
}

/** How a question ends whose document is closed meanwhile. @param {number} page */
async function closedMeanwhile(page) {
  const asked = bridgePages.draw(opened, page, 800).then(() => "drawn", (error) => error.message);
  bridgePages.close(opened);
  return [await asked, await bridgePages.items(opened, page).catch((error) => error.message)];
}
