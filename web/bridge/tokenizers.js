"use strict";
/**
 * @huggingface/tokenizers for Python: a whole batch a call, ids in one flat array.
 * Differs from the native package on CJK Extension B and later and on the final sigma; no known effect on retrieval.
 */
const bridgeTokenizers = (() => {
  /** @typedef {import("@huggingface/tokenizers").Tokenizer} Tokenizer */
  /** @type {Tokenizer[]} */
  const opened = [];

  /** @param {string} name asset name of a tokenizer.json @returns {number} */
  function open(name) {
    const definition = JSON.parse(bridgeAssets.text(name));
    // A published file may carry its trainer's limits; who has a limit applies it.
    definition.truncation = definition.padding = null;
    const options = { clean_up_tokenization_spaces: false };
    const unigram = definition.model.type === "Unigram";
    return opened.push(unigram ? bridgeUnigram.open(definition, options) : new tokenizers.Tokenizer(definition, options)) - 1;
  }

  /** @param {number} id @returns {Tokenizer} */
  const tokenizerOf = (id) => /** @type {Tokenizer} */ (opened[id]);

  /**
   * @param {number} id
   * @param {string[]} texts
   * @param {boolean} special
   * @returns {[Int32Array, Int32Array]} all ids, and how many belong to each text
   */
  function encodeBatch(id, texts, special) {
    const tokenizer = tokenizerOf(id);
    const encoded = texts.map((text) => tokenizer.encode(text, { add_special_tokens: special }).ids);
    const lengths = Int32Array.from(encoded, (ids) => ids.length);
    const flat = new Int32Array(lengths.reduce((sum, length) => sum + length, 0));
    let at = 0;
    for (const ids of encoded) {
      flat.set(ids, at);
      at += ids.length;
    }
    return [flat, lengths];
  }

  /** @param {number} id @param {number[]} ids */
  const decode = (id, ids) => (ids.length ? tokenizerOf(id).decode(ids, { skip_special_tokens: true }) : "");

  /** @param {number} id @param {string} token */
  const tokenId = (id, token) => tokenizerOf(id).token_to_id(token) ?? -1;

  return { open, encodeBatch, decode, tokenId };
})();
