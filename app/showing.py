"""Text of notes as it is shown: nothing in it is obeyed, hides, breaks its line, or leaves its marks."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from app.sentences import Language, Sentence, Worded, said

TITLE, HEADING, TAG, TAGS, PATH = 200, 300, 100, 20, 300
"""Most characters of a title, a path of headings and a tag, most tags, and most characters of a path."""
ARGUMENT_CHARS = 60
ERROR, HINT = "error: ", "hint: "
"""What stands in front of what went wrong, and of what would be right."""

# What a terminal would act on, what turns the direction of writing around, what has no width and could hide
# words from a person that a model reads, and halves of characters, which are no text.
_SIGNS = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f"
)
_VARIANTS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_HIDDEN = re.compile(
    # The flags of England, Scotland and Wales are spelled in signs without width; they stay.
    "(?P<flag>\U0001f3f4[\U000e0020-\U000e007e]{1,6}\U000e007f)"
    f"|[{_SIGNS}]"
    # Joiners belong between the signs of some scripts and of some pictures, and nowhere else.
    "|[\u200c\u200d](?![^\x00-\x7f])|(?<![^\x00-\x7f])[\u200c\u200d]"
    # One choice of a picture's or letter's form is enough: a row of them can spell a text.
    f"|(?<=[{_VARIANTS}])[{_VARIANTS}]"
)
_LINE_SIGNS = str.maketrans({"\n": "\\n", "\t": "\\t"})
_MARK = re.compile(r"<(?=\s*/?\s*(?:document|file|note|passage|query|results)\b)", re.IGNORECASE)


class Screen(NamedTuple):
    """Where a command prints: a terminal of so many columns, or a file or pipe.

    ``folder`` is the working folder, from which paths are written; empty where it is gone. ``language`` is
    that of the person who looks.
    """

    is_terminal: bool = False
    has_styles: bool = False
    columns: int = 0
    folder: str = ""
    language: Language = "en"

    def printed(self, text: str) -> str:
        """Return text as it is printed: ended by a newline, and what a terminal would obey written out."""
        whole = text if text.endswith("\n") else text + "\n"
        return showing(whole) if self.is_terminal else whole

    def dim(self, text: str) -> str:
        """Set a text back, where styles are shown."""
        return self._styled("2", text)

    def bold(self, text: str) -> str:
        """Set a text out, where styles are shown."""
        return self._styled("1", text)

    def mark(self, text: str) -> str:
        """Mark what was looked for, where styles are shown."""
        return self._styled("1;33", text)

    def link(self, text: str, address: str) -> str:
        """Have a text open an address, where styles are shown; some terminals show the text alone."""
        return f"\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\" if address and self.has_styles else text

    def _styled(self, style: str, text: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if text and self.has_styles else text


class Told(str):
    """What a tool says, with the value behind it: a model is given the text, the program the value."""

    __slots__ = ("value",)
    value: object

    def __new__(cls, text: str, value: object) -> "Told":
        """Put a value beside a text."""
        made = super().__new__(cls, text)
        made.value = value
        return made

    def __getnewargs__(self) -> tuple[str, object]:  # type: ignore[override]
        """Return what makes it again, for a copy."""
        return str(self), self.value


def with_line(told: str, line: str) -> Told:
    """Return what a tool says with a line below; its value stays, and an error stays one line."""
    whole = told if not line or told.startswith("Error:") else f"{told}\n{line}"
    return Told(whole, told.value if isinstance(told, Told) else None)


def showing(text: str) -> str:
    r"""Write out what cannot be seen, such as ``\x1b``; line ends become LF, tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return _HIDDEN.sub(
        lambda sign: sign.group() if sign["flag"] else ascii(sign.group())[1:-1], text.replace("\r\n", "\n")
    )


def json_text(value: object, indent: int | None = None) -> str:
    r"""Write a value as JSON, with what cannot be seen escaped (``\u2028``); it reads back as it was."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=str)
    # Such a sign stands in a string only, but for the ends of indented lines, which are no such sign.
    return _HIDDEN.sub(lambda sign: sign.group() if sign["flag"] else json.dumps(sign.group())[1:-1], text)


def in_line(text: str, most: int | None = None) -> str:
    """Show a text on one line, in at most ``most`` characters."""
    # Cut first as well: a name may be a megabyte, and what is cut off need not be looked at.
    shown = showing(text if most is None else text[: most + 1]).translate(_LINE_SIGNS)
    return shown if most is None else cut(shown, most)


def cut(text: str, most: int) -> str:
    """Shorten a text to at most ``most`` characters, the last of which then says so."""
    return text if len(text) <= most else text[: most - 1] + "…"


def error_lines(message: str, hint: str = "", language: Language = "en") -> str:
    """Say what went wrong, on one line, and what would be right, on another, in a language."""
    lines = [(ERROR, message), (HINT, hint)] if hint else [(ERROR, message)]
    return "".join(
        said(mark, language) + in_line(" ".join(said(text, language).split())) + "\n" for mark, text in lines
    )


def listing(
    items: Sequence[str], most: int, each: int, between: str = ", ", language: Language = "en"
) -> str:
    """Show the first ``most`` items of a list, each on one line, and how many more there are."""
    shown = [
        in_line(said(item, language) if isinstance(item, Worded) else item, each) for item in items[:most]
    ]
    if len(items) > most:
        shown.append(Sentence("… and {count} more", count=len(items) - most).said(language))
    return between.join(shown)


def marked(name: str, text: str, /, **attributes: str) -> str:
    """Put text of a note between marks, as data for a language model: ``<name>``, the text, ``</name>``."""
    quoted = str.maketrans({'"': "'", "<": "‹", ">": "›"})
    told = "".join(f' {key}="{in_line(value, PATH).translate(quoted)}"' for key, value in attributes.items())
    return f"<{name}{told}>\n{inside_marks(text)}\n</{name}>"


def inside_marks(text: str) -> str:
    r"""Show a text so that it neither ends the marks around it nor begins others: ``<\/note>``."""
    return _MARK.sub(r"<\\", showing(text))


_SEARCHES, _ASKS = ("search", "vault_search", "wksm_search"), ("ask_vault", "ask")
_SUBJECTS = ("query", "question", "path", "name")
"""What a call is about, the first of them that it has."""


def describe_call(tool: str, arguments: Mapping[str, object]) -> Sentence:
    """Say what a call of a tool does and what it is about, in one short line."""
    given = {
        name: in_line(" ".join(str(value).split()), ARGUMENT_CHARS)
        for name, value in arguments.items()
        if name != "operation" and value not in (None, "", [], False)
    }
    operation = str(arguments.get("operation", ""))
    subject = next((given[name] for name in _SUBJECTS if name in given), ", ".join(given.values()))
    if tool in _SEARCHES:
        return Sentence("search: {subject}", subject=subject)
    if tool in _ASKS:
        return Sentence("question to the notes: {subject}", subject=subject)
    if tool == "tree" and not subject:
        return Sentence("folders and notes")
    if "read" in (tool, operation):
        return Sentence("reading: {subject}", subject=subject)
    doing = Sentence(operation or tool)
    return Sentence("{doing} '{subject}'", doing=doing, subject=subject) if subject else doing
