/** What tests/browser/test_recognition.py calls in the page of ocr_page.py, beside the page's own code. */
"use strict";
/** What the seal and the policy stopped. */
const stopped = [];
document.addEventListener("securitypolicyviolation", (event) => stopped.push(`${event.effectiveDirective} ${event.blockedURI}`));
bridgeAssets.fill(new Map(Object.entries(ocrFiles).map(([name, text]) => [name, Uint8Array.from(atob(text), (one) => one.charCodeAt(0))])));

/** Lines of print, black on white: `[text, x, baseline, font size]` in pixels. */
function printed(width, height, lines) {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { alpha: false });
  context.fillStyle = "white";
  context.fillRect(0, 0, width, height);
  context.fillStyle = "black";
  for (const [text, x, y, size] of lines) {
    context.font = `${size}px "Liberation Serif", "DejaVu Serif", serif`;
    context.fillText(text, x, y);
  }
  return gray(context, width, height);
}

/** A picture of one bit a pixel, eight in a byte, ones black: as a scanner stores print. */
function bits(text, width, height, margin) {
  const packed = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  const across = width + 2 * margin;
  const data = new Uint8Array(across * (height + 2 * margin)).fill(255);
  const stride = Math.ceil(width / 8);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((packed[y * stride + (x >> 3)] >> (7 - (x & 7))) & 1) data[(y + margin) * across + x + margin] = 0;
    }
  }
  return { data, width: across, height: height + 2 * margin };
}

function gray(context, width, height) {
  const { data } = context.getImageData(0, 0, width, height);
  return { data: Uint8Array.from({ length: width * height }, (_, at) => data[4 * at]), width, height };
}

/** The words of one picture, and how often progress was told. */
async function recognised(languages, { data, width, height }) {
  const id = bridgeOcr.open(languages);
  try {
    const begun = JSON.parse(await bridgeOcr.next(id));
    if (begun.type !== "ready") return { ...begun, stopped };
    bridgeOcr.read(id, data, width, height, 300);
    let steps = 0;
    for (;;) {
      const message = JSON.parse(await bridgeOcr.next(id));
      if (message.type !== "progress") return { ...message, steps, stopped };
      steps++;
    }
  } finally {
    bridgeOcr.close(id);
  }
}

seal.tighten();
document.documentElement.dataset.stage = "ready";
