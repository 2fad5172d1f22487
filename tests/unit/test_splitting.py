"""A written text → sentences, their marks, and what stood before them."""

from __future__ import annotations

import pytest

from terrarium.answers.splitting import plain, split_answer


def pieces(text: str) -> list[tuple[str, str]]:
    return [(s.lead, s.text) for s in split_answer(text)]


def test_marks_are_taken_out_of_the_words_and_kept_as_numbers():
    sentences = split_answer("The fee is 4 euros [2]. It is due in March. [1][3] Nothing else [1, 2].")
    assert [s.text for s in sentences] == ["The fee is 4 euros.", "It is due in March.", "Nothing else."]
    assert [s.citations for s in sentences] == [(2,), (1, 3), (1, 2)]


@pytest.mark.parametrize("text", ["[1]", "", "---", " \n "])
def test_what_says_nothing_is_no_sentence(text: str):
    assert split_answer(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two.", [("", "One."), ("", "Two.")]),
        ("One.\n\nTwo.", [("", "One."), ("\n\n", "Two.")]),
        ("To do:\n- Open it [1].\n- Shut it.", [("", "To do:"), ("\n- ", "Open it."), ("\n- ", "Shut it.")]),
        ("1. Open it. Wait.\n2. Shut it.", [("1. ", "Open it."), ("", "Wait."), ("\n2. ", "Shut it.")]),
        ("* One\n  * Inner", [("* ", "One"), ("\n  * ", "Inner")]),
        ("## Head\nText.", [("## ", "Head"), ("\n", "Text.")]),
        (
            "| a | b |\n|---|---|\n| 1. x | 2 [1] |",
            [("", "| a | b |"), ("\n|---|---|\n", "| 1. x | 2 |")],
        ),
        ("结束。\n- 第一。第二。", [("", "结束。"), ("\n- ", "第一。"), ("", "第二。")]),
    ],
)
def test_lists_tables_and_lines_keep_their_marks(text: str, expected: list[tuple[str, str]]):
    assert pieces(text) == expected


def test_code_is_neither_cut_nor_read_for_citations():
    (sentence,) = split_answer("Type `ls. a[1]` now [2].")
    assert (sentence.text, sentence.citations) == ("Type `ls. a[1]` now.", (2,))
    assert pieces("Run:\n```sh\na. b\nc\n```\nDone.") == [("", "Run:"), ("\n", "```sh\na. b\nc\n```"), ("\n", "Done.")]


def test_half_a_pair_of_marks_goes():
    assert [text for _, text in pieces("**One. Two** three.")] == ["One.", "Two three."]
    assert [text for _, text in pieces("**One** two.")] == ["**One** two."]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("**One** `two` *three*", "One two three"),
        ("| a | b |", "a   b"),
        ("2 * 3 and snake_case", "2 * 3 and snake_case"),
        ("```sh\nls\n```", "ls"),
    ],
)
def test_plain_words(text: str, words: str):
    assert plain(text) == words
