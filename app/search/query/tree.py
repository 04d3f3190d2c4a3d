"""The parts a query is made of: a small tree of frozen values."""

import re
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal, TypeAlias

from app.errors import BadRequestError
from app.search.lexical.analysis import has_unspaced
from app.search.lexical.bm25 import Spelling
from app.search.query.period import Window

Target = Literal["note", "content", "file", "path"]
"""Where a text is looked for; ``note`` is its content, its name and its path."""

Unit = Literal["line", "block", "section", "task", "task-todo", "task-done", "heading", "alias"]
"""The pieces of a note that a group can be asked of, one piece at a time."""

Comparison = Literal["<", "<=", ">", ">="]

SECONDS = 1.2
"""How long the regular expressions of one query may run, all notes together."""
FEW_WORDS = 3
"""Of so few words a special character among them tells that the text is meant as it stands."""
_NUMBER = re.compile(r"[-+]?[0-9]{1,18}(?:\.[0-9]{1,18})?(?:[eE][-+]?[0-9]{1,3})?")
_CODE = re.compile(r"([^\W\d_]+)([0-9]+)")
_BRACKETED = re.compile(r"\[[^\[\]]*\]")


@dataclass(frozen=True, slots=True)
class Text:
    """A word or phrase, met as part of a longer text.

    ``folds`` leaves accents aside, as for bare words; else they count. ``case`` makes case count.
    ``quoted`` tells a phrase from a word: on a property it asks for the whole value.
    """

    text: str
    quoted: bool = False
    folds: bool = False
    case: bool = False
    target: Target = "note"


@dataclass(slots=True)
class Clock:
    """The time that the regular expressions of one query still have, in seconds."""

    left: float = SECONDS


@dataclass(frozen=True, slots=True)
class Pattern:
    """A JavaScript regular expression; ``case`` makes case count. Make one by `read_pattern`.

    ``literals`` are texts that stand in whatever it meets, for narrowing by the index.
    """

    source: str
    case: bool = False
    literals: tuple[str, ...] = field(default=(), compare=False)
    translated: str = field(default="", compare=False, repr=False)

    def meets(self, text: str, clock: Clock) -> bool:
        """Return whether the expression meets a text.

        Raises:
            BadRequestError: the clock has run out.
        """
        from app.vault.javascript import compiled

        expression = compiled(self.translated, case=self.case, lines=True)
        begun, left = time.perf_counter(), clock.left
        clock.left, found = 0.0, None
        with suppress(TimeoutError):
            # `concurrent` lets other threads run meanwhile.
            found = expression.search(text, timeout=max(left, 1e-3), concurrent=True)
            clock.left = left - (time.perf_counter() - begun)
        if clock.left <= 0:
            raise BadRequestError(
                "the regular expression /{source}/ takes too long; it was stopped after {seconds} s",
                "avoid repeats within repeats, or put a word, a tag or a path beside it",
                source=self.source,
                seconds=SECONDS,
            )
        return found is not None


def read_pattern(source: str, *, case: bool = False) -> Pattern:
    """Read what stands between the slashes.

    Raises:
        PatternError: it is no JavaScript expression, or uses a form that is not supported.
    """
    from app.vault.javascript import compiled, translate

    translation = translate(source)
    compiled(translation.text, case=case, lines=True)
    return Pattern(source, case, translation.literals, translation.text)


@dataclass(frozen=True, slots=True)
class Match:
    """A regular expression, met anywhere in the target."""

    pattern: Pattern
    target: Target = "note"


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag with its children, or every tag that a regular expression meets; ``#`` stands before both."""

    name: str
    pattern: Pattern | None = None


@dataclass(frozen=True, slots=True)
class Linked:
    """Notes that link to a note (``to``), or that a note links to (``from``)."""

    way: Literal["to", "from"]
    name: str

    @property
    def target(self) -> str:
        """The name without brackets, display text and heading."""
        written = self.name.strip().removeprefix("[[").removesuffix("]]")
        return written.partition("|")[0].partition("#")[0].strip()


@dataclass(frozen=True, slots=True)
class Dated:
    """Notes created or modified within whole days, both inclusive."""

    field: Literal["created", "modified"]
    start: date | None
    end: date | None


@dataclass(frozen=True, slots=True)
class Based:
    """Notes that a view of a Base selects."""

    name: str


@dataclass(frozen=True, slots=True)
class Null:
    """A property that is there and has no value."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A property's value against a number, or against a day."""

    sign: Comparison
    bound: float | date


@dataclass(frozen=True, slots=True)
class Property:
    """A property by name; ``value`` is asked of each of its values, None asks only whether it is there.

    A plain name means the property called so, case aside; a pattern means all whose names it meets.
    """

    names: tuple[str | Pattern, ...]
    value: "Node | None" = None


@dataclass(frozen=True, slots=True)
class Within:
    """Notes that have at least one such piece of which all of ``part`` is true."""

    unit: Unit
    part: "Node"


@dataclass(frozen=True, slots=True)
class And:
    """All of the parts."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Any of the parts."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Whatever the part leaves out."""

    part: "Node"


