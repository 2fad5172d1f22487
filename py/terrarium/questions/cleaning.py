"""The question as it is searched: greetings, thanks and politeness taken off both ends, its mark made uniform.

A small generator gives another answer when a greeting stands before the question, so the prompt is made of the
cleaned question only. Words inside the question are never touched, and a question that would become empty stays.

Not here: turning an indirect question round. “Could you tell me how long it lasts?” leaves “How long it lasts?”.
"""

from __future__ import annotations

import re

from terrarium.questions.framings import (
    CHINESE_QUESTION,
    CLOSINGS,
    GREETINGS,
    JOINTS,
    PLEASE,
    PREPOSITIONS,
    QUESTION_WORDS,
    REQUESTS,
    THANKS,
)
from terrarium.questions.wording import HAN_LETTERS

_MARKS = r",;:.!?…–—~，、。！？：；～\n-"
_SMILE = (
    "(?:[\U0001f600-\U0001f64f\U0001f90c-\U0001f92f\U0001f970-\U0001f97a\U0001f44b-\U0001f450\U0001f4aa\U0001f389\U0001f339"
    "\U0001f490\u2728\u2764\u2665\u263a\u270b\U0001f3fb-\U0001f3ff\ufe0f\u200d]|[:;]-?[)DP](?!\\w)|\\^\\^)"
)
_END = rf"(?:(?<=[{HAN_LETTERS}])|(?!\w|['’-]\w))"  # of a unit: no part of a longer word
_GAP = rf"(?:\s*{_SMILE}|(?<!\s)[{_MARKS}](?!\w)|(?<!\s)[:,;!?…—，、。！？：；](?=\w)|\s[{_MARKS}](?=\s)|\s)*"

_opens = rf"(?:{QUESTION_WORDS})(?![\w-])"
_BEFORE_QUESTION = rf"(?=\s*(?:$|[{_MARKS}]|{_SMILE}|[¿¡]?(?:{_opens}|(?:{REQUESTS}|{PLEASE}|{GREETINGS}){_END})))"
_LEADING = re.compile(
    rf"^[¿¡\s]*(?:(?:{REQUESTS}){_END}(?:\s+(?:{JOINTS})|)|(?:{PLEASE}){_END}"
    rf"|(?:{GREETINGS}|{THANKS}){_END}{_BEFORE_QUESTION}|{_SMILE}){_GAP}",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    rf"(?P<marks>[\s{_MARKS}]*)(?:{_SMILE}|(?<!\w)(?:(?:{THANKS})(?:,? (?:and|und|et|y) (?:{CLOSINGS}))?|{PLEASE}"
    rf"|(?P<closing>{CLOSINGS})){_END})"
    rf"(?P<after>[\s{_MARKS}]*)$",
    re.IGNORECASE,
)
# “the word thanks”, “how to say please”: what stands behind one of these is talked about.
_TALKED_ABOUT = re.compile(
    r"(?:^|\s)(?:a|an|the|of|to|with|for|in|and|or|not|no|word|say|says|said|saying|give|gives|gave|giving|mean"
    r"|means|sign|write|type|translate|express|expression|phrase|das|wort|und|oder|sagt|sagen|heißt"
    r"|mot|et|ou|dire|dit|le|palabra|y|o|decir|dice|la|el)$|[说写道叫声“\"'‘]$",
    re.IGNORECASE,
)
_FINAL = re.compile(r"[\s.!?…。！？~～]+$")
_ASKS = re.compile(rf"(?:(?:{PREPOSITIONS}) )?(?:{_opens})", re.IGNORECASE)
_HAN_ASKS = re.compile(CHINESE_QUESTION)
_PLAIN_WORD = re.compile(r"[^\W\d_A-ZÄÖÜ]+(?![\w./@:-]\w)")


def clean_question(question: str) -> str:
    """The question without framing, white space folded, with its mark and a capital: no framing may differ by them."""
    text = re.sub(r"\s*\n\s*", "\n", re.sub(r"[^\S\n]+", " ", question.strip()))
    asked = "¿" in text
    while (shorter := _strip_once(text)) != text:
        text = shorter
    words = re.findall(r"[\w'’-]+", text)
    if not words or (
        len(words) == 1 and not re.search(f"[?？{HAN_LETTERS}]", question)
    ):  # “Hello, World!” is no greeting
        return _capital(" ".join(question.split()))
    return finished(" ".join(text.split()), asked=asked)


def finished(text: str, *, asked: bool = False) -> str:
    """One question mark behind what asks (or was `asked`), no other mark at the end; a capital for a plain word."""
    text = text.lstrip("¿¡ ")
    final = _FINAL.search(text)
    body = text[: final.start()] if final else text
    if not body:
        return text
    marks = final.group() if final else ""
    inside = "?" in body or "？" in body
    han = bool(re.search(f"[{HAN_LETTERS}]['”’\"）)]?$", body))
    asks = bool(re.search("[?？]", marks)) or (
        not inside and (asked or bool(_ASKS.match(body)) or (han and bool(_HAN_ASKS.search(body))))
    )
    if marks.startswith(".") and re.search(r"\.\w+$", body):
        body += "."  # “U.S.”
    return _capital(body) + (("？" if han else "?") if asks else "")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:] if _PLAIN_WORD.match(text) else text


def _strip_once(text: str) -> str:
    if leading := _LEADING.match(text):
        return text[leading.end() :]
    trailing = _TRAILING.search(text)
    if not trailing:
        return text
    body, marks = text[: trailing.start()], trailing["marks"]
    marked = bool(re.search(rf"[{_MARKS}]", marks)) or not body
    if trailing["closing"] and not marked:
        return text
    if not marked and _TALKED_ABOUT.search(body):
        return text
    asks = re.search("[?？]", marks) or re.search("[?？]", trailing["after"])
    return body + ("?" if body and asks else "")
