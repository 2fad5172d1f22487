"""Documents that disagree, and documents that only look as if they did."""

# ruff: noqa: E501 (one case a line)

from __future__ import annotations

import pytest

from terrarium.answers.conflicts import find_conflicts
from terrarium.model import Chunk, Conflict, DocumentInfo, Passage
from terrarium.retrieval.matches import SentenceMatch
from terrarium.sentences import sentence_spans


def passage(name: str, text: str, *, title: str = "", headings: tuple[str, ...] = (), start: int = 0) -> Passage:
    info = DocumentInfo(id=name, name=f"{name}.md", kind="markdown", title=title, size=1, chunks=1)
    return Passage(
        Chunk(name, start, text, start, start + len(text), start, start + len(text), headings=headings), info, 1
    )


def conflicts(question: str, *passages: Passage) -> tuple[Conflict, ...]:
    matches = [[SentenceMatch(a, b, 0.5) for a, b in sentence_spans(one.chunk.text)] for one in passages]
    return find_conflicts(question, passages, matches)


# question | one document | another | what they differ in
DISAGREEING = """
How many books may members borrow?|Members may borrow up to six books.|Members may borrow up to eight books.|the number of “books”
How long may books be kept?|Books may be kept for 21 days.|Books may be kept for 28 days.|the number of days
What does a late book cost?|A late book costs 20 cents a day.|A late book costs 30 cents a day.|the number of “cents”
When does the reading room close?|The reading room closes at 19:00 on Fridays.|The reading room closes at 20:00 on Fridays.|the time
When does the reading room close?|The reading room closes at 7 pm.|The reading room closes at 8 pm.|the time
When is the deadline for applications?|The deadline for applications is 3 May 2024.|The deadline for applications is 5 May 2024.|the date
When is the deadline for applications?|Applications are due by March 15.|Applications are due by April 15.|the date
When was the company founded?|The company was founded in 1998.|The company was founded in 2001.|the year
Are dogs allowed on the ferry?|Dogs are allowed on the ferry.|Dogs are not allowed on the ferry.|whether it is so
May guests smoke in the garden?|Guests may smoke in the garden.|Guests may never smoke in the garden.|whether it is so
What is the notice period?|The notice period is three months.|The notice period is six months.|the number of months
What discount do students get?|Students get a discount of 10 %.|Students get a discount of 15 %.|the figure
How much is the membership fee?|The membership fee is $40.|The membership fee is $45.|the figure
How many rooms does the hotel have?|The hotel has 120 rooms.|The hotel has 132 rooms.|the number of “rooms”
How long is the warranty?|The warranty of the pump lasts two years.|The warranty of the pump lasts five years.|the number of years
How heavy may a parcel be?|A parcel may weigh at most 20 kg.|A parcel may weigh at most 31 kg.|the figure
How fast may trucks drive on the bridge?|Trucks may drive at 60 km/h on the bridge.|Trucks may drive at 50 km/h on the bridge.|the figure
When does the contract end?|The contract ends on 31 December 2025.|The contract ends on 30 June 2026.|the date
How many members does the board have?|The board has seven members.|The board has 9 members.|the number of “members”
Is the pool heated?|The pool is heated in winter.|The pool is not heated in winter.|whether it is so
Wie viele Bücher darf man ausleihen?|Mitglieder dürfen sechs Bücher ausleihen.|Mitglieder dürfen acht Bücher ausleihen.|the number of “Bücher”
Wie lang ist die Kündigungsfrist?|Die Kündigungsfrist beträgt drei Monate.|Die Kündigungsfrist beträgt sechs Monate.|the number of months
Wann schließt der Lesesaal?|Der Lesesaal schließt um 19:00 Uhr.|Der Lesesaal schließt um 20:00 Uhr.|the time
Sind Hunde auf der Fähre erlaubt?|Hunde sind auf der Fähre erlaubt.|Hunde sind auf der Fähre nicht erlaubt.|whether it is so
Wann wurde der Verein gegründet?|Der Verein wurde am 3. Mai 1998 gegründet.|Der Verein wurde am 5. Juni 1999 gegründet.|the date
Was kostet der Eintritt?|Der Eintritt kostet 5 Euro.|Der Eintritt kostet 7 Euro.|the figure
Combien de livres peut-on emprunter ?|Les membres peuvent emprunter six livres.|Les membres peuvent emprunter huit livres.|the number of “livres”
Quand la bibliothèque ferme-t-elle ?|La bibliothèque ferme à 19:00 le vendredi.|La bibliothèque ferme à 20:00 le vendredi.|the time
Quelle est la durée du préavis ?|La durée du préavis est de 3 mois.|La durée du préavis est de 6 mois.|the number of months
Quand le contrat finit-il ?|Le contrat finit le 31 décembre 2025.|Le contrat finit le 30 juin 2026.|the date
¿Cuántos libros se pueden prestar?|Los socios pueden llevar seis libros.|Los socios pueden llevar ocho libros.|the number of “libros”
¿Cuándo cierra la biblioteca?|La biblioteca cierra a las 19:00 los viernes.|La biblioteca cierra a las 20:00 los viernes.|the time
¿Se admiten perros en el barco?|En el barco se admiten perros grandes.|En el barco no se admiten perros grandes.|whether it is so
¿Cuánto dura la garantía?|La garantía de la bomba dura 2 años.|La garantía de la bomba dura 5 años.|the number of years
会员可以借几本书？|会员最多可以借六本书。|会员最多可以借八本书。|the figure
图书可以保留多少天？|图书可以保留21天。|图书可以保留28天。|the number of days
公司成立于哪一年？|公司成立于1998年。|公司成立于2001年。|the year
合同什么时候结束？|合同于2025年12月31日结束。|合同于2026年6月30日结束。|the date
渡轮上允许带狗吗？|渡轮上允许带狗。|渡轮上不允许带狗。|whether it is so
宽限期是多长？|申请的宽限期为3个月。|申请的宽限期为6个月。|the number of months
"""

