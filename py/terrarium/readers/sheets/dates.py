"""Dates, times and durations of a spreadsheet, which are numbers of days, as their format code shows them.

Names of months and weekdays are English. Years of other calendars are not known: they are shown as ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
LAST = 2958465  # 31 December 9999
DAY = 86400  # seconds
SINCE_1904 = 1462  # days between the two beginnings


def date_text(tokens: Sequence[tuple[str, str]], value: float, base_1904: bool) -> str:
    """`tokens` are number_format's; "" for a number that is no date."""
    if value < 0 and any(kind == "elapsed" for kind, _ in tokens):
        return f"-{date_text(tokens, -value, False)}"
    value += SINCE_1904 * base_1904
    if not 0 <= value < LAST + 1:
        return ""
    fraction = max(
        (len(text) - text.index(".") - 1 for kind, text in tokens if kind == "date" and "." in text), default=0
    )
    # To the nearest second, as sheets do it: 6:15 is stored as 0.260416666666667.
    ticks = round(value * DAY * 10**fraction)
    seconds, part = divmod(ticks, 10**fraction)
    year, month, day, weekday = calendar(seconds // DAY)
    hour, minute, second = seconds % DAY // 3600, seconds % 3600 // 60, seconds % 60
    halves = any(kind == "half" for kind, _ in tokens)
    units = [unit(kind, text) for kind, text in tokens]
    elapsed = {"h": seconds // 3600, "m": seconds // 60, "s": seconds}
    written: list[str] = []
    for i, (kind, text) in enumerate(tokens):
        size = len(text.partition(".")[0])
        match units[i]:
            case "elapsed":
                written.append(str(elapsed[text[0].lower()]).zfill(size))
            case "half":
                sign = "AM" if hour < 12 else "PM"
                written.append(sign if size > 3 else sign[0])
            case "y" | "e":
                written.append(f"{year:04}" if size > 2 or units[i] == "e" else f"{year % 100:02}")
            case "m" if is_minute(units, tokens, i):
                written.append(str(minute).zfill(size))
            case "m":
                name = MONTHS[month - 1]
                written.append({3: name[:3], 4: name, 5: name[:1]}.get(size, str(month).zfill(size)))
            case "d":
                name = WEEKDAYS[weekday]
                written.append(str(day).zfill(size) if size < 3 else name[:3] if size == 3 else name)
            case "h":
                written.append(str((hour - 1) % 12 + 1 if halves else hour).zfill(size))
            case "s":
                written.append(str(second).zfill(size) + (f".{part:0{fraction}}" if "." in text else ""))
            case "":
                written.append("" if kind == "fill" else " " if kind == "space" else text)
    return "".join(written)


def calendar(days: int) -> tuple[int, int, int, int]:
    """(year, month, day, weekday). In sheets 1900 has a 29 February and a day 0, and weekdays count both."""
    weekday = (days - 2) % 7
    if days in {0, 60}:
        return 1900, 1 + (days > 0), 29 * (days > 0), weekday
    found = date(1899, 12, 30) + timedelta(days + (days < 60))
    return found.year, found.month, found.day, weekday


def unit(kind: str, text: str) -> str:
    """The letter of a token of a date, "" for what stands between."""
    return kind if kind in {"elapsed", "half"} else text[0].lower() if kind == "date" else ""


def is_minute(units: Sequence[str], tokens: Sequence[tuple[str, str]], i: int) -> bool:
    """Whether an "m" is one of minutes: behind hours or before seconds, and at most two of them."""
    before = next((j for j in range(i - 1, -1, -1) if units[j] not in {"", "half"}), -1)
    after = next((unit for unit in units[i + 1 :] if unit not in {"", "half"}), "")
    hours = before >= 0 and (units[before] == "h" or (units[before] == "elapsed" and tokens[before][1][0] in "hH"))
    return len(tokens[i][1]) < 3 and (hours or after == "s")
