"""Find a note's property block and read it as Obsidian does: YAML 1.2, bounded, plain values only."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import frontmatter
import yaml
from frontmatter.default_handlers import BaseHandler

from app.markdown.models import FrontmatterState
from app.markdown.tags import clean_tag
from app.sentences import Sentence

MAX_CHARS = 256 * 1024
MAX_DEPTH = 64
# libyaml overflows the stack on deep nesting, which ends the process; what is indented needs more than
# `MAX_CHARS` to nest that deep, and what is not needs one of these for each level.
MAX_OPENINGS = 5_000
_OPENINGS = re.compile(r"[\[{]|[-?]\s")
MAX_VALUES = 50_000
FIRST_LINE = 2
"""The line on which a block begins, below the dashes."""
_CORE = "tag:yaml.org,2002:"
_LONGEST_NUMBER = 18
_FOLD = r"(?<![ \t])[ \t]*+\r?\n[ \t]*"
_SIGNS = {
    '"': re.compile(rf"(?:\\\r?\n[ \t]*)*(?:\\(?:x..|u.{{4}}|U.{{8}}|[^\r\n])|{_FOLD}|[^\\])", re.DOTALL),
    "'": re.compile(rf"''|{_FOLD}|.", re.DOTALL),
}
"""What stands for one character of a value in quotes, by the quote."""

TAG_NAMES = ("tags", "tag")
"""The properties that hold tags, in small letters."""
_OPENING = re.compile(r"\ufeff?---(?:\r?\n|\r)")
_CLOSING = re.compile(r"^---[ \t]*$", re.MULTILINE)
_SEPARATORS = re.compile(r"[,\s]+")


class _PropertyError(ValueError):
    """The block cannot be read as properties; ``reason`` says why."""

    def __init__(self, reason: Sentence) -> None:
        super().__init__(reason)
        self.reason = reason


Value: TypeAlias = "str | int | float | bool | list[Value] | dict[str, Value] | None"


@dataclass(frozen=True, slots=True)
class LinkText:
    """A value that may be a link: where it starts, its sign, and where in the note each character stands.

    ``places`` has the end besides, and is empty where the value is written so that they cannot be told.
    """

    text: str
    start: int
    quote: str
    places: Sequence[int]


class _Loader(yaml.CSafeLoader):
    """Only `true` and `false` are booleans, and dates stay text."""


_DROPPED = {_CORE + name for name in ("timestamp", "bool", "int", "float")}
_Loader.yaml_implicit_resolvers = {
    sign: [(tag, pattern) for tag, pattern in resolvers if tag not in _DROPPED]
    for sign, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _name, _pattern, _signs in (
    ("bool", r"(?:true|True|TRUE|false|False|FALSE)\Z", "tTfF"),
    ("int", r"[-+]?(?:0|[1-9][0-9]*)\Z", "-+0123456789"),
    ("float", r"[-+]?[0-9]+\.[0-9]+(?:[eE][-+]?[0-9]+)?\Z", "-+0123456789"),
):
    _Loader.add_implicit_resolver(_CORE + _name, re.compile(_pattern), list(_signs))


def _read_yaml(block: str) -> tuple[dict[str, Value], list[yaml.ScalarNode]]:
    """Read the text between the lines of dashes: the values by name, and the texts among them that may link.

    Raises:
        PropertyError: the text is no YAML mapping, names a property twice, nests or expands too far, or
            asks for an object.
    """
    if len(block) > MAX_CHARS:
        raise _PropertyError(Sentence("longer than {most} characters", most=MAX_CHARS))
    if len(block) > MAX_OPENINGS and len(_OPENINGS.findall(block)) > MAX_OPENINGS:
        raise _PropertyError(Sentence("nested too deeply"))
    try:
        root = _Loader(block).get_single_node()
    except yaml.MarkedYAMLError as error:
        problem = Sentence(error.problem or "")
        if error.problem_mark:
            problem = _at(error.problem_mark.line + FIRST_LINE, problem)
        raise _PropertyError(problem) from error
    except (yaml.YAMLError, UnicodeError) as error:
        raise _PropertyError(Sentence(str(error).splitlines()[0])) from error
    if root is None:
        return {}, []
    if not isinstance(root, yaml.MappingNode) or root.tag != _CORE + "map":
        raise _PropertyError(Sentence("not names with values"))
    reader = _Reader()
    return reader.read_mapping(root, 0), list(reader.links.values())


def _at(line: int, problem: Sentence) -> Sentence:
    return Sentence("line {line}: {problem}", line=line, problem=problem)


class _Reader:
    def __init__(self) -> None:
        self.links: dict[int, yaml.ScalarNode] = {}
        self.values_left = MAX_VALUES

    def read(self, node: yaml.Node, depth: int) -> Value:
        # Aliases are read anew each time they occur, so that these two limits hold for what comes out.
        self.values_left -= 1
        if self.values_left < 0:
            raise _PropertyError(Sentence("expands to more than {most} values", most=MAX_VALUES))
        if depth > MAX_DEPTH:
            raise _PropertyError(Sentence("nested more than {most} deep, or within itself", most=MAX_DEPTH))
        if isinstance(node, yaml.MappingNode) and node.tag == _CORE + "map":
            return self.read_mapping(node, depth)
        if isinstance(node, yaml.SequenceNode) and node.tag == _CORE + "seq":
            return [self.read(item, depth + 1) for item in node.value]
        if isinstance(node, yaml.ScalarNode):
            return self._read_scalar(node)
        raise self._error(node, Sentence("the tag '{tag}' is not read", tag=node.tag))

    def read_mapping(self, node: yaml.MappingNode, depth: int) -> dict[str, Value]:
        mapping: dict[str, Value] = {}
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else str(self.read(key, depth + 1))
            if name in mapping:
                raise self._error(key, Sentence("the name '{name}' stands twice", name=name))
            mapping[name] = self.read(value, depth + 1)
        return mapping

    def _error(self, node: yaml.Node, reason: Sentence) -> _PropertyError:
        return _PropertyError(_at(node.start_mark.line + FIRST_LINE, reason))

    def _read_scalar(self, node: yaml.ScalarNode) -> Value:
        text: str = node.value
        kind = node.tag.removeprefix(_CORE)
        if text.startswith("["):
            self.links.setdefault(node.start_mark.index, node)
        if kind == "null":
            return None
        if kind == "bool":
            return text.lower() == "true"
        if kind in ("int", "float"):
            return _number(text, kind)
        if kind in ("str", "merge", "value"):
            return text
        raise self._error(node, Sentence("the tag '{tag}' is not read", tag=node.tag))


def _number(text: str, kind: str) -> int | float | str:
    """Return the number; the text itself where a computer's numbers cannot hold it."""
    try:
        if kind == "int":
            return int(text) if len(text) <= _LONGEST_NUMBER else text
        number = float(text)
    except ValueError:
        # An explicit tag may stand before any text.
        return text
    return number if math.isfinite(number) else text


