"""Which documents have text to recognise, and in which languages."""

TYPE_CHECKING = False  # MicroPython has no typing module
if TYPE_CHECKING:
    from typing import Any

LANGUAGES = (("eng", "English", "en"), ("deu", "German", "de"), ("chi_sim", "Chinese (simplified)", "zh"))
OFFERED = ("no text layer", "no text found by recognition", "text recognised")  # how such a warning begins


def can_recognise(info: "dict[str, Any]") -> bool:
    """Whether a document has pages that are pictures, as its warnings say."""
    return info["kind"] == "pdf" and any(note.startswith(OFFERED) for note in info.get("warnings") or [])


def usual(language: str) -> list[str]:
    """The languages that are ticked at first: the browser's, and English.

    With Chinese it does harm: a line of Han is taken for English now and then, and its own data knows Latin letters.
    """
    mine = [code for code, _, short in LANGUAGES if language.lower().startswith(short)]
    return mine if "chi_sim" in mine else ["eng"] + [code for code in mine if code != "eng"]
