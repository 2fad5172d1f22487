"""One drawn page of a PDF: its picture, the marks that lie over it, and its text for who cannot see either."""

from ui import dom, engine
from ui.dom import h

PAPER = (595.0, 842.0)  # points: A4, until the page's own size is known


class PageSheet:
    """A page in its place: as large as it will be before it is drawn, so that nothing moves when it is."""

    def __init__(self, document: object, number: int, size: tuple) -> None:
        self._document, self.number = document, number
        self.size = size or PAPER
        self.drawn_at = 0  # pixels of its width, for which it is or is being drawn
        self.failed = False
        self.lacking = False  # some of its letters are drawn as boxes
        name = document.page_name(number)
        self._canvas = h("canvas", "", role="img", aria_label=f"{name[:1].upper()}{name[1:]}, drawn. Its text follows.")
        self._marks = h("div", "page-marks", aria_hidden="true")
        self._note = h("p", "page-note quiet", hidden=True)
        text = h("p", "unseen page-text", document.text_of(number))
        self.element = h("div", "page-sheet", self._canvas, self._marks, self._note, text, data_page=str(number))
        self._resize()

    def _resize(self) -> None:
        self.element.style.aspectRatio = f"{self.size[0]} / {self.size[1]}"

    async def draw(self, pixels: int, password: str) -> None:
        """Draw it `pixels` wide. Raises EngineError."""
        self.drawn_at = pixels
        asked = {"document_id": self._document.id, "page": self.number, "width": pixels}
        if password:
            asked["password"] = password
        page = await engine.call("page", asked)
        self.size, self.lacking = (page.width, page.height), bool(page.lacking)
        self._resize()
        self._canvas.width, self._canvas.height = page.bitmap.width, page.bitmap.height
        self._canvas.getContext("bitmaprenderer").transferFromImageBitmap(page.bitmap)

    async def mark(self) -> object:
        """Lay the marks over it; the first box of what is to be seen comes back, if it stands on this page."""
        ranges = self._document.on_page(self.number)
        if not ranges:
            dom.replace(self._marks)
            return None
        asked = {"document_id": self._document.id, "page": self.number, "ranges": [one[:2] for one in ranges]}
        found = engine.plain((await engine.call("marks", asked)).boxes)
        dom.replace(self._marks)
        focus = None
        for place, (start, end, name) in enumerate(ranges):
            dom.fill(self._marks, [self._mark(box, name) for box in found[place]])
            if found[place] and (start, end) == self._document.focus():
                focus = found[place][0]
        return focus

    def _mark(self, box: list, name: str) -> object:
        made = h("div", f"page-mark {name}")
        for place, side in enumerate(("left", "top", "width", "height")):
            setattr(made.style, side, f"{100 * box[place] / self.size[place % 2]:.3f}%")
        return made

    def say(self, sentence: str) -> None:
        """In the place of a page that cannot be drawn."""
        self.failed = True
        self._note.textContent = sentence
        dom.show(self._note, True)

    def forget(self) -> None:
        """Give back the memory of its picture."""
        self._canvas.width = self._canvas.height = 0
        self.element.remove()
