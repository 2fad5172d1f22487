"""What a sentence must have to stay: numbers, units, dates, names, polarity and words, in several languages."""

from __future__ import annotations

import pytest

from terrarium.answers.dates import dates_in, weekdays_in
from terrarium.answers.quantities import numbers_in, quantities_in
from terrarium.answers.support import Grounds, Support
from terrarium.answers.words import names_in

BORROWING = "Members may borrow up to six books for 21 days. The reading room closes at 19:00 on Fridays."
LIMITS = (
    "A join may hold 64 tables. This follows from a bitmap of the query planner. Names may have any length. "
    "Columns are counted apart. The largest database file has 281 terabytes."
)
FERRY = "Smoking is not allowed on the ferry. Bicycles travel free of charge on the lower deck."
BRIDGE = "The old bridge was built by Marta Velez in 1903. Jon Aldous repaired the tower on 3 May 2021."
DISK = "The installer needs 512 MB of memory and 10 GB of disk space. The download takes about two hours."
RULES = (
    "Members must register before 1 March. All rooms except the attic are heated. The lift is open after nine. "
    "A deposit of at least 40 euros is due."
)
GERMAN = (
    "Das Rauchen ist auf der Fähre nicht erlaubt. Die Frist beträgt mindestens 14 Tage und endet am 3. Mai 2021. "
    "Der Eintritt kostet 2,50 Euro."
)
CHINESE = "图书馆于1998年开放，最多可借六本书。船上不允许吸烟。门票价格为2.5元。"
JOINS = (
    "SQLite does not support joins containing more than 64 tables. A bitmap holds one bit for each table of the join."
)
COLUMNS = "The number of columns in a table has an upper bound. The default is 2000. It may be as large as 32767."


def support(sentence: str, text: str, question: str, *others: str) -> Support:
    passages = {n: (one, ()) for n, one in enumerate((text, *others), start=1)}
    return Grounds(question, passages).check_words(sentence, 1)


def kinds(sentence: str, text: str, question: str, *others: str) -> set[str]:
    return {fault.kind for fault in support(sentence, text, question, *others).reasons}


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1,000 and 1 000 and 1’000", {"1000", "1.000", "1", "000"}),
        ("1\u00a0000", {"1000"}),
        ("from 1000-59999, at 19:00 or 2.5.", {"1000", "59999", "19:00", "2.5"}),
        ("none of us", set()),
        ("2,5 und 2.50", {"2.5"}),
        ("twelve, twenty-one, two thousand", {"12", "21", "2000"}),
        ("5 million and 1.5 Mio", {"5000000", "1500000"}),
        ("7 pm or 7:30 a.m.", {"19:00", "7:30"}),
        ("version 3.32.0", {"3.32.0"}),
        ("十二个人和3本书", {"12", "3"}),
    ],
)
def test_numbers_by_what_they_say(text: str, numbers: set[str]):
    assert numbers_in(text) == numbers


@pytest.mark.parametrize(
    ("text", "unit", "bound"),
    [
        ("5 MB", "mb", ""),
        ("5 megabytes", "mb", ""),
        ("a 21-day loan", "day", ""),
        ("2.5 percent", "percent", ""),
        ("2,5 %", "percent", ""),
        ("at least 40 euros", "euro", "least"),
        ("$40", "dollar", ""),
        ("no more than 64 tables", "", "most"),
        ("mehr als 3 Wochen", "week", "more"),
        ("至少5公里", "km", "least"),
        ("18 years or older", "year", "least"),
        ("1998年", "", ""),
    ],
)
def test_units_and_bounds(text: str, unit: str, bound: str):
    (quantity,) = quantities_in(text)
    assert (quantity.unit, quantity.bound) == (unit, bound)


def test_a_range_shares_its_unit():
    assert [one.unit for one in quantities_in("10 to 20 days, 3–4 GB")] == ["day", "day", "gb", "gb"]


