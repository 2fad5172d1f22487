"""Requests that no document answers: to compose, to joke, to chat, to compute, to say what the world is like now.

Rules over the cleaned question in English, German, French, Spanish and Chinese. They say what is asked for, not whether
it is to be refused: a library of weather reports may well say what tomorrow is like, which the judge decides. What is
refused whatever the documents hold is in `demands.py`.
"""

from __future__ import annotations

import re
from typing import Literal

Request = Literal["", "compose", "chat", "compute", "now"]

_ENGLISH_WORK = r"(?:poem|haiku|limerick|song|story|fairy tale|joke|riddle|lyrics|essay|rap|picture|novel)s?"
_NUMBER = r"-?\d[\d.,]*"
# A hyphen or a slash between numbers is a sum only with spaces around: 802-11 and 24/7 are names.
_OPERATOR = (
    r"(?:(?<=\s)[-/x](?=\s)|[+*×·÷^%]|times|plus|minus|divided by|multiplied by|to the power of|mal|geteilt durch|hoch"
    r"|fois|divisé par|moins|por|más|menos|dividido (?:por|entre)|乘以?|加上?|减去?|除以)"
)
_WHAT_IS = (
    r"(?:what(?:'s| is| are)|calculate|compute|how much (?:is|are)|solve|was (?:ist|sind|ergibt)"
    r"|wie ?viel (?:ist|sind|ergibt)|berechne|rechne|combien (?:font|fait)|calcule[zr]?|¿?cuánto (?:es|son)|calcula"
    r"|计算)"
)
_NOW = r"(?:right now|today|at the moment|currently)"

_RULES: dict[Request, tuple[str, ...]] = {
    "compose": (
        rf"^(?:can you |could you )?(?:write|compose|draw|paint|sing|invent|tell)\b.{{0,25}}\b{_ENGLISH_WORK}\b",
        rf"\btell (?:me|us) (?:a|another|some) (?:\w+ )?{_ENGLISH_WORK}\b",
        r"^(?:schreib|dichte|erzähl|sing|male?)\w*\b.{0,30}\b(?:gedicht|lied|geschichte|märchen|witz|rätsel|aufsatz|bild)",
        r"^(?:écri[st]|raconte|chante|dessine|compose)\w*\b.{0,30}\b(?:poème|chanson|histoire|blague|conte|dessin)\b",
        r"^(?:escrib|cuénta|cuenta|canta|dibuja|compon)\w*\b.{0,30}\b(?:poema|canción|historia|chiste|cuento|dibujo)\b",
        r"^(?:请|帮我|给我|为我|替我)*(?:写|编|讲|说|唱|画|作)(?:一|个|首|篇|几|点|段|我|给).{0,12}"
        r"(?:诗|歌|故事|笑话|作文|谜语|画)",
    ),
    "chat": (
        r"^(?:how are you|who are you|what are you|what(?:'s| is) your name)(?: (?:today|now|doing))?\W*$",
        r"^are you (?:human|an? (?:ai|robot|bot|person|machine))\b\W*$",
        r"^(?:do you (?:love|like|hate) (?:me|us)|i (?:love|like|hate) you|what can you do|good ?(?:night|bye))\W*$",
        r"^(?:wie geht(?:'s| es (?:dir|ihnen))|wer bist du|wie heißt du|bist du ein \w+|was kannst du)\b\W*$",
        r"^(?:comment (?:ça|vas?|allez)|qui es|quel est ton nom|ça va)\b.{0,12}$",
        r"^¿?(?:cómo estás?|quién eres|cómo te llamas)\b\W*$",
        r"^(?:你好吗|你是谁|你叫什么(?:名字)?|你会什么)\W*$",
    ),
    "compute": (
        rf"^{_WHAT_IS}?\W*{_NUMBER}\s*(?:{_OPERATOR}\s*{_NUMBER}\s*)+(?:等于(?:几|多少)|是多少)?\W*$",
        r"\b(?:square root|wurzel|racine carrée|raíz cuadrada) (?:of|von|aus|de) \d",
    ),
    "now": (
        r"\b(?:weather|forecast)\b.{0,40}\b(?:today|tomorrow|tonight|now|this week(?:end)?|next week)\b",
        rf"\b(?:price|cost|worth|exchange rate|(?:share|stock) price|bitcoin)\b.{{0,40}}\b{_NOW}\W*$",
        r"^what time is it\b|\bwhat day is (?:it|today)\b",
        r"^what(?:'s| is) the (?:time|date)(?: (?:now|today|in \w+))?\W*$",
        r"\b(?:latest|today's|breaking) (?:news|headlines)\b",
        r"\bwho (?:won|is winning)\b.{0,40}\b(?:today|yesterday|last night|tonight)\b",
        r"\bwetter\b.{0,40}\b(?:heute|morgen|jetzt|wochenende)\b|\bwie spät ist es\b",
        r"\b(?:kostet|kurs|preis)\b.{0,40}\b(?:gerade|jetzt|heute|aktuell)\b",
        r"\bmétéo\b|\btemps (?:fera|fait)[- ]t[- ]il\b|\bquelle heure est[- ]il\b",
        r"\b(?:cours|prix|coûte)\b.{0,40}\b(?:aujourd'hui|maintenant|en ce moment)\b",
        r"\btiempo\b.{0,20}\b(?:mañana|hoy)\b|\bqué hora es\b|\b(?:cuesta|precio|vale)\b.{0,40}\b(?:ahora|hoy)\b",
        r"(?:今天|明天|现在|本周|周末).{0,10}(?:天气|气温|下雨)|(?:天气|气温).{0,6}(?:怎么样|如何)|现在几点",
        r"(?:现在|今天|目前).{0,12}(?:价格|多少钱|汇率|股价)",
    ),
}
_COMPILED = [(name, re.compile("|".join(patterns), re.IGNORECASE)) for name, patterns in _RULES.items()]

REASONS: dict[Request, str] = {
    "compose": "This asks for something to be made up; answers come from your documents only.",
    "chat": "This is no question to the documents.",
    "compute": "This asks for a calculation; answers come from your documents only.",
    "now": "This asks what the world is like now, which a stored document cannot know.",
}


def requested(question: str) -> Request:
    """What kind of request this is, "" for an ordinary question."""
    return next((name for name, pattern in _COMPILED if pattern.search(question)), "")
