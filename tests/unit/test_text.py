from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from terrarium.text import MAX_TERM, identifiers, normalise, phrases, question_terms, terms

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "py")}


def shared(document: str, question: str) -> set[str]:
    return set(terms(document)) & set(terms(question))


@pytest.mark.parametrize(
    ("document", "question"),
    [
        ("Install the packages.", "installing a PACKAGE"),
        ("L'été à Évian", "évian"),
        ("L'été à Évian", "evian"),
        ("L'été à Évian", "été"),
        ("L’été à Evian", "Évian"),
        ("STRASSE", "straße"),
        ("Øresund", "oresund"),
        ("ﬁle and oﬃce", "files"),
        ("soft\u00adhyphen", "softhyphen"),
        ("the package's version", "package"),
        ("1,000 genomes", "1000"),
        ("العَرَبِيَّة", "العربية"),
        ("שָׁלוֹם", "שלום"),
        ("हिन्दी में", "हिन्दी"),
        ("法令を検索", "検索"),
        ("认证系统使用JWT令牌", "认证"),
        ("认证系统使用JWT令牌", "jwt"),
        ("학교에서", "학교"),
        ("ＦＵＬＬ width", "full"),
        ("猫 is cat", "猫"),
    ],
)
def test_both_spellings_meet(document: str, question: str) -> None:
    assert shared(document, question)


@pytest.mark.parametrize(
    ("identifier", "other_spelling"),
    [
        ("E-4711/b", "e-4711/B"),
        ("E\u20114711/b", "E-4711/b"),
        ("9001:2015", "9001:2015"),
        ("foo_bar()", "foo_bar"),
        ("1.0.21", "1.0.21"),
        ("/usr/local/", "/usr/local"),
        ("std::vector", "std::vector"),
        ("a.b@example.org", "A.B@example.org"),
        ("https://example.org/a-b", "https://example.org/a-b"),
        ("DE89 3704 0044 0532 0130 00", "DE89370400440532013000"),
        ("NO93 8601 1117 947", "no9386011117947"),
    ],
)
def test_identifiers_are_kept_whole(identifier: str, other_spelling: str) -> None:
    longest = max(terms(other_spelling), key=len)
    assert sum(not character.isalnum() for character in longest) > 0 or longest == other_spelling.casefold()
    assert longest in terms(f"See {identifier}, please.")


@pytest.mark.parametrize(
    ("identifier", "part"),
    [("E-4711/b", "4711"), ("foo_bar()", "bar"), ("/usr/local/share", "local"), ("http.postBuffer", "postbuffer")],
)
def test_identifiers_are_found_by_their_parts(identifier: str, part: str) -> None:
    assert shared(identifier, part)


def test_near_identifiers_differ() -> None:
    assert "1.0.21" not in terms("10.21 and 1.02.1 and 1 0 21")
    assert "c++" in terms("C++, C# and C")
    assert terms("C++, C# and C").count("c") == 1


def test_sentence_punctuation_is_no_part_of_a_word() -> None:
    assert terms("“One”, two; (three) four… — five!") == ["one", "two", "three", "four", "five"]


def test_repetitions_are_kept_in_reading_order() -> None:
    assert terms("b a b") == ["b", "a", "b"]


def test_unspaced_scripts_become_pairs_and_words_of_one_character() -> None:
    assert terms("検索 法令を", singles=False) == ["検索", "法令", "令を"]
    assert sorted(terms("検索 法令を")) == sorted(["検索", "法令", "令を", *"検索法令"])


@pytest.mark.parametrize(
    ("document", "question"), [("黑猫睡觉", "猫"), ("물을 마시다", "물"), ("このネコは猫です", "猫")]
)
def test_a_question_of_one_character_is_found(document: str, question: str) -> None:
    (asked,) = question_terms(question, ["zh"])["zh"]
    assert asked in terms(document, "zh")


def test_longer_questions_ask_for_pairs() -> None:
    assert question_terms("认证 系统", ["zh"]) == {"zh": ["认证", "系统"]}


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("en", "rotating", "rotated"),
        ("", "rotating", "rotated"),
        ("de", "Verträge", "Vertrages"),
        ("de", "Müllers", "Mueller"),
        ("fr", "congés", "congé"),
        ("es", "facturas", "factura"),
        ("ru", "договоры", "договор"),
        ("hi", "पुस्तकें", "पुस्तक"),
        ("tr", "evlerimiz", "ev"),
    ],
)
def test_words_meet_in_the_stems_of_their_language(language: str, one: str, other: str) -> None:
    assert set(terms(one, language)) & set(terms(other, language))


def test_stems_are_those_of_the_language_and_of_no_other() -> None:
    assert terms("die Verträge", "de")[-1] == "vertrag"
    assert terms("running", "ja") == ["running"], "no algorithm, no stems"
    assert question_terms("running contracts", ["en", "ja"]) == {
        "en": ["run", "contract"],
        "ja": ["running", "contracts"],
    }


def test_identifiers_do_not_depend_on_the_language() -> None:
    for language in ("", "de", "fr", "ru", "zh"):
        assert {"e-4711/b", "4711", "9001:2015", "foo_bar", "1.0.21"} <= set(
            terms("E-4711/b ISO 9001:2015 foo_bar() 1.0.21", language)
        )


def test_no_stemmer_is_loaded_before_the_first_word() -> None:
    loaded = "import sys, terrarium.engine; print(any(name.startswith('snowballstemmer') for name in sys.modules))"
    ran = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True, env=ENVIRONMENT)
    assert ran.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('what is "key rotation" and “Two Words”?', ["key rotation", "Two Words"]),
        ("Was heißt „gute Nacht“ und »los«? ‚ja‘ «oui»", ["gute Nacht", "los", "ja", "oui"]),
        ("什么是「令牌」和《红楼梦》", ["令牌", "红楼梦"]),
        ("a 'single quoted' word", ["single quoted"]),
        ("the boys' toys and the girls' don't count", []),
        ('pipes of 5" and 6" width', []),
        ('"..." and "" and "open', []),
        ('"twice" is "twice"', ["twice"]),
    ],
)
def test_phrases(text: str, expected: list[str]) -> None:
    assert phrases(text) == expected


def test_overlong_words_are_cut() -> None:
    assert max(map(len, terms("x" * 100_000 + " " + "QUJD/" * 100))) <= MAX_TERM


@pytest.mark.parametrize("text", ["", " \n\t", "…!?—", "\x00\ud800", "''''", "____", "-.-.-"])
def test_no_words_no_terms(text: str) -> None:
    assert terms(text) == []


def test_normalise() -> None:
    assert normalise("  The\u00a0ﬁrst\n\n\tLINE ") == "the first line"
    assert normalise("e\u0301") == normalise("é")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Is E-4711/b in ISO 9001:2015?", ["e-4711/b", "9001:2015"]),
        ("foo_bar() in /usr/local and package.json", ["foo_bar", "usr/local", "package.json"]),
        ("SHA256, b12 and v1.0.21 or 1.0.21", ["sha256", "b12", "v1.0.21"]),
        ("The IBAN DE89 3704 0044 0532 0130 00", ["de89370400440532013000"]),
        ("the 18th of 42 well-known e.g. 1960s, 3.5 or 1,000 times, U.S.", []),
        ("認証 JWT令牌", []),
    ],
)
def test_identifiers(text: str, expected: list[str]) -> None:
    assert identifiers(text) == expected
