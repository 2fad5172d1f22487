"""The rules of a page's own <style> elements: which declarations hold for an element.

Parsed by tinycss2, matched by cssselect2. Linked and imported sheets are not loaded, layers are not ordered, and of
conditions only the width of the window is known (a desk's). Only properties that can hide text are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate

import tinycss2
from cssselect2 import SelectorError, compile_selector_list

from terrarium.readers.markup.css_matching import MOST_TESTS, Node, PatientMatcher

PROPERTIES = {
    "display", "visibility", "content-visibility", "opacity", "font", "font-size", "color",
    "-webkit-text-fill-color", "background", "background-color", "background-image", "background-clip",
    "-webkit-background-clip", "position", "left", "top", "right", "bottom", "margin", "margin-left", "margin-top",
    "padding", "padding-left", "padding-right", "text-indent", "text-shadow", "clip", "clip-path", "transform",
    "overflow", "overflow-x", "overflow-y", "width", "height", "max-width", "max-height",
}  # fmt: skip
MOST = 1_000_000  # characters of style that are read
DEEPEST = 5  # rules in rules, and selectors in selectors
CONDITION = re.compile(r"\((min|max)-width\s*:\s*([\d.]+)(px|em|rem)\)")
WINDOW = 1280  # pixels
Declaration = tuple[str, str, bool]  # property, value in small letters, whether it is important


class StyleSheet:
    """All rules of a page in their order."""

    def __init__(self, styles: Iterable[str]) -> None:
        self._matcher = PatientMatcher()
        self.imports = False
        self.empty = True
        left = MOST
        for style in styles:
            self._add(tinycss2.parse_stylesheet(style[:left], skip_comments=True, skip_whitespace=True))
            left -= len(style[:left])

    def _add(self, rules: Sequence[tinycss2.ast.Node], depth: int = 0) -> None:
        for rule in rules:
            if rule.type == "at-rule" and rule.lower_at_keyword == "import":
                self.imports = True
            elif rule.type == "at-rule" and rule.content and depth < DEEPEST and applies(rule):
                self._add(tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True), depth + 1)
            elif rule.type == "qualified-rule" and is_simple(rule) and (found := declarations(rule.content)):
                try:
                    selectors = compile_selector_list(rule.prelude)
                except SelectorError:
                    continue
                for selector in selectors:
                    if selector.pseudo_element is None:
                        self._matcher.add_selector(selector, found)
                        self.empty = False

    def begin_page(self) -> None:
        self._matcher.left = MOST_TESTS

    def declared(self, node: Node, inline: str, first: Sequence[tuple[str, str]]) -> dict[str, str]:
        """What holds for the element: `first` (the browser's own), the rules, its style attribute, the important."""
        matched = [] if self.empty else self._matcher.match(node)
        if not (matched or inline or first):
            return {}
        own = inline_declarations(inline) if inline else []
        ordered = [one for *_, found in matched for one in found] + own
        plain = {name: value for name, value, important in ordered if not important}
        return dict(first) | plain | {name: value for name, value, important in ordered if important}


def is_simple(rule: tinycss2.ast.QualifiedRule) -> bool:
    """Selectors are compiled as deep as they nest, and `:has` looks at all that is below each element."""
    selector = written(rule.prelude)
    depths = accumulate((character == "(") - (character == ")") for character in selector)
    return ":has(" not in selector and max(depths, default=0) <= DEEPEST


@lru_cache(maxsize=4)
def parsed_sheet(styles: tuple[str, ...]) -> StyleSheet:
    """The chapters of a book share theirs."""
    return StyleSheet(styles)


def sheet_of(styles: tuple[str, ...]) -> StyleSheet:
    sheet = parsed_sheet(styles)
    sheet.begin_page()
    return sheet


@lru_cache(maxsize=1000)
def inline_declarations(style: str) -> list[Declaration]:
    return declarations(tinycss2.parse_component_value_list(style))


def declarations(content: Sequence[tinycss2.ast.Node]) -> list[Declaration]:
    """Those of a rule or of a style attribute that can hide text."""
    parsed = tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
    return [
        (one.lower_name, " ".join(written(one.value).lower().split()), one.important)
        for one in parsed
        if one.type == "declaration" and one.lower_name in PROPERTIES
    ]


def written(values: Sequence[tinycss2.ast.Node]) -> str:
    """As it stands in the sheet. What nests without end comes out as what no rule here knows."""
    try:
        return str(tinycss2.serialize(values))
    except RecursionError:
        return "(" * (DEEPEST + 1)


def applies(rule: tinycss2.ast.AtRule) -> bool:
    """Whether a group of rules holds on a desk's screen: @media by its type and widths, @supports and @layer always."""
    condition = " ".join(written(rule.prelude).lower().split())
    if rule.lower_at_keyword == "supports":
        return not condition.startswith("not")
    return rule.lower_at_keyword == "layer" or (
        rule.lower_at_keyword == "media" and any(map(holds, condition.split(",")))
    )


def holds(query: str) -> bool:
    """Of one media query; anything but types and widths does not hold."""
    rest = CONDITION.sub("", query)
    if set(re.findall(r"[\w-]+", rest)) - {"all", "screen", "only", "and"} or "(" in rest:
        return False
    widths = [(side, float(value) * (1 if unit == "px" else 16)) for side, value, unit in CONDITION.findall(query)]
    return all(width <= WINDOW if side == "min" else width >= WINDOW for side, width in widths)
