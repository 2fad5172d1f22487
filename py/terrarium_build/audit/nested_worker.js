/**
 * Runs a probe in a worker inside the engine's worker, made the way a PDF is read.
 * Evaluates to a function for the engine's worker, whose scripts share the names used here.
 */
async (/** @type {[string, string]} */ [probe, base]) => {
  const { bytes } = bridgeAssets;
  const source = `self.onmessage = async () => {
    const results = await (${probe})(${JSON.stringify(base)});
    self.postMessage({ type: "done", results });
  };`;
  bridgeAssets.bytes = (/** @type {string} */ name) => (name === "pdf_worker.js" ? new TextEncoder().encode(source) : bytes(name));
  const id = bridgePdf.open(new Uint8Array(1), undefined);
  bridgeAssets.bytes = bytes;
  const message = JSON.parse(await bridgePdf.next(id));
  bridgePdf.close(id);
  if (!message.results) throw new Error(`The nested worker said ${JSON.stringify(message)}.`);
  return message.results;
};
