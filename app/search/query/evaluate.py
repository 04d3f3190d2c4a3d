"""Turn a query into the notes it keeps: narrowed by the index, verified on the text; exact."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from operator import ge, gt, le, lt
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from app.search.index.documents import (
    LONG_TEXT,
    TextForms,
    term_text,
    value_prefix,
    value_texts,
)
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.analysis import fold, has_unspaced
from app.search.lexical.phrase import rows_with
from app.search.lexical.postings import prefix_sums
from app.search.lexical.segment import Mask
from app.search.lexical.sparse import Ids
from app.search.query import tree
from app.search.query.bases import with_bases
from app.search.query.filters import dated, tagged
from app.search.query.match import finder, form_of, key_of, question, ranges, wanted
from app.search.view import View
from app.vault.dates import parse_day
from app.vault.paths import nfc, path_key

_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
_LINK = re.compile(r"!?\[\[([^|#\]]*)(?:#[^|\]]*)?(?:\|([^\]]*))?\]\]")
_NAMES: Mapping[str, Callable[[str], str]] = {
    # Every note's name ends in ".md", which says nothing unless it is asked for.
    "note": lambda path: path[:-3] if path[-3:].lower() == ".md" else path,
    "path": str,
    "file": lambda path: path.rpartition("/")[2],
}
_known: "WeakKeyDictionary[VaultSnapshot, dict[tuple[str, Callable[[str], str]], tuple[str, Ids, Ids]]]"
_known = WeakKeyDictionary()
"""The names of notes in each form that was asked for, in a row, where each ends, and the notes.

