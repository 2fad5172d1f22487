"use strict";
/**
 * Whether this browser's graphics processor is worth trying: asked before anything that only serves it is loaded.
 * Nothing is proven here. The engine proves the processor with a small model, and then every model (py/terrarium/models/selftest.py).
 *
 * "#gpu=off" in the address leaves it out. "#gpu=software" takes an adapter that is a program, which is right and slow: for tests.
 */
const gpu = (() => {
  /** @type {Promise<GpuFound> | undefined} */
  let looked;

  /** @returns {Promise<GpuFound>} */
  async function look() {
    const asked = choices.asked("gpu");
    /** @param {string} refused */
    const without = (refused) => ({ refused, binding: 0 });
    if (asked === "off") return without("The page's address says #gpu=off.");
    if (!navigator.gpu) return without("This browser offers no WebGPU.");
    // The build for WebGPU suspends WebAssembly while the processor works.
    if (!("Suspending" in WebAssembly)) return without("This browser cannot suspend WebAssembly (JSPI; Chromium can since version 137).");
    const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" }).catch(() => null);
    if (!adapter) return without("This browser found no graphics processor that it may use.");
    if (isSoftware(adapter) && asked !== "software") return without("The graphics adapter is a program, slower than WebAssembly.");
    const { maxStorageBufferBindingSize, maxBufferSize } = adapter.limits;
    return { refused: "", binding: Math.min(maxStorageBufferBindingSize, maxBufferSize) };
  }

  /** @param {GPUAdapter} adapter */
  function isSoftware({ info }) {
    return info.isFallbackAdapter || info.architecture === "swiftshader";
  }

  /**
   * @param {Manifest} manifest
   * @param {string} generator
   * @param {"wasm" | "webgpu"} backend
   */
  function hasGraph(manifest, generator, backend) {
    return manifest.assets.some(({ group, name }) => group === `generator-${generator}` && name.endsWith(`.${backend}.onnx`));
  }

  /**
   * What the engine is told of the graphics processor, with this generator in mind.
   * @param {Manifest} manifest
   * @param {string | null} generator
   * @returns {Promise<GpuFound>}
   */
  async function forGenerator(manifest, generator) {
    const found = await (looked ??= look());
    if (!generator) return { ...found, refused: "Answers are quotes, so no model needs it." };
    if (!hasGraph(manifest, generator, "webgpu")) return { ...found, refused: `The ${generator} model has no graph for it.` };
    const needed = manifest.bindings[generator] ?? 0;
    if (found.refused || needed <= found.binding) return found;
    const sizes = [needed, found.binding].map((bytes) => Math.round(bytes / 2 ** 20));
    return { ...found, refused: `The ${generator} model has a matrix of ${sizes[0]} MiB, and the graphics processor takes ${sizes[1]} MiB at once.` };
  }

  /**
   * Why a generator cannot run here at all; "" when it can be tried.
   * @param {Manifest} manifest
   * @param {string} generator
   */
  async function lacking(manifest, generator) {
    if (hasGraph(manifest, generator, "wasm")) return "";
    const { refused } = await forGenerator(manifest, generator);
    return refused && `The ${generator} model runs on a graphics processor only. ${refused}`;
  }

  return { forGenerator, lacking };
})();
