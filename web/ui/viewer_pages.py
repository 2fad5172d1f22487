"""The pages of a PDF as they are drawn, one below the other: those in sight are drawn, and some stay around them."""

from pyscript import window

from ui import dom, engine
from ui.dom import h
from ui.viewer_sheet import PageSheet

KEPT = 9  # pages that stay in the view, drawn or not
NEAR_EDGE = 400  # pixels from an end at which the next page is put there
MARGIN = 24  # pixels beside a page, as in viewer.css
ZOOM = 1.25
LEAST, MOST = 0.5, 6.0


class PageView:
    """`turned(page)` is called when another page is in the middle, `failed(error)` when nothing can be drawn."""

    def __init__(self, turned: object, failed: object) -> None:
        self._turned, self._failed = turned, failed
        self._document = None
        self._sheets = []
        self._size = None  # points of the last page that was drawn: the next ones are likely to be alike
        self._zoom = 1.0
        self._password = ""
        self._page = 0
        self._serial = 0
        self.marked = False  # whether what is to be seen was found on a page
        self.lacking = False  # whether letters of that page are drawn as boxes
        self._busy = False
        self._pages = h("div", "page-list")
        named = {"role": "region", "aria_labelledby": "viewer-title", "tabindex": "0"}
        self.element = h("div", "scroll page-scroll", self._pages, **named)
        self.element.addEventListener("scroll", lambda _: self._scrolled())
        window.visualViewport.addEventListener("resize", lambda _: self._settle())

    async def show(self, document: object, page: int) -> bool:
        """Go to the marked place, or to the head of `page` when nothing of what is marked stands on it.

        False when another call came meanwhile, or when nothing could be drawn, which `failed` has been told.
        """
        self._serial += 1
        serial = self._serial
        if document is not self._document:
            self._document, self._size, self._password = document, None, ""
            self._clear()
        sheet = self._sheet(page)
        try:
            if not sheet.drawn_at:
                await sheet.draw(self._pixels(), self._password)
                self._size = sheet.size
            box = await sheet.mark()
            if box is None and page < document.pages and document.focus()[1] > document.focus()[0]:
                following = self._sheet(page + 1)
                box = await following.mark()
                sheet = following if box else sheet
        except engine.EngineError as error:
            if serial == self._serial:
                self._clear()
                self._failed(error)
            return False
        if serial != self._serial:
            return False
        self.marked, self.lacking = box is not None, sheet.lacking
        self._scroll_to(sheet, box)
        for other in self._sheets:
            if other is not sheet and other.drawn_at:
                dom.spawn(other.mark())
        self._settle()
        return True

    def unlock(self, password: str) -> None:
        self._password = password

    def forget(self) -> None:
        """Nothing is shown any more."""
        self._serial += 1
        self._document = None
        self._clear()

    def turn(self, by: int) -> None:
        """Go to the head of another page."""
        page = max(1, min(self._document.pages, self._page + by))
        self._scroll_to(self._sheet(page), None)
        self._settle()

    def zoom(self, steps: int) -> None:
        """Larger, smaller, or (0) as wide as the view; what is in the middle stays there."""
        view, pages = self.element, self._pages
        across = (view.scrollLeft + view.clientWidth / 2) / max(1, pages.clientWidth)
        down = (view.scrollTop + view.clientHeight / 2) / max(1, pages.clientHeight)
        self._zoom = max(LEAST, min(MOST, self._zoom * ZOOM**steps)) if steps else 1.0
        pages.style.width = f"{100 * self._zoom:.1f}%"
        view.scrollLeft = across * pages.clientWidth - view.clientWidth / 2
        view.scrollTop = down * pages.clientHeight - view.clientHeight / 2
        self._settle()

    def _pixels(self) -> int:
        """Width of a page in pixels of the screen."""
        width = self._zoom * self.element.clientWidth - MARGIN
        return max(1, int(width * window.devicePixelRatio))

    def _clear(self) -> None:
        for sheet in self._sheets:
            sheet.forget()
        self._sheets, self._page = [], 0

    def _sheet(self, page: int) -> object:
        """The sheet of a page: one that is there, a neighbour of those, or a new beginning."""
        for sheet in self._sheets:
            if sheet.number == page:
                return sheet
        if self._sheets and page == self._sheets[-1].number + 1:
            return self._append()
        if self._sheets and page == self._sheets[0].number - 1:
            return self._prepend()
        self._clear()
        self._sheets = [PageSheet(self._document, page, self._size)]
        self._pages.append(self._sheets[0].element)
        return self._sheets[0]

    def _append(self) -> object:
        sheet = PageSheet(self._document, self._sheets[-1].number + 1, self._size)
        self._sheets.append(sheet)
        self._pages.append(sheet.element)
        if len(self._sheets) > KEPT:
            self._keep_place(self._sheets.pop(0).forget)
        return sheet

    def _prepend(self) -> object:
        sheet = PageSheet(self._document, self._sheets[0].number - 1, self._size)
        self._sheets.insert(0, sheet)
        self._keep_place(lambda: self._pages.prepend(sheet.element))
        if len(self._sheets) > KEPT:
            self._sheets.pop().forget()
        return sheet

    def _keep_place(self, change: object) -> None:
        height = self._pages.scrollHeight
        change()
        self.element.scrollTop += self._pages.scrollHeight - height

    def _scroll_to(self, sheet: object, box: object) -> None:
        top = sheet.element.offsetTop
        if box:
            scale = sheet.element.clientHeight / sheet.size[1]
            self.element.scrollTop = top + box[1] * scale - self.element.clientHeight / 3
            middle = (box[0] + box[2] / 2) * scale
            self.element.scrollLeft = sheet.element.offsetLeft + middle - self.element.clientWidth / 2
        else:
            self.element.scrollTop = top - 8
        self._note_page()

    def _scrolled(self) -> None:
        if self._document and self.element.clientHeight:
            self._note_page()
            self._settle()

    def _note_page(self) -> None:
        """Which page takes the middle of the view."""
        middle = self.element.scrollTop + self.element.clientHeight / 2
        here = self._sheets[0]
        for sheet in self._sheets:
            if sheet.element.offsetTop <= middle:
                here = sheet
        if here.number != self._page:
            self._page = here.number
            self._turned(self._page)

    def _settle(self) -> None:
        """Put neighbours where the view nears an end, and draw what is in sight."""
        view = self.element
        if not self._document or not self._sheets or not view.clientHeight:
            return
        while view.scrollHeight - view.scrollTop - view.clientHeight < NEAR_EDGE:
            if self._sheets[-1].number >= self._document.pages:
                break
            self._append()
        if view.scrollTop < NEAR_EDGE and self._sheets[0].number > 1:
            self._prepend()
        if not self._busy:
            self._busy = True
            dom.spawn(self._draw_all())

    async def _draw_all(self) -> None:
        """One after another what is in sight and not drawn for the size that it has."""
        try:
            sheet = self._next()
            while sheet:
                try:
                    await sheet.draw(self._pixels(), self._password)
                    self._size = sheet.size
                    await sheet.mark()
                except engine.EngineError as error:
                    sheet.say(error.message)
                sheet = self._next()
        finally:
            self._busy = False

    def _next(self) -> object:
        top, height = self.element.scrollTop, self.element.clientHeight
        for sheet in self._sheets:
            begin, end = sheet.element.offsetTop, sheet.element.offsetTop + sheet.element.clientHeight
            in_sight = begin < top + 1.5 * height and end > top - height / 2
            if in_sight and not sheet.failed and sheet.drawn_at != self._pixels():
                return sheet
        return None
