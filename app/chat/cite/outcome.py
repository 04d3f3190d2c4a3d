"""What a sentence says came of things, and what it denies, in English and in French."""

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import lru_cache

from app.chat.cite.opposites import NO_OUTCOME, OPPOSITES
from app.chat.cite.passage import content_words, function_words, stems_of
from app.search.excerpt import fold
from app.search.query.calendar_words import MONTHS

_NEGATION = re.compile(
    r"(?<!\w)(?:(?:not|cannot|never|no|nor|neither|none|nobody|nothing|without|hardly|barely|sans|jamais"
    r"|aucune?|ni|rien"
    r"|personne(?=\sn)|nullement|non)(?!\w)|(?:do|does|did|is|are|was|were|has|have|had|wo|would|ca"
    r"|could|should|must)n't"
    r"|fail(?:s|ed)?\sto|unable\sto|forgot\sto|refus(?:es|ed)\sto|incapables?\sde|oublie\sde|manque\sde"
    r"|(?:pas|point|guere)(?!\w)|n'(?=\w)|ne(?!\w))"
)
_NO_NEGATION = re.compile(
    r"not\s(?:only|just|least)|no\s(?:doubt|later\sthan|more\sthan|less\sthan|sooner)|why\snot|if\snot"
    r"|whether\sor\snot"
    r"|non\sseulement|sans\sdoute|pas\splus\sd|(?:un|le|les|des|quelques|premier)\spas|pas\sa\spas"
    r"|no\.\s?\d|nos?\b\.?\s?\d"
    r"|n'importe|point\s(?:de\svue|d'eau|of)|(?:the|a|un|le|au|du)\spoint|n'est-ce\spas"
    r"|personne\b(?!\sn)|non\sloin|non\splus"
)
_PARTNER = re.compile(
    r"\s*(?:[\w-]+['\s]+){0,4}?(pas|plus|jamais|rien|aucune?|guere|point|personne|ni)(?!\w)"
)
_ALONE = re.compile(
    r"\s*(?:peu[tx]|peuvent|pouvai\w+|pourr\w+|sai[st]|saurai\w+|pus?|put|purent|ose\w*|cess\w+)(?!\w)"
)
_DO = re.compile(r"(?:do|does|did)(?:\snot|n't)\Z")
_NE_QUE = re.compile(r"(?<!\w)n(?:e\s|')(?:\w+\s){1,3}(?:que\s|qu')")
_CLAUSE = re.compile(
    r"[,;:.!?()—–]|\b(?:but|mais|and|et|or|ou|because|car|although|while|which|who|qui|que|so|donc)\b"
)
_PHRASE = re.compile(
    _CLAUSE.pattern
    + r"|\b(?:on|with|avec|dans|in|at|by|for|sur|sous|par|pour|chez|from|about|into|during|pendant|en)\b"
)
_SIDE = re.compile(
    _CLAUSE.pattern + r"|\b(?:after|before|when|while|whereas|until|since|then|once|as"
    r"|apres|avant|quand|lorsque?|tandis|alors|jusqu|depuis|pendant|puis|ensuite)\b"
)
"""Where a sentence that says two things of an outcome goes over from the one to the other."""
_FORMS_OF_BE = """
sera seront serait seraient sont etait etaient fut furent ete etre avoir aura auront aurait avait avaient ont
va vont peut peuvent doit doivent faut have has had been being be get got gets does did yet
"""
_AUXILIARIES = frozenset(_FORMS_OF_BE.split())
_WORD = re.compile(r"[^\W\d_]+")
_NUMBERS = re.compile(r"\d+|(?<=(?<!\w)in )may(?!\w)")
"""Numbers, and the month that is a function word everywhere else."""
_PRONOUN = re.compile(r"(?<!\w)(?:he|she|it|they|ils?|elles?)(?!\w)")
_HALF_DENIED = re.compile(
    r"(?<!\w)(?:still|yet|only|lack\w*|missing|instead|unless|except|rather|no|refus\w*|reject\w*"
    r"|declin\w*|pending|without"
    r"|saut[ea]\w*|drop\w*|fail\w*|cancel\w*|stop\w*|seule?s?|seulement|manqu\w*|sauf|encore|au\slieu|reste\w*|annul\w*"
    r"|rejet\w*|sans|moins|faute\sde"
    r"|ni|un[a-z]{4,}|\w+less|never|impossib\w*|forbid\w*|object\w*|oppos\w*|interdi\w*|left|lost|off|until|avant|before"
    r"|jusqu)(?!\w)"
)
SHORTEST_CONTRARY = 5
_PREFIXED = re.compile(r"(?:un|in|im|il|ir|dis|non|mis|mal)(?P<base>[a-z]{5,})")
_NO_PREFIX = re.compile(
    r"in(?:stall|creas|form|vent|vest|valuabl|flamm|habit|tens|tern|scri|spir|struc|terest|tent|volv|clin|sert)"
    r"|im(?:port|pos|press|prov|plant|prim|mediat|plic)|dis(?:cover|count|play|tribut|turb|tanc|trict|cuss|pos)"
    r"|un(?:der|iver|ion|ite)|mis(?:sion|sing)|mal(?:lett|ade)|il(?:lustr|lumin)|ir(?:rit|rig)"
)
"""Words that only look as if they had a prefix which denies."""
REACH = 3
"""Words of meaning after which a negation in front of a word is no longer taken for its own."""


