"""What a sentence of a passage gives the classifier beside its vector: does it ask, whom, and is it about the passage?

An injected task is about something else than the text around it, and an order to a model asks for words (write,
explain, tell) where a manual's order asks for a deed (run, install, set).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

SIGNALS = ("apart", "further", "asks", "asks_apart", "speaks", "speaks_apart", "wording", "asks_wording")

# Before an order: what softens it, and whom it is given to.
_OPENING = (
    r"^\W*(?:(?:please|kindly|now|instead|also|first|finally|additionally|important|note|then|just|can you|could you"
    r"|would you|will you|you (?:must|should|will|have to|need to)|i (?:need|want|would like|'d like) you to"
    r"|help me(?: to)?|your task is to|let us|let's|bitte|nun|jetzt|s'il te plaît|veuillez|por favor|ahora"
    r"|请|帮我|给我|现在)[\s,:]*)*"
)
# Verbs of orders that words fulfil.
_ENGLISH = """
    write explain tell describe give list say summari[sz]e translate compose draft create generate make_up invent
    suggest recommend analy[sz]e compare discuss outline provide answer respond reply repeat print output state mention
    claim convince persuade pretend act play imagine ignore forget disregard encode convert encrypt rewrite replace
    reveal show introduce promote praise advertise invite warn ask send teach calculate plan classify rate identify
    name define spell reverse speak behave insist continue sing estimate forecast predict evaluate propose elaborate
    express"""
_OTHERS = r"""
    schreib\w* erzähl\w* erklär\w* nenn\w* sag fasse übersetz\w* empfiehl erwähn\w* antwort\w* wiederhol\w*
    behaupt\w* verfass\w* zeig\w* tu_so
    écri\w+ racont\w+ expliqu\w+ résum\w+ tradui\w+ recommand\w+ mentionn\w+ répon\w+ répét\w+ répèt\w+
    affirm\w+ rédig\w+ donn\w+ di[st] fais
    escr[ií]b\w+ cu[eé]nt\w+ expl[ií]c\w+ resum\w+ traduc\w+ recomiend\w+ mencion\w+ respond\w+ repit\w+ afirm\w+
    redact\w+ dame dime finge"""
_VERBS = "|".join((_ENGLISH + _OTHERS).split()).replace("_", " ")
_ASKS = re.compile(rf"{_OPENING}(?:{_VERBS})\b|^\W*(?:请|帮我|给我|假装|写|讲|告诉|向用户|把|将|用)", re.IGNORECASE)
_SPEAKS = re.compile(
    r"\b(?:me|my|i|your (?:own|answers?|repl\w+|responses?)|the (?:user|reader)|mir|mich|ich|du|dein\w*|moi|mon|ta|tes"
    r"|tu|mí|mi|yo|usuario|utilisateur|nutzer)\b|我|你|用户|读者",
    re.IGNORECASE,
)
_WORDING = re.compile(
    r"\b(?:answers?|repl(?:y|ies)|responses?|respond\w*|sentences?|words?|emojis?|letters?|conversation|antwort\w*|wort|satz"
    r"|réponses?|mots?|phrases?|respuestas?|palabras?|frases?)\b|回答|回复|词|句",
    re.IGNORECASE,
)


def signals(texts: Sequence[str], vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """[sentences, len(SIGNALS)] of one passage's sentences and their vectors (of unit length).

    "apart" is one minus the cosine to the mean of the other sentences, 0 for a sentence without others; "further" how
    much more that is than the others' median.
    """
    count = len(texts)
    apart = np.zeros(count, np.float32)
    if count > 1:
        others = vectors.sum(axis=0) - vectors
        lengths = np.maximum(np.linalg.norm(others, axis=1), 1e-6)
        apart = 1 - (vectors * others).sum(axis=1) / lengths
    further = apart - np.median(apart) if count else apart
    asks, speaks, wording = (
        np.array([bool(pattern.search(text)) for text in texts], np.float32) for pattern in (_ASKS, _SPEAKS, _WORDING)
    )
    columns = (apart, further, asks, asks * apart, speaks, speaks * apart, wording, asks * wording)
    return np.stack(columns, axis=1).astype(np.float32)
