"use strict";
/** The fake engine's commands about what was read: a row for each of its documents, and the table as it was asked for. */
(() => {
  const kinds = ["no text", "recognised", "hidden", "left out", "damaged", "letters", "cut short", "not calculated", "other"];
  const columns = ["name", "kind", "pages", "words", "tables", "language", "chunks", "size", "added", "collection"];

  /** @param {any} info a document of the fake library, whose `notes` are [kind, sentence] pairs */
  function row(info) {
    const { id, name, kind, title, pages, language, chunks, size, added, collection = "", notes = [] } = info;
    const counts = { words: info.words ?? 1200, tables: info.tables ?? 2, recognised: 0, without_text: info.without_text ?? 0 };
    const said = { kinds: [...new Set(notes.map((/** @type {string[]} */ [one]) => one))], warnings: notes.map((/** @type {string[]} */ [, text]) => text) };
    return { id, name, kind, title, pages, language, chunks, size, added, collection, ...counts, within: info.holders ?? [], ...said };
  }

  /** @param {any[]} rows @param {string} column */
  function order(rows, column) {
    const numbers = rows.map((_, number) => number);
    const missing = numbers.filter((number) => [null, undefined, ""].includes(rows[number][column]));
    const valued = numbers.filter((number) => !missing.includes(number));
    valued.sort((one, other) => (rows[one][column] < rows[other][column] ? -1 : rows[one][column] > rows[other][column] ? 1 : one - other));
    return { valued, missing };
  }

  /** @param {any} engine the fake one */
  const fakeReport = (engine) => ({
    report: async () => {
      const rows = engine.documents.map(row);
      return { rows, kinds, orders: Object.fromEntries(columns.map((column) => [column, order(rows, column)])) };
    },
    write_report: async (/** @type {any} */ args) => ({ text: `document,outcome\r\n${args.documents.length},${args.failures.length}\r\n` }),
  });
  Object.assign(globalThis, { fakeReport });
})();
