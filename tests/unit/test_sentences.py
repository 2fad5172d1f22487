from __future__ import annotations

import pytest

from terrarium.sentences import sentence_spans, split_span


def sentences(text: str) -> list[str]:
    return [text[a:b] for a, b in sentence_spans(text)]


@pytest.mark.parametrize(
    "text",
    [
        "See e.g. the manual, i.e. the long one.",
        "Dr. Smith and Prof. Jones met at 3 p.m. in Room No. 5.",
        "Fig. 3 shows version 2.5.1 of example.org/a.b at 3.14 units.",
        "Das gilt z. B. für Autos, d. h. nicht für Räder.",
        "Die Frist endet am 3. Oktober 2024.",
        "The file foo.bar.txt was written by J. R. Hartley.",
    ],
)
def test_one_sentence_stays_whole(text):
    assert sentences(text) == [text]


def test_sentences_end_at_marks_before_white_space():
    assert sentences('He said "No!" Then he left. Why? It cost 3.50 euros.') == [
        'He said "No!"', "Then he left.", "Why?", "It cost 3.50 euros.",
    ]  # fmt: skip


def test_chinese_and_japanese_need_no_space():
    assert sentences("认证系统使用令牌。用户需要登录！为什么？「はい。」と答えた") == [
        "认证系统使用令牌。", "用户需要登录！", "为什么？", "「はい。」", "と答えた",
    ]  # fmt: skip


def test_a_line_break_ends_a_sentence_and_no_letter_is_lost():
    text = "  first line\n\n second line. Third \n"
    assert sentences(text) == ["first line", "second line.", "Third"]


def test_a_list_number_stays_with_its_item():
    assert sentences("1. Open the lid. 2. Close it.")[0] == "1. Open the lid."


def test_a_long_sentence_is_split_after_clauses_first():
    text = "one two three four, five six seven eight; nine ten eleven twelve"
    pieces = [text[a:b] for a, b in split_span(text, 0, len(text), 3)]
    assert "".join(pieces).replace(" ", "") == text.replace(" ", "")
    assert pieces[0].endswith(",")


def test_a_line_without_any_mark_is_split_all_the_same():
    text = "x" * 1000
    pieces = split_span(text, 0, 1000, 10)
    assert len(pieces) == 10
    assert "".join(text[a:b] for a, b in pieces) == text


@pytest.mark.parametrize("text", ["." * 300_000, "a" + " " * 300_000 + "b", "." * 300_000 + "x", "\n" * 300_000 + "x"])
def test_long_runs_cost_no_square(text):
    assert len(sentence_spans(text)) == 1
