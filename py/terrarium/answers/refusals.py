"""The scripted refusals: when no answer is given, why, in words for the person. Decided by code; nothing is written.

A refusal comes before the generator is called, in every case, and shows the nearest passages: who asked can see whether
they hold it after all. (With a generator whose card says that it rephrases, a follow-up question may have been put into
words by it before anything was searched; its wording is checked word by word, see `questions/rewriting.py`.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from terrarium.judging.gathering import Gathered
from terrarium.model import DocumentInfo, Refusal, RefusalCode
from terrarium.questions.demands import demanded
from terrarium.readers.warnings import pages_without_text

# What happened, and what to do next; the judge's reasons stand between the two.
REFUSALS: Mapping[RefusalCode, tuple[str, str]] = {
    "empty_library": ("There are no documents yet.", "Drop files onto the page, then ask again."),
    "nothing_retrieved": (
        "None of your documents has a passage that shares anything with this question.",
        "Try other words, or add the document that covers it.",
    ),
    "not_found": (
        "Your documents do not seem to answer this.",
        "The nearest passages are shown; if one of them does answer it, ask with that passage's own words.",
    ),
    "out_of_scope": (
        "Your documents are not about this.",
        "Ask about something that stands in them, or add the document that covers it.",
    ),
    "asked_to_ignore": (
        "This asks to leave the documents or the rules aside. Answers come from your documents only.",
        "Ask about something that stands in them; the passages nearest to your words are shown.",
    ),
    "asked_for_instructions": (
        "This asks for the instructions that the writer works by, not for something in your documents.",
        "They are shown with each answer under “How was this made”. Ask about something that stands in your documents.",
    ),
}
NAMED = 3  # documents in a sentence
NOTHING_FILTERED = "No document passes the filter. Widen it, then ask again."


def refused_with(found: Gathered, documents: int) -> RefusalCode | None:
    """Why no answer is given to what was found in a library of so many documents; None when one may be."""
    if not documents:
        return "empty_library"
    demand = demanded(found.question) or demanded(found.cleaned)
    if demand:
        return "asked_to_ignore" if demand == "ignore" else "asked_for_instructions"
    if found.judgement is None:
        return "nothing_retrieved"
    if found.judgement.verdict == "incorrect":
        return "out_of_scope" if found.judgement.out_of_scope else "not_found"
    return None


def without_text(documents: Iterable[DocumentInfo]) -> list[str]:
    """Names of those of which nothing can be found, because their pages are pictures."""
    return [info.name for info in documents if not info.chunks and pages_without_text(info.warnings)]


def refusal(found: Gathered, code: RefusalCode, unsearched: Sequence[str] = ()) -> Refusal:
    """The refusal in words: what happened, the judge's reasons, what could not be searched, what to do next."""
    if code == "nothing_retrieved" and found.excluded:
        return Refusal(code, NOTHING_FILTERED)
    happened, advice = REFUSALS[code]
    reasons = found.judgement.reasons if found.judgement and code in ("not_found", "out_of_scope") else ()
    return Refusal(code, " ".join((happened, *reasons, *_unsearched(code, unsearched), advice)))


def _unsearched(code: RefusalCode, names: Sequence[str]) -> list[str]:
    if not names or code not in ("nothing_retrieved", "not_found", "out_of_scope"):
        return []
    listed = ", ".join(f"“{name}”" for name in names[:NAMED])
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    what = f"No text layer, so nothing that could be found, is in {listed}{more}: their pages are pictures."
    return [what, "“Recognise text” below their names in the library reads them."]
