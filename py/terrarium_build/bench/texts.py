"""Made-up texts with facts in them, and questions about the facts: the same for everybody, another for each round."""

from __future__ import annotations

import random

SECTIONS = 30  # of about two chunks each
_FIRST = ("Ash", "Birch", "Cold", "Deer", "Elm", "Fern", "Grey", "Hazel", "Iron", "Juniper", "Kestrel", "Larch", "Moss")
_LAST = ("brook", "cliff", "dale", "field", "ford", "ham", "mere", "ridge", "side", "stead", "well", "wood")
_MONTHS = ("January", "March", "April", "May", "June", "August", "September", "October", "November")
_COLOURS = ("red", "green", "blue", "white", "yellow", "brown")
_SENTENCES = (
    "The {name} hut has {a} beds in {b} rooms, and each guest brings a sleeping bag.",
    "It is open from {month} until the end of {other}, and the warden leaves on the last Sunday.",
    "A night costs {price} euros, breakfast is {cheap} euros more, and children pay half.",
    "The path from the valley takes {hours} hours and is marked with {colour} paint on the rocks.",
    "Water comes from the spring {metres} metres behind the house and must be boiled for {b} minutes.",
    "Dogs stay in the shed beside the wood store, where there is straw and a bowl for each of them.",
    "The stove burns wood only, and whoever takes the last basket brings the next one up from the cellar.",
    "In a storm the bell on the roof is rung every {b} minutes until all guests have come in.",
    "Guests write their names, their way for the next day and the time of leaving into the book at the door.",
    "The rescue service can be called from the telephone in the hall, and the number is {number}.",
    "The kitchen closes at nine in the evening, and the lamps go out {b} minutes after ten.",
    "Rubbish is carried down again by those who brought it, and nothing is burned behind the house.",
    "The house was built in {year} by the {colour} valley club, which still owns the meadow around it.",
    "Boots are taken off at the door, and felt slippers stand on the {colour} shelf in the hall.",
)

QUESTIONS = (
    "How many beds does the {name} hut have?",
    "When is the {name} hut open?",
    "What does a night in the {name} hut cost?",
    "How long is the path from the valley to the {name} hut, and how is it marked?",
    "Where does the water of the {name} hut come from?",
    "Which number does the telephone of the {name} hut call the rescue service by?",
)


def hut_names(seed: int) -> list[str]:
    """The names of one text's sections, each once."""
    names = [first + last for first in _FIRST for last in _LAST]
    return random.Random(seed).sample(names, SECTIONS)


def made_text(seed: int) -> str:
    """About 60 chunks of Markdown, a section for each hut."""
    chance = random.Random(seed)
    return f"# Mountain huts, part {seed}\n\n" + "\n\n".join(_section(name, chance) for name in hut_names(seed)) + "\n"


def question(seed: int) -> str:
    """Answered by one sentence of `made_text(seed)`."""
    return f"How many beds does the {hut_names(seed)[SECTIONS // 2]} hut have?"


def sources(seed: int) -> tuple[list[str], str]:
    """Passages of about 350 tokens, the whole section of one hut among them; and that hut's name."""
    chance = random.Random(seed)
    name, other = hut_names(seed)[:2]
    section, next_one = (_section(hut, chance).partition("\n\n")[2] for hut in (name, other))
    return [f"{name}: {section}", f"{other}: {next_one.partition('. ')[0]}."], name


def _section(name: str, chance: random.Random) -> str:
    def sentence(form: str) -> str:
        return form.format(
            name=name,
            a=chance.randint(12, 90),
            b=chance.randint(2, 11),
            price=chance.randint(14, 49),
            cheap=chance.randint(5, 13),
            hours=chance.randint(2, 7),
            metres=chance.randint(20, 400),
            number=chance.randint(100_000, 999_999),
            year=chance.randint(1860, 1990),
            month=chance.choice(_MONTHS[:4]),
            other=chance.choice(_MONTHS[4:]),
            colour=chance.choice(_COLOURS),
        )

    first, *others = _SENTENCES
    chance.shuffle(others)
    return f"## {name}\n\n" + " ".join(map(sentence, [first, *others]))
