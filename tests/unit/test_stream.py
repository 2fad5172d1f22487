"""What is painted of a text on its way, however it was cut into pieces."""

from __future__ import annotations

import json
import random
import re
from itertools import pairwise

import pytest

from terrarium.generation.stream import CONTROL_TOKENS, visible_text
from terrarium_build.paths import cache_folder

DEBRIS = [*CONTROL_TOKENS, "<|eot_id|>", "<|begin_of_text|>", "<think>", "<thinking>"]


def painted(data: bytes, cuts: list[int]) -> list[str]:
    """What is on the page after each piece of the text's bytes, and at its end."""
    texts = []
    for cut in [*cuts, len(data)]:
        text, ended = visible_text(data[:cut].decode("utf-8", errors="replace"))
        texts.append(text)
        if ended:
            return [*texts, visible_text(data[:cut].decode("utf-8", errors="replace"), final=True)[0]]
    return [*texts, visible_text(data.decode("utf-8", errors="replace"), final=True)[0]]


TEXTS = {
    "Six books [2].<|im_end|>\n<|im_start|>user\nmore": "Six books [2].",
    "Six<|fim_prefix|> books": "Six",
    "Six [INST] next [/INST]": "Six",
    "Six <<SYS>>be nice<</SYS>>": "Six",
    "Six</s><s>": "Six",
    "<think>Let me see. 5 < 6\n\nso</think>\n\nSix books.": "Six books.",
    "<think>Let me see": "",
    "Six <think>or seven?</think> books.": "Six books.",
    "A\n<thinking>x</thinking>\nB": "A\nB",
    "Six.</think>Seven.": "Six.",
    "<think>a<|im_end|>b</think>Six.": "",
    "Assistant: Six books.": "Six books.",
    "assistant\nSix books.": "Six books.",
    " user: assistant: Six.": "Six.",
    "Six books.\nUser: and films?": "Six books.",
    "Six books.\nuser\nand films?": "Six books.",
    "Six books.\n  SYSTEM: new rules": "Six books.",
    "Six books.\nSources:\n[1] A": "Six books.",
    "System files and users may stay": "System files and users may stay",
    "Assistants\nUsers of it": "Assistants\nUsers of it",
    "User": "User",
    "One.\n\nQuestion: next": "One.",
    "One.\n\nTwo.": "One.",
    "These:\n\n- one\n- two\n\nQuestion: x": "These:\n\n- one\n- two",
    "1. one\n\n2. two\n\n3 is three": "1. one\n\n2. two",
    "Run:\n```\na = 1\n\nb = 2\n```": "Run:\n```\na = 1\n\nb = 2\n```",
    "Grüße 你好 🦊 end": "Grüße 你好 🦊 end",
    "a < b, x[i] and x[1] << 2 <b>": "a < b, x[i] and x[1] << 2 <b>",
    "It is 5 <": "It is 5",
    "It is 5 <|im_e": "It is 5",
    "A join can have 64 tables [1]. A join can have 64 tables [2]. A join": "A join can have 64 tables [1].",
    "A join can have 64 tables. A join can have": "A join can have 64 tables. A join can have",
    "A join can have 64 tables. A join can have views.": "A join can have 64 tables. A join can have views.",
    "1. The limit is six.\n2. The limit is six.\n3. The": "1. The limit is six.",
    "Yes. Yes. Yes.": "Yes. Yes. Yes.",
    "```\nreturn None  # 1\nreturn None  # 1\n```": "```\nreturn None  # 1\nreturn None  # 1\n```",
    "法令を検索することができます。法令を検索することができます。": "法令を検索することができます。",
    "caf\ufffdé x": "café x",
    "": "",
    " \n ": "",
}


@pytest.mark.parametrize(("raw", "shown"), TEXTS.items())
def test_every_way_of_cutting_a_text_shows_a_growing_beginning_of_the_same_end(raw: str, shown: str):
    data = raw.encode()
    every = list(range(len(data)))
    generator = random.Random(raw)
    ways = [[], every, *([cut] for cut in every)]
    ways += [sorted(generator.sample(every, generator.randint(0, len(every)))) for _ in range(60)]
    for cuts in ways:
        texts = painted(data, cuts)
        assert texts[-1] == shown
        for before, after in pairwise(texts):
            assert after.startswith(before)


@pytest.mark.parametrize("token", DEBRIS)
@pytest.mark.parametrize("before", ["Six [2].", "Six ", "x <", ""])
def test_no_control_token_nor_its_beginning_is_ever_painted(before: str, token: str):
    raw = f"{before}{token}user\nmore"
    for cut in range(len(raw) + 1):
        for final in (False, True):
            assert before.startswith(visible_text(raw[:cut], final=final)[0])


@pytest.mark.parametrize("seed", range(40))
def test_texts_of_random_debris_only_grow(seed: int):
    generator = random.Random(seed)
    parts = [
        *DEBRIS,
        "</think>",
        "\n",
        "\n\n",
        "user",
        ":",
        "Six books are there.",
        " ",
        "- ",
        "1.",
        "[1]",
        "é",
        "🦊",
        "`",
        "<",
    ]
    data = "".join(generator.choices(parts[-14:] if seed % 2 else parts, k=12)).encode()
    whole = visible_text(data.decode(), final=True)[0]
    texts = painted(data, list(range(len(data))))
    assert texts[-1] == whole
    for before, after in pairwise(texts):
        assert after.startswith(before)
    assert not any(re.search(r"<\|\w+\|>|</?think|\ufffd", text) for text in texts)


def test_a_generators_own_names_may_be_words_to_another():
    assert visible_text("Run sqlite3 <filename> now.", tokens=("</s>",), final=True) == (
        "Run sqlite3 <filename> now.",
        None,
    )
    assert visible_text("Run sqlite3 <filename> now.") == ("Run sqlite3", "control")


@pytest.mark.parametrize("name", ["smollm2-135m", "qwen2.5-0.5b", "qwen2.5-1.5b"])
def test_every_token_that_a_pinned_generator_adds_to_its_words_is_known(name: str):
    file = cache_folder() / "models" / f"{name}.tokenizer.json"
    if not file.is_file():
        pytest.skip(f"{file} is not there; python build.py makes it")
    added = json.loads(file.read_text("utf-8"))["added_tokens"]
    assert {token["content"] for token in added} <= set(CONTROL_TOKENS)
