"""What a question is about: the things it names, beside what it asks of them, in English and French."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from app.chat.evidence.answer_type import INVERTED, VALUES, answer_type_of, is_in_french
from app.chat.evidence.clause import one_of
from app.chat.evidence.focus import focus_of
from app.markdown.sentences import is_short_form
from app.search.excerpt import fold

BESIDE_HEAD = 0.5
"""What a word counts for that tells more of a thing: "plum" of "plum cake"."""
MOST_WORDS = 4
"""Words that name one thing, at the most."""

_CLAUSE = re.compile(r"(?<=[,.;:!?…])\s+|\n+")
_TELLS_WHEN = re.compile(
    r"\s*(?:(?:when|where|while|if)\s+(?:i|we|you|he|she|it|they|my|our|the)|"
    r"(?:quand|lorsque?|si)['’\s]\s*(?:je|j|tu|il|elle|on|nous|vous|ils|elles))(?!\w)",
    re.IGNORECASE,
)
"""How a clause begins that tells of a time or a place, and asks for none."""
_ASKING = re.compile(
    r"(?<!\w)(?:how|what|which|who|whom|whose|where|when|why|quel(?:le)?s?|qui|quand|combien|comment|pourquoi|quoi)(?!\w)"
)
_WORD = re.compile(r"[^\W_]+")
_OPENS = re.compile(
    one_of(
        "the an our my your his her their its this that these those le la l les un une mon ma mes ton ta tes",
        "notre nos votre vos son sa ses leur leurs ce cet cette ces du des d de au aux of for in at from on",
        "with about pour dans sur chez avec en",
    )
)
"""Words that a thing is named after."""
_SMALL = re.compile(
    one_of(
        "is are was were be been being do does did has have had can could will would shall should must may",
        "might i we you he she it they me us them who whom whose what which when where why how much many",
        "long often and or but not no if as than then there here by per each every any some all more most",
        "less least est sont etait etaient sera a ont ai as avons avez avait avaient ete peut peux faut",
        "doit dois je tu il elle on nous vous ils elles y ne pas se s c n qu que qui quoi quel quelle quels",
        "quelles quand ou comment combien pourquoi et mais si plus moins tres par sans t m j still now ever",
        "again usually currently encore maintenant donc up out down off away back very so to it avant apres",
        "depuis pendant deja jusqu jusque",
    )
)
_TELLING_LITTLE = re.compile(
    one_of(
        "nouve\\w+ vieux vieille vieil ancien\\w* grand\\w* petite?s? premiere?s? deuxieme derniere?s?",
        "prochaine?s? autres? meme bon bonne new old big small large little last latest next first second",
        "third other same own good best whole entire current present used exact full actuel\\w* total",
    )
)
"""Words that stand before a thing and are true of many."""
_KINDS = re.compile(
    one_of(
        "prices? costs? fees? pay paid pays spend spent charged? prix cout\\w* tarifs? paye\\w* paie\\w*",
        "montants? numbers? phone telephone mobile numero portable e?mails? address adresse website",
        "colou?rs? couleurs? ages? birthday born anniversaire nee? dates? days? time times hours? years?",
        "months? weeks? minutes? temps jours? heures? annees? mois semaines? duree names? noms? called kind",
        "sort type types size taille length longueur height hauteur width largeur depth profondeur weight",
        "weigh weighs poids pese pesent temperature degrees? degres percentage pourcentage reasons?",
        "raisons? way ways places? place endroit lieu people persons? personnes? person gens things?",
        "choses? somme sum amount total money argent euros? dollars? s",
    )
)
"""Words that tell what is asked of a thing, and are answered by a value."""
_INFINITIVE = re.compile(r"\w{3,}(?:er|ir|oir|re)")
_BEFORE_VERBS = frozenset({"de", "d", "pour", "a"})
_AUXILIARY = re.compile(one_of("do does did will would can could should must is are was were has have had"))
_BARE = frozenset({"do", "does", "did", "will", "would", "can", "could", "should", "must"})
"""Auxiliaries whose verb stands at the end as it is."""
_PARTICIPLE = re.compile(
    one_of(
        "\\w{2,}ed made built bought sold born found lost sent paid kept held taken given broken written",
        "done seen gone come put set cut left brought taught told shut run won drawn sewn worn torn chosen",
        "driven grown known shown thrown stolen lent let read laid",
    )
)


class Named(NamedTuple):
    """A word of a question for a thing it is about: where it stands, and what it counts for, 0 to 1."""

    start: int
    end: int
    share: float
    is_name: bool
    """Whether it is written as the name of a person or a place, which nothing else stands for."""


def subject_of(question: str) -> list[Named]:
    """Return the words for what a question is about, in order: "vet" of "what is the vet's number?".

    They are what follows an article, a possessive or a preposition, and names; not the kind of value that is
    asked for, nor what is done to the thing.
    """
    is_french = is_in_french(question)
    # What is asked for by name is not what it is asked of; a price is one of the thing that is named.
    focus = "" if answer_type_of(question) in VALUES else focus_of(question)
    joined = [match.span() for match in INVERTED.finditer(question)] if is_french else []
    words = [
        word
        for word in _WORD.finditer(question)
        if not any(start <= word.start() < end for start, end in joined)
    ]
    folded = [fold(word[0]) for word in words]
    found: dict[int, Named] = {}
    for first, last in _runs(words, folded, question, is_french=is_french):
        ended = last if is_french else _without_verb(folded, first, last)
        kept = [at for at in range(first, ended) if not _is_apart(folded[at], focus)]
        if (
            kept
            and is_french
            and folded[first - 1] in _BEFORE_VERBS
            and _INFINITIVE.fullmatch(folded[kept[0]])
        ):
            continue
        for at in kept:
            # The word that names a thing comes last in English, and first in French.
            share = 1.0 if at == (kept[0] if is_french else kept[-1]) else BESIDE_HEAD
            found[words[at].start()] = Named(*words[at].span(), share, False)
    for at, word in enumerate(words):
        is_name = at > 0 and word[0][:1].isupper() and not ends_before(question, word.start())
        is_small = _SMALL.fullmatch(folded[at]) or _OPENS.fullmatch(folded[at])
        if is_name and not is_small and folded[at] != focus and len(word[0]) > 1:
            found[word.start()] = Named(*word.span(), 1.0, True)
    start, end = _asking(question)
    return [found[at] for at in sorted(found) if start <= at < end]


def _asking(question: str) -> tuple[int, int]:
    """Return where the clause stands that asks: what others tell of is not what is asked about."""
    borders = [match.end() for match in _CLAUSE.finditer(question) if not _is_short(question, match.end())]
    clauses = list(pairwise([0, *borders, len(question)]))
    asking = [clause for clause in clauses if _ASKING.search(fold(question[slice(*clause)]))]
    others = [clause for clause in asking if not _TELLS_WHEN.match(question[slice(*clause)])]
    return (others or asking or [(0, len(question))])[0]


def _is_short(question: str, end: int) -> bool:
    """Return whether an abbreviation ends at a place, blanks behind it aside."""
    while end and question[end - 1].isspace():
        end -= 1
    return is_short_form(question, end)


def _runs(
    words: Sequence[re.Match[str]], folded: Sequence[str], question: str, *, is_french: bool
) -> Iterator[tuple[int, int]]:
    """Yield where words stand that follow an article or a preposition, up to the next small word."""
    at = 0
    while at < len(words):
        is_owner = question.startswith(("'s", "’s"), words[at].end())
        if is_owner and not _SMALL.fullmatch(folded[at]):
            yield at, at + 1
        elif _opens(words, folded, at, question, is_french=is_french):
            first = last = at + 1
            while last < len(words) and last - first < MOST_WORDS and _goes_on(words, folded, last, question):
                last += 1
                if question.startswith(("'s", "’s"), words[last - 1].end()):
                    break
            if last > first:
                yield first, last
                at = last - 1
        at += 1


def _opens(
    words: Sequence[re.Match[str]], folded: Sequence[str], at: int, question: str, *, is_french: bool
) -> bool:
    """Return whether a thing is named behind a word: an article, a preposition, "'s", or "does"."""
    word = words[at]
    if folded[at] == "a":
        return (word[0] in "àÀ") == is_french
    if is_french and _is_how_long(folded, at):
        return False
    if folded[at] == "s" and not is_french:
        return question[: word.start()].endswith(("'", "’"))
    return _OPENS.fullmatch(folded[at]) is not None or (
        not is_french and _AUXILIARY.fullmatch(folded[at]) is not None
    )


def _is_how_long(folded: Sequence[str], at: int) -> bool:
    """Return whether a word is that of "combien de temps", behind which a verb follows."""
    following = folded[at + 1] if at + 1 < len(folded) else ""
    return at > 0 and folded[at - 1] == "combien" and _KINDS.fullmatch(following) is not None


def _goes_on(words: Sequence[re.Match[str]], folded: Sequence[str], at: int, question: str) -> bool:
    between = question[words[at - 1].end() : words[at].start()]
    if re.search(r"[.,;:!?()\"“”«»]", between):
        return False
    return not _SMALL.fullmatch(folded[at]) and not _OPENS.fullmatch(folded[at])


def _without_verb(folded: Sequence[str], first: int, last: int) -> int:
    """Return where a run ends without the verb that an English question ends a clause with."""
    if last - first < 2:
        return last
    # An owner stands between: "did the vet's visit cost".
    reach = 5 if folded[first - 1] == "s" else 3
    before = [word for word in folded[max(first - reach, 0) : first] if _AUXILIARY.fullmatch(word)]
    if before and before[-1] in _BARE:
        return last - 1
    return last - 1 if _PARTICIPLE.fullmatch(folded[last - 1]) and before else last


def _is_apart(word: str, focus: str) -> bool:
    return bool(word == focus or _KINDS.fullmatch(word) or _TELLING_LITTLE.fullmatch(word) or len(word) < 2)


def ends_before(question: str, at: int) -> bool:
    """Return whether a sentence begins at a place, so that a capital there tells nothing."""
    before = question[:at].rstrip(" \"'“«(’")
    return not before or (before[-1] in ".!?:" and not _is_short(question, len(before)))
