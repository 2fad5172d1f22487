/**
 * What the build writes into dist/assets/ and what the page reads there.
 *
 * assets/manifest.js holds one call, `__manifest({…})`, with a {@link Manifest}.
 * Every other file of assets/ is a script shard and holds one call,
 * `__asset("NAME#INDEX", function(){…})`: the bytes are base64 in a comment of that function, which is never run.
 * The decoded shards of an asset, in the order of `shards`, are its stored bytes; un-gzipped when `gzip` is
 * true, they are its final bytes, which `bytes` and `sha256` describe.
 *
 * Names of assets and members (the page takes no path apart, it looks names up):
 *   interface  "pyscript-core.mjs", "pyscript-core.css", "micropython.mjs", "micropython.wasm", "ui" (bundle: "ui/*.py")
 *   engine     "worker-source" (bundle, to be concatenated in its members' order: "pyodide.js", "pyodide.asm.js",
 *              "ort.wasm.min.js", "tokenizers.js", "bridge/*.js" sorted, "worker.js"),
 *              "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json" and, as they lie beside Pyodide's lock
 *              file, "numpy-….whl", "micropip-….whl", "packaging-….whl";
 *              "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm";
 *              "wheels" (bundle: "wheels/….whl", what micropip installs);
 *              of embedder and reranker each "models-<id>" (bundle: "models/<id>.toml", "models/<id>.files.json") and
 *              "models/<file of [files]>"
 *   pdf        "pdf_worker.js" (pdf.js and web/pdf_worker.js, one classic script),
 *              "pdf" (bundle: "pdf/cmaps/*", "pdf/standard_fonts/*")
 *   generator-small   "models-small" (bundle: its .toml and .files.json), "models/<file of [files]>"
 */

type AssetGroup = "interface" | "engine" | "pdf" | `generator-${string}`;

interface AssetShard {
  /** Path from index.html, "assets/….js". */
  file: string;
  /** Decoded bytes that this shard carries (before un-gzipping). */
  bytes: number;
}

interface AssetMember {
  name: string;
  /** Bytes from the start of the bundle's final bytes. */
  offset: number;
  length: number;
}

interface AssetEntry {
  name: string;
  group: AssetGroup;
  /** Length of the final, un-gzipped bytes. */
  bytes: number;
  /** Of the final, un-gzipped bytes; lower-case hexadecimal. */
  sha256: string;
  gzip: boolean;
  shards: AssetShard[];
  /** Present in a bundle only: the members are the names to offer, the bundle's own name is not one. */
  members?: AssetMember[];
}

interface Manifest {
  format: 1;
  /** Project version. */
  version: string;
  /** One hash over all the assets, to tell two builds apart. */
  build: string;
  /** Generators that were packed, best first; empty when the build left them out. */
  generators: string[];
  assets: AssetEntry[];
}
