"""Exchanging a phrase of the last question for the new one of a fragment: “and on Sundays?”, “what about Windows?”.

The new phrase takes the place of one of its own kind: behind the same preposition, the only name for a name, the
subject for a person or thing. Where two places would do, none is taken.
"""

from __future__ import annotations

import re

from terrarium.questions.wording import HAN, grammar_words

_ARTICLE = (
    r"(?:the|a|an|each|every|all|my|our|der|die|das|den|dem|ein|eine|einen|einem|einer"
    r"|le|la|les|l['’]|un|une|des|el|los|las|una)"
)
_SUBJECT_PREPOSITIONS = {"for", "with", "of", "für", "bei", "mit", "pour", "para", "con", "de"}
_GERMAN = {"für", "bei", "mit"}
_PREPOSITION = re.compile(
    r"(?P<preposition>in|on|within|at|for|from|with|without|of|to|during|after|before|under|by|since|until|per|if|when|für"
    r"|bei|mit|ohne|im|am"
    r"|nach|vor|ab|unter|während|wenn|in der|pour|avec|sans|pendant|après|avant|dans|chez|en|à|para|con|sin|durante"
    r"|de)\s+(?P<thing>.+)",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(
    r"(?<!\w)(?P<verb>do|does|did|can|could|may|must|should|shall|will|would|has|have)\s+(?P<after>.+)", re.IGNORECASE
)
_WH_NOUN = re.compile(r"(?:how (?:many|much)|which|what|whose)\s+[a-z][\w-]*\s", re.IGNORECASE)
_NAME_RUN = re.compile(r"(?<=\s)(?!I(?!\w))[A-ZÄÖÜ][\w.+#-]*(?:\s+(?:[A-ZÄÖÜ][\w.+#-]*|\d[\w.]*))*|(?<=\s)\d[\w.,:-]*")
_NUMBERED = re.compile(r"(?:^|\s)(?P<what>[^\W\d]+)\s+\d[\w.]*$")
_HAN_SUBJECT = re.compile("^(?P<subject>[\u3400-\u9fff]{2,8}?)(?=有|可以|能|需要|要|应该|必须|的|在|是|会|每|多|几)")
_HAN_TIME = re.compile("(?:[天日末月年时节晚早午后前上下]|假期|期间)$")


def exchanged(phrase: str, last: str) -> str:
    """The last question with the phrase in the place of its like; "" when there is none, or more than one."""
    body = last.rstrip("?？")
    if HAN.search(phrase):
        subject = _HAN_SUBJECT.match(body)
        return phrase + body[subject.end() :] if subject and not _HAN_TIME.search(phrase) else ""
    parts = _PREPOSITION.fullmatch(phrase)
    preposition, thing = (parts["preposition"].lower(), parts["thing"]) if parts else ("", phrase)
    if found := _numbered(preposition, thing, body):
        return found
    if preposition and (found := _behind(preposition, thing, body)):
        return found
    if preposition and preposition not in _SUBJECT_PREPOSITIONS:
        return ""
    if _kind(thing) != "plain":
        if preposition in _GERMAN:  # where every noun looks like a name
            return ""
        runs = list(_NAME_RUN.finditer(body))
        same = [run for run in runs if _kind(run.group()) == _kind(thing)]
        if len(same) == 1 and len(runs) == 1 and _agrees(thing, body[: runs[0].start()]):
            return _put(thing, body, same[0].start(), same[0].end())
        return ""
    return _as_subject(thing, body, sure=preposition != "")


def added(phrase: str, last: str) -> str:
    """The last question with a phrase of time, place or condition at its end; "" for a phrase of another kind."""
    body = last.rstrip("?？")
    if HAN.search(phrase):
        return phrase + body if _HAN_TIME.search(phrase) else ""
    parts = _PREPOSITION.fullmatch(phrase)
    if not parts or parts["preposition"].lower() in _SUBJECT_PREPOSITIONS:
        return ""
    return f"{body} {phrase[:1].lower()}{phrase[1:]}"


def _agrees(thing: str, before: str) -> bool:
    """A German article or possessive says the number and gender of its noun, so another noun must bring its own."""
    determined = re.search(
        r"(?<!\w)(?:d(?:er|ie|as|en|em)|(?:ein|kein|mein|dein|sein|ihr|unser|euer)\w{0,2})\s+$", before
    )
    return not determined or (
        bool(re.match(rf"{_ARTICLE}\s", thing, re.IGNORECASE)) and determined.group()[0].lower() in "de"
    )


def _kind(phrase: str) -> str:
    head = re.sub(rf"^{_ARTICLE}\s+", "", phrase, flags=re.IGNORECASE)
    if head[:1].isdigit():
        return "number"
    return "name" if head[:1].isupper() else "plain"


def _numbered(preposition: str, thing: str, body: str) -> str:
    """“version 9” in the place of “version 8”, “after 30 days” of “within 14 days”."""
    if spell := re.fullmatch(r"\d+\s+(?P<unit>[^\W\d]+)", thing):
        old = list(re.finditer(rf"(?<!\w)(?P<before>\w+)\s+\d+\s+{spell['unit']}(?!\w)", body, re.IGNORECASE))
        if len(old) == 1 and preposition and old[0]["before"].casefold() in grammar_words():
            return f"{body[: old[0].start()]}{preposition} {thing}{body[old[0].end() :]}"
    parts = _NUMBERED.search(thing)
    found = list(re.finditer(rf"(?<!\w){parts['what']}\s+\d[\w.]*", body, re.IGNORECASE)) if parts else []
    return body[: found[0].start()] + thing + body[found[0].end() :] if len(found) == 1 else ""


def _behind(preposition: str, thing: str, body: str) -> str:
    """Exchange what stands behind the same preposition, if it is of the same kind and its end can be told."""
    for place in reversed(list(re.finditer(rf"(?<!\w){preposition}\s+", body, re.IGNORECASE))):
        old = body[place.end() :]
        if _kind(old) != _kind(thing):
            continue
        if _kind(thing) == "plain":
            end = _phrase_end(old)
        else:
            run = _NAME_RUN.search(" " + old)
            end = run.end() - 1 if run else 0
        if end:
            return body[: place.end()] + thing + old[end:]
    return ""


def _phrase_end(text: str) -> int:
    """Where a noun phrase at the beginning of `text` ends: at the next grammar word or mark, or with the text."""
    end = 0
    for word in re.finditer(r"[^\s,;]+", text):
        article = bool(re.fullmatch(_ARTICLE, word.group(), re.IGNORECASE)) and end == 0
        if word.group().casefold() in grammar_words() and not article:
            return end
        end = word.end()
        if text[end : end + 1] in {",", ";"}:
            return end
    return end


def _as_subject(thing: str, body: str, *, sure: bool) -> str:
    """Exchange the subject behind an English auxiliary; not `sure`, only when no counted noun could be meant too."""
    auxiliary = _AUXILIARY.search(body)
    if not auxiliary or (not sure and _WH_NOUN.match(body)):
        return ""
    after = auxiliary["after"]
    end = _subject_end(after)
    start = auxiliary.start("after")
    return _put(thing, body, start, start + end) if end else ""


def _subject_end(after: str) -> int:
    """“a full member borrow” → behind “member”, “employees get” → behind “employees”; 0 for a pronoun.

    “a statement be” has no verb of its own: everything before “be” is the subject.
    """
    article = re.match(rf"{_ARTICLE}\s+", after, re.IGNORECASE)
    words: list[re.Match[str]] = []
    verb_follows = True
    for word in re.finditer(r"\S+", after[article.end() :] if article else after):
        if word.group().casefold() in grammar_words():
            verb_follows = word.group().casefold() not in {"be", "have", "do"}
            break
        words.append(word)
    offset = article.end() if article else 0
    for word in words[:3]:
        if re.search(r"[^s]s$", word.group()):
            return offset + word.end()
    if not article or not words:
        return 0
    if not verb_follows:
        return offset + words[-1].end()
    ends = len(after) == offset + words[-1].end() or len(words) > 1
    noun = words[-2] if len(words) > 1 and ends else words[0]
    return offset + noun.end()


def _put(thing: str, body: str, start: int, end: int) -> str:
    """A noun that brings its own article, or has none, takes the old one's place too."""
    before = body[:start]
    if re.match(rf"{_ARTICLE}\s", thing, re.IGNORECASE):
        before = re.sub(rf"(?<!\w){_ARTICLE}\s+$", "", before, flags=re.IGNORECASE)
    return before + thing + body[end:]
