"""Questions that ask several things fall into parts that can be searched; those that ask one thing stay whole."""

from __future__ import annotations

import pytest

from terrarium.questions.parts import split_question

SEVERAL = [
    (
        "How many columns does the table in /etc/fstab have, and which column names the file system?",
        ("How many columns does the table in /etc/fstab have?", "Which column names the file system? (/etc/fstab)"),
    ),
    (
        "What is a write-ahead log, and how do I remove it?",
        ("What is a write-ahead log?", "How do I remove it? (write-ahead log)"),
    ),
    (
        "How long is parental leave and can I split it?",
        ("How long is parental leave?", "Can I split it? (parental leave)"),
    ),
    ("Is smoking allowed on board and are dogs permitted?", ("Is smoking allowed on board?", "Are dogs permitted?")),
    ("What is the deposit? And when is it paid back?", ("What is the deposit?", "When is it paid back? (deposit)")),
    ("Who may use the sauna? What does it cost?", ("Who may use the sauna?", "What does it cost? (sauna)")),
    (
        "1) What is the notice period? 2) Who signs the form?",
        ("What is the notice period?", "Who signs the form?"),
    ),
    (
        "How do I install the driver as well as how do I test it?",
        ("How do I install the driver?", "How do I test it? (install driver)"),
    ),
    (
        "Which port does PostgreSQL use by default, and where is the MySQL socket?",
        ("Which port does PostgreSQL use by default?", "Where is the MySQL socket?"),
    ),
    (
        "What is the range of the E-30, how long does charging take, and what does a battery cost?",
        (
            "What is the range of the E-30?",
            "How long does charging take? (E-30)",
            "What does a battery cost? (E-30)",
        ),
    ),
    (
        "When does the pool open and who do I call if it is closed?",
        ("When does the pool open?", "Who do I call if it is closed? (pool open)"),
    ),
    (
        "Is smoking allowed and are dogs permitted, and what does a ticket cost?",
        ("Is smoking allowed?", "Are dogs permitted?", "What does a ticket cost?"),
    ),
    (
        "Wie viele Urlaubstage habe ich und wie beantrage ich sie?",
        ("Wie viele Urlaubstage habe ich?", "Wie beantrage ich sie? (Urlaubstage)"),
    ),
    (
        "Was kostet der Ausweis, und wo wird er ausgestellt?",
        ("Was kostet der Ausweis?", "Wo wird er ausgestellt? (Ausweis)"),
    ),
    (
        "Wie hoch ist die Kaution sowie wann wird sie zurückgezahlt?",
        ("Wie hoch ist die Kaution?", "Wann wird sie zurückgezahlt? (Kaution)"),
    ),
    ("Combien coûte la carte et où peut-on la retirer ?", ("Combien coûte la carte?", "Où peut-on la retirer?")),
    (
        "Quelle est la durée du préavis, et qui doit signer la lettre ?",
        ("Quelle est la durée du préavis?", "Qui doit signer la lettre?"),
    ),
    (
        "¿Cuántos días de vacaciones tengo y cómo los solicito?",
        ("Cuántos días de vacaciones tengo?", "Cómo los solicito? (días vacaciones tengo)"),
    ),
    ("¿Qué es la fianza? ¿Y cuándo se devuelve?", ("Qué es la fianza?", "Cuándo se devuelve? (fianza)")),
    ("图书馆几点开门，以及每人可以借几本书？", ("图书馆几点开门？", "每人可以借几本书？")),
    ("押金是多少？什么时候退还？", ("押金是多少？", "什么时候退还？ (押金)")),
]

ONE = [
    "Which owner and group does the installer choose for new files?",
    "When and where was the bridge opened?",
    "How and why does the valve close?",
    "What is the difference between a soft link and what is called a hard link?",
    "Which file says what the pump does and how the valve works?",
    "What can and must a driver do?",
    "What is and is not covered by the warranty?",
    "Who wrote the report and the summary?",
    "How many books may a member borrow, and for how long?",
    "I want to bring my bike. What does that cost?",
    "Does it rain there in May? Right?",
    "How fast can and must a train run?",
    "Where was the author of the novel that won the prize in 1998 born?",
    "Are both the tenor and the soprano in the opera from Italy?",
    "What happens when the battery is empty and the lamp is on?",
    "Is the fee the same for adults and children, or lower?",
    "If I lose a book, what do I pay?",
    "Was gilt, wenn ich krank bin und im Urlaub bin?",
    "Welche Vorschrift sagt, was gilt und wie es geprüft wird?",
    "如果丢了书，要赔多少钱？",
]


@pytest.mark.parametrize(("question", "parts"), SEVERAL)
def test_several_things_asked_are_several_parts(question: str, parts: tuple[str, ...]):
    assert split_question(question) == parts


@pytest.mark.parametrize("question", ONE)
def test_one_thing_asked_stays_whole(question: str):
    assert split_question(question) == (question,)
