"""Follow-up questions are made whole from the turns before; what stands alone is left as it was typed."""

from __future__ import annotations

import pytest

from terrarium.questions.follow_ups import Resolved, Turn, resolve

LEAVE = "How many days of leave do employees get?"
BOOKS = "How many books may a member borrow?"

WHOLE = [
    # a phrase in the place of its like
    ("and for contractors?", LEAVE, "How many days of leave do contractors get?"),
    ("Hi, and for contractors please? Thanks!", LEAVE, "How many days of leave do contractors get?"),
    ("and for students?", BOOKS, "How many books may students borrow?"),
    ("and a photo album?", "How large can a family tree be by default?", "How large can a photo album be by default?"),
    ("And for guests?", "What is the fee for members?", "What is the fee for guests?"),
    ("What about Windows?", "How do I install it on Linux?", "How do I install it on Windows?"),
    ("And version 9?", "Which cipher does version 8 use?", "Which cipher does version 9 use?"),
    ("and in 2021?", "How much did prices in Germany rise in 2020?", "How much did prices in Germany rise in 2021?"),
    ("and the museum?", "When does the library open?", "When does the museum open?"),
    ("and on Sundays?", "When does the library open on Mondays?", "When does the library open on Sundays?"),
    ("und der Pass?", "Was kostet der Ausweis?", "Was kostet der Pass?"),
    ("Und am Sonntag?", "Wann öffnet das Museum am Samstag?", "Wann öffnet das Museum am Sonntag?"),
    (
        "Et pour les étudiants ?",
        "Combien coûte la carte pour les adultes ?",
        "Combien coûte la carte pour les étudiants?",
    ),
    (
        "¿Y para los niños?",
        "¿Cuánto cuesta la entrada para los adultos?",
        "Cuánto cuesta la entrada para los niños?",
    ),
    ("那合同工呢？", "员工有多少天年假？", "合同工有多少天年假？"),
    ("and after 14 days?", "Can I cancel a booking within 14 days?", "Can I cancel a booking after 14 days?"),
    # a phrase of time, place or condition at the end
    ("and on Sundays?", "When does the library open?", "When does the library open on Sundays?"),
    ("and if I am ill?", LEAVE, "How many days of leave do employees get if I am ill?"),
    ("And in German?", LEAVE, "How many days of leave do employees get in German?"),
    ("Without a licence?", "May I moor a boat here?", "May I moor a boat here without a licence?"),
    ("周末呢？", "图书馆几点开门？", "周末图书馆几点开门？"),
    ("what if I am late?", "Can I cancel a booking?", "Can I cancel a booking if I am late?"),
    # another question word
    ("ok and why", "Is smoking allowed?", "Why is smoking allowed?"),
    ("Who else?", "Who signs the form?", "Who signs the form, and who else?"),
    ("why?", "May members borrow films?", "Why may members borrow films?"),
    ("how long?", BOOKS, "How many books may a member borrow, and how long?"),
    ("and since when?", LEAVE, "How many days of leave do employees get, and since when?"),
    ("Und warum?", "Darf man hier rauchen?", "Warum darf man hier rauchen?"),
    ("Und wie lange?", "Was kostet der Ausweis?", "Was kostet der Ausweis, und wie lange?"),
    ("Et pourquoi ?", "Peut-on fumer à bord ?", "Pourquoi peut-on fumer à bord?"),
    ("¿y por qué?", "¿Cuánto cuesta la entrada?", "Cuánto cuesta la entrada, y por qué?"),
    ("为什么？", "员工有多少天年假？", "员工有多少天年假，为什么？"),
    # what the pronoun means
    ("What is its limit?", "What is SQLite?", "What is SQLite’s limit?"),
    ("And how do I install it?", "What is SQLite?", "And how do I install SQLite?"),
    ("Wo wird er ausgestellt?", "Was kostet der Ausweis?", "Wo wird der Ausweis ausgestellt?"),
    ("它多大？", "SQLite是什么？", "SQLite多大？"),
    ("Was kostet es?", "Wann öffnet das Freibad?", "Was kostet das Freibad?"),
    # only the words together
    ("For a DVD?", "What is the fine for a lost book?", "For a DVD: what is the fine for a lost book?"),
    ("Where is it?", "Which file holds the key on Debian?", "Where is it? (file holds key Debian)"),
    ("Gilt das auch für Kinder?", "Wie hoch ist der Eintritt?", "Gilt das auch für Kinder? (hoch Eintritt)"),
    ("Und für Lehrlinge?", "Wie beantrage ich Elternzeit?", "Für Lehrlinge: wie beantrage ich Elternzeit?"),
    ("Und Katzen?", "Darf ich meinen Hund mitbringen?", "Katzen: darf ich meinen Hund mitbringen?"),
    ("more details please", "What is the fine?", "More details: what is the fine?"),
    ("And contractors?", LEAVE, "Contractors: how many days of leave do employees get?"),
    ("How long may they keep them?", BOOKS, "How long may they keep them? (books member borrow)"),
    ("Is it allowed?", "May dogs come on board?", "Is it allowed? (dogs come board)"),
    ("Can the library extend it?", "How long is a loan?", "Can the library extend it? (loan)"),
    ("Who decides that?", "May dogs come on board?", "Who decides that? (dogs come board)"),
    ("Wie lange dauert das?", "Wie beantrage ich Elternzeit?", "Wie lange dauert das? (beantrage Elternzeit)"),
    (
        "Und für Praktikanten?",
        "Wie viele Urlaubstage haben Angestellte?",
        "Für Praktikanten: wie viele Urlaubstage haben Angestellte?",
    ),
    (
        "Combien de temps dure-t-elle ?",
        "Comment renouveler la licence ?",
        "Combien de temps dure-t-elle? (renouveler licence)",
    ),
    ("¿Y cuánto dura eso?", "¿Cómo renuevo la licencia?", "Y cuánto dura eso? (renuevo licencia)"),
    ("那怎么申请？", "员工有多少天年假？", "那怎么申请？ (员工 天年假)"),
]

