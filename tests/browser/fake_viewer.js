"use strict";
/**
 * What the viewer asks of the fake engine: documents to look at, pages that are drawn as stripes of one colour each, marks
 * at known places, and matches of a plain search. Its documents come after those of fake_library.js, if a test wants them.
 */
const fakeViewer = (() => {
  const ROWS = 20_000;
  const LONG = "A remark that is too long for its cell, and is shown in full when it is marked. ".repeat(3).trim();

  /** A row as the readers write it. @param {string[]} names @param {string[]} values @param {number} number @param {string} [kind] */
  function row(names, values, number, kind = "table_row") {
    let text = "";
    const cells = values.map((value, column) => {
      if (!value) return null;
      text += (text ? " | " : "") + (names[column] ? `${names[column]}: ` : "");
      const start = text.length;
      text += value;
      return [column, start, text.length];
    });
    return { kind, text, row: number, cells: cells.filter(Boolean) };
  }

  /** @param {any[]} rows */
  function placed(rows) {
    let start = 0;
    return rows.map((one) => {
      const block = { level: 0, page: null, hidden: false, ...one, start };
      start += one.text.length + 1;
      return block;
    });
  }

  function sheets() {
    const names = ["Name", "Grade", "Rate", "Remark"];
    const rows = [{ kind: "heading", text: "Staff", level: 1 }];
    for (let number = 2; number < ROWS + 2; number++) rows.push(row(names, [`Person ${number}`, number % 3 ? "A" : "", `${number * 10}`, number === 15_000 ? LONG : "none"], number));
    rows.push({ kind: "heading", text: "Totals", level: 1 }, row([], ["Sum", "", "4711"], 1), row([], ["Rest"], 2), { ...row([], ["", "", "", "beside it"], 1) });
    return placed(rows);
  }

  const rates = ["Grade", "Daily rate", "Hotel"];
  const texts = {
    staff: sheets(),
    rules: placed([
      { kind: "heading", text: "Travel rules", level: 1 },
      { kind: "paragraph", text: "Rates depend on the grade:" },
      row(rates, ["A", "52 EUR", "160 EUR"], 2),
      row(rates, ["B", "47 EUR", ""], 3),
      row(["Class"], ["first"], 1),
      { kind: "code", text: "def rate(grade):\n    return RATES[grade]", row: 41 },
      { kind: "paragraph", text: "<img src=x onerror=alert(1)> is text." },
    ]),
  };
  const more = { size: 1000, chunks: 3, pages: null, language: "en", warnings: [], added: 1, within: [], alone: true, title: "" };
  const documents = [
    { ...more, id: "staff", name: "staff.xlsx", kind: "xlsx" },
    { ...more, id: "rules", name: "rules.docx", kind: "docx" },
  ];

  /** @param {any} engine */
  function commands(engine) {
    const known = () => [...engine.known, ...documents];
    const blocksOf = (/** @type {string} */ id) => texts[id] ?? fakeLibrary.texts[id] ?? fakeLibrary.blocksOf([["paragraph", "A short text.", 0]]);
    const sheetsOf = (/** @type {string} */ id) =>
      id === "staff" ? [{ name: "Staff", first: 1, end: ROWS + 1, columns: [0, 1, 2, 3], rows: null }, { name: "Totals", first: ROWS + 2, end: ROWS + 5, columns: [0, 2, 3], rows: [[ROWS + 2, ROWS + 4], [ROWS + 3]] }] : [];
    return {
      document: async (/** @type {any} */ { document_id }) => ({
        info: known().find((one) => one.id === document_id) ?? known()[0],
        blocks: blocksOf(document_id),
        labels: fakeViewer.labels,
        sheets: sheetsOf(document_id),
        drawn: fakeViewer.drawn && document_id === "policy",
      }),
      async page(/** @type {any} */ { page, width, password }) {
        if (fakeViewer.locked && password !== "open sesame") throw { kind: "PasswordNeeded", message: "“debian-policy.pdf” is encrypted, and its password is not kept." };
        if (fakeViewer.failing.includes(page)) throw { kind: "UnreadableFile", message: `Page ${page} could not be drawn: it is damaged. The text is shown instead.` };
        const canvas = new OffscreenCanvas(width, Math.round((width * 792) / 612));
        const context = canvas.getContext("2d");
        context.fillStyle = `rgb(${page}, 200, 100)`;
        context.fillRect(0, 0, canvas.width, canvas.height);
        return { page, pages: 218, label: "", width: 612, height: 792, lacking: page === fakeViewer.lacking, bitmap: canvas.transferToImageBitmap() };
      },
      marks: async (/** @type {any} */ { page, ranges }) => ({
        boxes: ranges.map((/** @type {any} */ _, /** @type {number} */ place) => (page === fakeViewer.unmarked ? [] : [[61.2, 396 + 20 * place, 306, 12]])),
      }),
      async find(/** @type {any} */ { document_id, query }) {
        const matches = [];
        for (const { text, start, page } of blocksOf(document_id)) {
          for (let at = text.toLowerCase().indexOf(query.toLowerCase()); at >= 0; at = text.toLowerCase().indexOf(query.toLowerCase(), at + 1)) {
            matches.push([start + at, start + at + query.length, page]);
          }
        }
        return { matches, count: matches.length };
      },
      close_pages: async () => ({}),
    };
  }

  return { commands, documents, texts, drawn: false, locked: false, labels: /** @type {string[]} */ ([]), failing: /** @type {number[]} */ ([]), unmarked: 0, lacking: 0 };
})();
