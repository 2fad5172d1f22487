"""The language of a document: by its script where only one language writes in it, else by its commonest words.

It says "" rather than guess: of mixed, short or other-language text it knows nothing. The languages are those that a
stemmer knows (stemming), and neighbours that would be taken for one of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from terrarium.model import Block

SAMPLE = 20_000  # characters, taken from the middle: covers and tables of contents mislead
LEAST = 0.08  # of the words: so many must be among the commonest of the language
FEWEST = 3  # different ones of them: a “v.” or an “a)” that comes again and again is no Czech
AHEAD = 1.5  # times as many of its own as the next language has of its own
WORD = re.compile(r"[^\s\d!-/:-@\[-`{-~¡¿«»“”„’…–—،؛؟۔।]+")
SCRIPTS = {  # letters → the one language written in them, or the script's name below
    "Latin": "A-Za-z\u00c0-\u024f\u1e00-\u1eff",
    "Cyrillic": "\u0400-\u04ff",
    "Arabic": "\u0620-\u064a\u066e-\u06d3",
    "Hebrew": "\u05d0-\u05f2",
    "Devanagari": "\u0900-\u0963",
    "el": "\u0370-\u03ff\u1f00-\u1fff",
    "hy": "\u0531-\u0587",
    "ta": "\u0b80-\u0bff",
    "th": "\u0e00-\u0e7f",
    "ko": "\uac00-\ud7af",
    "kana": "\u3040-\u30ff",
    "han": "\u3400-\u9fff",
}
LETTERS = {script: re.compile(f"[{letters}]") for script, letters in SCRIPTS.items()}
COMMON = {
    "Latin": {
        "en": "the of and to is that for with this are be it as not you a i in on by from or an at do was has have we",
        "de": "der die und das ist nicht den mit für werden ein auf sie von im",
        "fr": "le la les et des est une dans pour que qui sur pas du vous",
        "es": "el los las y que es una por para con del se como más no",
        "pt": "o os as e que é uma para com do da não em um dos",
        "it": "il di che è e la per un una non con del della gli sono",
        "ca": "el els les i que és una per amb del no dels aquest són ha",
        "ro": "și de în la cu nu este pe din care o pentru un ai sau",
        "nl": "de het een van en is dat niet op te voor met zijn die aan",
        "da": "og i at er det af en ikke til på med som der den blev",
        "no": "og i å er det av en ikke til på med som for ble ikkje",
        "sv": "och i att är det av en inte till på med som för den ett",
        "fi": "ja on ei se että oli hän ovat joka mutta tai kun myös sekä ole",
        "et": "ja on ei see et oli ta mis kui ka või oma siis olid selle",
        "hu": "a az és hogy nem is egy ez volt meg csak de vagy már el",
        "pl": "i w na nie z się że do jest to o jak po dla oraz",
        "cs": "a v na je se že s z do to jako pro ve by jsou",
        "lt": "ir į yra kad iš su ne kaip buvo tai bet apie jo už arba",
        "tr": "ve bir bu da için de ile olarak olan çok daha gibi ne var ya",
        "id": "yang dan di untuk dengan ini itu dari tidak pada adalah dalam akan ke oleh",
        "eu": "eta da ez bat du dira zen ere baina hau izan zuen den edo dute",
        "ga": "an na agus ar is go i a le bhí sé do tá ag níl",
        "vi": "và của là có trong được cho không các một với người những này đã",
    },
    "Cyrillic": {
        "ru": "и в не на что с по как это из для от к был его",
        "uk": "і в не на що з та як це для від у його є був",
        "bg": "и на да се в от за не са е по като с този бъде",
        "sr": "и у је да се на за су не од са као што који а",
    },
    "Arabic": {
        "ar": "في من على إلى أن هذا التي عن مع كان هذه الذي لا ما بين",
        "fa": "و در به از که این را است با برای آن یک می های شد",
        "ur": "کے کی میں ہے کا اور سے کو پر نے اس کہ یہ ہیں تھا",
    },
    "Hebrew": {
        "he": "של את על לא הוא זה עם היא כי גם או כל יש אני אם",
        "yi": "און די אין איז פון אַז נישט דער צו מיט אויף האָט דאָס פֿון אַ",
    },
    "Devanagari": {
        "hi": "के का में है की और से को पर यह हैं ने एक कि भी",
        "ne": "र को मा छ हो पनि यो गरेको लागि छन् एक का गर्न भएको नेपाल",
        "mr": "आणि आहे या च्या हे ते व तो की आहेत होते केली एक मध्ये त्या",
    },
}
WORDS = {script: {code: frozenset(words.split()) for code, words in known.items()} for script, known in COMMON.items()}


def guess_language(blocks: Sequence[Block]) -> str:
    """ISO 639-1 code, or ""."""
    text = "\n".join(block.text for block in blocks if not block.hidden and block.kind != "code")
    start = max(0, len(text) // 2 - SAMPLE // 2)
    sample = text[start : start + SAMPLE].lower()
    counts = {script: len(letters.findall(sample)) for script, letters in LETTERS.items()}
    # A character of these says as much as several letters, and they stand beside many Latin names and terms.
    if counts["kana"] + counts["han"] > 0.2 * len(sample):
        return "ja" if counts["kana"] > 0.1 * len(sample) else "zh"
    if counts["ko"] > 0.2 * len(sample):
        return "ko"
    script = max(counts, key=lambda script: counts[script])
    if counts[script] <= 0.5 * sum(counts.values()):
        return ""
    return by_words(sample, WORDS[script]) if script in WORDS else script


def by_words(sample: str, known: Mapping[str, frozenset[str]]) -> str:
    """The language whose commonest words are most of the text's, when its nearest rival has far fewer."""
    words = Counter(WORD.findall(sample))
    found = {code: sum(words[word] for word in common) for code, common in known.items()}
    first, second = sorted(found, key=lambda code: -found[code])[:2]
    # Words that both have decide nothing between them.
    own = sum(words[word] for word in known[first] - known[second])
    other = sum(words[word] for word in known[second] - known[first])
    enough = found[first] > LEAST * words.total() and len(known[first] & words.keys()) >= FEWEST
    return first if enough and own > AHEAD * other else ""