To change them takes longer than to look, and to ask each longer than to look through all.
"""


def query_filter(view: View, query: tree.Query) -> Mask:
    """Return the notes that pass what filters a ranked search; its bare words rank and filter nothing."""
    visible = view.snapshot.visible
    return matching_notes(view, query.filters, visible) if query.filters else visible


def matching_notes(view: View, parts: Iterable[tree.Node], within: Mask) -> Mask:
    """Return the notes of a mask of which all parts hold.

    Raises:
        BadRequestError: a regular expression takes too long, a name means several notes, or a part of a Base
            cannot be searched for.
    """
    evaluation, within = _Evaluation(view.snapshot), within & view.snapshot.visible
    whole = with_bases(view.vault, tree.And(tuple(parts)))
    return evaluation.joined(whole, within, evaluation.leaf)


def chunk_text(view: View, doc: int, lines: tuple[int, int] | None = None) -> str:
    """Return the lines of a chunk, or those given."""
    start, end = lines or view.snapshot.chunk_lines(doc)
    return "\n".join(view.snapshot.lines(int(view.lexical.note_of[doc]))[start - 1 : end])


def property_term(name: str) -> str:
    """Return the term of the notes with a property."""
    return f"property:{_key(name)}"


def has_property(snapshot: VaultSnapshot, name: str) -> bool:
    """Return whether a note that a search may show has a property of that name, case aside."""
    return snapshot.shows_term(property_term(name))


Leaf = Callable[[tree.Node, Mask], Mask]
"""Returns the notes of a mask of which a node that joins no others holds."""


@dataclass(frozen=True, slots=True)
class _Evaluation:
    """The evaluation of one query on one snapshot."""

    snapshot: VaultSnapshot
    clock: tree.Clock = field(default_factory=tree.Clock)

    def joined(self, node: tree.Node, within: Mask, leaf: Leaf, *, denies: bool = True) -> Mask:
        """Return the notes of a mask of which a node holds by its leaves; a mask may only be too large.

        Args:
            node: The node.
            within: The mask.
            leaf: What returns the notes of a leaf.
            denies: Whether what it returns is exact, so that the others are those without.
        """
        if isinstance(node, tree.And):
            for part in sorted(node.parts, key=_cost):
                within = self.joined(part, within, leaf, denies=denies) if within.any() else within
            return within
        if isinstance(node, tree.Or):
            found = np.zeros_like(within)
            for part in sorted(node.parts, key=_cost):
                found |= self.joined(part, within & ~found, leaf, denies=denies)
            return found
        if isinstance(node, tree.Not):
            return within & ~self.joined(node.part, within, leaf) if denies else within
        return leaf(node, within)

    def leaf(self, node: tree.Node, within: Mask) -> Mask:
        """Return the notes of a mask of which a node holds that joins no others."""
        if not _cost(node):
            return within & self.snapshot.cached_mask(("query", node), lambda: self._indexed(node))
        called = np.zeros_like(within)
        if isinstance(node, tree.Text | tree.Match) and node.target == "note":
            called = self.snapshot.cached_mask(("names", node), lambda: self._named(node))
        return (within & called) | self._verified(node, within & ~called)

    # What the index decides

    def _indexed(self, node: tree.Node) -> Mask:
        """Return all notes of which a node holds that the index alone decides."""
        match node:
            case tree.Text() | tree.Match():
                return self._named(node)
            case tree.Tag(pattern=tree.Pattern() as pattern):
                return self._with_term("tag:", lambda tag: pattern.meets(f"#{tag}", self.clock))
            case tree.Tag():
                return tagged(self.snapshot, [node.name], match_all=False)
            case tree.Dated():
                return dated(self.snapshot, node.field, node.start, node.end)
            case tree.Linked():
                from app.search.query.link_walk import linked_by

                return linked_by(self.snapshot, node)
            case tree.Property():
                return self._property(node)
            case tree.Within(unit="alias"):
                asks = question(node.part, self.clock)
                return self._with_term("alias:", lambda alias: asks(TextForms(alias)))
        raise AssertionError(f"{node} is not decided by the index")

    def _with_term(self, prefix: str, asks: Callable[[str], bool]) -> Mask:
        """Return the notes with a term that begins so, and of whose text something holds."""
        terms = self.snapshot.lexical.terms(prefix)
        return self.snapshot.notes_with(term for term in terms if asks(term_text(term, prefix)))

    def _named(self, node: tree.Text | tree.Match) -> Mask:
        """Return the notes whose name a text or expression is in; by its target the path or the file name."""
        form: Callable[[str], str] = str
        finds: Callable[[str], bool]
        words: list[str] = []
        if isinstance(node, tree.Match):
            finds = partial(node.pattern.meets, clock=self.clock)
        else:
            form, finds = form_of(node), finder(node)
            words = [] if tree.with_hyphen(node.text) else wanted(node).split()
        paths, forms = self.snapshot.lexical.paths(), _known.setdefault(self.snapshot, {})
        if (known := forms.get((node.target, form))) is None:
            # No path has that character.
            names = [form(_NAMES[node.target](path)) + "\0" for path in paths]
            sizes, docs = (np.fromiter(found, np.int64) for found in (map(len, names), paths.values()))
            known = forms[node.target, form] = "".join(names), prefix_sums(sizes), docs
        text, ends, docs = known
        piece, mask = max(words, key=len, default=""), np.zeros(self.snapshot.lexical.size, np.bool_)
        likely = rows_with(text, ends, piece) if piece else np.arange(len(docs))
        named = zip(ends[likely].tolist(), ends[likely + 1].tolist(), strict=True)
        having = [finds(text[start : end - 1]) for start, end in named]
        mask[docs[likely[having]]] = True
        return mask

    def _property(self, node: tree.Property) -> Mask:
        """Return the notes that have the property, and of a value all that is asked."""
        mask = np.zeros(self.snapshot.lexical.size, np.bool_)
        patterns = [name for name in node.names if isinstance(name, tree.Pattern)]
        terms = self.snapshot.lexical.terms("property:") if patterns else ()
        known = (term_text(term, "property:") for term in terms)
        names = [path_key(name) for name in node.names if isinstance(name, str)]
        names += [name for name in known if any(one.meets(name, self.clock) for one in patterns)]
        for name in dict.fromkeys(names):
            there = self.snapshot.notes_with([property_term(name)])
            if node.value is not None:
                there = self.joined(node.value, there, partial(self._with_value, name))
            mask |= there
        return mask

    def _with_value(self, name: str, node: tree.Node, within: Mask) -> Mask:
        """Return the notes of a mask with a value of a property as a node asks."""
        if isinstance(node, tree.Null):
            return within & self.snapshot.notes_with(["null:" + _key(name)])
        asks = self._asks_value(node)
        mask = within & self._with_term(value_prefix(name), asks)
        # Long values are no terms.
        for doc in self.snapshot.lexical.docs_with("long:" + _key(name)).tolist():
            properties = self.snapshot.note(doc).properties.items() if within[doc] and not mask[doc] else ()
            values = [value for known, value in properties if path_key(known) == name]
            mask[doc] |= any(asks(text) for value in values for text in value_texts(value))
        return mask

    def _asks_value(self, node: tree.Node) -> Callable[[str], bool]:
        """Turn what is asked of a value into a function of its text."""
        if isinstance(node, tree.Compared):
            return lambda value: _compares(node, value)
        if not (isinstance(node, tree.Text) and node.quoted):
            asks = question(node, self.clock)
            return lambda value: asks(TextForms(value))
        form, text, number = form_of(node), wanted(node), tree.number_of(node.text)
        return lambda value: (
            (number is not None and number == tree.number_of(value))
            or any(form(" ".join(name.split())) == text for name in _value_names(value))
        )

    # What is verified on the text

    def _verified(self, node: tree.Node, within: Mask) -> Mask:
        """Keep the notes whose text is as a node asks; the index says which ones to read."""
        word = fold(node.text) if isinstance(node, tree.Text) and node.folds and node.text.isalnum() else ""
        if word.isalnum() and not has_unspaced(word):
            # A bare word, of which the index knows all there is to know.
            chunks = self.snapshot.lexical.containing
            having = self.snapshot.cached_mask(("word", word), lambda: self.snapshot.notes_of(chunks(word)))
            found = within & having
            if isinstance(node, tree.Text) and (hyphened := tree.with_hyphen(node.text)):
                found |= self._verified(replace(node, text=hyphened), within & ~found)
            return found
        candidates = self.joined(node, within, self._candidates, denies=False)

        def read() -> Mask:
            asks, kept = self._question(node), np.zeros_like(candidates)
            for doc in np.flatnonzero(candidates).tolist():
                kept[doc] = asks(doc)
            return kept

        return self.snapshot.cached_mask(("text", node, np.packbits(candidates).tobytes()), read)

    def _question(self, node: tree.Node) -> Callable[[int], bool]:
        """Turn a node into a function of a note."""
        texts, outlines = self.snapshot.texts, self.snapshot.outline
        is_line = isinstance(node, tree.Within) and node.unit == "line"
        part = node.part if isinstance(node, tree.Within) else node
        is_text = isinstance(part, tree.Text) and (is_line or part is node) and not (part.folds or part.case)
        if isinstance(part, tree.Text) and is_text and len(text := wanted(part)) <= LONG_TEXT:
            words = tuple(text.split())
            return lambda doc: any(not is_line or a == b for a, b in texts.lines_of(doc, words))
        asks, key = question(part, self.clock), key_of(part)
        if not isinstance(node, tree.Within):
            return lambda doc: asks(texts[doc])
        if node.unit == "heading":
            return lambda doc: any(asks(TextForms(nfc(one.text))) for one in outlines(doc).sections)

        if is_line and key:
            return lambda doc: any(asks(TextForms(line)) for line in texts.lines_with(doc, key))

        def has_piece(doc: int) -> bool:
            if key and not texts.holds(doc, (key,)):
                return False
            lines = texts[doc].raw.split("\n")
            pieces = ranges(node.unit, outlines(doc), lines)
            return any(asks(TextForms("\n".join(lines[first - 1 : last]))) for first, last in pieces)

        return has_piece

    def _candidates(self, node: tree.Node, within: Mask) -> Mask:
        """Return the notes of a mask whose text may be as a node asks: none that is is missing."""
        if isinstance(node, tree.Within):
            if node.unit.startswith("task"):
                within = within & self.snapshot.notes_with([f"tasks:{node.unit}"])
            return self.joined(node.part, within, self._candidates, denies=False)
        texts = node.pattern.literals if isinstance(node, tree.Match) else ()
        for text in (node.text,) if isinstance(node, tree.Text) else texts:
            within = within & self._holding(text)
        return within

    def _holding(self, text: str) -> Mask:
        """Return the notes in which ``text`` may stand, its ends cut or not."""

        def make() -> Mask:
            lexical = self.snapshot.lexical
            # Its words stand in a row: all in one chunk, or the last of them where a chunk begins.
            # What stands between blanks lies on one line, so within one chunk.
            ends = [lexical.phrase(text), *([lexical.going_on(text)] if len(text.split()) > 1 else [])]
            return self.snapshot.notes_of(np.concatenate(ends))

        return self.snapshot.cached_mask(("holding", text), make)


def _key(name: str) -> str:
    return value_prefix(name)[len("value:") : -1]


def _value_names(value: str) -> list[str]:
    """Return what a value can be called: itself, and of a link its target, the target's name and its text."""
    found = _LINK.fullmatch(value.strip())
    if found is None:
        return [value]
    target = found[1].strip()
    return [value, target, target.rpartition("/")[2], (found[2] or "").strip()]


def _compares(node: tree.Compared, text: str) -> bool:
    """Compare numbers with numbers and days with days; anything else is neither less nor more."""
    value = tree.number_of(text) if isinstance(node.bound, float) else parse_day(text)
    return value is not None and _ORDERS[node.sign](value, node.bound)


def _cost(node: tree.Node) -> int:
    """Rate what a node costs: nothing but the index, texts to read, pieces to cut, expressions to run."""
    if isinstance(node, tree.And | tree.Or):
        return max(map(_cost, node.parts), default=0)
    if isinstance(node, tree.Not):
        return _cost(node.part)
    if isinstance(node, tree.Within):
        return 0 if node.unit == "alias" else 2 + _cost(node.part)
    if isinstance(node, tree.Text | tree.Match) and node.target in ("note", "content"):
        return 1 if isinstance(node, tree.Text) else 3
    return 0
