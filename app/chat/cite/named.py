"""The names that a sentence gives: of people and places, identifiers, code, paths, links and tags."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from app.chat.cite.numbers import find_quantities
from app.chat.cite.passage import folded_words, function_words, stems_of
from app.markdown.plain import plain_line
from app.markdown.sentences import is_short_form
from app.search.excerpt import fold, literal
from app.search.query.times import words

Kind = Literal["code", "tag", "link", "identifier", "name", "opening"]

_CODE = re.compile(r"``(?P<two>.+?)``|`(?P<one>[^`\n]+)`")
_LINK = re.compile(r"!?\[\[(?P<target>[^\[\]|#^]*)[^\[\]|]*(?:\|(?P<shown>[^\[\]]*))?\]\]")
_ADDRESS = re.compile(r"\b(?:https?://|www\.)[^\s<>()]+[^\s<>().,;:!?]|\b[\w.+-]+@[\w-]+\.[\w.-]*\w")
_TAG = re.compile(r"(?<![\w&/#])#(?=[\w/-]*[^\W\d])[\w/-]+")
_PATH = re.compile(
    r"(?<![\w/.])(?:[\w.-]+/)+[\w-]+\.[A-Za-z]{1,5}\b|(?<![\w/.-])[\w-]+\.(?:md|py|js|json|csv|png|pdf"
    r"|txt|toml|yaml|yml|sh)\b"
)
_IDENTIFIER = re.compile(
    r"(?<![\w.-])(?:[A-Za-z]+_\w+|_\w+|\w*[a-zà-ÿ][A-Z]\w*|[A-Za-z]{1,6}-?\d+(?:[.-]\d+)*[A-Za-z]*"
    r"|v\d+(?:\.\d+)+"
    r"|\d+(?:\.\d+){2,})(?![\w])"
)
_CAPITAL = re.compile(r"(?<![\w’'-])(?:[LlDdJjNnSsMmCcTt]['’]|[Qq]u['’])?(?P<word>[A-ZÀ-ÖØ-Þ][\w’'-]*)")
_OPENING_SIGNS = '.!?:;…“"«([*_—–•>|/'
"""What a word may follow that has its capital only because something begins with it."""
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s*")
_ELIDED = re.compile(
    r"(?:[LDJNSMCT]|Qu|Lorsqu|Jusqu|Puisqu)['’](?=[a-zà-ÿ])(?!s\b|re\b|m\b|ll\b)", re.IGNORECASE
)
_POSSESSIVE = re.compile(r"['’]s?\Z|s['’]\Z")
_HELPING = """
is are was were has had have will would can cannot could did does must may might should
est sont a ont va sera fut ne se
"""
_AUXILIARY = frozenset(_HELPING.split())
_VERB = re.compile(
    r"(?:[a-z]+ed|[a-z]+s|said|wrote|took|made|went|gave|came|built|kept|found|sold|bought|told|met|let"
    r"|put|cut|ran|sent"
    r"|paid|lost|won|left|n['’]\w+|s['’]\w+|[a-zéèêôîâ]+(?:e|t|it|ait|era|ent))\Z"
)
_NEXT = re.compile(r"[\s*_]*(?P<word>[^\W\d_]+(?:['’]\w+)?)")
_ABSTRACT = re.compile(
    r"(?:ion|ing|ment|ness|ity|ance|ence|ery|ship|age|ure|al|ism|cy|th|ly|ed|ies|es|s|ry|ty|er|or|work"
    r"|ware|ance|ée|és|er|é"
    r"|ant|eur|té|aire|ique|able|ible|ous|ful|ive|ic)\Z",
    re.IGNORECASE,
)

_PEOPLE = re.compile(r"(?:i?ans?|n?s?|ese|ish|iens?|iennes?|ais|aises?|ois|oises?|ains?|aines?)\Z")
_PLAIN = """
i mr mrs ms mme mlle m dr monsieur madame am pm bc ad ok no yes oui non todo vs etc eur usd gbp kg km cm
each every everything everybody everyone someone something anything anyone nothing nobody several many most
both half all another other others such first second third last next then also however only still once
whether while despite overall according here there since after before during under within about let
chaque quelque quelques plusieurs tout toute tous toutes rien personne autre autres certains certaines
beaucoup encore peu trop voici voila reste selon malgre depuis apres avant enfin puis ainsi aussi seul seule
seuls seules premier premiere deuxieme dernier derniere
note notes chapter chapitre section line ligne figure table part partie page channel god dieu internet
"""
_NO_NAMES = frozenset(_PLAIN.split())
"""Folded words with a capital that name nothing by themselves."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a sentence, from ``start`` to ``end``.

    ``opening`` is the kind of a word that has a capital only because a sentence begins with it, perhaps.
    """

    start: int
    end: int
    text: str
    kind: Kind


def find_names(sentence: str, known: Collection[str] = ()) -> list[Name]:
    """Find the names of a sentence, in order.

    Args:
        sentence: A sentence, with its Markdown.
        known: Folded words that are names even where a sentence begins with them.
    """
    found: list[Name] = []
    taken = bytearray(len(sentence) + 1)
    for kind, pattern in _FORMS:
        for match in pattern.finditer(sentence):
            if any(taken[match.start() : match.end()]):
                continue
            taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
            text = next((group for group in match.groups() if group), match[0])
            found.append(Name(match.start(), match.end(), text, kind))
    for match in _CAPITAL.finditer(sentence):
        if not any(taken[match.start() : match.end()]):
            found += _capital(sentence, match, known)
    return sorted(found, key=lambda name: name.start)


_FORMS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("code", _CODE), ("link", _LINK), ("identifier", _ADDRESS), ("tag", _TAG), ("identifier", _PATH),
    ("identifier", _IDENTIFIER),
)  # fmt: skip


def known_names(titles: Iterable[str], texts: Iterable[str]) -> frozenset[str]:
    """Return the folded words that are names: of people in titles, and what has a capital inside a sentence.

    Args:
        titles: Names of notes, without folder and ending; those all of whose words have a capital count.
        texts: Notes.
    """
    found: set[str] = set()
    for title in titles:
        words = title.split()
        if len(words) > 1 and all(word[:1].isupper() for word in words):
            found |= folded_words(title)
    for text in texts:
        for line in text.splitlines():
            found |= {fold(name.text) for name in find_names(plain_line(line)) if name.kind == "name"}
    return frozenset(found)


def _capital(sentence: str, match: re.Match[str], known: Collection[str]) -> Iterator[Name]:
    if _ELIDED.match(match["word"]):
        # The article of a common noun, as in "L'essai".
        return
    word = _POSSESSIVE.sub("", match["word"]).rstrip("-'’")
    key = fold(word)
    if (
        not key
        or key in _not_names()
        or key in function_words()
        or re.sub(r"['’].*", "", key) in function_words()
    ):
        return
    is_opening = _is_opening(sentence, match.start())
    if len(word) == 1:
        return
    if is_opening and find_quantities(word):
        return
    if is_opening and key not in known and not match["word"].endswith(("'s", "’s")):
        if _before_verb(sentence, match.end()) and not _ABSTRACT.search(word):
            yield Name(match.start("word"), match.start("word") + len(word), word, "opening")
        return
    yield Name(match.start("word"), match.start("word") + len(word), word, "name")


def _is_opening(sentence: str, place: int) -> bool:
    """Return whether something begins at a place: a sentence, a line, an item, a quotation."""
    # Signs are looked at one by one from there: a line may be as long as a note.
    at = place
    while at and sentence[at - 1].isspace():
        at -= 1
        if sentence[at] == "\n":
            return True
    if at == 0 or (sentence[at - 1] in _OPENING_SIGNS and not is_short_form(sentence, at)):
        return True
    item = _ITEM.match(sentence, 0, place)
    return item is not None and item.end() == place


def _before_verb(sentence: str, place: int) -> bool:
    """Return whether the next word looks like a verb, so that the one before it is who or what does it."""
    following = _NEXT.match(sentence, place)
    if following is None:
        return False
    word = following["word"]
    return word in _AUXILIARY or (fold(word) not in function_words() and _VERB.match(word) is not None)


@cache
def _not_names() -> frozenset[str]:
    calendar = (*words("month"), *words("short month"), *words("weekday"))
    return _NO_NAMES | {fold(word) for word in calendar} | {fold(word) + "s" for word in words("weekday")}


def stands_in(name: Name, text: str, words: frozenset[str], known: Collection[str] = ()) -> bool:
    """Return whether a name stands in a text.

    Args:
        name: A name of a sentence.
        text: The lines as they are, with what stands above them and the question.
        words: The folded words of the text.
        known: Folded words that are names, and then stand there with a capital.
    """
    if name.kind in ("code", "tag", "identifier"):
        return (
            re.search(rf"(?<!\w){re.escape(literal(name.text).strip('# '))}(?![\w]|[.-]\d)", literal(text))
            is not None
        )
    if name.kind == "link":
        return literal(name.text) in literal(text) or _all_in(name.text, words)
    key = fold(name.text)
    if key in words and key in known:
        return name.text in text or name.text.upper() in text
    if key in words or _all_in(name.text, words):
        return True
    forms = {key + "s", key.rstrip("sx")}
    if forms & words:
        return True
    if any(_is_people_of(key, other) for other in words):
        return True
    stems = stems_of(key)
    return any(stems & stems_of(word) for word in words if word[:3] == key[:3])


def _is_people_of(one: str, other: str) -> bool:
    """Return whether one folded word is the other with an ending of peoples, as "Libyan" is of "Libya"."""
    if one[:4] != other[:4] or min(len(one), len(other)) < 4:
        return False
    bare = {_PEOPLE.sub("", one), one.rstrip("ae")}, {_PEOPLE.sub("", other), other.rstrip("ae")}
    return bool(bare[0] & bare[1])


def _all_in(text: str, words: frozenset[str]) -> bool:
    """Return whether all words of a joined name, such as "Port-Avel", stand in a text."""
    parts = {part for part in folded_words(text) - {fold(text)} if part.isalnum()}
    return len(parts) > 1 and parts <= words
