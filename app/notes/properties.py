"""Properties of a note set, or one value of a list added or taken away; every other byte stays."""

import json
import re
from collections.abc import Iterator, Mapping
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
    "number": (r"[-+]?\d+(\.\d+)?", "12.5"),
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
    after = document.encode(document.edited(_edits(document, name, wanted)))
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


def _edits(document: Document, name: str, wanted: Any) -> Iterator[Edit]:  # noqa: ANN401
    """Yield the changes that write a value; of a list that keeps some of its values only what differs."""
    lines, newline = ended_by_lf(document.text), document.newline
    place, before = find_properties(document.text, lines), document.parsed.properties.get(name, ())
    nodes = {key.value: (key, value) for key, value in property_nodes(document.text, lines)}
    written = f" {_text(wanted)}".rstrip()
    if isinstance(wanted, list):
        written = "".join(f"{newline}  - {_text(each)}" for each in wanted) or " []"
    if place is None or name not in nodes:
        at, marks = (place.end, "") if place else (0, f"---{newline}")
        called = name if _PLAIN_NAME.fullmatch(name) else json.dumps(name, ensure_ascii=False)
        yield at, at, f"{marks}{called}:{written}{newline}{marks}"
        return
    key: yaml.ScalarNode = nodes[name][0]
    node: Any = nodes[name][1]
    items = node.value if isinstance(node, yaml.SequenceNode) else []
    starts = [place.start + each.start_mark.index for each in items]
    *stops, stop = (place.start + each.end_mark.index for each in (*items, node))
    if not items or not any(each in before for each in wanted or ()):
        colon = lines.index(":", place.start + key.end_mark.index) + 1
        stop = stops[-1] if items and not node.flow_style else len(lines[:stop].rstrip())
        yield colon, stop, written
        return
    gone = [at for at, each in enumerate(before) if each not in wanted]
    added = [each for each in wanted if each not in before]
    if node.flow_style:
        yield from ((stops[at - 1] if at else starts[0], stops[at] if at else starts[1], "") for at in gone)
        yield stop - 1, stop - 1, "".join(f", {_text(each, 'x: [%s]')}" for each in added)
        return
    above = [lines.rindex("\n", 0, at) + 1 for at in starts]
    below = [lines.index("\n", at) + 1 for at in stops]
    yield from ((above[at], below[at], "") for at in gone)
    sign = lines[above[-1] : starts[-1]]
    yield below[-1], below[-1], "".join(f"{sign}{_text(each)}{newline}" for each in added)


def _text(value: object, form: str = "x: %s") -> str:
    """Write a value, in quotation marks where YAML would read another one in its place, such as ``null``."""
    plain = parse_note(f"---\n{form % value}\n---\n").properties.get("x")
    if value is None or (isinstance(value, str) and plain in (value, [value])):
        return str(value or "")
    return json.dumps(value, ensure_ascii=False)
