"""The exact terms that filters look for: folders, tags, properties with values, other names, tasks."""

import re
from collections.abc import Iterator, Mapping

from app.markdown import ParsedNote
from app.search.lexical.analysis import fold
from app.vault.paths import nfc, path_key

MAX_TERM_VALUE = 300
"""Longest property value that is a term, in characters; longer ones are looked up in the note's record."""

MAX_TAG_LEVELS = 32

ACCENTED = "accented:"
LONG_RUN = 1000
"""In a longer run without blanks, in characters, plain letters are looked for among its whole words alone."""
_PLAIN = re.compile(r"[a-z0-9]+")
_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "\t": "\\t"})


def filter_terms(path: str, note: ParsedNote, properties: Mapping[str, object], hidden: str) -> list[str]:
    """List the terms of a note.

    Args:
        path: Its path.
        note: The parse.
        properties: Its properties as the index keeps them.
        hidden: Why no search shows it, else empty.
    """
    terms = [f"hidden:{hidden}"] if hidden else []
    parts = path_key(path).split("/")[:-1]
    terms += ["folder:" + "/".join(parts[: depth + 1]) for depth in range(len(parts))]
    for tag in note.tags:
        levels = path_key(tag).split("/")
        # A tag thousands of levels deep would otherwise cost the square of its length.
        terms += ["tag:" + "/".join(levels[: depth + 1]) for depth in range(min(len(levels), MAX_TAG_LEVELS))]
        if len(levels) > MAX_TAG_LEVELS:
            terms.append("tag:" + "/".join(levels))
    for name, value in properties.items():
        terms += property_terms(name, value)
    terms += [alias_term(alias) for alias in note.aliases]
    terms += [term for task in note.tasks for term in task_terms(task.status)]
    return list(dict.fromkeys(terms))


def property_terms(name: str, value: object) -> Iterator[str]:
    """Give the terms of one property: that it is there, and each of its values, or that it has none."""
    key = path_key(name).translate(_ESCAPES)
    yield f"property:{key}"
    if value is None:
        yield f"null:{key}"
    for text in value_texts(value):
        yield f"long:{key}" if len(text) > MAX_TERM_VALUE else value_prefix(name) + text.translate(_ESCAPES)


def value_prefix(name: str) -> str:
    """Give what the terms of a property's values start with."""
    return f"value:{path_key(name).translate(_ESCAPES)}\t"


def alias_term(alias: str) -> str:
    """Give the term of another name of a note."""
    return "alias:" + nfc(alias)[:MAX_TERM_VALUE].translate(_ESCAPES)


def accented_terms(text: str) -> Iterator[str]:
    """Give the terms of the runs of plain letters that the index has and the text has spelt otherwise.

    A note without such a term around a plain word has that word just as the index has it, so that its text
    need not be read to know.
    """
    if text.isascii():
        return
    # Cutting at blanks reads a text once; a pattern for such runs is tried anew at each sign of a long one.
    for run in dict.fromkeys(run for run in nfc(text).casefold().split() if not run.isascii()):
        words = set(_PLAIN.findall(run))
        for letters in _PLAIN.findall(fold(run)):
            # A term too many costs a query the reading of the note; looking through the run for each of its
            # words costs the square of its length.
            if letters not in words and (len(run) > LONG_RUN or letters not in run):
                yield ACCENTED + letters[:MAX_TERM_VALUE]


def task_terms(status: str) -> tuple[str, ...]:
    """Give the terms of a note with such a sign in a task's box: it has tasks, and open or done ones."""
    kinds = {" ": ("tasks:task-todo",), "x": ("tasks:task-done",), "X": ("tasks:task-done",)}
    return ("tasks:task", *kinds.get(status, ()))


def term_text(term: str, prefix: str) -> str:
    """Read back the text that a term holds after its prefix."""
    text = term[len(prefix) :]
    if "\\" not in text:
        return text
    names = {"n": "\n", "t": "\t"}
    # Every second backslash of a pair is text: what stands between pairs is read on its own.
    return "\\".join(_unescape(part, names) for part in text.split("\\\\"))


def _unescape(part: str, names: Mapping[str, str]) -> str:
    for sign, meant in names.items():
        part = part.replace("\\" + sign, meant)
    return part


def value_texts(value: object) -> Iterator[str]:
    """Give the single values of a property as text: of a list each item, of a mapping each value."""
    if value is None:
        return
    if isinstance(value, Mapping):
        for item in value.values():
            yield from value_texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from value_texts(item)
    elif isinstance(value, bool):
        yield "true" if value else "false"
    elif isinstance(value, float):
        yield str(int(value)) if value.is_integer() and abs(value) < 1e15 else str(value)
    else:
        yield nfc(str(value))
