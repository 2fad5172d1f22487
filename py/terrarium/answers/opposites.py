"""Words of comparison and duty that say opposite things, where a sentence has one and its place the other.

“Before” against “after”, “enable” against “disable”, “must” against “may”. A pair counts only where both stand beside
the same word, so that an unrelated “low” elsewhere in a long sentence proves nothing. English, German and Chinese, and
the commonest of French and Spanish. What negates by itself (“never”, “forbidden”) is for `denials.py`, bounds of
numbers (“at least 6”) for `quantities.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from terrarium.answers.denials import HARD
from terrarium.answers.words import Token, tokens_of

# One pair a line; a star stands for any ending.
_PAIRS = """
more greater higher larger bigger mehr höher größer plus más 更多 更高 更大 | less fewer lower smaller weniger niedriger kleiner moins menos 更少 更低 更小
increas* rais* ris* rose risen grow* grew expand* erhöh* steig* 增加 上升 提高 增长 | decreas* reduc* lower* fell fall falls falling declin* drop* shrink* senk* sink* verringer* 减少 下降 降低
before prior earlier vor vorher zuvor avant antes 之前 以前 | after later nach nachher danach après después 之后 以后
above oberhalb | below beneath underneath unterhalb
always immer stets toujours siempre 总是 | never nie niemals jamais nunca 从不 从未
all every alle jede* tous todos 所有 全部 | none kein* aucun* ningun* some einige quelques algunos 部分 有些
first erste* premier première primer* 第一 最早 | last letzte* dernier dernière último última 最后 最晚
most meisten 最多 | least wenigsten 最少
best beste* 最好 | worst schlechteste* 最差
largest biggest greatest größte* 最大 | smallest least kleinste* 最小
highest höchste* 最高 | lowest niedrigste* 最低
oldest älteste* earliest 最早 | newest youngest neueste* jüngste* latest 最新
longest längste* 最长 | shortest kürzeste* 最短
maximum maximal* höchstens 最大 | minimum minimal* mindestens 最小
allow* permit* legal erlaub* gestatte* 允许 | forbid* forbad* forbidden prohibit* illegal verboten untersag* disallow* 禁止
enabl* activat* aktivier* 启用 | disabl* deactivat* deaktivier* 禁用
includ* einschließ* 包括 | exclud* ausschließ* 不包括
with mit avec con | without ohne sans sin
inside within innerhalb | outside außerhalb
open* öffn* 打开 | clos* schließ* 关闭
begin* began begun start* anfang* beginn* 开始 | end ended ends ending finish* endet* 结束
north* nörd* 北 | south* süd* 南
east eastern öst* 东 | west western west* 西
left links | right rechts
top upper oben obere* 上 | bottom lower unten untere* 下
true wahr | false falsch
positiv* | negativ*
accept* akzeptier* 接受 | reject* refus* ablehn* 拒绝
add added adds adding hinzufüg* | remov* delet* entfern* lösch*
public öffentlich* | privat*
same equal identical gleich* 相同 | different* unterschiedlich* verschieden* 不同
faster quicker schneller 更快 | slower langsamer 更慢
longer länger 更长 | shorter kürzer 更短
older älter* | younger newer jünger* neuer*
must required mandatory obligatory compulsory muss müssen erforderlich doit doivent debe deben obligatorio 必须 | optional* may might voluntary freiwillig peut peuvent puede pueden facultatif opcional 可选
success* succeed* erfolgreich* 成功 | fail* unsuccess* fehlgeschlagen scheiter* 失败
buy* bought purchas* kauf* | sell* sold verkauf*
upload* hochlad* | download* herunterlad*
import* | export*
internal* intern* | external* extern*
win won wins winning victory gewann gewonnen | lose lost loses losing defeat verlor verloren
safe secure sicher | unsafe insecure unsicher
sufficient enough ausreichend | insufficient
warm hot heiß | cold kalt
strong* | weak*
early früh* 早期 | late spät* 晚期
alive lebend* | dead tot
ascend* aufsteigend* | descend* absteigend*
horizontal* waagerecht* | vertical* senkrecht*
odd ungerade | even gerade
male männlich* | female weiblich*
activ* | passiv* inactiv*
deep* tief* | shallow* flach*
encod* | decod*
encrypt* verschlüssel* | decrypt* entschlüssel*
"""  # noqa: E501
_BESIDE = 3  # words that are no grammar, on either side


@cache
def _pairs() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    rows = [row.split("|") for row in _PAIRS.strip().splitlines()]
    both = [(_any_of(one), _any_of(other)) for one, other in rows]
    return (*both, *((other, one) for one, other in both))


def _any_of(words: str) -> re.Pattern[str]:
    # A modal “may” is small; with a capital it is a month or begins a question.
    latin = [word.replace("*", r"\w*") for word in words.split() if word[0] < "\u2e80"]
    han = [word for word in words.split() if word[0] >= "\u2e80"]
    return re.compile("|".join([rf"(?<![\w-])(?:{'|'.join(latin)})(?![\w-])", *han]), re.IGNORECASE)


def turned_round(sentence: str, place: str) -> Iterator[tuple[str, str]]:
    """(the sentence's word, the place's) of each pair of which the two have opposite sides about the same word."""
    own, other = tokens_of(sentence), tokens_of(place)
    for one, opposite in _pairs():
        mine = one.search(sentence)
        if not mine or HARD.search(mine.group()) or opposite.search(sentence) or one.search(place):
            continue
        around = _around(own, mine)
        for theirs in opposite.finditer(place):
            if around & _around(other, theirs) and not HARD.search(theirs.group()):
                yield mine.group(), theirs.group()
                break


def opposed(own: str, theirs: str) -> tuple[str, str] | None:
    """A pair of which one stands in the first text and the other in the second, and neither in both."""
    if not own or not theirs:
        return None
    for one, opposite in _pairs():
        mine, other = one.search(own), opposite.search(theirs)
        if mine and other and not opposite.search(own) and not one.search(theirs) and not HARD.search(theirs):
            return mine.group(), other.group()
    return None


def _around(tokens: Sequence[Token], match: re.Match[str]) -> set[str]:
    before = [token.term for token in tokens if token.end <= match.start()][-_BESIDE:]
    after = [token.term for token in tokens if token.start >= match.end()][:_BESIDE]
    return {*before, *after}
