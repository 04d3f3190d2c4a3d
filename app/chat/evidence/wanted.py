"""What kind of thing a question asks for, in English and French, and whether a text holds one."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from enum import StrEnum

from app.search.excerpt import fold
from app.search.lexical.analysis import runs
from app.search.lexical.language import LANGUAGE_CODES, note_language


class Wanted(StrEnum):
    """What an answer must hold."""

    NUMBER = "number"
    TIME = "time"
    PERSON = "person"
    PLACE = "place"
    REASON = "reason"
    STEPS = "steps"
    ANYTHING = "anything"


def _one_of(*words: str) -> str:
    """Return a pattern of any of some words; those with blanks between them are given apart."""
    return "|".join(part for text in words for part in text.split())


# Questions are compared folded, with signs taken out: "qu'est-ce que" is "qu est ce que".
_WHICH = r"(?:what|which|quel(?:le)?s?)"
_IS = r"(?:(?:is|was|are|were|est|etait|sont|the|le|la|l|total|maximum|minimum|default|exact) )*"
_SIZES = _one_of(
    "number price cost amount percentage score rate size length height width weight limit budget",
    "population age temperature distance duration sum prix cout montant nombre taux taille duree longueur",
    "hauteur largeur poids limite pourcentage tarif somme numero pointure vitesse puissance",
)
_COSTS = _one_of("cost pay weigh measure earn")
_TIMES = _one_of("year month day date week time century decade annee mois jour semaine heure siecle decennie")
_DAYS = _one_of("date deadline echeance day jour")
_PLACES = _one_of(
    "city country town place state street room folder file address ville pays lieu rue piece dossier",
    "fichier endroit adresse",
)
_VERBS = _one_of("did do does is was were are will has have had can could should must would exactly")
_SUBJECTS = _one_of("je j tu il elle on nous vous ils elles le les la l un une ma mon mes")
_STANDS = _one_of(
    "est sont se puis peut peux faut dois doit trouve\\w* range\\w* mettre met aller va vont en ai as a",
    "avons avez ont etait etaient sera c",
)
_MANY = _one_of("many much long often far old big large tall high deep heavy wide fast")
_HOW = _one_of("to do does did can could should would is are was were will might")
_QUESTIONS: tuple[tuple[Wanted, str], ...] = (
    (Wanted.NUMBER, rf"how (?:{_MANY})|combien|{_WHICH} {_IS}(?:{_SIZES})"),
    (Wanted.NUMBER, rf"what (?:did|do|does|will|would) (?:\w+ ){{1,6}}(?:{_COSTS})"),
    (Wanted.TIME, rf"(?:since|until)? ?when (?:{_VERBS})|when$|quand$|^quand|(?:depuis|jusqu a) quand"),
    (Wanted.TIME, rf"quand (?!(?:{_SUBJECTS}) )|{_WHICH} (?:exact )?(?:{_TIMES})"),
    (Wanted.TIME, rf"{_WHICH} (?:is|was|est|etait) (?:the|la|le|l) (?:(?:due|start|end) )?(?:{_DAYS})"),
    (Wanted.PERSON, r"who|whom|whose|(?:(?:a|de|par|avec|pour|chez|c est) )?qui"),
    (Wanted.PERSON, r"comment (?:s appelle|se nomme)\w*|what (?:is|was) (?:\w+ ){1,4}(?:called|s name)"),
    (Wanted.PLACE, rf"where|(?:d|par) ou|ou (?:{_STANDS})|{_WHICH} (?:{_PLACES})"),
    (Wanted.REASON, r"why|how come|what for|pourquoi|pour quelle raison|a quoi (?:ca )?sert"),
    (Wanted.STEPS, rf"how (?:{_HOW})|comment|what (?:do i|should i|steps)|steps (?:to|for)"),
    (Wanted.STEPS, r"que (?:faire|dois je)|qu est ce que je (?:fais|dois)|de quelle (?:facon|maniere)"),
)
_ASKS = tuple((wanted, re.compile(rf"(?<!\w)(?:{pattern})(?!\w)")) for wanted, pattern in _QUESTIONS)
_CLAUSE = re.compile(r"(?<=[.!?;:,…])\s+|\n+| - ")
_RELATIVE = re.compile(r"(?:ou|qui|who|whose|where)(?!\w)(?!$)")
"""Inside a clause these tell more of something, and ask nothing; "où" is "ou" without its accent."""

_INVERTED = re.compile(
    r"(?<=[^\W\d_])-(?:t-)?(?:je|tu|il|elle|on|nous|vous|ils|elles|ce|m[êe]mes?)(?![\w-])", re.IGNORECASE
)
_NUMBERS = _one_of(
    "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred",
    "thousand dozen half once twice daily weekly monthly yearly hourly none every each un une deux trois",
    "quatre cinq six sept huit neuf dix onze douze treize quatorze quinze vingt trente quarante cinquante",
    "cent mille douzaine dizaine demi demie aucun aucune chaque",
)
_NUMBER = re.compile(rf"\d|(?<!\w)(?:{_NUMBERS})(?!\w)", re.IGNORECASE)
_CALENDAR = _one_of(
    "jan(?:uary|vier)? feb(?:ruary)? f[ée]vr(?:ier)? mar(?:ch|s) apr(?:il)? avr(?:il)? may mai june? juin",
    "jul(?:y)? juillet juil aug(?:ust)? ao[ûu]t sept(?:ember|embre)? oct(?:ober|obre)?",
    "nov(?:ember|embre)? d[ée]c(?:ember|embre)? (?:mon|tues|wednes|thurs|fri|satur|sun)days? lundis?",
    "mardis? mercredis? jeudis? vendredis? samedis? dimanches? today tomorrow yesterday tonight midnight",
    "noon spring summer autumn winter century hier demain aujourd['’]hui minuit midi printemps [ée]t[ée]",
    "automne hiver si[èe]cle since until before after depuis avant apr[èe]s days? weeks? months? years?",
    "hours? minutes? jours? semaines? mois ans? ann[ée]es? heures?",
)
_TIME = re.compile(
    r"(?<!\d)(?:1[0-9]|20)\d\d(?!\d)|\d{1,2}[/.-]\d{1,2}(?:[/.-]\d{2,4})?|\d{1,2}(?::|\s?h\s?)\d\d|"
    rf"\d\s?(?:am|pm|h)(?!\w)|(?<!\w)(?:{_CALENDAR})(?!\w)",
    re.IGNORECASE,
)
_REASONS = _one_of(
    "because since therefore thus hence otherwise reasons? allows? car parce puisque? afin raisons? donc",
    "sinon permet gr[âa]ce",
)
_REASON = re.compile(
    rf"(?<!\w)(?:{_REASONS}|so that|in order to|due to|so as to|to avoid|to prevent|this means|as a result|"
    r"pour que|[àa] cause|c['’]est pourquoi|pour [ée]viter|faute de)(?!\w)",
    re.IGNORECASE,
)
_PATH = re.compile(r"[\w.-]/[\w.-]|\[\[|→|(?<=\w) > (?=\w)|`")
_NAME = re.compile(r"(?<!\w)[^\W\d_a-z][\w'’-]*(?=\W|$)")
_WORD = re.compile(r"[^\W_]+")
_DOING = _one_of(
    "add click choose select open run type set use go press put create copy paste enable disable turn",
    "install write edit change move remove delete replace start make take check insert enter save pick",
    "ajoute[rz]? clique[rz]? chois\\w+ s[ée]lectionne[rz]? ouvr\\w+ lance[rz]? tape[rz]? met\\w+",
    "utilise[rz]? va allez appuye[rz]? cr[ée]e[rz]? copie[rz]? active[rz]? d[ée]sactive[rz]?",
    "installe[rz]? [ée]cri\\w+ modifie[rz]? remplace[rz]? enl[èe]ve[rz]? supprime[rz]? verse[rz]?",
    "m[ée]lange[rz]? laisse[rz]? prend\\w* fai\\w+",
)
_STEP = re.compile(
    rf"^\W*+(?:\d++[.)]\s\W*+)?(?:{_DOING})(?!\w)|"
    r"(?<!\w)(?:you (?:can|need|should|must)|il (?:faut|suffit)|on (?:peut|doit)|vous (?:pouvez|devez)|"
    r"by \w++(?<=\wing)|en \w++(?<=\want))(?!\w)",
    re.IGNORECASE,
)


def spoken(question: str) -> str:
    """Return a question without the pronouns that French joins to its verbs: "faut-il" is "faut"."""
    if LANGUAGE_CODES[note_language(set(runs(question)))] != "fr":
        return question
    return _INVERTED.sub("", question)


def wanted_by(question: str) -> Wanted:
    """Return what a question asks for: what opens a clause asks before what stands inside one."""
    found: list[tuple[int, int, int, Wanted]] = []
    for number, clause in enumerate(reversed(_CLAUSE.split(question))):
        text = " ".join(re.findall(r"\w+", fold(clause)))
        for order, (wanted, pattern) in enumerate(_ASKS):
            match = pattern.search(text)
            # "Quand je coche la tâche, elle disparaît" asks nothing of its first clause.
            if match and match[0] == "quand" and number:
                continue
            if match and not (match.start() and _RELATIVE.match(text, match.start())):
                found.append((match.start(), number, order, wanted))
    return min(found)[3] if found else Wanted.ANYTHING


def holds(wanted: Wanted, text: str, question: str) -> bool:
    """Return whether a text holds what is wanted, besides what the question says itself."""
    match wanted:
        case Wanted.NUMBER:
            return _has_other(_NUMBER, text, question)
        case Wanted.TIME:
            return _has_other(_TIME, text, question)
        case Wanted.PERSON:
            return any(True for _ in other_names(text, question))
        case Wanted.PLACE:
            return _PATH.search(text) is not None or any(True for _ in other_names(text, question))
        case Wanted.REASON:
            return _REASON.search(text) is not None
        case Wanted.STEPS:
            return _STEP.search(text) is not None
    return False


def _has_other(pattern: re.Pattern[str], text: str, question: str) -> bool:
    asked = set(re.findall(r"\w+", fold(question)))
    words = [word.span() for word in _WORD.finditer(text)]
    begins = [begin for begin, _ in words]
    # What is found is widened to whole words; much that is found in one word is one.
    found = {
        (
            words[bisect_right(begins, match.start()) - 1][0],
            words[bisect_right(begins, match.end() - 1) - 1][1],
        )
        for match in pattern.finditer(text)
    }
    return any(fold(text[begin:end]) not in asked for begin, end in found)


def other_names(text: str, question: str) -> Iterator[str]:
    """Yield capitalised words that the question does not have, and that do not just begin a sentence."""
    asked = set(re.findall(r"\w+", fold(question)))
    for match in _NAME.finditer(text):
        at = match.start()
        while at and text[at - 1] in " *_(\"“«'-":
            at -= 1
        begins = not at or text[at - 1] in ".!?:…\n>"
        parts = set(re.findall(r"\w+", fold(match[0])))
        if (not begins or text.endswith("[[", 0, match.start())) and not parts <= asked:
            yield match[0]
