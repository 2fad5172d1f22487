"""The [n] of one turn: each opens the place of its own sentence, and the arrows of the viewer go through its group."""

from ui import words
from ui.dom import h


class Citations:
    """`passages()` are the cards shown, which know the documents and what is addressed to the model in them."""

    def __init__(self, passages: object) -> None:
        self._passages = passages
        self._groups = {}

    def begin(self, group: str) -> None:
        """Forget what the group led to: it is drawn anew."""
        self._groups[group] = []

    def buttons(self, group: str, sentence: dict) -> list:
        """What stands behind a sentence of `group`, in the order in which the group is read."""
        places = sentence.get("places") or [self._passage(number) for number in sentence["citations"]]
        return [self._button(group, place) for place in places if place]

    def _button(self, group: str, place: dict) -> object:
        places = self._groups[group]
        places.append(dict(place, flags=self._flags(place)))
        number, name = str(place["number"]), words.split_name(place["document"])[1]
        opens = {"data_action": "open-citation", "data_group": group, "data_place": str(len(places) - 1)}
        title = f"Passage {number}, {place['document']}"
        return h("button", "cite", number, type="button", aria_label=f"Passage {number}, {name}", title=title, **opens)

    def places(self, element: object) -> tuple:
        """(the places of a button's group, which of them is its own)."""
        return self._groups[element.dataset.group], int(element.dataset.place)

    def _passage(self, number: int) -> dict:
        for passage in self._passages():
            if passage["number"] == number:
                return passage
        return {}

    def _flags(self, place: dict) -> list:
        passage = self._passage(place["number"])
        return flagged(passage) if passage and passage["document_id"] == place["document_id"] else []


def flagged(passage: dict) -> list:
    """The stretches of a passage that are addressed to the model, as [start, end] in its document."""
    return [[passage["start"] + one["start"], passage["start"] + one["end"]] for one in passage.get("flags") or []]
