"""Office's formulas (OMML, ECMA-376 part 1, 22.1) as one line of signs: "E=mc^2", "(a+b)/2", "√(x)"."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from terrarium.readers.office.elements import child, local, value

DEEPEST = 30


def formula_text(element: Element | None, depth: int = 0) -> str:
    if element is None:
        return ""
    if depth > DEEPEST:
        return "".join(element.itertext())

    def of(name: str) -> str:
        return formula_text(child(element, name), depth + 1)

    match local(element):
        case "t":
            return element.text or ""
        case "f":
            return f"{bracketed(of('num'))}/{bracketed(of('den'))}"
        case "sSup":
            return f"{of('e')}^{bracketed(of('sup'))}"
        case "sSub":
            return f"{of('e')}_{bracketed(of('sub'))}"
        case "sSubSup":
            return f"{of('e')}_{bracketed(of('sub'))}^{bracketed(of('sup'))}"
        case "rad":
            return f"{of('deg')}√({of('e')})"
        case "nary":
            sign = value(child(element, "naryPr", "chr")) or "∫"
            low, high = of("sub"), of("sup")
            return sign + (f"_{bracketed(low)}" if low else "") + (f"^{bracketed(high)}" if high else "") + of("e")
        case "d":
            opens = value(child(element, "dPr", "begChr")) or "("
            closes = value(child(element, "dPr", "endChr")) or ")"
            inner = (formula_text(one, depth + 1) for one in element if local(one) == "e")
            return opens + ", ".join(inner) + closes
        case "mr":
            return " ".join(formula_text(one, depth + 1) for one in element)
        case name if name.endswith("Pr"):
            return ""
    return "".join(formula_text(one, depth + 1) for one in element)


def bracketed(text: str) -> str:
    """One sign stands alone."""
    return text if len(text) < 2 or text.isalnum() else f"({text})"
