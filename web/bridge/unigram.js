"use strict";
/**
 * The unigram model (Kudo, 2018) for @huggingface/tokenizers: the likeliest cut of each word into pieces.
 *
 * The library's own keeps a map for each letter of each piece. With XLM-RoBERTa's quarter of a million pieces it took
 * 160 MB and seven times as long to load, and ten times as long to encode; the ids are the same. One map of pieces, and
 * words that were cut before are remembered. May go when the library does so: its part is the model alone here,
 * normalizing, splitting and markers are the library's.
 */
const bridgeUnigram = (() => {
  const REMEMBERED = 50_000; // words

  /** @typedef {{vocab: [piece: string, score: number][], unk_id: number}} Definition */

  /** @param {Definition} definition */
  function make({ vocab, unk_id }) {
    const ids = new Map(vocab.map(([piece], id) => [piece, id]));
    const scores = Float64Array.from(vocab, ([, score]) => score);
    const longest = vocab.reduce((length, [piece]) => Math.max(length, piece.length), 0);
    const unknown = scores.reduce((least, score) => Math.min(least, score), 0) - 10; // as in SentencePiece
    /** @type {Map<string, string[]>} */
    let known = new Map();

    /** @param {string} word */
    function cut(word) {
      const best = new Float64Array(word.length + 1).fill(-Infinity);
      const from = new Int32Array(word.length + 1);
      best[0] = 0;
      for (let start = 0; start < word.length; start++) {
        const before = /** @type {number} */ (best[start]);
        if (before === -Infinity) continue; // inside a character of two units
        const next = start + (/** @type {number} */ (word.codePointAt(start)) > 0xffff ? 2 : 1);
        let single = false;
        for (let end = next; end <= word.length && end - start <= longest; end++) {
          const id = ids.get(word.slice(start, end));
          if (id === undefined) continue;
          single ||= end === next;
          reach(end, start, before + /** @type {number} */ (scores[id]));
        }
        if (!single) reach(next, start, before + unknown);
      }

      /** @param {number} end @param {number} start @param {number} score */
      function reach(end, start, score) {
        if (score <= /** @type {number} */ (best[end])) return;
        best[end] = score;
        from[end] = start;
      }

      const pieces = [];
      for (let end = word.length; end > 0; end = /** @type {number} */ (from[end])) {
        pieces.push(word.slice(/** @type {number} */ (from[end]), end));
      }
      return pieces.reverse();
    }

    /** @param {string[]} words */
    function encode(words) {
      if (known.size > REMEMBERED) known = new Map();
      return words.flatMap((word) => {
        const pieces = known.get(word) ?? cut(word);
        known.set(word, pieces);
        return pieces;
      });
    }

    return { tokens_to_ids: ids, vocab: vocab.map(([piece]) => piece), encode };
  }

  /**
   * A tokenizer whose own model has the markers alone, and this one in its place.
   * @param {any} definition a tokenizer.json of the type "Unigram"
   * @param {object} options
   */
  function open(definition, options) {
    const { model } = definition;
    const few = { ...model, vocab: model.vocab.slice(0, model.unk_id + 1) };
    const tokenizer = new tokenizers.Tokenizer({ ...definition, model: few }, /** @type {any} */ (options));
    Object.assign(/** @type {any} */ (tokenizer).model, make(model));
    return tokenizer;
  }

  return { open };
})();