ALONE = [
    "How many days of leave do contractors get?",
    "Does the engine stop when it overheats?",
    "If a member loses a book, must they pay for it?",
    "How do I remove a file from the index without deleting it?",
    "What happens to a package when its maintainer retires?",
    "Is it allowed to smoke on board?",
    "How long does it take to renew a licence?",
    "Is it possible to extend a loan by phone?",
    "What does it mean when the red lamp blinks?",
    "May a match be cancelled if it rains?",
    "When did they start using PVC for plumbing?",
    "How did the flytrap get its name?",
    "Why is it forbidden that guests swim alone?",
    "Does the pump switch itself off?",
    "What does this manual say about frost?",
    "Which of those valves closes first?",
    "What is the limit that SQLite sets for columns?",
    "I want to bring my bike. What does that cost?",
    "The lamp is on. What does it mean?",
    "Can a printer be shared and how do I connect it?",
    "Who may use the sauna?",
    "Opening hours",
    "Refund policy",
    "What is SQLite?",
    "Why do pumps fail?",
    "How long is the guarantee?",
    "And what is the notice period for tenants?",
    "But how high is the deposit for a flat?",
    "In which year was the bridge opened?",
    "On which days is the museum closed?",
    "For how many years are invoices kept?",
    "Where there is no signal, how do I call for help?",
    "Was steht im Vertrag, wenn er befristet ist?",
    "Gibt es einen Garten?",
    "Wie geht es nach der Prüfung weiter?",
    "Ist es erlaubt, Hunde mitzubringen?",
    "Was kostet das Ticket?",
    "Können Sie die Kündigungsfrist nennen?",
    "Wie lange dauert die Reparatur der Pumpe?",
    "Welche Regeln gelten, wenn die Anlage ihren Druck verliert?",
    "Und wie hoch ist die Kaution für eine Wohnung?",
    "Combien de temps dure la garantie ?",
    "Que faire si la pompe perd sa pression ?",
    "Faut-il réserver une table ?",
    "Y a-t-il un parking près du musée ?",
    "¿Cuánto dura la garantía de la bomba?",
    "¿Qué pasa si la bomba pierde su presión?",
    "员工有多少天年假？",
    "如果水泵过热，它会停止吗？",
    "图书馆周末几点开门？",
]


@pytest.mark.parametrize(("question", "last", "whole"), WHOLE)
def test_a_follow_up_is_made_whole(question: str, last: str, whole: str):
    resolved = resolve(question, [Turn("Who wrote the report?", "Ada did."), Turn(last, "It says so.")])
    assert resolved.question == whole
    assert resolved.rule


def test_there_are_fifty_that_stand_alone():
    assert len(set(ALONE)) == 50


@pytest.mark.parametrize("question", ALONE)
def test_what_stands_alone_is_left_as_it_is(question: str):
    assert resolve(question, [Turn("How many books may a member borrow at Kew?", "Six.")]) == Resolved(question)


def test_without_turns_nothing_is_changed():
    assert resolve("and for contractors?", []) == Resolved("and for contractors?")


def test_a_person_is_looked_for_in_the_answer():
    turn = Turn("Who wrote SQLite?", "SQLite was written by Richard Hipp in 2000.")
    assert resolve("When was he born?", [turn]).question == "When was Richard Hipp born?"


def test_follow_ups_of_follow_ups():
    first = resolve("and for contractors?", [Turn(LEAVE)])
    second = resolve("and since when?", [Turn(LEAVE), Turn(first.question)])
    assert second.question == "How many days of leave do contractors get, and since when?"


def test_the_weak_rules_say_so():
    assert resolve("And contractors?", [Turn(LEAVE)]).weak
    assert not resolve("and for contractors?", [Turn(LEAVE)]).weak
