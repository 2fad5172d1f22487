"""Names and numbers of a copied sentence that stand the other way round: who did what to whom, which cost what.

Where exchanging two of them makes the sentence the place's own words, they were exchanged. A passive (“was beaten by”)
may turn two round, so nothing is said where only one of the texts has “by”. In Chinese only numbers are seen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import combinations

from terrarium.answers.copying import LEAST_COPIED, Word, text_of, words_of

_BY = re.compile(r"\b(?:by|von|durch|vom|par|por)\b|被|由", re.IGNORECASE)
_VERBS = frozenset("is are was were has had ist sind war hat wird wurde est était es era 是 有 在 为".split())
_MOST_RUNS = 8


def exchanged(sentence: str, place: str) -> tuple[str, str] | None:
    """Two names or numbers of the sentence that, put in each other's place, would make it the place's own words."""
    own, theirs = words_of(sentence), [one.key for one in words_of(place)]
    keys = [one.key for one in own]
    now = _copied(keys, theirs)
    if now == len(keys) or now < LEAST_COPIED * len(keys) or bool(_BY.search(sentence)) != bool(_BY.search(place)):
        return None
    runs = [run for run in _runs(own) if all(key in theirs for key in keys[run[0] : run[1]])][:_MOST_RUNS]
    for (a, b), (c, d) in combinations(runs, 2):
        if not any(word.content or word.key in _VERBS for word in own[b:c]) or keys[a:b] == keys[c:d]:
            continue
        turned = [*keys[:a], *keys[c:d], *keys[b:c], *keys[a:b], *keys[d:]]
        then = _copied(turned, theirs)
        if then > now and then >= len(keys) - 1:
            return text_of(own[a:b]), text_of(own[c:d])
    return None


def _copied(keys: Sequence[str], theirs: Sequence[str]) -> int:
    blocks = SequenceMatcher(None, keys, theirs, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks)


def _runs(words: Sequence[Word]) -> list[tuple[int, int]]:
    """Where names and numbers stand, each as long as it goes."""
    found: list[tuple[int, int]] = []
    for at, word in enumerate(words):
        if not word.marked:
            continue
        if found and found[-1][1] == at and not word.key.startswith("§"):
            found[-1] = (found[-1][0], at + 1)
        else:
            found.append((at, at + 1))
    return found
