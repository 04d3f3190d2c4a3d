"""The picker: results while a person types, with a preview of the note that is chosen."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from prompt_toolkit.application import Application, get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Point
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import (
    BufferControl,
    DynamicContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    VSplit,
    Window,
)
from prompt_toolkit.layout.dimension import Dimension
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import Style

from app.errors import EngineMissingError, VaultError
from app.notices import Language
from app.search.models import SearchResult
from app.search.request import parse_request
from app.search.show.listing import wrapped
from app.search.show.text import told_lines
from app.sentences import Sentence
from app.showing import HEADING, PATH, TITLE, in_line, showing
from app.stopping import awaited, go_on

if TYPE_CHECKING:
    from app.search.searcher import Searcher

MOST = 30
"""Results that are asked for."""
WIDE = 100
"""From so many columns on the preview stands beside the list, and else below it."""
NUMBER, BEFORE, PAGE, LINES = 5, 2, 10, 100
"""Of the preview: columns of a number, lines before the first that was found, of a page, and at most."""
ESCAPE_SECONDS = 0.05
"""How long Escape may be the beginning of another key."""
STYLE = Style.from_dict(
    {"mark": "bold ansiyellow", "title": "bold", "dim": "ansibrightblack", "here": "reverse", "found": "bold"}
)


@dataclass
class Picker:
    """A search box, what it finds and a preview; `run` lets a person choose.

    Searches run in threads, one at a time. One that a later key makes useless ends before its next step, and
    never reaches the screen.
    """

    searcher: "Searcher"
    language: Language
    action: str
    """What Enter does."""
    results: Sequence[SearchResult] = ()
    """What was found, the best result of each note."""
    remarks: Sequence[str] = ()
    at: int = 0
    is_deep: bool = False
    is_searching: bool = False
    scrolled: int = 0

    def __post_init__(self) -> None:
        self._alone = threading.Lock()
        self._task: asyncio.Task[None] | None = None
        self._box = Buffer(multiline=False, on_text_changed=lambda _: self._ask())

    def run(self, output: Output, *, has_colours: bool) -> str | None:
        """Let a person choose a note, and return its path; None where they leave.

        It is drawn on ``output``, in colours where that ``has_colours``. Ctrl-C is a KeyboardInterrupt.
        """
        self._app: Application[str | None] = Application(
            layout=Layout(self._layout()),
            key_bindings=self._keys(),
            style=STYLE,
            full_screen=True,
            output=output,
            color_depth=None if has_colours else ColorDepth.DEPTH_1_BIT,
        )
        self._app.ttimeoutlen = ESCAPE_SECONDS
        with suppress(EngineMissingError):
            self.searcher.watch()
        return self._app.run(pre_run=self._ask)

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        for names, does in (
            (("up", "c-p"), lambda: self._move(-1)),
            (("down", "c-n"), lambda: self._move(1)),
            (("pageup",), lambda: self._scroll(-PAGE)),
            (("pagedown",), lambda: self._scroll(PAGE)),
            (("tab",), self._turn),
            (("enter",), self._choose),
            (("escape", "c-d"), lambda: self._app.exit(result=None)),
            (("c-c",), lambda: self._app.exit(exception=KeyboardInterrupt())),
        ):
            for name in names:
                keys.add(name, eager=name == "escape")(lambda _, does=does: does())
        return keys

    def _move(self, by: int) -> None:
        self.at, self.scrolled = max(0, min(self.at + by, len(self.results) - 1)), 0

    def _scroll(self, by: int) -> None:
        self.scrolled += by

    def _turn(self) -> None:
        self.is_deep = not self.is_deep
        self._ask()

    def _choose(self) -> None:
        if self.results:
            self._app.exit(result=self.results[self.at].path)

    def _ask(self) -> None:
        """Search for what stands in the box, in the place of what was searched before."""
        if self._task is not None:
            self._task.cancel()
        self.is_searching = True
        self._task = self._app.create_background_task(self._search(self._box.text.strip(), self.is_deep))

    async def _search(self, text: str, is_deep: bool) -> None:
        try:
            with awaited():
                self.results, self.remarks = await asyncio.to_thread(self._find, text, is_deep)
        except VaultError as error:
            self.results, self.remarks = [], [in_line(error.message)]
        self.at, self.scrolled, self.is_searching = 0, 0, False
        self._app.invalidate()

    def _find(self, text: str, is_deep: bool) -> tuple[list[SearchResult], list[str]]:
        with self._alone:
            go_on()
            # Where nothing is asked for yet, what was changed last is what is most often wanted.
            asked = (
                {"operation": "deep" if is_deep else "fast", "query": text}
                if text
                else {"operation": "by_date", "start_date": "1970", "date_field": "modified"}
            )
            request = parse_request({**asked, "limit": MOST})
            results = self.searcher.search(request)
            go_on()
        best: dict[str, SearchResult] = {}
        for result in results.results:
            best.setdefault(result.path, result)
        said = [in_line(notice.said(self.language)) for notice in results.notices if text]
        return list(best.values()), said

    def _layout(self) -> HSplit:
        def line(shown: Callable[[], StyleAndTextTuples]) -> Window:
            return Window(FormattedTextControl(shown), height=1)

        share = partial(Dimension, preferred=1)
        rows = FormattedTextControl(self._rows, get_cursor_position=lambda: Point(0, self.at))
        listed = Window(rows, width=share(weight=2), height=share(weight=1), always_hide_cursor=True)
        self._window = preview = Window(
            FormattedTextControl(self._preview), width=share(weight=3), height=share(weight=2)
        )
        rule = Window(char="─", style="class:dim", height=1)
        beside = VSplit([listed, Window(char="│", style="class:dim", width=1), preview])
        stacked = HSplit([listed, rule, preview])
        box = BufferControl(self._box, input_processors=[BeforeInput("> ")])
        return HSplit(
            [
                Window(box, height=1, dont_extend_height=True),
                line(self._state),
                rule,
                DynamicContainer(lambda: beside if get_app().output.get_size().columns >= WIDE else stacked),
                line(self._help),
            ]
        )

    def _state(self) -> StyleAndTextTuples:
        is_latest = not self._box.text.strip()
        how = "words and meaning" if self.is_deep else "words"
        said = [Sentence("changed last" if is_latest else how)]
        if self.is_searching:
            said.append(Sentence("searching…"))
        elif self.results:
            said.append(Sentence("{first} of {count}", first=self.at + 1, count=len(self.results)))
        told = " · ".join([*(each.said(self.language) for each in said), *self.remarks])
        return [("class:dim", f"  {told}")]

    def _help(self) -> StyleAndTextTuples:
        other = Sentence("words" if self.is_deep else "words and meaning")
        told = "↑↓ choose · Enter {action} · Tab {other} · Esc leave"
        keys = Sentence(told, action=Sentence(self.action), other=other)
        return [("class:dim", keys.said(self.language))]

    def _rows(self) -> StyleAndTextTuples:
        shown: StyleAndTextTuples = []
        if not (self.results or self.is_searching):
            return [("class:dim", "  " + Sentence("Nothing found").said(self.language))]
        for place, result in enumerate(self.results):
            here = " class:here" if place == self.at else ""
            title = ("▸ " if here else "  ") + in_line(result.title, TITLE)
            beside = "  " + in_line(result.path, PATH).rpartition("/")[0]
            shown += [(f"class:title{here}", title), (f"class:dim{here}", beside), ("", "\n")]
        return shown[:-1]

    def _preview(self) -> StyleAndTextTuples:
        """Return the note that is chosen around the lines that were found, which bear a bar."""
        if not self.results:
            return []
        result = self.results[self.at]
        numbers, text = self._numbers(result), self._lines_of(result.path)
        first = max(1, (numbers[0] if numbers else 1) - BEFORE)
        first = max(1, min(first + self.scrolled, len(text)))
        heads = [in_line(result.path, PATH), in_line(result.heading or "", HEADING)]
        shown: StyleAndTextTuples = [
            ("class:dim", f"{head}\n") for head in heads if head and head != result.title
        ]
        drawn = self._window.render_info
        width = max((drawn.window_width if drawn else WIDE) - NUMBER - 2, 10)
        for number, line in enumerate(text[first - 1 : first + LINES], first):
            is_found, sign = number in numbers, f"{number:>{NUMBER}}"
            style, bar = ("class:found", "▌ ") if is_found else ("class:dim", "  ")
            written = showing(line).replace("\t", "    ").rstrip()
            for row in wrapped(result.marked(written), width):
                marked = [("class:mark" if found else "", part) for part, found in row]
                shown += [(style, sign + bar), *marked, ("", "\n")]
                sign = " " * NUMBER
        return shown

    def _numbers(self, result: SearchResult) -> list[int]:
        """Return the lines for which a note was found: those with words of the query, where there are any."""
        lines = [(number, text) for number, text in told_lines(result) if number]
        with_words = [number for number, text in lines if any(found for _, found in result.marked(text))]
        return with_words or [number for number, _ in lines]

    def _lines_of(self, path: str) -> list[str]:
        try:
            return self.searcher.vault.read(path).text.split("\n")
        except VaultError as error:
            return [Sentence("The note cannot be read: {reason}", reason=error.message).said(self.language)]
