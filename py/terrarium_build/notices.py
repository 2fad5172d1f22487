"""NOTICES.txt: each component with its licence, and each licence text once."""

from __future__ import annotations

from terrarium_build.components import Component

RULE = "=" * 78


def notices(components: list[Component]) -> str:
    """Components that share a text to the letter share one copy of it."""
    by_text: dict[str, list[Component]] = {}
    for component in components:
        by_text.setdefault(component.text, []).append(component)
    sections = [
        "Terrarium is made with the following. Each is under its own licence, whose text stands below its name.",
        "\n".join(_line(component) for component in components),
    ]
    for text, sharing in by_text.items():
        names = "\n".join(_line(component) for component in sharing)
        sections.append(f"{RULE}\n{names}\n{RULE}\n\n{text}")
    return "\n\n".join(sections) + "\n"


def _line(component: Component) -> str:
    return f"{component.name} {component.version}".strip() + f" ({component.licence}) {component.purl}"
