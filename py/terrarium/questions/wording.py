"""Which words of a question carry it: its names, and the words that are not grammar. For rules over five languages."""

from __future__ import annotations

import re
from functools import cache

# Articles, pronouns, prepositions, auxiliaries and question words; verbs that say nothing by themselves.
_GRAMMAR = """
a about after all also an and any anybody anyone anything are as at be been before being between both but by can could
did do does doing done down during each either else ever every few first for from get gets give given gives go goes
got had has have having he her here hers him his how i if in into is it its itself just kind let like long made make
makes many may me mean means might more most much must my name need needed needs no not now of off on once one ones
only or other our out over own per please same say says shall she should since so some still such take takes tell than
that the their theirs them then there these they thing things this those through to too under until up upon us use
used using very want was way we were what when where whether which while who whom whose why will with within without
would yes you your
aber alle als also am an auch auf aus bei beim bin bis da dann das dass dem den denn der des die dies diese dieser
dieses doch du durch ein eine einem einen einer eines er es etwas für gibt habe haben hat ich ihm ihn ihr ihre im in
ins ist ja kann kein keine können lange machen man mein mich mir mit muss müssen nach nicht noch nur ob oder pro sein
seine seit sich sie sind so soll sollen sowie über um und uns unter viel viele vom von vor wann war waren warum was
welche welchem welchen welcher welches wem wen wenn wer werden wie wieviel wieviele wird wo wohin womit zu zum zur
zwischen darf dürfen
à au aux avec ce ceci cela celui ces cet cette combien comment d dans de des dont du elle elles en est est-ce et être
faut fois il ils j je temps l la le les leur leurs lui ma mais me mes moi mon n ne nos notre nous on ont ou où par pas
peut peuvent plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se ses si son sont sous sur
ta te tes toi ton tu un une vos votre vous y doit doivent fait font ça
al algo como con cómo cuál cuáles cuando cuándo cuánta cuántas cuánto cuántos del desde dónde donde el ella ellas ello
ellos entre era eran es esa ese eso esta está están este esto fue ha hace han hasta hay lo los las más me mi mis muy
no nos o otra otro para pero por porque puede pueden que qué quien quién quiénes se sea ser si sí sin sobre son su sus
tiene tiempo tienen todo todos un una unas uno unos y ya debe deben
"""

HAN_LETTERS = "\u3400-\u9fff"  # for a character class
HAN = re.compile(f"[{HAN_LETTERS}]")
_LETTER = rf"[^\W{HAN_LETTERS}]"
_TOKEN = re.compile(
    r"“[^”]+”|\"[^\"]+\"|«[^»]+»|„[^“”]+[“”]"
    rf"|(?:{_LETTER}|[/@#.~\\+-](?={_LETTER}))(?:{_LETTER}|[./@:+#-](?={_LETTER})|['’](?={_LETTER}{{3,}}))*\+*#?"
)
_HAN_RUN = re.compile(f"{HAN.pattern}+")
_HAN_GRAMMAR = re.compile(
    "什么|多少|几个|几|哪些|哪个|哪里|哪|谁|怎么|怎样|如何|为什么|为何|何时|何处|多久|多长|多大|多高|多远|是否|能否|可否|有没有"
    "|是不是|能不能|可不可以|可以|需要|应该|必须|那么|以及|还有|它们|他们|她们|我们|这个|那个|这些|那些|[的了吗呢是有在和与或对从到把被就都也很我你您他她它会能要]"
)

# Words that stand for something said elsewhere. “das” and “that” are articles and conjunctions too, so only where a
# verb, an adverb or the end follows.
PRONOUN = re.compile(
    r"(?<![\w’'-])(?:it|its|they|them|their|theirs|he|him|his|she|her|hers|these|those|this|that|(?:this|that|which"
    r"|the other)"
    r" ones?)(?=\s*(?:$|[?.,;:!)]))"
    r"|(?<![\w’'-])(?:it|its|they|them|their|he|him|his|she|her)(?![\w’'-])"
    r"|(?<![\w’'-])(?:this|that|these|those)(?=\s+(?:is|are|was|were|do|does|did|can|may|must|cost|costs|mean|means"
    r"|work|works"
    r"|take|takes|last|lasts|apply|applies|happen|happens|change|changes|include|includes|also|then|too|for|in)(?!\w))"
    r"|(?<!\w)(?-i:er|sie|es|ihn|ihm|ihnen|ihre[mnrs]?|ihr|sein(?:e[mnrs]?)?|dessen|deren|dafür|davon|damit|dazu"
    r"|daran|darauf)"
    r"(?!\w)"
    r"|(?<!\w)das(?=\s*(?:$|[?.,;:!]|\s(?:auch|dann|genau|denn|eigentlich|noch|schon|nicht|für|bei|mit"
    r"|in|im|am|alles|jetzt|aber|so)(?!\w)))"
    r"|(?<![\w’'])(?:elles?|ils|ça|cela|ceci|celui-ci|celle-ci|ceux-ci|leurs?|-elles?|-ils)(?!\w)|(?<=-)(?:elles?"
    r"|ils|il|elle)(?!\w)"
    r"|(?<!\w)(?:él|ella|ellos|ellas|ello|eso|esto|éste|ésta|estos|esos|aquello)(?=\s*(?:$|[?.,;:!]|\s(?:es|son|se"
    r"|no|también)))"
    r"|它们?|他们?|她们?|(?:这|那)(?:个|些|样|种)?(?=$|[？?，,是有要需会能可算怎为])|其中|该怎么",
    re.IGNORECASE,
)


@cache
def grammar_words() -> frozenset[str]:
    """Words that carry no topic in any of the five languages, lower case."""
    return frozenset(_GRAMMAR.split())


def content_words(text: str) -> list[str]:
    """The words that carry the question, in order, each once, as they are written."""
    if HAN.search(text):
        found = [piece for run in _HAN_RUN.findall(text) for piece in _HAN_GRAMMAR.split(run) if len(piece) > 1]
        return list(dict.fromkeys(found + names(text)))
    tokens = [token.strip('“”"«»„') for token in _TOKEN.findall(text)]
    return list(dict.fromkeys(token for token in tokens if token.casefold() not in grammar_words()))


def names(text: str) -> list[str]:
    """What names one thing: quoted words, identifiers, words with a capital inside the question, each once.

    In German every noun is one of them; in a Chinese text every word in another script.
    """
    found: list[str] = []
    for token in _TOKEN.finditer(text):
        word = token.group()
        quoted = word[0] in '“"«„'
        identifier = bool(re.search(r"[\d_/@#.+\\]|[a-z][A-Z]|^[A-Z]{2,}$", word)) and not word.isdigit()
        inside = (token.start() > 0 or bool(HAN.search(text))) and not re.search(r"[.?!:¿]\s*$", text[: token.start()])
        if quoted or identifier or (inside and word[:1].isupper() and word.casefold() not in grammar_words()):
            found.append(word.strip('“”"«»„'))
    return list(dict.fromkeys(found))
