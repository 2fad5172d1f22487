/**
 * Runs a probe in a worker inside the engine's or the reader's worker, made the way pages are drawn or a PDF is read.
 * Evaluates to a function for either worker, whose scripts share the names used here.
 */
async (/** @type {[string, string]} */ [probe, base]) => {
  const { bytes } = bridgeAssets;
  // What each bridge takes for an answer: a message that ends a reading, or one to question 0.
  const source = `self.onmessage = async () => {
    const results = await (${probe})(${JSON.stringify(base)});
    self.postMessage({ type: "done", results, number: 0, answer: { pages: results } });
  };`;
  const reads = typeof bridgePdf !== "undefined";
  const taken = reads ? "pdf_worker.js" : "page_worker.js";
  bridgeAssets.bytes = (/** @type {string} */ name) => (name === taken ? new TextEncoder().encode(source) : bytes(name));
  const bridge = reads ? bridgePdf : bridgePages;
  const id = bridge.open(new Uint8Array(1), undefined);
  bridgeAssets.bytes = bytes;
  const results = reads ? JSON.parse(await bridgePdf.next(id)).results : await bridgePages.opened(id);
  bridge.close(id);
  if (!results) throw new Error("The nested worker gave no results.");
  return results;
};
