"""Numbers in words: small ones in four languages, and those of Chinese characters."""

from __future__ import annotations

_WORDS = """
zero:0 null:0 cero:0 two:2 zwei:2 deux:2 dos:2 three:3 drei:3 trois:3 tres:3 four:4 vier:4 quatre:4 cuatro:4 five:5
fünf:5 cinq:5 cinco:5 six:6 sechs:6 seis:6 seven:7 sieben:7 sept:7 siete:7 eight:8 acht:8 huit:8 ocho:8 nine:9 neun:9
neuf:9 nueve:9 ten:10 zehn:10 dix:10 diez:10 eleven:11 elf:11 onze:11 twelve:12 zwölf:12 douze:12 doce:12
dozen:12 dutzend:12 thirteen:13 dreizehn:13 treize:13 trece:13 fourteen:14 vierzehn:14 quatorze:14 catorce:14
fifteen:15 fünfzehn:15 quinze:15 quince:15 sixteen:16 sechzehn:16 seventeen:17 siebzehn:17 eighteen:18 achtzehn:18
nineteen:19 neunzehn:19 twenty:20 zwanzig:20 vingt:20 veinte:20 thirty:30 dreißig:30 trente:30 treinta:30 forty:40
vierzig:40 quarante:40 cuarenta:40 fifty:50 fünfzig:50 cinquante:50 cincuenta:50 sixty:60 sechzig:60 soixante:60
sesenta:60 seventy:70 siebzig:70 setenta:70 eighty:80 achtzig:80 ochenta:80 ninety:90 neunzig:90 noventa:90
hundred:100 hundert:100 cent:100 cien:100 thousand:1000 tausend:1000 mille:1000 mil:1000
third:3 fourth:4 fifth:5 sixth:6 seventh:7 eighth:8 ninth:9 tenth:10 eleventh:11 twelfth:12 twentieth:20
dritte:3 vierte:4 fünfte:5 troisième:3 quatrième:4 tercero:3 tercera:3 cuarto:4
"""
WORDS: dict[str, str] = dict(pair.split(":") for pair in _WORDS.split())
SCALES = {
    "hundred": 2, "hundert": 2, "thousand": 3, "tausend": 3,
    "million": 6, "millions": 6, "millionen": 6, "millones": 6, "mio": 6,
    "billion": 9, "billions": 9, "milliarde": 9, "milliarden": 9, "milliards": 9, "mrd": 9,
    "trillion": 12, "trillions": 12, "万": 4, "亿": 8,
}  # fmt: skip
_HAN_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_HAN_TENS = {"十": 10, "百": 100, "千": 1000}
COUNTERS = "个名位人天年月日周岁次种家座部所条届楼层元米吨克集张章本支只队场期代分小时公里倍"


def han_value(text: str) -> str:
    """“二十三” is 23, “二〇〇八” is 2008."""
    if not set(text) & set(_HAN_TENS):
        return "".join(str(_HAN_DIGITS[char]) for char in text)
    total, digit = 0, 0
    for char in text:
        if char in _HAN_TENS:
            total += (digit or 1) * _HAN_TENS[char]
            digit = 0
        else:
            digit = _HAN_DIGITS[char]
    return str(total + digit)