@pytest.mark.parametrize(
    "text",
    [
        "3 May 2021",
        "May 3rd, 2021",
        "May 3 , 2021",
        "3. Mai 2021",
        "03.05.2021",
        "2021-05-03",
        "2021年5月3日",
        "3 mai 2021",
    ],
)
def test_a_date_is_one_however_it_is_written(text: str):
    (date,) = dates_in(f"on {text}, it was done")
    assert (2021, 5, 3) in date.readings


def test_small_may_is_no_month():
    assert dates_in("You may take 3 books and march 5 miles.") == ()
    assert dates_in("It opens in May.")[0].readings == ((None, 5, None),)
    assert weekdays_in("Fridays, freitags, 周五, Montage") == {"Fridays": 5, "freitags": 5, "周五": 5}


@pytest.mark.parametrize(
    ("sentence", "text", "question"),
    [
        ("A member may borrow up to six books.", BORROWING, "How many books may I borrow?"),
        ("Members may borrow up to 6 books.", BORROWING, "How many books may I borrow?"),
        ("The books may be borrowed for 21 days.", BORROWING, "How long may I borrow the books?"),
        ("The reading room closes at 7 pm on Fridays.", BORROWING, "When does the reading room close?"),
        ("Yes, bicycles travel free of charge.", FERRY, "Are bikes free?"),
        ("No, smoking is not allowed on the ferry.", FERRY, "May I smoke?"),
        ("No.", FERRY, "Is smoking allowed on the ferry?"),
        ("No permission is needed to sell it.", "You do not need permission to sell it.", "Do I need permission?"),
        ("Smoking is forbidden on the ferry.", FERRY, "May I smoke on the ferry?"),
        ("SQLite supports joins of at most 64 tables.", JOINS, "How many tables may a join have?"),
        ("Marta Velez built the old bridge.", BRIDGE, "Who built the old bridge?"),
        ("The tower was repaired on 2021-05-03 by Jon Aldous.", BRIDGE, "When was the tower repaired?"),
        ("On May 3, 2021, Jon Aldous repaired the tower.", BRIDGE, "When was the tower repaired?"),
        ("The installer needs 512 megabytes of memory.", DISK, "How much memory is needed?"),
        ("Members must register before March 1.", RULES, "When must members register?"),
        ("Auf der Fähre ist das Rauchen nicht erlaubt.", GERMAN, "Darf man rauchen?"),
        ("Der Eintritt kostet 2.5 Euro.", GERMAN, "Was kostet der Eintritt?"),
        ("Die Frist endet am 03.05.2021.", GERMAN, "Wann endet die Frist?"),
        ("最多可借6本书。", CHINESE, "可以借多少本书？"),
        ("图书馆于1998年开放。", CHINESE, "图书馆何时开放？"),
        (
            "Packages can be upgraded in place.",
            "May I? No. Packages can be upgraded in place.",
            "How are they upgraded?",
        ),
    ],
)
def test_supported(sentence: str, text: str, question: str):
    assert support(sentence, text, question).holds, support(sentence, text, question).reasons


