"""The fields that a question asks for: properties of a note, by whatever words it asks for them."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.chat.evidence.answer_type import VALUES, AnswerType
from app.chat.evidence.answer_values import holds_answer
from app.chat.evidence.clause import one_of
from app.search.excerpt import fold

_ASKED_AND_CALLED: Sequence[tuple[str, str]] = (
    (
        "born birthday birthdate (?:est|sont|etait)_(?:il_|elle_)?nee?s? naissance anniversaire",
        "birth\\w* born dob anniversaire naissance nee?",
    ),
    ("how_old what_age quel_age", "birth\\w* born dob age anniversaire naissance nee?"),
    (
        "lives? habite\\w* reside\\w* domicile",
        "lives address home city town village country adresse domicile ville pays",
    ),
    (
        "works?_for employs employe[rd] travaille_(?:pour|chez) employeur",
        "employer company employeur entreprise",
    ),
    ("for_a_living profession dans_la_vie metier", "job role profession occupation metier poste fonction"),
    (
        "start(?:s|ed)? join(?:s|ed)? hired beg[ai]ns? commence\\w* debute\\w* embauche\\w* arrivee?",
        "start\\w* since joined hired begin\\w* debut depuis embauche arrivee",
    ),
    (
        "ends? ended finish\\w* expires? due runs?_out finit fini terminer? termine rendre livrer",
        "end due until deadline expir\\w+ fin jusqu echeance delivery livraison",
    ),
    ("renew\\w* renouvel\\w+ reconduit\\w*", "renew\\w+ expir\\w+ renouvellement echeance"),
    (
        "reports?_to manages? leads? runs?(?!_out) boss manager in_charge responsible dirige pilote "
        "responsable chef(?:fe)?",
        "manager lead leader owner head responsible supervisor responsable chef cheffe pilote",
    ),
    ("wrote written writes author ecrit auteur autrice", "author writer auteur autrice"),
    ("planned budgeted allocated budget prevue?s? alloue\\w*", "budget"),
    ("earns? earned salary gagne\\w* touche\\w* salaire", "salary wages? pay salaire"),
    ("costs? price paid pay coute\\w* prix paye\\w*", "price cost prix cout tarif"),
    ("weighs? heavy weight pesen?t? poids", "weight poids"),
    ("deep depth profonde? profondeur", "depth profondeur"),
    ("tall high height haute? hauteur", "height hauteur"),
    ("wide width large largeur", "width largeur"),
    ("insures? insured insurer assure assureur", "insurer insurance assureur assurance"),
)
"""Words of a question, and words of the names of fields that answer it, both folded; "_" is a blank."""
_ASKING = (
    r"(?:what|which|who|whom|quel(?:le)?s?|qui) "
    r"(?:(?:is|s|are|was|were|the|our|my|your|his|her|its|their|est|sont|etait|le|la|l|les|mon|ma|mes|notre|nos"
    r"|votre|vos|son|sa|ses|leurs?) )*(?:(?:\w+ ){1,3}s )?"
)
"""What stands before a thing that is asked for by its name; "what did the client say" asks for no client."""
_WORD = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[^\W\d_]{2}")


class Field(NamedTuple):
    """What a question asks for by a field: the words it does so by, and those that a field is called by."""

    words: frozenset[str]
    names: re.Pattern[str]


_FIELDS = tuple(
    (re.compile(rf"(?<!\w)(?:{one_of(asked).replace('_', ' ')})(?!\w)"), re.compile(one_of(called)))
    for asked, called in _ASKED_AND_CALLED
)


def fields_of(question: str) -> Iterator[Field]:
    """Yield the fields that the words of a question ask for."""
    text = " ".join(_WORD.findall(fold(question)))
    for asked, names in _FIELDS:
        words = frozenset(word for match in asked.finditer(text) for word in match[0].split())
        if words:
            yield Field(words, names)


def words_asking(fields: Sequence[Field], name: str) -> frozenset[str]:
    """Return the words of a question whose fields are called as a property is: "born" for ``birthday``."""
    called = _WORD.findall(fold(name))
    return frozenset(word for one in fields if any(map(one.names.fullmatch, called)) for word in one.words)


def asks_for(answer_type: AnswerType, question: str, name: str, telling: Sequence[str]) -> bool:
    """Return whether a question that has the telling words of a property's name asks for it.

    It does where it asks for a kind of value, where the name is a verb with its preposition, such as
    ``bought in``, and where the name follows "what is the".
    """
    called = _WORD.findall(fold(name))
    if answer_type not in (AnswerType.ANYTHING, AnswerType.PERSON, AnswerType.PLACE) or len(telling) < len(
        called
    ):
        return True
    text = " ".join(_WORD.findall(fold(question)))
    return re.search(rf"(?<!\w){_ASKING}{' '.join(called)}(?!\w)", text) is not None


def is_such(answer_type: AnswerType, value: str, question: str, name: str) -> bool:
    """Return whether the value of a property is of the kind that is asked for, and not said already."""
    if set(_WORD.findall(fold(value))) <= set(_WORD.findall(fold(question))):
        return False
    match answer_type:
        case AnswerType.AGE:
            return holds_answer(answer_type, value, question, name) or holds_answer(
                AnswerType.TIME, value, question
            )
        case AnswerType.PERSON | AnswerType.PLACE:
            return _LETTERS.search(value) is not None
        case AnswerType.ANYTHING:
            return True
        case AnswerType.TIME | AnswerType.NUMBER:
            return holds_answer(answer_type, value, question, name)
        case _:
            return answer_type in VALUES and holds_answer(answer_type, value, question, name)
