"""Properties of a note set, or one value of a list added or taken away; every other byte stays."""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import yaml

from app.errors import BadRequestError, WriteError
from app.markdown.parse import ended_by_lf, parse_note
from app.markdown.properties import find_properties, property_nodes, property_tags
from app.notes.document import Document, Edit
from app.notes.models import NoteRequest
from app.vault.paths import path_key

_ASKED = re.compile(r"\s*(?P<name>[^\s=].*?)\s*(?P<sign>[+-]=(?=\s*\S)|(?<![+-])=)\s*(?P<value>.*?)\s*")
_PLAIN_NAME = re.compile(r"\w[\w -]*")
_LISTS = ("multitext", "tags", "aliases")
_FORMS = {
    "number": (r"[-+]?\d+(\.\d+)?", "3"),
    "checkbox": ("true|false", "true"),
    "date": (r"\d{4}-\d\d-\d\d", "2026-11-28"),
    "datetime": (r"\d{4}-\d\d-\d\dT\d\d:\d\d.*", "2026-11-28T09:30"),
    "tags": (r"[^\s,]+", "a/tag"),
}
"""How values of a type are written, and an example."""


def set_properties(document: Document, request: NoteRequest, types: Mapping[str, str]) -> bytes:
    """Return a note's bytes with properties changed.

    Args:
        document: The note.
        request: Its content has one a line: ``name=value``, or for a list ``name+=value`` or ``name-=value``.
        types: The types of the vault's properties, as Obsidian calls them, by name.

    Raises:
        BadRequestError: one is written otherwise, or a value is not of the property's type.
        WriteError: a property cannot be changed safely.
    """
    for asked in filter(str.strip, (request.content or "").splitlines()):
        document = Document(document.path, _set(document, asked, types))
    return document.data


def _set(document: Document, asked: str, types: Mapping[str, str]) -> bytes:
    found, held = _ASKED.fullmatch(asked), document.parsed.properties
    if found is None:
        raise BadRequestError("'{asked}' sets no property", "status=done, tags+=x or tags-=x", asked=asked)
    name = next((each for each in held if path_key(each) == path_key(found["name"])), found["name"])
    kind, old, value = types.get(path_key(name), ""), held.get(name), found["value"]
    is_list = kind in _LISTS or isinstance(old, list)
    parts = value.split(",") if is_list and found["sign"] == "=" else [value]
    read = [_read(name, part.strip(), kind) for part in parts if part.strip()]
    wanted: Any = read if is_list else next(iter(read), None)
    if found["sign"] != "=":
        before = old if isinstance(old, list) else [] if old in (None, "") else [old]
        if kind == "tags" and isinstance(old, str):
            before = list(property_tags({name: old}))
        others = [each for each in before if path_key(str(each).lstrip("#")) != path_key(str(read[0]))]
        if (len(others) < len(before)) == (found["sign"] == "+="):
            return document.data
        wanted = others if found["sign"] == "-=" else [*before, *read]
    # A text such as "null" or "[[Note]]" is one only in quotation marks.
    for whole, quotes in product((False, True), repeat=2):
        after = document.encode(document.edited(_edits(document, name, wanted, whole=whole, quotes=quotes)))
        parsed = Document(document.path, after).parsed
        if parsed.frontmatter == "ok" and repr(parsed.properties) == repr({**held, name: wanted}):
            return after
    raise WriteError(
        "the property '{name}' of '{path}' cannot be changed safely",
        "change it there by hand; nothing was written",
        name=name,
        path=document.path,
    )


def _read(name: str, written: str, kind: str) -> Any:  # noqa: ANN401 - as YAML has it
    """Return a value of the property's type, and of one without a type as YAML reads it."""
    form, example = _FORMS.get(kind, (".*", ""))
    if not re.fullmatch(form, written):
        raise BadRequestError(
            "'{name}' is of the type {kind} in this vault, and '{value}' is not",
            "for example {name}={example}",
            name=name,
            kind=kind,
            value=written,
            example=example,
        )
    plain = parse_note(f"---\nx: {written}\n---\n").properties.get("x")
    is_other = isinstance(plain, int | float) and kind in ("number", "checkbox", "")
    return plain if is_other else written.removeprefix("#") if kind == "tags" else written


def _edits(document: Document, name: str, wanted: Any, *, whole: bool, quotes: bool) -> Iterator[Edit]:  # noqa: ANN401
    """Yield the changes that write a value; of a list only what differs, unless it is ``whole``."""

    def text(value: object) -> str:
        as_it_is = value is None or (isinstance(value, str) and not quotes)
        return str(value or "") if as_it_is else json.dumps(value, ensure_ascii=False)

    lines, newline = ended_by_lf(document.text), document.newline
    written = f" {text(wanted)}".rstrip()
    if isinstance(wanted, list):
        written = "".join(f"{newline}  - {text(each)}" for each in wanted) or " []"
    place, before = find_properties(document.text, lines), document.parsed.properties.get(name, ())
    nodes = {key.value: (key, value) for key, value in property_nodes(document.text, lines)}
    if place is None or name not in nodes:
        at, marks = (place.end, "") if place else (0, f"---{newline}")
        called = name if _PLAIN_NAME.fullmatch(name) else json.dumps(name, ensure_ascii=False)
        yield at, at, f"{marks}{called}:{written}{newline}{marks}"
        return
    key: yaml.ScalarNode = nodes[name][0]
    node: Any = nodes[name][1]
    items = node.value if isinstance(node, yaml.SequenceNode) else []
    start, *starts = (place.start + each.start_mark.index for each in (node, *items))
    stop, *stops = (place.start + each.end_mark.index for each in (node, *items))
    if whole or not any(each in before for each in (wanted if items else ())):
        colon = lines.index(":", place.start + key.end_mark.index) + 1
        stays = colon < start and not items and not isinstance(wanted, list)
        stop = stops[-1] if items and not node.flow_style else len(lines[:stop].rstrip())
        yield start if stays else colon, stop, written.lstrip() if stays else written
        return
    gone = [at for at, each in enumerate(before) if each not in wanted]
    added = [text(each) for each in wanted if each not in before]
    if node.flow_style:
        yield from ((stops[at - 1] if at else starts[0], stops[at] if at else starts[1], "") for at in gone)
        yield stop - 1, stop - 1, "".join(f", {each}" for each in added)
    else:
        rows = [
            (lines.rindex("\n", 0, at) + 1, lines.index("\n", end) + 1)
            for at, end in zip(starts, stops, strict=True)
        ]
        yield from ((*rows[at], "") for at in gone)
        above, below = rows[-1]
        yield below, below, "".join(f"{lines[above : starts[-1]]}{each}{newline}" for each in added)