def _pattern(words: str) -> re.Pattern[str]:
    """Return the expression that meets words as the table of opposites writes them."""
    forms = sorted(words.split(), key=len, reverse=True)
    joined = "|".join(re.escape(form).replace(r"\*", r"\w*").replace("_", r"\s") for form in forms)
    return re.compile(rf"(?<![\w-])(?:{joined})(?!\w)")


_COMPILED = tuple((name, _pattern(one), _pattern(other)) for name, one, other in OPPOSITES)
_NO_OUTCOME = re.compile(rf"(?<!\w)(?:{NO_OUTCOME})")
_BOXES = (re.compile(r"\s*(?:>\s*)*[-*+]\s+\[[xX]\]"), re.compile(r"\s*(?:>\s*)*[-*+]\s+\[ \]"))


@dataclass(frozen=True, slots=True)
class Outcome:
    """One outcome that a text states: which pair, whether its first word or the opposite, and where."""

    pair: str
    is_first: bool
    start: int
    end: int
    following: str
    """The stem of the first word of meaning that follows in its clause."""
    beside: frozenset[str]
    """The stems of the other words of its clause."""
    side: frozenset[str]
    """The same of as much of the clause as says one thing, its numbers with them."""
    subject: frozenset[str]
    """Those of what it is said of; none where that is a pronoun, or was named before."""
    is_negated: bool = False


@lru_cache(maxsize=2048)
def outcomes(text: str) -> tuple[Outcome, ...]:
    """Return the outcomes of a sentence; a negated word counts as its opposite."""
    folded = fold(text).replace("’", "'")
    spared = [match.span() for match in _NO_OUTCOME.finditer(folded)]
    found: list[Outcome] = []
    for name, one, other in _COMPILED:
        for is_first, pattern in ((True, one), (False, other)):
            for match in pattern.finditer(folded):
                if any(start <= match.start() < end for start, end in spared):
                    continue
                # "never" is itself one of a pair.
                negated = name not in ("always", "everybody") and _is_negated(folded, match.start())
                place = match.span()
                found.append(
                    Outcome(
                        name,
                        is_first != negated,
                        *place,
                        _next(folded, match.end()),
                        _beside(folded, *place),
                        *_side(folded, *place),
                        negated,
                    )
                )
    return tuple(found)


@lru_cache(maxsize=2048)
def contraries(text: str) -> tuple[tuple[frozenset[str], bool, bool, str], ...]:
    """Return the longer words of a sentence as they may meet their contraries, as "agree" meets "disagree".

    Of each: the stems it would have without a prefix that denies, whether it has one, whether what it says
    is denied, by the prefix or by a negation before it, but not by both, and the whole word, folded.
    """
    folded = fold(text).replace("’", "'")
    found = []
    for match in _WORD.finditer(folded):
        if len(match[0]) < SHORTEST_CONTRARY:
            continue
        negated = _is_negated(folded, match.start())
        found.append((stems_of(match[0]), False, negated, match[0]))
        prefixed = _PREFIXED.fullmatch(match[0])
        if prefixed and not _NO_PREFIX.match(match[0]):
            found.append((stems_of(prefixed["base"]), True, not negated, match[0]))
    return tuple(found)


def is_denying_word(word: str) -> bool:
    """Return whether a word only belongs to a denial, as "nobody" and "encore" of "pas encore"."""
    return fold(word) in ("encore", "yet", "far", "personne") or _NEGATION.fullmatch(fold(word)) is not None


def box_outcome(line: str) -> bool | None:
    """Return whether a task is done, by its box; None where the line is no task."""
    for is_done, pattern in zip((True, False), _BOXES, strict=True):
        if pattern.match(line):
            return is_done
    return None


@dataclass(frozen=True, slots=True)
class Denial:
    """What a sentence denies: the stems of the word it denies, and the clause that does."""

    stems: frozenset[str]
    clause: str
    is_do: bool
    """Whether the verb is denied by "do", so that it may stand in another form where it is not denied."""
    is_noun: bool = False
    """Whether it is denied that there is something, as by "no battery"."""


@lru_cache(maxsize=2048)
def denials(text: str) -> tuple[Denial, ...]:
    """Return what a sentence denies, in order."""
    folded = fold(text).replace("’", "'")
    found = []
    for match in _negations(folded):
        begin = max((end.end() for end in _CLAUSE.finditer(folded, 0, match.start())), default=0)
        after = _CLAUSE.search(folded, match.end())
        # Of "Smoking is not." it is what it speaks of.
        stems = _next_stems(folded, match.end()) or _last_stems(folded[begin : match.start()])
        if stems:
            is_noun = match[0] in ("no", "without", "sans", "aucun", "aucune", "none", "neither")
            is_do = _DO.search(folded[: match.end()]) is not None
            found.append(
                Denial(stems, folded[begin : after.start() if after else len(folded)], is_do, is_noun)
            )
    return tuple(found)


