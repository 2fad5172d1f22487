"""Greetings, thanks and politeness leave the same question behind, and so the same passages and the same prompt."""

from __future__ import annotations

import asyncio

import pytest

from terrarium.answers.answering import Answerer
from terrarium.generation.generator import Generator
from terrarium.library import Library
from terrarium.model import Block, Document
from terrarium.models.scripted import HashingEmbedder, ScriptedDecoder
from terrarium.questions.cleaning import clean_question
from terrarium.retrieval.funnel import Retriever
from terrarium.storage.memory import MemoryStore

QUESTIONS = [
    "How many books may a member borrow?",
    "Which fee do guests pay for the sauna?",
    "Is the reading room open on Sundays?",
    "What does “please wait” mean on the display of the E-4711/b?",
    "Wie lange darf ein Buch behalten werden?",
    "Welche Gebühr zahlen Gäste für die Sauna?",
    "Combien de livres peut-on emprunter?",
    "Cuántos días de vacaciones tienen los empleados?",
    "图书馆星期天几点开门？",
    "员工每年有多少天年假？",
]
# {q} is the question as above, {bare} the same as it is typed in haste: small, without its mark.
FRAMINGS = [
    "Hi, {q}",
    "hello there! {bare}",
    "Good morning, could you please tell me {bare}?",
    "Quick question: {bare}",
    "I was just wondering if you might know {bare}? 🙏",
    "Dear support team,\n\n{q}\n\nKind regards,\nAnna Berg",
    "Sorry to bother you, but do you happen to know {bare}? Any help appreciated!",
    "ok so, one more thing. {q} Thanks in advance!!",
    "{bare} thanks",
    "{bare} please",
    "Can you help me? {q} Thank you so much for your help 😊",
    "{q} Would be great if possible. Cheers",
    "Hallo zusammen, ich hätte da mal eine Frage: {q}",
    "Guten Tag! Könnten Sie mir bitte sagen, {bare}? Vielen Dank im Voraus!",
    "hey, kurze frage: {bare} danke dir",
    "Moin, weißt du zufällig {bare}? LG Tom",
    "{q} Danke für eure Hilfe und viele Grüße",
    "Also, ich wüsste gern: {q} Mit freundlichen Grüßen, Eva",
    "Bonjour, j'aimerais savoir {bare} s'il vous plaît",
    "Bonsoir à tous ! Petite question : {q} Merci d’avance !",
    "Pourriez-vous me dire {bare} ? Merci beaucoup. Cordialement, Luc",
    "Salut, excuse-moi, sais-tu {bare}? stp",
    "Hola, ¿me podrías decir {bare}? Gracias",
    "Buenas tardes, una pregunta rápida: ¿{bare}? Muchas gracias de antemano. Un saludo",
    "Disculpe, quisiera saber {bare}, por favor",
    "Oye, ¿sabes {bare}? porfa",
    "你好，请问一下……{q}谢谢",
    "您好！不好意思打扰一下，我想问一下，{q}非常感谢！",
    "麻烦您告诉我一下：{q}拜托了🙏",
    "在吗？有个问题想请教一下：{q}先谢谢大家了～",
]


def framed(framing: str, question: str) -> str:
    bare = question.rstrip("?？")
    return framing.format(q=question, bare=bare[:1].lower() + bare[1:])


@pytest.mark.parametrize("framing", FRAMINGS)
@pytest.mark.parametrize("question", QUESTIONS)
def test_framings_give_the_same_question(framing: str, question: str):
    assert clean_question(framed(framing, question)) == question


def test_framings_give_the_same_passages_and_the_same_prompt():
    async def scenario() -> None:
        library = await Library.open(MemoryStore(), HashingEmbedder())
        for number, question in enumerate(QUESTIONS):
            told = question.replace("?", ": told.").replace("？", "。")
            block = Block("paragraph", told)
            await library.add(
                Document(f"{number:064}", f"rule {number}.txt", "text", f"Rule {number}", (block,), size=100)
            )
        decoder = ScriptedDecoder("It is told [1].")
        answerer = Answerer(library, Retriever(library), Generator(decoder, "", [decoder.end]), {})
        for question in QUESTIONS:
            expected, _ = await answerer.answer(question, "answer", lambda event: None)
            assert decoder.prompts, "the generator was asked"
            prompt = decoder.prompts.pop()
            for framing in FRAMINGS:
                answer, _ = await answerer.answer(framed(framing, question), "answer", lambda event: None)
                assert answer.passages == expected.passages
                assert decoder.prompts.pop() == prompt

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "question",
    [
        "History of the mill?",
        "Hide the toolbar",
        "What does “please” mean in the contract?",
        "Thanksgiving opening hours?",
        "Who thanks whom in chapter 2?",
        "Heyday of the printing press?",
        "Hi-fi systems of the eighties",
        "Hello World program: what does it print?",
        "Hello, World!",
        "-h/--help: help",
        "Well water testing",
        "Right of way",
        "Thanks to which law are dogs allowed?",
        "How do I say thank you?",
        "What is the Spanish word for please?",
        "Who gives thanks?",
        "What is the difference between a stroke and a TIA?",
        "Question 5 of the exam",
        "Pleased customers: how many are there?",
        "Um wie viel Uhr schließt das Museum?",
        "Er ist undicht",
        "So wird das Ventil entlüftet",
        "Dank der Förderung: was ändert sich?",
        "Frage 5 der Klausur",
        "Wie heißt bitte auf Spanisch?",
        "Hola mundo en Python",
        "“你好”用英语怎么说？",
        "如何用中文说谢谢？",
        "说明书在哪里？",
        "请假流程",
        "-h does what?",
        "iPhone battery",
        "Is it legal in the U.S.?",
        "What does it cost? I want to bring my bike",
    ],
)
def test_words_of_the_question_itself_stay(question: str):
    assert clean_question(question) == question


@pytest.mark.parametrize(
    "text", ["Hi", "Thanks", "Hi, thanks!", "Hello there :)", "你好", "谢谢！", "Bonjour", "Danke schön", "🙏"]
)
def test_politeness_alone_stays(text: str):
    assert clean_question(text) == text


@pytest.mark.parametrize(
    ("typed", "cleaned"),
    [
        ("  How many   books may I borrow??? ", "How many books may I borrow?"),
        ("how many books may i borrow", "How many books may i borrow?"),
        ("List the fields.", "List the fields"),
        ("Could you tell me if guests may use the pool?", "Guests may use the pool?"),
        ("Could you tell me, if I lose a book, what I must pay?", "If I lose a book, what I must pay?"),
        ("¿Cuántos días hay?", "Cuántos días hay?"),
        ("图书馆几点开门", "图书馆几点开门？"),
        ("图书馆几点开门?", "图书馆几点开门？"),
        ("grep -c counts what?", "Grep -c counts what?"),
    ],
)
def test_the_mark_and_the_capital_are_made_uniform(typed: str, cleaned: str):
    assert clean_question(typed) == cleaned


def test_cleaning_twice_changes_nothing():
    for question in QUESTIONS:
        for framing in FRAMINGS:
            cleaned = clean_question(framed(framing, question))
            assert clean_question(cleaned) == cleaned


def test_a_long_text_keeps_its_words():
    long = "Pumps say hello and thanks and please stand still " * 40
    assert clean_question(f"Hello! {long}. Thanks!") == long.strip()
