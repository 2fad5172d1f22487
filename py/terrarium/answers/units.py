"""Units of measure by the ways in which five languages write them, and dates and weekdays in one form.

Only what measures is a unit here: “64 tables” is a number and a word. A unit of one letter counts only behind a number.
"""

from __future__ import annotations

import re

_UNITS = """
byte: byte bytes oktett octet octets 字节
kb: kb kib kilobyte kilobytes
mb: mb mib megabyte megabytes
gb: gb gib gigabyte gigabytes
tb: tb tib terabyte terabytes
pb: pb pib petabyte petabytes
bit: bit bits
kbit: kbit kbps kbit/s
mbit: mbit mbps mbit/s
gbit: gbit gbps gbit/s
ms: ms millisecond milliseconds millisekunde millisekunden 毫秒
µs: µs microsecond microseconds mikrosekunden
second: s sec secs second seconds sekunde sekunden seconde secondes segundo segundos 秒
minute: min mins minute minutes minuten minuto minutos 分钟
hour: h hr hrs hour hours stunde stunden heure heures hora horas 小时
day: day days tag tage tagen jour jours día días 天
week: week weeks woche wochen semaine semaines semana semanas 周 星期
month: month months monat monate monaten mois mes meses 个月
year: year years yr yrs jahr jahre jahren ans année années año años 年
decade: decade decades jahrzehnt jahrzehnte jahrzehnten décennies década décadas
century: century centuries jahrhundert jahrhunderte siècle siècles siglo siglos 世纪
mm: mm millimetre millimetres millimeter millimeters 毫米
cm: cm centimetre centimetres centimeter centimeters zentimeter 厘米
metre: m metre metres meter meters metern mètre mètres metro metros 米
km: km kilometre kilometres kilometer kilometers kilometern kilomètres kilómetros 公里 千米
inch: inch inches zoll 英寸
foot: ft foot feet fuß 英尺
yard: yard yards
mile: mile miles meile meilen 英里
mg: mg milligram milligrams milligramm 毫克
gram: g gram grams gramm grammes gramos 克
kg: kg kilogram kilograms kilogramm kilo kilos 公斤 千克
tonne: t ton tons tonne tonnes tonnen toneladas 吨
pound: lb lbs pound pounds pfund £
ounce: oz ounce ounces
litre: l litre litres liter liters litern litros 升
ml: ml millilitre millilitres milliliter milliliters 毫升
gallon: gallon gallons
percent: % percent percentage per\\ cent prozent pour\\ cent por\\ ciento pct
celsius: °c ℃ celsius
fahrenheit: °f ℉ fahrenheit
degree: ° degree degrees grad degrés grados 度
hz: hz hertz
khz: khz
mhz: mhz
ghz: ghz
watt: watt watts
kw: kw kilowatt kilowatts
volt: volt volts
pixel: px pixel pixels
dollar: $ us$ usd dollar dollars dólares 美元
euro: € eur euro euros 欧元
yuan: cny rmb yuan 元 人民币
yen: ¥ yen 日元
franc: chf franc francs franken
hectare: hectare hectares hektar
acre: acre acres
"""
CANONICAL = {
    alias.replace("\\", "").replace("_", " "): name
    for name, aliases in (line.split(":") for line in _UNITS.strip().splitlines())
    for alias in re.split(r"(?<!\\) ", aliases.strip())
}
_SIGNS = "|".join(re.escape(one) for one in CANONICAL if not one[-1].isalpha() or one[-1] > "\u2e80")
_NAMES = "|".join(re.escape(one) for one in sorted(CANONICAL, key=len, reverse=True) if one[-1].isalpha())
UNIT = rf"(?:(?:{_NAMES})(?![^\W\d_])|{_SIGNS})"
BEFORE = r"US\$|[$€£¥]|\b(?:USD|EUR|CHF)\s"


def unit_of(text: str) -> str:
    """The canonical name of a unit as written, "" for what is none."""
    return CANONICAL.get(text.strip().lower(), "")
