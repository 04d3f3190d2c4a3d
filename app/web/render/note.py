"""A note, or a part of it, as HTML: links lead to pages of ours, embedded notes stand in their place."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from app.errors import VaultError
from app.markdown.targets import Target
from app.notes.document import Document, Span, block_of, open_document, section_of
from app.vault.paths import NotePath, is_note_name
from app.web.pages import note_url
from app.web.render.show import markdown
from app.web.render.targets import Targets, is_picture

MOST_DEPTH = 3
"""Notes within notes."""
MOST_EMBEDS = 30
MOST_CHARS = 100_000
"""Most characters that one page shows, embedded notes included."""

_SIZE = re.compile(r"(\d{1,4})(?:x(\d{1,4}))?")


@dataclass
class Budget:
    """What one page may still embed."""

    embeds: int = MOST_EMBEDS
    chars: int = MOST_CHARS


@dataclass(frozen=True)
class NoteRenderer:
    """Renders one note; ``around`` are the notes it is embedded in, so that none is shown within itself."""

    targets: Targets
    path: str
    around: tuple[str, ...] = ()
    budget: Budget = field(default_factory=Budget)

    def render(self, lines: Sequence[str], first_line: int, cited: Span | None = None) -> str:
        """Render some lines of the note.

        Args:
            lines: The lines.
            first_line: The number of the first, from 1.
            cited: The lines to be marked.

        Returns:
            HTML that is not cleaned yet.
        """
        # Of a note within a note no part can be jumped to, so that each anchor is there once.
        env: dict[str, Any] = {"note": self, "first_line": first_line, "has_anchors": not self.around}
        if cited is not None:
            env["cited"] = (cited.first, cited.last)
        return str(markdown().render("\n".join(lines), env))

    def embedded(self, target: Target, anchor: str | None = None) -> str:
        """Render what an embed shows: a picture, a note or a part of one, else a link."""
        found = self.targets.find(target.file, self.path)
        if found is None:
            return f'<p class="embed-missing">{_missing(_name(target))}</p>'
        if not is_note_name(found):
            return f"<p>{self.linked(target, embed=True)}</p>"
        if found in (*self.around, self.path) or len(self.around) >= MOST_DEPTH or self.budget.embeds <= 0:
            return f"<p>{self.linked(target)}</p>"
        self.budget.embeds -= 1
        try:
            body = self._part(NotePath(found), target.subpath)
        except VaultError:
            # It went, or has no such part: the link is what is left of it.
            return f'<p class="embed-missing">{self.linked(target)}</p>'
        named = f' id="{escape(anchor)}"' if anchor else ""
        title = f'<p class="embed-title">{self.linked(target)}</p>'
        return f'<div class="embed"{named}>{title}{body}</div>'

    def _part(self, path: NotePath, subpath: str) -> str:
        document = open_document(self.targets.vault, path)
        span = Span(document.parsed.body_line, document.line_count)
        if subpath.startswith("^"):
            span = block_of(document, subpath)
        elif subpath:
            span = section_of(document, subpath)
        lines = taken(document, span, self.budget)
        inner = NoteRenderer(self.targets, path, (*self.around, self.path), self.budget)
        return inner.render(lines, span.first)

    def url(self, target: Target) -> str | None:
        """Give the address of what a link in this note means; None where there is nothing."""
        url = self.targets.url(target, self.path)
        is_here = url is not None and url.startswith("#")
        return f"{note_url(self.path)}{url}" if is_here and self.around else url

    def linked(self, target: Target, *, embed: bool = False) -> str:
        """Render a link, or the picture that an embed means."""
        found = self.targets.find(target.file, self.path)
        url = self.url(target)
        if url is None or found is None:
            return _missing(target.display or _name(target))
        if embed and is_picture(found):
            size = _SIZE.fullmatch(target.display)
            alt = found.rpartition("/")[2] if size or not target.display else target.display
            box = f' width="{size[1]}"' + (f' height="{size[2]}"' if size[2] else "") if size else ""
            return f'<img src="{escape(url)}" alt="{escape(alt)}"{box}>'
        return f'<a href="{escape(url)}">{escape(target.display or _name(target))}</a>'


def taken(document: Document, span: Span, budget: Budget) -> list[str]:
    """Give the lines of a span, as many as the budget allows."""
    lines: list[str] = []
    for number in range(span.first, span.last + 1):
        line = document.line(number).replace("\r", " ")
        if len(line) >= budget.chars:
            # A first line that is longer than all is cut; any other is left for the next page.
            lines += [line[: budget.chars]] if not lines else []
            budget.chars = 0
            break
        budget.chars -= len(line) + 1
        lines.append(line)
    return lines


def _name(target: Target) -> str:
    return " > ".join(part for part in (target.file, *target.subpath.split("#")) if part)


def _missing(name: str) -> str:
    return f'<span class="missing">{escape(name)}</span>'