@pytest.mark.parametrize(
    ("kind", "sentence", "text", "question"),
    [
        ("number", "A member may borrow up to 8 books.", BORROWING, "How many books may a member borrow?"),
        ("number", "Members may borrow up to seven books.", BORROWING, "How many books may I borrow?"),
        ("number", "Yes, members may borrow up to 8 books.", BORROWING, "May members borrow 8 books?"),
        ("number", "Der Eintritt kostet 2,60 Euro.", GERMAN, "Was kostet der Eintritt?"),
        ("number", "最多可借八本书。", CHINESE, "可以借多少本书？"),
        ("unit", "The books may be kept for 21 weeks.", BORROWING, "How long may I keep the books?"),
        ("unit", "The installer needs 512 GB of memory.", DISK, "How much memory is needed?"),
        ("unit", "Die Frist beträgt mindestens 14 Wochen.", GERMAN, "Wie lang ist die Frist?"),
        ("bound", "A deposit of at most 40 euros is due.", RULES, "What deposit is due?"),
        ("date", "Jon Aldous repaired the tower on 3 June 2021.", BRIDGE, "When was the tower repaired?"),
        ("date", "The reading room closes at 19:00 on Mondays.", BORROWING, "When does the room close?"),
        ("date", "Die Frist endet am 4. Mai 2021.", GERMAN, "Wann endet die Frist?"),
        ("name", "The old bridge was built by Lena Hofer in 1903.", BRIDGE, "Who built the bridge?"),
        ("name", "The old bridge was built by Jon Aldous in 1903.", BRIDGE, "Who built the bridge?"),
        ("name", "The old lighthouse was built by Marta Velez in 1903.", BRIDGE, "Who built the old lighthouse?"),
        ("name", "Files below /usr are kept.", "Files below /usr/local are kept.", "Which files are kept?"),
        ("name", "Use --resume to go on.", "Use --continue-at to resume and go on.", "How do I go on?"),
        ("negation", "Smoking is allowed on the ferry.", FERRY, "Is smoking allowed on the ferry?"),
        ("negation", "You can smoke on the ferry.", FERRY, "May I smoke?"),
        ("negation", "Members may not borrow six books.", BORROWING, "May members borrow six books?"),
        ("negation", "Das Rauchen ist auf der Fähre erlaubt.", GERMAN, "Darf man rauchen?"),
        ("negation", "船上允许吸烟。", CHINESE, "船上可以吸烟吗？"),
        ("negation", "图书馆未于1998年开放。", CHINESE, "图书馆何时开放？"),
        ("negation", "Permission is needed to sell it.", "No permission is needed to sell it.", "What is needed?"),
        ("verdict", "Yes.", FERRY, "Is smoking allowed on the ferry?"),
        ("verdict", "Yes, smoking is allowed on the ferry.", FERRY, "Is smoking allowed on the ferry?"),
        ("verdict", "No.", FERRY, "Do bicycles travel free of charge?"),
        ("verdict", "No, bicycles travel free of charge.", FERRY, "Do bicycles travel free of charge?"),
        ("comparison", "Members must register after 1 March.", RULES, "When must members register?"),
        ("comparison", "Members may register before 1 March.", RULES, "When must members register?"),
        ("comparison", "All rooms are heated.", RULES, "Which rooms are heated?"),
        ("comparison", "Bicycles travel free of charge only on the lower deck.", FERRY, "Where do bikes travel?"),
        ("comparison", "Die Frist beträgt höchstens 14 Tage.", "Die Frist beträgt mindestens 14 Tage.", "Frist?"),
        ("echo", "How many books members may borrow.", BORROWING, "How many books may members borrow?"),
        ("wording", "The library was founded by a rich merchant.", BORROWING, "Who founded the library?"),
        ("wording", "This is an important topic that depends on many factors.", BORROWING, "How many books?"),
        ("wording", "The weather tomorrow will be cloudy.", BORROWING, "What will the weather be tomorrow?"),
        ("wording", "Are dogs free? Dogs are free.", "Dogs must be on a lead.", "Are dogs free?"),
    ],
)
def test_unsupported(kind: str, sentence: str, text: str, question: str):
    assert kind in kinds(sentence, text, question)


