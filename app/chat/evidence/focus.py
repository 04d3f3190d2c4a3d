"""What a question asks for by its name: "salary" of "what salary does the archive pay"."""

import re

from app.chat.evidence.answer_type import PAYS, spoken
from app.chat.evidence.clause import BE, DETERMINER, clauses_of, one_of

_SMALL = one_of(
    "is are was were do does did has have had can could will would should must may might i we you they he",
    "she it s to the a an our my your his her their of for in on at from with by and or that which who",
    "when where est sont etait ont avons avez as ai peut faut doit dois je tu il elle on nous vous ils elles",
    "de",
    "du des d l le la les un une us pour dans sur avec par et ou que qui en au aux y ne se c n not",
)
_ONE = rf"(?P<noun>(?!(?:{_SMALL})(?!\w))\w++)"
_NOUNS = rf"(?P<noun>(?:(?!(?:{_SMALL})(?!\w))\w++ ?+){{1,3}})"
_NEXT = r"(?:(?:next|last|first|new|exact|current|full|prochaine?|derniere?|nouve\w+) )?"
_OTHER = r"(?!(?:if|about|happen\w*|made|makes?|kind|sort|type|else|ones?|\w+ed|\w{3,30}est)(?!\w))"
"""What follows "what" without being a thing that is asked for."""
_GOES_ON = r"(?=(?:of|for|to|in|at|on|with|from|by)(?!\w)|$)"
_VERB = (
    r"(?=(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must|may|i|we|you|they|he|she)"
    r"(?!\w))"
)
_NAME_OF = rf"(?:name of (?:{DETERMINER} )?(?:\w+ s )?)?"
_NAMING = (
    rf"(?:what|which) (?:(?:kind|sort|type)s? of )?{_OTHER}{_NOUNS}{_VERB}",
    rf"which {_OTHER}{_ONE}",
    rf"(?:what|who|when)(?: {BE})? {DETERMINER} {_NEXT}{_NAME_OF}{_OTHER}{_NOUNS}{_GOES_ON}",
    rf"(?:what|who|when|where) (?:is|was|are|were|does|do|did|s) (?:\w+ ){{1,4}}s {_NEXT}{_ONE}",
    rf"how (?:many|much) (?!(?:{PAYS}|money|rent|more|less)(?!\w)){_NOUNS}",
    rf"(?:what|quel(?:le)?s?|quand|qui|c est qui)(?: {BE})? (?:a lieu |tombe )?{DETERMINER} {_NEXT}{_NOUNS}",
    rf"(?:quel(?:le)?s?|combien de?) {_ONE}",
    rf"comment s appelle\w* {DETERMINER} {_NOUNS}",
)
_NAMES = tuple(re.compile(rf"(?<!\w)(?:{pattern})") for pattern in _NAMING)
_GENERAL = re.compile(
    one_of(
        "people persons person personnes personne gens times time fois things thing choses chose kind sort",
        "type day days date jour jours heure heures hours year years annee annees month months mois week",
        "weeks semaine number kilos kilo litres grams name nom names way ways place places endroit lieu",
        "point reason raison size taille amount sum somme lot numero mot nombre score length height width",
        "depth population longueur hauteur largeur profondeur duree pointure vitesse puissance rate taux",
    )
)
"""Words that ask for any of a kind; what answers rarely repeats them."""


def focus_of(question: str) -> str:
    """Return the last word of what a question names, folded: "salary" of "what salary do we pay"."""
    for text in clauses_of(spoken(question)):
        found = [match for pattern in _NAMES if (match := pattern.search(text))]
        if found:
            nouns = min(found, key=lambda one: one.start())["noun"].split()
            return "" if any(map(_GENERAL.fullmatch, nouns)) else nouns[-1]
    return ""
