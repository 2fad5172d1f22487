"""tokenizer.json files: cleaned from a checkpoint's own, or made from the vocabulary inside a GGUF file.

Both are read by the `tokenizers` package at the desk and by its JavaScript sibling in the tab.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

# The words of Qwen2's tokenizer, with the contractions' cases spelt out instead of an inline (?i:…), which JavaScript's
# regular expressions learned late.
QWEN2_WORDS = (
    r"'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]"
    r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


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
