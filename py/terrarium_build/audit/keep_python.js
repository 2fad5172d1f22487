/**
 * Runs before the page's own scripts and adds a line to the sources of the engine and the reader that keeps their Python
 * where the audit finds it. A test has no other way to the interpreter, and the page itself offers none.
 */
(() => {
  const KEEP = "{ const load = loadPyodide; loadPyodide = async (options) => (self.auditPython = await load(options)); }";
  const Plain = Blob;
  window.Blob = class extends Plain {
    /** @param {BlobPart[]} [parts] @param {BlobPropertyBag} [options] */
    constructor(parts = [], options = {}) {
      const python = parts.length > 5 && typeof parts[0] === "string" && parts[0].includes("removeNetwork");
      super(python ? [...parts, KEEP] : parts, options);
    }
  };
})();