def clauses(text: str) -> list[str]:
    """Return the clauses of a sentence, folded."""
    return _CLAUSE.split(fold(text).replace("’", "'"))


def denies(text: str) -> bool:
    """Return whether a sentence denies anything, in so many words."""
    return bool(_negations(fold(text).replace("’", "'")))


def has_negation(text: str) -> bool:
    """Return whether a sentence denies anything, or half does, as "still" and "only" do."""
    folded = fold(text).replace("’", "'")
    return _HALF_DENIED.search(folded) is not None or bool(_negations(folded))


@lru_cache(maxsize=64)
def _negations(folded: str) -> tuple[re.Match[str], ...]:
    """Return where a text denies; of "ne … pas" the first part alone, since the verb stands behind it."""
    spared = {
        at
        for pattern in (_NO_NEGATION, _NE_QUE)
        for match in pattern.finditer(folded)
        for at in range(*match.span())
    }
    found = []
    for match in _NEGATION.finditer(folded):
        if match.start() in spared:
            continue
        if match[0] in ("ne", "n'"):
            partner = _PARTNER.match(folded, match.end())
            if partner:
                spared.update(range(*partner.span(1)))
            elif not _ALONE.match(folded, match.end()):
                continue
        found.append(match)
    return tuple(found)


@lru_cache(maxsize=64)
def _phrase_ends(folded: str) -> tuple[int, ...]:
    return tuple(end.end() for end in _PHRASE.finditer(folded))


def _is_negated(folded: str, place: int) -> bool:
    """Return whether a negation stands shortly before a place, in the same clause."""
    ends, negations = _phrase_ends(folded), _negations(folded)
    at = bisect_right(ends, place)
    begin = ends[at - 1] if at else 0
    count = 0
    # From the nearest back: what stands between only grows.
    for match in reversed(negations[: bisect_left(negations, place, key=re.Match.start)]):
        between = _WORD.findall(folded[match.end() : place])
        if match.start() < begin or sum(word not in function_words() for word in between) > REACH:
            break
        count += 1
    return count % 2 == 1


def _beside(folded: str, start: int, end: int) -> frozenset[str]:
    """Return the stems of the clause around a word, without those of the word itself."""
    begin = max((clause.end() for clause in _CLAUSE.finditer(folded, 0, start)), default=0)
    after = _CLAUSE.search(folded, end)
    around = f"{folded[begin:start]} {folded[end : after.start() if after else len(folded)]}"
    return frozenset(stem for word in content_words(around) for stem in stems_of(word))


def _side(folded: str, start: int, end: int) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems and numbers around a word as far as a sentence says one thing, and of its subject."""
    turns = _turns(folded)
    last, following = bisect_right(turns, (start, start)), bisect_left(turns, (end, end))
    before = folded[turns[last - 1][1] if last else 0 : start]
    behind = folded[end : turns[following][0] if following < len(turns) else len(folded)]
    told = telling(before)
    # When it was goes with what is said, and not with the next thing that is said of the same.
    named = {word: stems for word, stems in told.items() if not word.isdigit() and word not in MONTHS}
    subject = frozenset[str]() if _PRONOUN.search(before) else frozenset[str]().union(*named.values())
    return frozenset[str]().union(*told.values(), *telling(behind).values()), subject


@lru_cache(maxsize=64)
def _turns(folded: str) -> tuple[tuple[int, int], ...]:
    """Return where a text goes over from one thing that it says to another."""
    return tuple(turn.span() for turn in _SIDE.finditer(folded))


def telling(folded: str) -> dict[str, frozenset[str]]:
    """Return the words and numbers of a folded text that tell statements apart, with their stems."""
    words = [word for word in content_words(folded) if word not in _AUXILIARIES]
    return {word: stems_of(word) for word in words} | {
        number: frozenset((number,)) for number in _NUMBERS.findall(folded)
    }


def _next(folded: str, place: int) -> str:
    after = _CLAUSE.search(folded, place)
    folded = folded[: after.start()] if after else folded
    for match in _WORD.finditer(folded, place):
        if match[0] not in function_words() and len(match[0]) > 1:
            return min(stems_of(match[0]))
    number = re.search(r"\d+", folded[place:])
    return number[0] if number else ""


def _last_stems(clause: str) -> frozenset[str]:
    """Return the stems of the last word of meaning that stands before "is not" at the end of a clause."""
    if not re.search(r"(?<!\w)(?:is|are|was|were|do|does|did|can|may|will|has|have)\s\Z", clause):
        return frozenset()
    words = content_words(clause)
    return stems_of(words[-1]) if words else frozenset()


def _next_stems(folded: str, place: int) -> frozenset[str]:
    clause = _CLAUSE.search(folded, place)
    for match in _WORD.finditer(
        folded, place, clause.start() if clause and clause.start() > place + 1 else len(folded)
    ):
        if match[0] not in function_words() and match[0] not in _AUXILIARIES and len(match[0]) > 1:
            return stems_of(match[0])
    return frozenset()
