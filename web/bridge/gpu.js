"use strict";
/**
 * The graphics processor: one device at a time, opened when a session first wants it and again after it was lost.
 *
 * The device is asked for without the feature `subgroups`: with it, attention in onnxruntime-web 1.30 is wrong on adapters
 * with subgroups of 4 (logits off by 3 after 70 tokens, with heads of 64). Without it onnxruntime goes through shared memory,
 * as on NVIDIA and Apple in any case (https://github.com/microsoft/onnxruntime/pull/28520). May go with a version that
 * passes the self-test's probe on such an adapter: tests/browser/test_gpu.py holds both.
 */
const bridgeGpu = (() => {
  // What the operators may need beyond WebGPU's defaults, as much as the adapter has.
  const LIMITS = /** @type {const} */ ([
    "maxBufferSize",
    "maxStorageBufferBindingSize",
    "maxStorageBuffersPerShaderStage",
    "maxComputeWorkgroupStorageSize",
    "maxComputeInvocationsPerWorkgroup",
    "maxComputeWorkgroupSizeX",
    "maxComputeWorkgroupSizeY",
    "maxComputeWorkgroupSizeZ",
    "maxComputeWorkgroupsPerDimension",
  ]);

  // Asked for where the adapter has them.
  const FEATURES = /** @type {const} */ (["shader-f16"]);

  /** @type {GpuFound} */
  let found = { refused: "The page did not look for a graphics processor.", binding: 0 };
  /** @type {GPUDevice | undefined} */
  let current;
  /** @type {GPUAdapterInfo | undefined} */
  let info;

  /** @param {GpuFound | undefined} given what the page found */
  const fill = (given) => void (found = given ?? found);

  /** @returns {Promise<GPUDevice>} */
  async function open() {
    if (current) return current;
    const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" });
    if (!adapter) throw new Error("The browser gives no graphics processor any more.");
    /** @type {Record<string, number>} */
    const requiredLimits = {};
    for (const name of LIMITS) requiredLimits[name] = adapter.limits[name];
    const device = await adapter.requestDevice({ requiredLimits, requiredFeatures: FEATURES.filter((name) => adapter.features.has(name)) });
    // Handed out once: whoever holds a lost device finds that it is not the current one.
    device.lost.then(() => void (current === device && (current = undefined)));
    info = adapter.info;
    return (current = device);
  }

  /** What the self-test writes its verdicts under, and what they are decided by. `refused` says why there is none. */
  async function describe() {
    if (found.refused) return { ...found, name: "", float16: false };
    try {
      const device = await open();
      const name = [info?.vendor, info?.architecture, info?.device, info?.description].filter(Boolean).join(" ");
      const binding = Math.min(device.limits.maxBufferSize, device.limits.maxStorageBufferBindingSize);
      return { refused: "", binding, name: name || "unnamed", float16: device.features.has("shader-f16") };
    } catch (error) {
      return { refused: error instanceof Error ? error.message : String(error), binding: 0, name: "", float16: false };
    }
  }

  /** @param {GPUDevice | undefined} device */
  const isLost = (device) => device !== undefined && device !== current;

  /** An error that Python knows by its name. */
  const lostError = () => Object.assign(new Error("The graphics processor was reset or taken away."), { name: "DeviceLost" });

  /**
   * A buffer of zeros.
   * @param {GPUDevice} device
   * @param {number} bytes
   */
  function buffer(device, bytes) {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    return device.createBuffer({ size: Math.max(16, Math.ceil(bytes / 16) * 16), usage });
  }

  return { fill, open, describe, isLost, lostError, buffer };
})();
