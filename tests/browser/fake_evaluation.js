"use strict";
/**
 * The engine's commands for a person's own questions, as a script: sets that are kept, questions that are made, runs
 * whose outcome follows from the words of a question (“moon” is refused, “wrong” is answered wrongly).
 */
(() => {
  const STAGES = ["bm25", "dense", "hybrid", "reranked", "final"];
  const RANKS = { bm25: 9, dense: 2, hybrid: 5, reranked: 2, final: 1 };

  /** @param {any} question @param {string} mode @param {number} place */
  function rowOf(question, mode, place) {
    const refused = /moon/.test(question.question);
    const wrong = /wrong/.test(question.question);
    const answerable = question.answerable !== false;
    const placed = answerable && Boolean(question.document || question.evidence || question.answers?.length);
    const stages = placed ? Object.fromEntries(STAGES.map((stage) => [stage, { ranks: { there: RANKS[stage] + place } }])) : {};
    const answer = {
      text: refused ? "Your documents do not seem to answer this." : "SQLite does not support joins containing more than 64 tables. [1]",
      answered: !refused, mode: refused ? "refused" : mode === "quote" ? "quoted" : "generated", correct: refused || !answerable ? null : !wrong,
      faithfulness: refused ? null : 1, relevancy: mode === "answer" ? 0.71 : null, context_precision: 0.5, context_recall: 1,
    };
    const lost = !answerable ? (refused ? null : "not_refused") : refused ? "judge" : wrong && mode !== "retrieval" ? "answer" : null;
    return {
      id: question.id ?? `q${place + 1}`, kind: question.kind ?? "question", question: question.question, answerable, stages, sources: 1, steps: [],
      judgement: { verdict: refused ? "incorrect" : "correct", probability: refused ? 0.1 : 0.9, refused },
      trace: `t${place}`, timings: { retrieval: 0.12, judge: 0.02, total: 0.4 }, lost, ...(mode === "retrieval" ? {} : { answer }),
    };
  }

  const share = (/** @type {boolean[]} */ values) => (values.length ? values.filter(Boolean).length / values.length : null);

  /** @param {string} id @param {any} args @param {any[]} rows @param {any} engine */
  function runOf(id, args, rows, engine) {
    const scored = rows.filter((row) => row.stages.final).length;
    const figures = (/** @type {number} */ by) => ({ "hit@1": 0.2 + by, "recall@3": 0.3 + by, "recall@10": 0.45 + by, mrr: 0.25 + by, "all@4": 0.35 + by });
    const measured = (/** @type {(by: number) => any} */ of) => (scored ? Object.fromEntries(STAGES.map((stage, place) => [stage, of(place / 10)])) : {});
    const answered = rows.filter((row) => row.answerable && row.answer).map((row) => row.answer);
    const answers = answered.length ? {
      answers: {
        mode: args.mode, judge: "local-judge over late interaction", agreement: "It agrees with hand labels on 87 of 100 sentences.",
        answered: share(answered.map((one) => one.answered)), correct: share(answered.filter((one) => one.answered).map((one) => one.correct)), right: share(answered.map((one) => Boolean(one.correct))),
        over_refusal: share(answered.map((one) => !one.answered)), refusal_recall: null, unsupported_sentences: 0, citation_precision: 1,
        faithfulness: 0.94, relevancy: args.mode === "answer" ? 0.71 : null, context_precision: 0.62, context_recall: 0.8,
      },
    } : {};
    const refusal = { over_refusal: share(rows.filter((row) => row.answerable).map((row) => row.judgement.refused)), recall: share(rows.filter((row) => !row.answerable).map((row) => row.judgement.refused)) };
    const time = (/** @type {number} */ median) => ({ median, p90: median * 2.5, questions: rows.length });
    return {
      id, date: 1_800_000_000 + engine.runs.length * 3600, name: args.name, mode: args.mode, made: Boolean(args.made), asked: rows.length, total: args.questions.length,
      library: { documents: engine.documents.length, passages: 1235 }, figures: { found: scored ? 0.75 : null, mrr: scored ? 0.65 : null, correct: answers.answers?.right ?? null, over_refusal: refusal.over_refusal },
      set: { name: args.name, questions: rows.length, left_out: engine.leftOut, unreadable: [] }, models: engine.models, settings: {}, scored,
      stages: measured(figures), intervals: measured((by) => ({ "all@4": [0.2 + by, 0.5 + by] })), refusal,
      questions: rows, latency: { retrieval: time(0.12), judge: time(0.02), total: time(0.4) }, ...answers,
    };
  }

  /** @param {any} engine @param {(steps: number) => Promise<unknown>} wait */
  function fakeEvaluation(engine, wait) {
    Object.assign(engine, { sets: [], runs: [], leftOut: {}, noWriter: false });
    const find = (/** @type {any[]} */ list, /** @type {string} */ id) => list.find((one) => one.id === id);
    return {
      read_questions: async (/** @type {any} */ { name, data }) => {
        const lines = new TextDecoder().decode(data).trim().split("\n");
        if (!/question/.test(lines[0])) throw { kind: "BadSet", message: `${name} has no column “question” in its first line.` };
        const questions = lines.slice(1).map((line, place) => ({ id: `q${place + 1}`, kind: "question", question: line.split(",")[0], answers: [line.split(",")[1]] }));
        return { questions, notes: ["Line 4 asks what line 2 asks, and is left out."] };
      },
      question_sets: async () => (await wait(10), { sets: structuredClone(engine.sets) }),
      keep_questions: async (/** @type {any} */ given) => {
        const questions = given.questions.map((/** @type {any} */ row, /** @type {number} */ place) => ({ ...row, id: row.id ?? `q${place + 1}` }));
        const set = { ...given, id: given.id ?? `s${engine.sets.length + 1}`, questions };
        engine.sets = [...engine.sets.filter((/** @type {any} */ one) => one.id !== set.id), set];
        return { set: structuredClone(set) };
      },
      forget_questions: async (/** @type {any} */ { id }) => ((engine.sets = engine.sets.filter((/** @type {any} */ one) => one.id !== id)), {}),
      write_questions: async (/** @type {any} */ { questions, format }) => ({ text: `${format}:${questions.length}` }),
      make_questions: async (/** @type {any} */ { count }, /** @type {(event: object) => void} */ emit, /** @type {() => void} */ check) => {
        if (engine.noWriter) throw { kind: "TerrariumError", message: "Questions are made by the writer, and none is loaded." };
        const questions = [];
        for (let done = 1; done <= count; done++) {
          await wait(3);
          check();
          questions.push({ kind: "made from a passage", question: `How large may a join of kind ${done} be?`, evidence: [{ file: "sqlite-limits.html", quote: "more than 64 tables" }], answerable: true });
          emit({ type: "made", question: questions.at(-1) });
          emit({ type: "progress", stage: "making", done, total: count });
        }
        return { questions };
      },
      evaluate: async (/** @type {any} */ args, /** @type {(event: object) => void} */ emit, /** @type {() => void} */ check) => {
        const rows = /** @type {any[]} */ ([]);
        const keep = () => engine.runs.unshift(runOf(`r${engine.runs.length + 1}`, args, rows, engine));
        try {
          for (const [place, question] of args.questions.entries()) {
            emit({ type: "progress", stage: "asking", done: place, total: args.questions.length, seconds_left: place ? 180 : null });
            for (let step = 0; step < 5; step++) {
              await wait(1);
              check();
            }
            rows.push(rowOf(question, args.mode, place));
            emit({ type: "asked", row: rows.at(-1) });
          }
        } catch (error) {
          if (rows.length) keep();
          throw error;
        }
        keep();
        return { run: engine.runs[0] };
      },
      runs: async () => ({ runs: engine.runs.map((/** @type {any} */ run) => ({ ...run, questions: [] })) }),
      run: async (/** @type {any} */ { id }) => ({ run: find(engine.runs, id) }),
      write_run: async (/** @type {any} */ { id, format }) => ({ text: `${format}:${id}` }),
      forget_run: async (/** @type {any} */ { id }) => ((engine.runs = engine.runs.filter((/** @type {any} */ one) => one.id !== id)), {}),
      compare_runs: async (/** @type {any} */ { first, second }) => {
        const [one, other] = [find(engine.runs, first), find(engine.runs, second)];
        const shared = other.questions.filter((/** @type {any} */ row) => find(one.questions, row.id)).length;
        const better = { mean: 0.08, low: -0.01, high: 0.17, p: 0.09, questions: shared };
        const changed = [
          { id: "q2", question: "Is this a wrong one?", before: { read: true, refused: false, correct: true }, after: { read: true, refused: false, correct: false }, better: -2 },
          { id: "q1", question: "What is the maximum?", before: { read: false, refused: true, correct: null }, after: { read: true, refused: false, correct: true }, better: 3 },
        ];
        return { shared, stages: { final: { mrr: better, "recall@3": better, "ndcg@10": better } }, answers: { correct: better, seconds: { ...better, mean: -1.2, low: -2, high: -0.4, p: 0.0004 } }, changed };
      },
    };
  }

  Object.assign(globalThis, { fakeEvaluation });
})();