@pytest.mark.parametrize(
    ("kind", "sentence", "text", "question"),
    [
        # The question's words, which the place does not have.
        (
            "wording",
            "Marta Velez and Jon Aldous built the old bridge.",
            BRIDGE,
            "Did Marta Velez and Jon Aldous build?",
        ),
        ("subject", "The wooden tower was repaired on 3 May 2021.", BRIDGE, "When was the wooden tower repaired?"),
        ("wording", "Borrowing six books closes the reading room at 19:00.", BORROWING, "What does borrowing cost?"),
        (
            "subject",
            "Ship weight is different for each boat.",
            "The weight is different for each boat.",
            "Ship weight?",
        ),
        # “It” is one thing.
        (
            "subject",
            "Oslo and Bergen are a large port.",
            "Oslo has trams. It is a large port.",
            "Are Oslo and Bergen ports?",
        ),
        # A long way between the two that are put together.
        (
            "subject",
            "Ana Bauer is not with us.",
            "Ana Bauer, a famous pilot born near the lake, told the angry crowd at the station: who is not with us?",
            "Who is with us?",
        ),
        (
            "negation",
            "Larks and quails are brown birds of the field.",
            "Larks should not be confused with quails, which are brown birds of the field.",
            "Larks or quails?",
        ),
        (
            "beside",
            "The old bridge is 3 May 1903.",
            "The old bridge was opened on 3 May 1903.",
            "How old is the old bridge?",
        ),
        ("limit", "Members paid within one month.", "From 1969 to 1974, members paid within one month.", "Who paid?"),
        (
            "fragment",
            "are pilots and turned into birds.",
            "The guests are pilots and turned into birds.",
            "Who are they?",
        ),
        ("echo", "Never on the deck.", "The song “Never on the deck” is old.", "Song never on the deck?"),
    ],
)
def test_what_is_glued_together_does_not_stand(kind: str, sentence: str, text: str, question: str):
    assert kind in kinds(sentence, text, question)


def test_the_subject_may_stand_in_the_heading_or_where_the_place_points_back():
    question = "How high is the old tower?"
    text = "The old tower is white. It is 40 m high. The harbour is near."
    assert support("The old tower is 40 m high.", text, question).holds
    assert (
        Grounds(question, {1: ("It is 40 m high.", ("The old tower",))})
        .check_words("The old tower is 40 m high.", 1)
        .holds
    )
    assert "subject" in kinds("The harbour tower is 40 m high.", text, "How high is the harbour tower?")
    located = "Where is the dead lake located?"
    assert support(
        "The dead lake is located in Norway.", "Far up in the north of Norway lies the dead lake.", located
    ).holds


def test_who_does_what_is_seen_in_copies():
    fight = "In the final of 1990 Ana Bauer defeated Rosa Klein in Bonn."
    assert support("Ana Bauer defeated Rosa Klein in the final of 1990.", fight, "Who won?").holds
    assert support("In the final of 1990 Rosa Klein was defeated by Ana Bauer in Bonn.", fight, "Who won?").holds
    assert "order" in kinds("In the final of 1990 Rosa Klein defeated Ana Bauer in Bonn.", fight, "Who won?")
    prices = "A ticket costs 7 euros for adults and 5 euros for children."
    assert kinds("A ticket costs 5 euros for adults and 7 euros for children.", prices, "What does it cost?") & {
        "order",
        "number",
    }


def test_a_figure_of_another_place_is_in_doubt():
    question = "What is the maximum number of tables in a join in SQLite?"
    assert "beside" in kinds("The maximum number of tables in a join is 2000.", COLUMNS, question, JOINS)
    assert not support("The maximum number of tables in a join is 281 terabytes.", LIMITS, question).holds
    assert support("SQLite supports joins of at most 64 tables.", JOINS, question, COLUMNS).holds


def test_a_name_that_no_passage_has_is_told():
    ports = "openvpn 1194/tcp. Ports below 1024 belong to the system."
    found = support("MongoDB uses port 1194/tcp.", ports, "Which port does MongoDB use?")
    assert [fault.words for fault in found.faults][0] == "the name MongoDB does not stand in the passage"


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("The weather in Oslo is fine.", ["Oslo"]),
        ("MongoDB and SQLite use ports.", ["MongoDB", "SQLite"]),
        ("Das Passwort muss mindestens sechs Zeichen lang sein.", []),
        ("Die Installation Benötigt Arbeitsspeicher Und Platz.", []),
        ("No numbers here.", []),
        ("使用SQLite数据库和《红楼梦》", ["SQLite", "红楼梦"]),
    ],
)
def test_names(sentence: str, names: list[str]):
    assert [name for name in names_in(sentence) if name not in ("Passwort", "Zeichen")] == names
