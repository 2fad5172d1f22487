"use strict";
/**
 * A trace as the engine keeps it, for the tests and screenshots of the dialog “How was this made”: a question whose
 * first search was not enough, with every kind of entry, and as many passages in the lists as a real search has.
 */
(() => {
  const PASSAGES = 64;
  const id = (/** @type {number} */ n) => (n % 3 ? "limits" : "policy");
  const entry = (/** @type {number} */ n, /** @type {number} */ rank, /** @type {number} */ score) => ({ document: id(n), chunk: n, rank, score });
  /** @param {number[]} order @param {(rank: number) => number} score */
  const list = (order, score) => order.map((n, place) => entry(n, place + 1, score(place + 1)));
  const numbers = (/** @type {number} */ from, /** @type {number} */ to) => Array.from({ length: to - from }, (_, n) => from + n);

  const prompt = `<|im_start|>system\nAnswer from the passages. <b>Not bold</b>.<|im_end|>\n<|im_start|>user\n${"[1] SQLite does not support joins containing more than 64 tables.\n".repeat(6)}Question: What is the maximum number of tables in a join?<|im_end|>\n<|im_start|>assistant\n`;
  const raw = "A join in SQLite can have at most 64 tables, because the query optimizer keeps one bit for each table. [2] Most databases allow 128 tables. [1]<|im_end|>";
  const kept = "A join in SQLite can have at most 64 tables, because the query optimizer keeps one bit for each table.";

  /** @param {string} trace */
  function fakeTrace(trace) {
    const dense = [3, 1, 2, ...numbers(30, PASSAGES)];
    const fusion = [1, 3, 2, 0, ...numbers(4, 46)];
    const rerank = list(fusion, (rank) => 24 - rank / 2);
    return {
      format: 2, id: trace, time: "2026-01-02T03:04:05Z",
      question: "Hello, and for views?", turns: [{ question: "What is the maximum number of tables in a join?", answer: "64." }],
      filter: { collections: ["manuals"] }, mode: "both",
      resolved: "Hello, what is the maximum number of tables in a join for views?", rule: "exchanged",
      cleaned: "What is the maximum number of tables in a join for views?", parts: ["What is the maximum number of tables in a join for views?"],
      library: { documents: 2, chunks: 1235, embedder: "minilm-l6@0123456789ab" },
      retrieval: {
        lexical: list(numbers(0, 40), (rank) => 12 - rank / 4), dense: list(dense, (rank) => 0.71 - rank / 100),
        fusion: list(fusion, (rank) => 2.5 - rank / 10), rerank: rerank.map((one) => ({ ...one, probability: 0.9 / one.rank })),
        blend: list(fusion, (rank) => 2 - rank / 10), complement: list([1, 2, 3, 0, ...numbers(4, 46)], (rank) => 2 - rank / 10),
      },
      corrected: { merged: list([1, 2, 0, 3], (rank) => 1 / rank) },
      folded: [{ document: id(5), chunk: 5, into: [id(1), 1] }],
      found: {
        documents: { limits: "manuals/sqlite/sqlite-limits.html", policy: "debian-policy <img src=x>.pdf" },
        chunks: numbers(0, PASSAGES).map((n) => ({ document: id(n), chunk: n, page: n % 3 ? null : n + 1, last_page: null, heading: "Maximum Number Of Tables In A Join", text: `SQLite does not support joins containing more than 64 tables. Passage ${n} says how the limit arises from the code generator, which uses bitmaps.` })),
      },
      judgement: {
        verdict: "ambiguous", probability: 0.46, out_of_scope: false, reasons: ["The word “views” stands in none of your documents."],
        signals: { coverage: 0.7213, unknown: 1, cosine: 0.6412, agreement: 0.3, same_first: 0, relevant: -0.1204, something_new: 0.5 },
      },
      steps: [
        { name: "expanded", question: "maximum number of tables in a join for views bitmaps optimizer", verdict_before: "incorrect", verdict_after: "ambiguous", gained: 1, seconds: 0.142 },
        { name: "rephrased", question: "How many tables may a view join?", verdict_before: "ambiguous", verdict_after: "ambiguous", gained: 0, seconds: 0.618 },
      ],
      passages: [1, 2, 0, 3].map((n, place) => ({ number: place + 1, document: id(n), chunk: n, start: 0, end: 90, page: null, flags: [] })),
      sources: [{ number: 1, start: 0, end: 61, text: "SQLite does not support joins containing more than 64 tables." }, { number: 3, start: 0, end: 20, text: "a second source here" }],
      prompt,
      generation: { raw, tokens: 41, passes: 17, stopped_by: "end", prompt_tokens: 412, prefill_seconds: 3.104, decode_seconds: 2.318 },
      support: [
        { sentence: kept, cited: [2], kept: [1], reason: "" },
        { sentence: "Most databases allow 128 tables.", cited: [1], kept: [], reason: "the number 128 does not stand in the passage" },
      ],
      answer: `${kept} [1]`, answer_mode: "generated", removed: ["Most databases allow 128 tables."], notes: ["Nothing was found about views."], refusal: null, quotes: [], conflicts: [],
      models: { embedder: "minilm-l6@0123456789ab", reranker: "maxsim@ba9876543210", generator: "qwen2.5-0.5b@00112233aabb", runtime: "onnxruntime-web 1.30.0, wasm build", backends: { "minilm-l6": "wasm", maxsim: "wasm", "qwen2.5-0.5b": "webgpu-f16" } },
      engine: { version: "0.1.0", answers: { source_tokens: 350, source_tokens_webgpu: 900 }, retrieval: { candidates: 50, lexical_share: 0.4 } },
      timings: { retrieval: 0.4, judge: 0.21, corrective: 0.76, generation: 5.422, check: 0.03, evidence_first: 0.31, evidence_final: 1.4, first_word: 4.55, total: 6.94 },
      stages: [
        { name: "retrieval", start: 0.02, seconds: 0.4 }, { name: "judge", start: 0.42, seconds: 0.21 }, { name: "corrective", start: 0.63, seconds: 0.76 },
        { name: "generation", start: 1.42, seconds: 5.422 }, { name: "check", start: 6.85, seconds: 0.03 },
      ],
      marks: { evidence_first: 0.31, evidence_final: 1.4, first_word: 4.55, total: 6.94 },
    };
  }

  Object.assign(globalThis, { fakeTrace });
})();