Node: TypeAlias = (
    Text | Match | Tag | Linked | Dated | Based | Null | Compared | Property | Within | And | Or | Not
)


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query. ``root`` joins no parts where it asks for everything.

    ``is_plain`` tells that it holds no operator at all, so that its ``text`` can be looked for as it stands.
    ``spellings`` tell how the notes spell words that stand nowhere in them as typed. ``window`` is the time
    that it names, and ``besides`` its text without the words of that time, empty where it asks for nothing
    else. ``typed`` is the text as typed, where words that only ask were left out of it.
    """

    text: str
    root: Node = And(())
    is_plain: bool = True
    spellings: tuple[Spelling, ...] = ()
    window: Window | None = None
    besides: str | None = None
    typed: str = ""

    @property
    def asked(self) -> str:
        """What it asks besides its time, as one text; empty where it asks for nothing else."""
        return self.positive if self.besides is None else self.besides

    @property
    def parts(self) -> tuple[Node, ...]:
        """What must all hold."""
        return self.root.parts if isinstance(self.root, And) else (self.root,)

    @property
    def words(self) -> tuple[str, ...]:
        """The bare words outside of OR: they rank, and fulltext asks for all of them."""
        return tuple(part.text for part in self.parts if isinstance(part, Text) and part.folds)

    @property
    def conditions(self) -> tuple[Node, ...]:
        """What a note must satisfy in fulltext besides its words."""
        return tuple(part for part in self.parts if not (isinstance(part, Text) and part.folds))

    @property
    def filters(self) -> tuple[Node, ...]:
        """What filters a ranked search: all but bare words, and OR between bare words."""
        return tuple(part for part in self.parts if not is_bare(part))

    @property
    def has_bare_words(self) -> bool:
        """True where words rank that do not filter a ranked search."""
        return any(is_bare(part) for part in self.parts)

    @property
    def literal(self) -> str:
        """What passages that hold it as it stands rank first for; empty where there is nothing of the kind.

        It is the only phrase, or few words with a character that is neither a letter nor a digit, such as
        ``[done]`` and ``C++``. Text without blanks between its words counts as such too; what stands in
        brackets is one word.
        """
        if not self.is_plain:
            texts = positive_texts(self.root)
            if texts != list(self.words):
                return texts[0] if len(texts) == 1 else ""
        text = self.positive
        is_special = has_unspaced(text) or not all(char.isalnum() or char.isspace() for char in text)
        return text if is_special and len(_BRACKETED.sub("[]", text).split()) <= FEW_WORDS else ""

    @property
    def only_word(self) -> str:
        """The one bare word by which a query ranks; empty where it ranks by more, or by something else."""
        return self.positive if self.words == (self.positive,) else ""

    @property
    def positive(self) -> str:
        """The words and phrases that rank, as one text."""
        return self.text if self.is_plain and self.parts else " ".join(positive_texts(self.root))


def joined(kind: type[And] | type[Or], parts: list[Node]) -> Node:
    """Join parts, without a node for a single one and without a group directly in a group of its kind."""
    flat: list[Node] = []
    for part in parts:
        flat += part.parts if isinstance(part, kind) else [part]
    return flat[0] if len(flat) == 1 else kind(tuple(flat))


def number_of(text: str) -> float | None:
    """Return the number that a text is, with a point before its decimals; None for any other text."""
    return float(text) if _NUMBER.fullmatch(text.strip()) else None


def with_hyphen(word: str) -> str:
    """Return a code of letters and digits with a hyphen: "grd-0054" for "grd0054"; empty for other words."""
    code = _CODE.fullmatch(word)
    return f"{code[1]}-{code[2]}" if code else ""


def without_phrases(query: Query) -> Query | None:
    """Return a query whose phrases and expressions filter nothing; None where nothing is left to rank by.

    The words of its phrases rank.
    """
    phrases = [text for part in query.parts if is_phrase(part) for text in positive_texts(part)]
    words: list[Node] = [Text(word, folds=True) for text in phrases for word in text.split()]
    parts = [part for part in query.parts if not is_phrase(part)] + words
    loosened = replace(query, root=joined(And, parts), is_plain=False)
    return loosened if loosened.has_bare_words else None


def nodes_of(parts: Iterable[Node]) -> Iterator[Node]:
    """Yield some nodes with all that stands in their groups."""
    for part in parts:
        yield part
        if isinstance(part, And | Or):
            yield from nodes_of(part.parts)
        elif isinstance(part, Not):
            yield from nodes_of([part.part])


def is_bare(node: Node) -> bool:
    """Return whether a node is nothing but bare words, with or without OR between them."""
    return all(isinstance(one, And | Or) or getattr(one, "folds", False) for one in nodes_of([node]))


def is_phrase(node: Node) -> bool:
    """Return whether a node asks for nothing but phrases and regular expressions, without any operator."""
    if isinstance(node, And | Or):
        return all(map(is_phrase, node.parts))
    is_typed = isinstance(node, Match) or (isinstance(node, Text) and node.quoted and not node.case)
    return is_typed and getattr(node, "target", "") == "note"


def asks_of_notes(node: Node) -> bool:
    """Return whether a node asks of whole notes alone: their tags, names, places, links and days."""
    whole = And | Or | Not | Tag | Linked | Dated | Based
    return all(
        isinstance(one, whole) or getattr(one, "target", "") in ("file", "path") for one in nodes_of([node])
    )


def positive_texts(node: Node) -> list[str]:
    """List the words and phrases that a matching note's text may hold, in order: what ranks it."""
    return [leaf.text for leaf in positive_leaves(node)]


def positive_leaves(node: Node) -> list[Text]:
    """List the parts that are such words and phrases."""
    texts = (leaf for leaf in leaves(node) if isinstance(leaf, Text))
    return [text for text in texts if text.target in ("note", "content")]


def leaves(node: Node, *, positive: bool = True) -> Iterator[Node]:
    """Yield what a matching note may have, in order: the single parts, but for those that are denied."""
    if isinstance(node, And | Or):
        for part in node.parts:
            yield from leaves(part, positive=positive)
    elif isinstance(node, Not | Within):
        yield from leaves(node.part, positive=positive is not isinstance(node, Not))
    elif positive:
        yield node