@dataclass(frozen=True, slots=True)
class PropertyBlock:
    """What stands in the property block, and where the body starts.

    ``links`` are the texts that may be links. ``problem`` says why an invalid block could not be read.
    """

    state: FrontmatterState
    values: Mapping[str, Any]
    links: tuple[LinkText, ...]
    body_start: int
    problem: str = ""


class _BlockHandler(BaseHandler):
    """Has python-frontmatter read a block, whatever it is given, by our rules of YAML."""

    FM_BOUNDARY = re.compile("")

    def __init__(self, block: str) -> None:
        super().__init__()
        self._block = block
        self.links: list[yaml.ScalarNode] = []

    def split(self, text: str) -> tuple[str, str]:
        return self._block, ""

    def load(self, fm: str) -> dict[str, Any]:
        values, self.links = _read_yaml(fm)
        return values


class PropertyPlace(NamedTuple):
    """Where the properties of a note begin and end, and where its text begins, counted in characters."""

    start: int
    end: int
    body_start: int


def find_properties(text: str, lines: str) -> PropertyPlace | None:
    """Find the property block at the head of a note, without reading it; see `read_properties`."""
    opening = _OPENING.match(text)
    closing = _CLOSING.search(lines, opening.end()) if opening else None
    if opening is None or closing is None:
        return None
    return PropertyPlace(opening.end(), closing.start(), min(closing.end() + 1, len(text)))


