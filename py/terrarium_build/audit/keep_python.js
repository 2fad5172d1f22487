/**
 * Runs before the page's own scripts and adds a line to the engine's source that keeps its Python where the audit finds
 * it. A test has no other way to the interpreter, and the page itself offers none.
 */
(() => {
  const KEEP = "{ const load = loadPyodide; loadPyodide = async (options) => (self.auditPython = await load(options)); }";
  const Plain = Blob;
  window.Blob = class extends Plain {
    /** @param {BlobPart[]} [parts] @param {BlobPropertyBag} [options] */
    constructor(parts = [], options = {}) {
      const engine = parts.length > 5 && typeof parts[0] === "string" && parts[0].includes("removeNetwork");
      super(engine ? [...parts, KEEP] : parts, options);
    }
  };
})();
