"""What a question can come to, in words: kinds of answer, verdicts, further searches, refusals."""

from ui.words import TIED, count

TYPE_CHECKING = False  # MicroPython has no typing module
if TYPE_CHECKING:
    from typing import Any

# Kinds of answer to choose from: name, the rest of it where there is room, what comes of it.
ASKED_FOR = {
    "both": ("Both", "", "Sentences of your documents at once, then a written answer above them"),
    "answer": ("Written", " answer", "An answer in the writer's words, each sentence checked against your documents"),
    "quote": ("Quotes", "", "Only sentences of your documents, at once"),
}

MODES = {
    "generated": "Written from your documents",
    "quoted": "Quoted from your documents",
    "refused": "No answer in your documents",
}

VERDICTS = {
    "correct": "These passages answer the question",
    "ambiguous": "These passages may answer only a part of it",
    "incorrect": "These passages do not answer it",
    "out_of_scope": "Your documents are not about this",
}

# What was tried after the first search; each ends with what it brought.
STEPS_TAKEN = {
    "parts": "Searched each part of the question by itself",
    "expanded": "Searched with words of the best passages",
    "wider": "Looked at more passages",
    "surroundings": "Read what stands around the best passages",
    "words_only": "Searched by words only",
    "meaning_only": "Searched by meaning only",
    "rephrased": "Searched in other words",
    "other_collections": "Searched the other documents of the library",
}

# Why there is no answer, where it is not that the documents do not hold it.
REFUSED = {
    "empty_library": "No documents yet",
    "out_of_scope": "Not about your documents",
    "asked_to_ignore": "Not answered",
    "asked_for_instructions": "Not answered",
}

FLAGGED = "Holds text addressed to the model; it was not read"


def found_by(placings: "dict[str, list[float]]") -> str:
    """Which searches found a passage: "Found by its words (rank 1) and its meaning (rank 3)", or "" when none says."""
    names = (("lexical", "its words"), ("dense", "its meaning"))
    ways = [f"{name} (rank {int(placings[key][0])})" for key, name in names if key in placings]
    return f"Found by {' and '.join(ways)}" if ways else ""


def chance(probability: float) -> str:
    """The judge's probability, no finer than it is known: 0.834 → "… about 85 %."."""
    return f"The chance that the answer is in them is about {int(probability * 20 + 0.5) * 5}{TIED}%."


def step(taken: "dict[str, Any]") -> str:
    """One more search: "Searched in other words (“…”): 2 new passages"."""
    done = STEPS_TAKEN.get(taken["name"], taken["name"])
    asked = f" (“{taken['question']}”)" if taken["name"] == "rephrased" else ""
    gained = taken["gained"]
    return f"{done}{asked}: {count(gained, 'new passage') if gained else 'nothing new'}."


def outcome(result: "dict[str, Any]") -> str:
    """What a question came to, in a few words."""
    refused = REFUSED.get(result["refusal"]["code"]) if result.get("refusal") else None
    return refused or MODES[result["mode"]]


def quotes_found(number: int) -> str:
    """For the screen reader, while the answer is being written."""
    return f"{count(number, 'sentence')} of your documents." if number else ""


def disagreement(about: str) -> str:
    return f"Your documents disagree about {about}:"


def removed(number: int) -> str:
    """Above the sentences that were taken out of an answer."""
    return f"{count(number, 'sentence')} removed: no passage supports {'it' if number == 1 else 'them'}"
