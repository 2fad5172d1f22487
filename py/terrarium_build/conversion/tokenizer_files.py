"""tokenizer.json files: cleaned from a checkpoint's own, or made from the vocabulary inside a GGUF file.

Both are read by the `tokenizers` package at the desk and by its JavaScript sibling in the tab.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

# The words of Qwen2's tokenizer, with the contractions' cases spelt out instead of an inline (?i:…), which JavaScript's
# regular expressions learned late.
QWEN2_WORDS = (
    r"'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]"
    r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)

# What SentencePiece's "nmt_nfkc" does before NFKC: controls go, white space and invisible characters become a space.
_DROPPED = r"[\u0001-\u0008\u000b\u000e-\u001f\u007f\u008f\u009f]"
_SPACES = r"[\t\n\f\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]"
_WAVE_DASH, _SHELTER = "\uff5e", "\ue05e"  # the second is for private use
_METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}


class TokenType(IntEnum):
    """`tokenizer.ggml.token_type` of the GGUF specification, as far as byte-level vocabularies use it."""

    NORMAL = 1
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A byte-level BPE vocabulary: tokens by id, their types, merges in order, and the name of the word splitter."""

    tokens: Sequence[str]
    types: Sequence[int]
    merges: Sequence[str]
    splitter: str


def write_clean_tokenizer(source: Path, target: Path) -> None:
    """Copy a tokenizer.json without its truncation and padding: who has a limit applies it."""
    content = json.loads(source.read_text(encoding="utf-8"))
    _write(target, json.dumps(content | {"truncation": None, "padding": None}))


def write_vocabulary_tokenizer(vocabulary: Vocabulary, target: Path) -> None:
    """Write the tokenizer of a byte-level BPE vocabulary. Raises ValueError for an unknown word splitter."""
    ids = {t: i for i, t in enumerate(vocabulary.tokens) if vocabulary.types[i] != TokenType.UNUSED}
    merges = [_pair(merge) for merge in vocabulary.merges]
    tokenizer = Tokenizer(models.BPE(vocab=ids, merges=merges))
    _set_splitter(tokenizer, vocabulary.splitter)
    tokenizer.decoder = decoders.ByteLevel()
    # Added in the order of their ids: `tokenizers` gives known texts the ids of the vocabulary.
    for text, kind in zip(vocabulary.tokens, vocabulary.types, strict=True):
        if kind == TokenType.CONTROL:
            tokenizer.add_special_tokens([AddedToken(text, special=True, normalized=False)])
        elif kind == TokenType.USER_DEFINED:
            tokenizer.add_tokens([AddedToken(text, special=False, normalized=False)])
    _write(target, tokenizer.to_str())


def write_unigram_tokenizer(pieces: Sequence[str], scores: Sequence[float], target: Path) -> None:
    """Write the tokenizer of an XLM-RoBERTa vocabulary: unigram pieces of words that begin with "▁".

    SentencePiece's "nmt_nfkc" characters are not copied from its table, which the `tokenizers` package reads and its
    JavaScript sibling ignores. NFKC does the same with four rules beside it: of all characters that Unicode knew when
    the table was made, none comes out different.
    """
    rules = [
        _replace({"Regex": _DROPPED}, ""),
        _replace({"Regex": _SPACES}, " "),
        _replace({"String": _WAVE_DASH}, _SHELTER),  # the one wide character that the table keeps
        {"type": "NFKC"},
        _replace({"String": _SHELTER}, _WAVE_DASH),
    ]
    markers = {"<s>": 0, "</s>": 2}
    for marker, number in markers.items():
        if pieces[number] != marker:
            raise ValueError(f"Piece {number} of the vocabulary is {pieces[number]}, where XLM-RoBERTa has {marker}.")
    special = [*pieces[:4], pieces[-1]]  # <s> <pad> </s> <unk> … <mask>
    content = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [_added(pieces.index(piece), piece) for piece in special],
        "normalizer": {"type": "Sequence", "normalizers": rules},
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [
                {"type": "Split", "pattern": {"Regex": " +"}, "behavior": "Removed", "invert": False},
                _METASPACE,
            ],
        },
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [_marker("<s>"), {"Sequence": {"id": "A", "type_id": 0}}, _marker("</s>")],
            "pair": [],
            "special_tokens": {m: {"id": m, "ids": [number], "tokens": [m]} for m, number in markers.items()},
        },
        "decoder": _METASPACE,
        "model": {"type": "Unigram", "unk_id": 3, "byte_fallback": False, "vocab": [*zip(pieces, scores, strict=True)]},
    }
    _write(target, json.dumps(content))


def _replace(pattern: dict[str, str], content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": pattern, "content": content}


def _added(number: int, piece: str) -> dict[str, Any]:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {"id": number, "content": piece, **flags, "special": True}


def _marker(marker: str) -> dict[str, Any]:
    return {"SpecialToken": {"id": marker, "type_id": 0}}


def _set_splitter(tokenizer: Tokenizer, splitter: str) -> None:
    if splitter == "qwen2":
        tokenizer.normalizer = normalizers.NFC()
        words = pre_tokenizers.Split(Regex(QWEN2_WORDS), "isolated")
        byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([words, byte_level])
    elif splitter == "smollm":
        digits = pre_tokenizers.Digits(individual_digits=True)
        byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([digits, byte_level])
    else:
        raise ValueError(f'The GGUF file splits words in the way "{splitter}"; known are "qwen2" and "smollm".')


def _pair(merge: str) -> tuple[str, str]:
    left, right = merge.split(" ")
    return left, right


def _write(target: Path, content: str) -> None:
    compact = json.dumps(json.loads(content), ensure_ascii=False, separators=(",", ":"))
    target.write_text(compact, encoding="utf-8", newline="\n")
