"""What the checks can and cannot see, in words for the person who reads the answers. Text only.

The page shows it, and docs/limits.md is written from it. {names} stand for measured figures (limits_figures.py).
"""

TYPE_CHECKING = False  # MicroPython has no typing module
if TYPE_CHECKING:
    from collections.abc import Mapping

TITLE = "What the checks can and cannot see"
LEAD = (
    "A small language model writes the answers, and it errs. What you read is therefore decided by this page's own "
    "code, which compares and counts, and does not understand. Here is what that can see, and what it cannot. "
    "When it matters, click on the number behind a sentence and read the quote."
)

SECTIONS = (
    (
        "What the browser enforces",
        (
            "Nothing leaves this tab: a policy of the browser forbids every request. What it does not cover is "
            "listed under “Sealed”, and rests on this page's own code.",
        ),
    ),
    (
        "What the code decides, whatever the model writes",
        (
            "Whether there is an answer. Where nothing was found, or what was found does not answer, the model is "
            "not asked at all: the refusal and its reasons are sentences of the code.",
            "Which sentences stand. Each is held against the passages that were read; one without support is taken "
            "out, and you are told. If none is left, the documents are quoted instead.",
            "Which passage a number leads to. The model's own numbers are put right, or left out.",
            "Quotes are the documents' own sentences, letter by letter. They are never written by the model.",
            "Nothing that a document or the model says becomes a link, a picture or a part of the page.",
        ),
    ),
    (
        "What the check of sentences looks at",
        (
            "Numbers with their units, and dates: each must stand in the passage.",
            "Names: a sentence may not bring in one that the passage does not have.",
            "Negation and comparison: “not”, “without”, “at most”, “more than” must agree.",
            "The other words: most of them must stand close together in one place of the passage.",
            "Of sentences labelled beforehand it kept {check_kept} of the supported ones and took out "
            "{check_removed} of the others. Of {written_labelled} that the small model wrote and that were read by "
            "hand, it kept {written_kept} and took out {written_removed}.",
            "Of sentences changed on purpose it took out {changed_facts_caught} with another number, unit, date or "
            "negation, and {swapped_names_caught} with an exchanged name.",
        ),
    ),
    (
        "What it does not see",
        (
            "Words put together wrongly. That the buyer pays the seller, where the document has it the other way "
            "round, is seen in a sentence that nearly copies its place, not in one of the model's own words, and "
            "not in Chinese.",
            "Of sentences mixed from two places it took out {mixed_caught}.",
            "Meaning: a sentence in words of its own may be right and be taken out; one in the passage's words may "
            "still say something else.",
            "What is left out: an answer may be true and lack the condition in the next paragraph.",
            "Documents that are wrong, out of date or forged. A sentence is supported when a document says it.",
            "Contradictions are looked for among the passages that were found, between figures, dates and denials. "
            "Of passages changed on purpose it saw {conflicts_in_numbers} with another number and "
            "{conflicts_in_denials} with a “not” put in, and raised {false_conflicts} false alarms in "
            "{conflict_questions} questions. Two documents that differ in words of their own are not seen.",
        ),
    ),
    (
        "How often answers are right",
        (
            "Of the questions that the documents answer {answered} got an answer, and {correct} of the answers "
            "stated the fact.",
            "Of {read_by_hand} shown sentences that were read by hand, {unsupported_by_hand} were not supported.",
            "In {citation_precision} of the citations the passage holds the fact.",
            "Quotes alone held the answer in {quotes_right} of the questions of two public sets.",
        ),
    ),
    (
        "When it refuses, and when it does not",
        (
            "A question that has nothing to do with your documents is refused: {out_of_scope_refused} in the test.",
            "A question about their subject whose answer is missing is harder: {uncovered_refused} were refused. "
            "The others got an answer beside the point, or a quote.",
            "Over an encyclopedia {clapnq_refused} of such questions were refused, and {squad_refused} of those "
            "that were written to look answerable.",
            "{over_refusal} of the questions that the documents do answer were refused. Ask in the document's own "
            "words then.",
            "Asking to leave the documents aside, or for the model's instructions, is refused for its words; put "
            "in words that no rule has, it is judged like any question.",
        ),
    ),
    (
        "Instructions in documents",
        (
            "Text that a reader would not see (white, tiny, covered, off the page) is left out where the file says "
            "so. Not told apart: text on or under a picture or a gradient, text under several shapes at once, "
            "letters whose drawing is blank, and web pages whose style sheet is a file of its own. What shows only "
            "on a click counts as hidden.",
            "Text in a picture is read where a page is nothing but pictures and you ask for it (“Recognise text”), and "
            "never beside printed text.",
            "Sentences that speak to the model instead of to you are recognised by rules and by a small "
            "classifier, marked, and not read by the model. One that looks like ordinary text is not recognised.",
            "{instructions_found} of such sentences were recognised, and {harmless_flagged} of ordinary passages "
            "were marked by mistake.",
            "Of {injections_tried} attacks placed in passages {injections_obeyed} had an effect on what was shown.",
            "A document can still lie. It is then quoted with its name, like any other.",
        ),
    ),
    (
        "What is found",
        (
            "Asked in the document's words the place was among the first three passages for {own_words_found} "
            "questions; asked in other words, for {paraphrases_found}.",
            "The quicker embedder knows English. By meaning it finds nothing in Chinese ({chinese_by_meaning} of "
            "1), by words it does ({chinese_by_words}); the one for many languages reaches {chinese_multilingual}.",
            "Rules for numbers, names and negation know English and German best, then French, Spanish and Chinese.",
            "Scans have no text until it is recognised, which you choose for each document. What was recognised may "
            "have mistakes, also in numbers and names, and answers quote them.",
            "Tables and columns are read row by row. What hangs on their layout may be lost.",
        ),
    ),
    (
        "How sure these figures are",
        (
            "Most come from {questions} questions written by hand over manuals, the others from public sets. One "
            "question more or less moves a figure by 2 to 12 points. They tell which part fails, not how good it "
            "is on your files.",
            "Figures made by a model that judges are marked so: it agreed with labels made by hand in "
            "{judge_agreement}.",
            "You can measure on your own documents: load or write questions with their answers and let the page "
            "run them.",
        ),
    ),
)


def sections(figures: "Mapping[str, str | None]") -> "list[tuple[str, list[str]]]":
    """(title, sentences) with the figures in their places; without what needs a figure that is not there."""
    missing = ["{" + name + "}" for name, value in figures.items() if value is None]
    filled = []
    for title, templates in SECTIONS:
        ready = [text.format(**figures) for text in templates if not [one for one in missing if one in text]]
        if ready:
            filled.append((title, ready))
    return filled
