/** What the plain scripts of this folder find in their global scope, beside the browser's own names. */

/** Called by assets/manifest.js. */
declare var __manifest: ((manifest: Manifest) => void) | undefined;
/** Called by every shard: the bytes are base64 in a comment of `carrier`. */
declare var __asset: ((name: string, carrier: Function) => void) | undefined;

/** web/interface.js: starts the page's Python; resolves when its handlers are in place. */
declare function startInterface(assets: Map<string, Uint8Array>): Promise<void>;

/** The libraries at the head of the worker's source. */
declare const loadPyodide: typeof import("pyodide").loadPyodide;
declare const ort: typeof import("onnxruntime-web");
declare const tokenizers: typeof import("@huggingface/tokenizers");

/** The script of tesseract.js-core before web/ocr_worker.js in its worker's source; it publishes no types. */
declare const TesseractCore: (module: object) => Promise<object>;

/** https://w3c.github.io/FileAPI/#FileReaderSync: workers only, and TypeScript's types here are a page's. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

/** https://www.w3.org/TR/webgpu/#buffer-usage, which TypeScript's own types leave out. */
declare const GPUBufferUsage: { STORAGE: number; COPY_SRC: number; COPY_DST: number };

/** One thing that tried to reach the network, or could have, and was stopped. */
interface LedgerEntry {
  /** Milliseconds since the epoch. */
  time: number;
  where: "page" | "engine" | "reader" | "pdf" | "pages" | "ocr";
  /** "fetch", "img-src", "navigate", … */
  api: string;
  target: string;
  /** Who stopped it: the browser's policy, or a function that this project put in the way. */
  by: "browser" | "code";
}

/** What a command ended in when it gave no result: a Python exception's class name and its sentence. */
interface CommandError extends Error {
  kind: string;
  detail?: string;
}

/** The one object that the interface talks to. */
interface Terrarium {
  call(
    command: string,
    args?: Record<string, unknown>,
    onEvent?: (event: object) => void,
  ): { id: number; promise: Promise<any> };
  cancel(id: number): void;
  /** What this page is and how it started. */
  info: {
    version: string;
    build: string;
    embedders: string[];
    embedder: string;
    generators: string[];
    generator: string | null;
    notices: string[];
    /** Stage of the boot → seconds. */
    timings: Record<string, number>;
    protections: { enforced: string[]; ours: string[] };
  };
  ledger: LedgerEntry[];
  /** Resolves when the engine answers commands; rejects with the sentence that the page shows. */
  ready: Promise<void>;
  /** Model packs: generators that came as a file and are kept in this browser. */
  packs: {
    /** Whether a file is one, by its first bytes. */
    isPack(file: File): Promise<boolean>;
    /** Checks and keeps a pack; ends in the generator's name, or in an error with a sentence (kind "Cancelled" after `cancel`). */
    add(file: File, heard: (done: number, total: number) => void): { promise: Promise<string>; cancel: () => void };
    list(): Promise<KeptModel[]>;
    /** Frees its space. A writer that is loaded stays until the page starts again. */
    remove(key: string): Promise<void>;
  };
  /** Remembers which generator to load ("" for none) and loads the page again. */
  chooseWriter(name: string): void;
  /** Remembers which embedder to load and loads the page again. */
  chooseEmbedder(name: string): void;
}

interface KeptModel {
  key: string;
  /** As in `info.generators`. */
  name: string;
  title: string;
  licence: string;
  bytes: number;
  /** Why this page does not use it, a sentence; "" when it does. */
  unused: string;
}

interface Window {
  terrarium: Terrarium;
}

/** https://github.com/WICG/navigation-api, as far as seal.js uses it. */
interface NavigationGuardEvent extends Event {
  readonly destination: { readonly url: string; readonly sameDocument: boolean };
  readonly navigationType: string;
  readonly downloadRequest: string | null;
}

/** What the reader's worker says of a file: JSON (py/terrarium/readers/apart.py), and the bytes of the files inside. */
interface ReaderMessage {
  json: string;
  buffers: Uint8Array<ArrayBuffer>[];
  /** Of memory that its Python holds. */
  megabytes: number;
}

/** What `worker.js` gives to Python as the module `terrarium_bridge`. */
interface Bridge {
  assets: typeof bridgeAssets;
  gpu: typeof bridgeGpu;
  ort: typeof bridgeOrt;
  idb: typeof bridgeIdb;
  files: typeof bridgeFiles;
  tokenizers: typeof bridgeTokenizers;
  reader: typeof bridgeReader;
  pages: typeof bridgePages;
  ocr: typeof bridgeOcr;
  weights: typeof bridgeWeights;
}