# question | one document | another
AGREEING = """
How many books may members borrow?|Members may borrow up to six books.|Members may borrow up to 6 books.
When is the deadline?|The deadline is 3 May 2024.|The deadline is 2024-05-03.
What does the ticket cost?|The ticket for adults costs 8 euros.|The ticket for children costs 5 euros.
What was the fee?|In 2019 the fee was 40 euros.|In 2020 the fee was 45 euros.
What does the chapter describe?|Chapter 3 describes the installation of packages.|Chapter 4 describes the installation of packages.
What does the figure show?|Figure 1 shows the growth of the population.|Figure 2 shows the growth of the population.
When was the version released?|Version 2.1 was released in 2019.|Version 2.2 was released in 2020.
How many people live in the city?|Oslo is a city of 700,000 people.|Bergen is a city of 290,000 people.
When was the film released?|The film Northern Light was released in 2001.|The film Southern Cross was released in 2005.
What did sales do?|In 2019, sales rose in every region.|In 2020, sales rose in every region.
What is the fee for members?|fee for members | 40 | yearly|fee for members | 45 | yearly
How long does the ferry take?|It takes the ferry 40 minutes.|It takes the ferry 55 minutes.
How many books are there?|The library has 40,000 books and 12 rooms.|The library has 50,000 books and 14 rooms.
May dogs come on board?|Dogs may come on board.|Cats may not come on board.
Which year was it for the coach?|The team was led by the coach in his seventh year.|The team was led by the coach in his ninth year.
Which district is it?|The 1st district is one of the districts.|The 3rd district is one of the districts.
What does step 1 do?|In step 1 the pump is filled.|In step 2 the pump is filled.
How high is the tower?|The tower is 80 m high.|The tower is 80 m high and made of steel.
Wie hoch ist die Gebühr?|Die Gebühr für Erwachsene beträgt 8 Euro.|Die Gebühr für Kinder beträgt 5 Euro.
Was steht im Kapitel?|Kapitel 3 beschreibt die Installation.|Kapitel 4 beschreibt die Installation.
第几章介绍安装？|第3章介绍软件的安装。|第4章介绍软件的安装。
"""


@pytest.mark.parametrize("line", DISAGREEING.strip().splitlines())
def test_one_thing_that_differs_is_a_conflict_with_both_places(line: str):
    question, first, second, about = line.split("|")
    (found,) = conflicts(question, passage("a", f"Before. {first}"), passage("b", second))
    assert found.about == about
    assert [one.citations for one in found.statements] == [(1,), (2,)]
    assert [span.quote for one in found.statements for span in one.spans] == [first, second]
    assert [span.document_id for one in found.statements for span in one.spans] == ["a", "b"]


@pytest.mark.parametrize("line", AGREEING.strip().splitlines())
def test_different_matters_and_the_same_figure_are_none(line: str):
    question, *rest = line.split("|")
    half = len(rest) // 2
    assert conflicts(question, passage("a", "|".join(rest[:half])), passage("b", "|".join(rest[half:]))) == ()


def test_what_the_question_tells_apart_is_no_conflict():
    texts = ("The notice period is three months.", "The notice period is six months.")
    mine = [
        passage(name, text, title=f"Contract with {name}")
        for name, text in zip(("Mueller", "Schmidt"), texts, strict=True)
    ]
    assert conflicts("What is the notice period in the contract with Mueller?", *mine) == ()
    assert len(conflicts("What is the notice period?", *mine)) == 1


def test_two_editions_are_two_matters():
    texts = ("The notice period is three months.", "The notice period is six months.")
    handbooks = [
        passage(year, text, title=f"Handbook {year}") for year, text in zip(("2023", "2024"), texts, strict=True)
    ]
    assert conflicts("What is the notice period?", *handbooks) == ()


def test_three_places_are_one_conflict_and_a_copy_is_named_once():
    texts = ("The fee is 4 euros.", "The fee is 5 euros.", "The fee is 6 euros.", "The fee is 5 euros.")
    (found,) = conflicts("How much is the fee?", *(passage(str(n), text) for n, text in enumerate(texts)))
    assert [one.text for one in found.statements] == list(texts[:3])


def test_a_stretch_is_not_held_against_itself():
    one = passage("a", "The fee is 4 euros.")
    assert conflicts("How much is the fee?", one, one) == ()


def test_what_was_not_asked_is_not_compared():
    assert (
        conflicts("Who painted the bridge?", passage("a", "The fee is 4 euros."), passage("b", "The fee is 5 euros."))
        == ()
    )
