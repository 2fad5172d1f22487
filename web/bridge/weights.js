"use strict";
/**
 * Weights that are made when onnxruntime asks for them. It reads each external tensor by one `subarray` of the weights file,
 * at once and in order, and copies it (js/web/lib/wasm, `mountExternalData`; `LoadExternalData` in
 * https://github.com/microsoft/onnxruntime); so a stand-in with a `subarray` of its own lets the file never be whole.
 */
const bridgeWeights = (() => {
  /**
   * What onnxruntime takes for a file of so many bytes. onnxruntime must not copy it as a whole: it is empty.
   * @param {number} size
   * @param {(start: number, target: Uint8Array) => void} make fills `target` with the file's bytes from `start` on
   */
  function standIn(size, make) {
    // One memory for all tensors, each of which is copied before the next is made.
    let memory = new ArrayBuffer(0);
    /** @param {number} start @param {number} end */
    function subarray(start, end) {
      if (memory.byteLength < end - start) memory = new ArrayBuffer(end - start);
      const target = new Uint8Array(memory, 0, end - start);
      make(start, target);
      return target;
    }
    return Object.defineProperties(new Uint8Array(0), { byteLength: { value: size }, subarray: { value: subarray } });
  }

  /**
   * Lays a slab over lines of `line` bytes, from byte `start` of each on.
   * @param {Uint8Array} target
   * @param {any} slab a proxy of a Python buffer [lines, width], that Pyodide destroys when the call returns
   * @param {number} start
   * @param {number} line
   */
  function lay(target, slab, start, line) {
    const view = slab.getBuffer("u8");
    try {
      const [lines, width] = view.shape;
      if (width === line) target.set(view.data);
      else for (let i = 0; i < lines; i++) target.set(view.data.subarray(i * width, (i + 1) * width), i * line + start);
    } finally {
      view.release();
    }
  }

  return { standIn, lay };
})();