def read_properties(text: str, lines: str) -> PropertyBlock:
    """Find and read the property block at the head of a note.

    Args:
        text: The note.
        lines: The same, as long, with every line ended by LF.
    """
    found = find_properties(text, lines)
    if found is None:
        return PropertyBlock("none", {}, (), 0)
    start, end, body_start = found
    # As it is: python-frontmatter would strip it, and change its line ends.
    handler = _BlockHandler(text[start:end])
    try:
        values, _ = frontmatter.parse("", handler=handler)
    except _PropertyError as error:
        problem = Sentence("properties not read: {reason}", reason=error.reason)
        return PropertyBlock("invalid", {}, (), body_start, problem)
    links = tuple(_link_text(node, text, start) for node in handler.links)
    return PropertyBlock("ok", values, links, body_start)


def property_nodes(text: str, lines: str) -> list[tuple[yaml.ScalarNode, yaml.Node]]:
    """Return the names and values of a note's property block, as YAML has them; none if it cannot be read.

    Args:
        text: The note.
        lines: The same, as long, with every line ended by LF. Places count from the block's start.
    """
    found = find_properties(text, lines)
    if found is None or read_properties(text, lines).state != "ok":
        return []
    root = _Loader(lines[found.start : found.end]).get_single_node()
    pairs = root.value if isinstance(root, yaml.MappingNode) else ()
    return [(key, value) for key, value in pairs if isinstance(key, yaml.ScalarNode)]


def tag_places(text: str, lines: str) -> list[tuple[int, int]]:
    """Return where the values of a note's tags stand in its property block, quotation marks included.

    Args:
        text: The note.
        lines: The same, as long, with every line ended by LF.
    """
    found, places = find_properties(text, lines), dict[tuple[int, int], None]()
    for key, value in property_nodes(text, lines):
        if found is None or key.value.casefold() not in TAG_NAMES:
            continue
        for node in value.value if isinstance(value, yaml.SequenceNode) else (value,):
            if isinstance(node, yaml.ScalarNode):
                places[found.start + node.start_mark.index, found.start + node.end_mark.index] = None
    return list(places)


def property_tags(properties: Mapping[str, Any]) -> Iterator[str]:
    """Yield the tags among the properties.

    A plain text is divided at commas and blanks, and ``tag`` is read like ``tags``: Obsidian did so up to
    version 1.8, and many vaults rely on it. An item of a list is one tag, or none if it holds a blank.
    """
    for value in _named(properties, *TAG_NAMES):
        items = _SEPARATORS.split(value) if isinstance(value, str) else value
        for item in items if isinstance(items, list) else ():
            if isinstance(item, str) and (tag := clean_tag(item)) is not None:
                yield tag


def property_aliases(properties: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a note's other names, each once; ``alias`` and a text with commas are read as in tags."""
    aliases: dict[str, None] = {}
    for value in _named(properties, "aliases", "alias"):
        items = value if isinstance(value, list) else value.split(",") if isinstance(value, str) else [value]
        for item in items:
            if isinstance(item, (str, int, float)) and (name := str(item).strip()):
                aliases.setdefault(name)
    return tuple(aliases)


def _named(properties: Mapping[str, Any], *names: str) -> Iterator[Any]:
    for wanted in names:
        for name, value in properties.items():
            if name.casefold() == wanted:
                yield value


def _link_text(node: yaml.ScalarNode, note: str, start: int) -> LinkText:
    """Find where a value stands in a note whose property block starts at a place."""
    first, last, text = start + node.start_mark.index, start + node.end_mark.index, str(node.value)
    places: Sequence[int] = ()
    if signs := _SIGNS.get(node.style):
        # An anchor or a tag may stand before the quote.
        found = signs.finditer(note, note.index(node.style, first) + 1, last - 1)
        places = [*(sign.start() for sign in found), last - 1]
    elif (at := note.find(text, first, last)) >= 0:
        places = range(at, at + len(text) + 1)
    if len(places) != len(text) + 1:
        places = ()
    return LinkText(text, first, node.style or "", places)
