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
 *   engine     "worker-source" (bundle of what the workers' sources are made of: "pyodide.js", "pyodide.asm.js",
 *              "tokenizers.js", "bridge/*.js" sorted, "reader_worker.js", "worker.js"; web/engine_link.js says which
 *              of them make which worker),
 *              "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json" and, as they lie beside Pyodide's lock
 *              file, "numpy-….whl", "micropip-….whl", "packaging-….whl";
 *              "wheels" (bundle: "wheels/….whl", what micropip installs);
 *              of the reranker "models-<id>" (bundle: "models/<id>.toml", "models/<id>.files.json") and
 *              "models/<file of [files]>"
 *   ort-wasm   "ort.wasm.min.js", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm": one of these two groups is
 *   ort-webgpu "ort.jspi.min.js", "ort-wasm-simd-threaded.jspi.mjs", "….jspi.wasm"           loaded, never both
 *   pdf        "pdf_worker.js" (pdf.js and web/pdf_worker.js, one classic script),
 *              "page_worker.js" (the same of web/page_worker.js), "pdf" (bundle: "pdf/cmaps/*", "pdf/standard_fonts/*",
 *              "pdf/wasm/*": decoders of pictures)
 *   ocr        "ocr_worker.js" (tesseract.js's worker half and web/ocr_worker.js, one classic script),
 *              "ocr/tesseract-core-simd-lstm.js" and ".wasm", "ocr/<language>.traineddata.gz": gzipped until it is used
 *   embedder-english  "models-english" (bundle, as above), "models/<file of [files]>": one embedder's group is loaded
 *   generator-small   "models-small" (bundle: its .toml and .files.json), "models/<file of [files]>", and the graph
 *              of each of [backends]; weights are made of its blocks
 */

type AssetGroup = "interface" | "engine" | "ort-wasm" | "ort-webgpu" | "pdf" | `embedder-${string}` | `generator-${string}`;

interface AssetShard {
  /** Path from index.html, "assets/….js"; in a model pack, the pack's own name. */
  file: string;
  /** Decoded bytes that this shard carries (before un-gzipping). */
  bytes: number;
  /** Of these bytes; in a model pack only, where a shard is checked on its own. */
  sha256?: string;
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
  /** Embedders that were packed, the page's first choice first; at least one. */
  embedders: string[];
  /** Generator → bytes of the largest matrix that it binds on a graphics processor. */
  bindings: Record<string, number>;
  assets: AssetEntry[];
}

/** What the page found of the graphics processor before the engine was made. */
interface GpuFound {
  /** Why it is not used, in a sentence; "" when it is to be tried. */
  refused: string;
  /** Bytes that one binding may hold. */
  binding: number;
}

/** Where the stored bytes of assets come from: the folder, or a model pack that this browser keeps. */
interface AssetSource {
  /** Shard `index` of the asset, decoded. */
  read(asset: AssetEntry, index: number): Promise<Uint8Array<ArrayBuffer>>;
  /** What to tell the person when the shards do not make the asset. */
  damaged(asset: AssetEntry): Error;
}

/**
 * A model pack, `terrarium-NAME.pack`: one generator for a page whose folder lacks it. py/terrarium_build/packs.py writes it.
 *
 *   16 bytes  "TERRARIUM PACK 1"
 *    4 bytes  length of the header, little-endian
 *   32 bytes  SHA-256 of the header
 *   header    JSON in UTF-8: a {@link PackHeader}
 *   shards    the stored bytes of all assets in the header's order, at most 64 MiB each, nothing between them
 */
interface PackHeader {
  /** The version of Terrarium that reads these models; another one refuses the pack. */
  version: string;
  /** The NAME of its assets' group, "generator-NAME". */
  generator: string;
  /** The model's full name and its licence, an SPDX expression. */
  title: string;
  licence: string;
  /** The licence's text, for whoever passes the file on. */
  notices: string;
  /** As in the manifest's `bindings`. */
  binding: number;
  /** Their names and their members' all start with "models/". */
  assets: AssetEntry[];
}
