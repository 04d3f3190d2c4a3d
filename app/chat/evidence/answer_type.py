"""What kind of thing a question asks for, in English and French: a price, a date, a person."""

import re
from enum import StrEnum

from app.search.excerpt import fold
from app.search.lexical.analysis import runs
from app.search.lexical.language import LANGUAGE_CODES, note_language


class AnswerType(StrEnum):
    """What an answer must hold."""

    NUMBER = "number"
    MONEY = "money"
    PERCENTAGE = "percentage"
    WEIGHT = "weight"
    DISTANCE = "distance"
    TEMPERATURE = "temperature"
    DURATION = "duration"
    AGE = "age"
    CLOCK = "clock"
    FREQUENCY = "frequency"
    EXTENT = "extent"
    """How long something is, or takes."""
    YEAR = "year"
    BIRTH = "birth"
    """When somebody was born."""
    TIME = "time"
    TELEPHONE = "telephone"
    EMAIL = "email"
    WEBSITE = "website"
    ADDRESS = "address"
    COLOUR = "colour"
    PERSON = "person"
    PLACE = "place"
    REASON = "reason"
    STEPS = "steps"
    ANYTHING = "anything"


VALUES = frozenset(
    {
        *(
            AnswerType.MONEY,
            AnswerType.PERCENTAGE,
            AnswerType.WEIGHT,
            AnswerType.DISTANCE,
            AnswerType.TEMPERATURE,
            AnswerType.DURATION,
        ),
        *(
            AnswerType.AGE,
            AnswerType.CLOCK,
            AnswerType.FREQUENCY,
            AnswerType.EXTENT,
            AnswerType.YEAR,
            AnswerType.BIRTH,
            AnswerType.TELEPHONE,
            AnswerType.EMAIL,
            AnswerType.WEBSITE,
            AnswerType.ADDRESS,
        ),
        AnswerType.COLOUR,
    }
)
"""Kinds whose values look like nothing else."""


def one_of(*words: str) -> str:
    """Return a pattern of any of some words; those with blanks between them are given apart."""
    return "|".join(part for text in words for part in text.split())


# Questions are compared folded, with signs taken out: "qu'est-ce que" is "qu est ce que".
_WHICH = r"(?:what|which|quel(?:le)?s?)"
_IS = r"(?:(?:is|s|was|are|were|est|etait|sont|the|le|la|l|total|maximum|minimum|default|exact) )*"
_SIZES = one_of(
    "number amount score size length height width limit population age sum nombre taille longueur hauteur",
    "largeur limite somme numero pointure vitesse puissance rate taux",
)
_MONEY = one_of(
    "prices? costs? fees? rent salary salaries wages? budget fare tariff premiums? deposits? subscription",
    "prix couts? montants? loyers? salaires? tarifs? devis cotisations? abonnement facture caution",
)
_PAYS = one_of("costs? pay paid pays spend spent earns? charged? owes? worth")
_PAYE = one_of(
    "cout\\w* pay\\w* paie\\w* vaut valent revien\\w+ gagne\\w* touche\\w* rembours\\w* doit doivent",
    "depens\\w* factur\\w*",
)
_TIMES = one_of("month day date week time century decade mois jour semaine heure siecle decennie")
_DAYS = one_of("date deadline echeance day jour")
_PLACES = one_of(
    "city country town place state street room folder file address ville pays lieu rue piece dossier",
    "fichier endroit adresse",
)
_VERBS = one_of("did do does is was were are will has have had can could should must would exactly")
_SUBJECTS = one_of("je j tu il elle on nous vous ils elles le les la l un une ma mon mes")
_STANDS = one_of(
    "est sont se puis peut peux faut dois doit trouve\\w* range\\w* mettre met aller va vont en ai as a",
    "avons avez ont etait etaient sera c",
)
_WHERE = r"^ou (?!(?:d|de|du|des|l|le|la|les|un|une|bien|alors|plutot|sinon|non|pas)(?!\w))\w+"
"""A clause that begins with "où", which folded may be "ou": "ou du vin" asks nothing."""
_MANY = one_of("many much long often far old big large tall high deep heavy wide fast")
_HOW = one_of("to do does did can could should would is are was were will might")
_DET = r"(?:the|our|my|your|his|her|their|le|la|l|les|mon|ma|mes|notre|nos|votre|vos|son|sa|ses|leur)"
_BE = r"(?:is|was|are|were|s|est|sont|etait|c est quoi)"
_ANY = rf"(?:what|which|quel(?:le)?s?)(?: {_BE})? (?:\w+ ){{0,5}}?"
"""What opens a question for a thing that is named up to five words later."""
_OF = r"(?= (?:of|for|de|du|d)(?!\w)|$)"
_OR_IS = (
    r"(?= (?:of|for|is|are|was|were|do|does|did|de|du|d|des|est|sont|etait|a|ont|per|par|we|i|they)(?!\w)|$)"
)
_QUESTIONS: tuple[tuple[AnswerType, str], ...] = (
    (AnswerType.TELEPHONE, rf"{_ANY}(?:(?:tele)?phone|mobile|fax|portable)(?: number)?{_OF}|s number$"),
    (AnswerType.TELEPHONE, r"what number (?:\w+ ){1,4}(?:call|ring|dial|reach)"),
    (AnswerType.TELEPHONE, r"how (?:can|could|do) (?:\w+ ){2,6}(?:by|on the) (?:tele)?phone"),
    (AnswerType.TELEPHONE, r"comment (?:\w+ ){1,6}(?:par|au) telephone"),
    (AnswerType.EMAIL, rf"{_ANY}(?:e ?mail|courriel)(?: address)?{_OF}"),
    (AnswerType.EMAIL, rf"{_ANY}adresse (?:e ?mail|mail|electronique|courriel)"),
    (AnswerType.WEBSITE, rf"{_ANY}(?:web ?site|url|site (?:web|internet)){_OF}"),
    (AnswerType.ADDRESS, rf"{_ANY}(?:address|adresse){_OF}"),
    (AnswerType.COLOUR, rf"{_ANY}(?:colou?rs?|couleurs?){_OR_IS}|{_WHICH} (?:colou?rs?|couleurs?)"),
    (AnswerType.AGE, r"how old|quels? ages?|what ages?"),
    (
        AnswerType.CLOCK,
        rf"{_WHICH} (?:time|hours?|heures?)(?! of (?:the )?year)|{_ANY}(?:opening hours|horaires)",
    ),
    (AnswerType.EXTENT, r"how long (?:is|are|was|were)"),
    (AnswerType.DURATION, r"how long|how much time|combien de temps|combien d (?:heures|annees)"),
    (AnswerType.DURATION, rf"{_ANY}(?:lead|delivery|waiting|cooking) time|quel (?:est le )?delai"),
    (AnswerType.DURATION, r"combien de (?:minutes|jours|semaines|mois)|quelle duree|what duration"),
    (AnswerType.DURATION, r"how many (?:minutes|hours|days|weeks|months|years)"),
    (AnswerType.DISTANCE, r"how far|quelle distance|what distance|how many (?:miles|kilomet(?:er|re)s)"),
    (AnswerType.DISTANCE, r"combien de kilometres"),
    (AnswerType.WEIGHT, r"how heavy|(?:how much|what) (?:\w+ ){1,5}weigh|combien (?:\w+ ){0,3}pesen?t?"),
    (AnswerType.WEIGHT, rf"{_ANY}(?:weight|poids){_OF}"),
    (AnswerType.TEMPERATURE, rf"how (?:hot|cold|warm)|{_ANY}temperature|combien de degres"),
    (AnswerType.PERCENTAGE, rf"{_ANY}(?:percentages?|percent|pourcentages?)"),
    (AnswerType.MONEY, rf"how much (?:(?!how|when|if|but)\w+ ){{0,7}}(?:{_PAYS})(?!\w)"),
    (AnswerType.MONEY, rf"what (?:did|do|does|will|would) (?:\w+ ){{1,6}}(?:{_PAYS})(?!\w)"),
    (AnswerType.MONEY, r"combien d argent"),
    (AnswerType.MONEY, rf"how much (?:is|was|are|were|money)|combien (?:\w+ ){{0,4}}(?:{_PAYE})(?!\w)"),
    (
        AnswerType.MONEY,
        rf"a combien (?:est|etait|sont)|{_WHICH} {_IS}(?:{_DET} )?(?:\w+ )?(?:{_MONEY}){_OR_IS}",
    ),
    (AnswerType.MONEY, r"how much of (?:\w+ ){1,4}?(?:money|budget|cash|savings|grant)|quelle somme"),
    (AnswerType.MONEY, rf"(?:{_PAYE}) (?:\w+ )?combien|a combien (?:\w+ )?(?:eleve\w*|montent?)"),
    (AnswerType.FREQUENCY, r"how (?:often|many times|frequently)|combien de fois|a quelle frequence"),
    (AnswerType.FREQUENCY, r"tous les combien"),
    (AnswerType.NUMBER, rf"how (?:{_MANY})|combien|{_WHICH} {_IS}(?:{_SIZES})"),
    (AnswerType.NUMBER, r"what (?:did|do|does|will|would) (?:\w+ ){1,6}measure"),
    (AnswerType.BIRTH, rf"(?:when|{_WHICH} (?:year|day|date)) {_BE} (?:\w+ ){{1,5}}(?:born|birthday$)"),
    (AnswerType.BIRTH, rf"{_ANY}(?:birthday$|birth ?date|(?:date|year|day) of birth|anniversaire{_OF})"),
    (AnswerType.BIRTH, rf"{_ANY}(?:date|annee|jour) (?:de |d )?(?:naissance|anniversaire)"),
    (AnswerType.BIRTH, rf"(?:quand|{_WHICH} (?:annee|jour)) (?:\w+ ){{0,4}}?{_BE} (?:(?:il|elle)s? )?nee?s?"),
    (AnswerType.BIRTH, rf"{_BE} nee?s? (?:en )?(?:quand|quelle annee)"),
    (AnswerType.BIRTH, r"(?:c est )?quand (?:\w+ ){1,3}anniversaire"),
    (AnswerType.YEAR, r"(?:what|which) year|quelle annee"),
    (AnswerType.TIME, rf"(?:since|until)? ?when (?:{_VERBS})|when$|quand$|^quand|(?:depuis|jusqu a) quand"),
    (AnswerType.TIME, r"c (?:est|etait|sera) (?:pour )?quand"),
    (AnswerType.TIME, rf"quand (?!(?:{_SUBJECTS}) )|{_WHICH} (?:exact )?(?:{_TIMES})"),
    (AnswerType.TIME, rf"{_WHICH} (?:is|was|est|etait) (?:the|la|le|l) (?:(?:due|start|end) )?(?:{_DAYS})"),
    (AnswerType.PERSON, r"who|whom|whose|(?:(?:a|de|par|avec|pour|chez|c est) )?qui"),
    (AnswerType.PERSON, r"comment (?:s appelle|se nomme)\w*|what (?:is|was) (?:\w+ ){1,4}(?:called|s name)"),
    (AnswerType.PLACE, rf"where|{_WHERE}|(?:d|par) ou|ou (?:{_STANDS})|{_WHICH} (?:{_PLACES})"),
    (AnswerType.REASON, r"why|how come|what for|pourquoi|pour quelle raison|a quoi (?:ca )?sert"),
    (AnswerType.STEPS, rf"how (?:{_HOW})|comment|what (?:do i|should i|steps)|steps (?:to|for)"),
    (AnswerType.STEPS, r"que (?:faire|dois je)|qu est ce que je (?:fais|dois)|de quelle (?:facon|maniere)"),
)
_ASKS = tuple(
    (answer_type, re.compile(rf"(?<!\w)(?:{pattern})(?!\w)")) for answer_type, pattern in _QUESTIONS
)
_CLAUSE = re.compile(r"(?<=[.!?;:,…])\s+|\n+| - ")
_RELATIVE = re.compile(r"(?:ou|qui|who|whose|where)(?!\w)(?!$)")
"""Inside a clause these tell more of something, and ask nothing; "où" is "ou" without its accent."""

_LEADS = re.compile(
    r"(?:^|(?<!\w)(?:and|or|but|then|for|about|me|know|so|exactly|roughly|is|it|wonder|since|until) )$"
)
"""What stands before a "how" that asks; "the function that computes how long it is" asks for none."""

_SMALL = one_of(
    "is are was were do does did has have had can could will would should must may might i we you they he",
    "she it s to the a an our my your his her their of for in on at from with by and or that which who",
    "when est sont etait ont avons avez as ai peut faut doit dois je tu il elle on nous vous ils elles de",
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
_NAME_OF = rf"(?:name of (?:{_DET} )?(?:\w+ s )?)?"
_NAMING = (
    rf"(?:what|which) (?:(?:kind|sort|type)s? of )?{_OTHER}{_NOUNS}{_VERB}",
    rf"which {_OTHER}{_ONE}",
    rf"(?:what|who|when)(?: {_BE})? {_DET} {_NEXT}{_NAME_OF}{_OTHER}{_NOUNS}{_GOES_ON}",
    rf"(?:what|who|when|where) (?:is|was|are|were|does|do|did|s) (?:\w+ ){{1,4}}s {_NEXT}{_ONE}",
    rf"how (?:many|much) (?!(?:{_PAYS}|money|rent|more|less)(?!\w)){_NOUNS}",
    rf"(?:quel(?:le)?s?|quand|qui|c est quoi|c est qui)(?: {_BE})? (?:a lieu |tombe )?{_DET} {_NEXT}{_NOUNS}",
    rf"(?:quel(?:le)?s?|combien de?) {_ONE}",
    rf"comment s appelle\w* {_DET} {_NOUNS}",
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

INVERTED = re.compile(
    r"(?<=[^\W\d_])-(?:t-)?(?:je|tu|il|elle|on|nous|vous|ils|elles|ce|m[êe]mes?)(?![\w-])", re.IGNORECASE
)


def is_in_french(question: str) -> bool:
    """Return whether a question is asked in French."""
    return LANGUAGE_CODES[note_language(set(runs(question)))] == "fr"


def spoken(question: str) -> str:
    """Return a question without the pronouns that French joins to its verbs: "faut-il" is "faut"."""
    return INVERTED.sub("", question) if is_in_french(question) else question


def answer_type_of(question: str) -> AnswerType:
    """Return what a question asks for: what opens a clause asks before what stands inside one."""
    found: list[tuple[int, int, int, AnswerType]] = []
    for number, clause in enumerate(reversed(_CLAUSE.split(question))):
        text = " ".join(re.findall(r"\w+", fold(clause)))
        for order, (answer_type, pattern) in enumerate(_ASKS):
            match = pattern.search(text)
            # "Quand je coche la tâche, elle disparaît" asks nothing of its first clause.
            if match and match[0] == "quand" and number:
                continue
            if match and match[0].startswith("how ") and not _LEADS.search(text[: match.start()]):
                continue
            if match and not (match.start() and _RELATIVE.match(text, match.start())):
                found.append((match.start(), number, order, answer_type))
    return min(found)[3] if found else AnswerType.ANYTHING


def focus_of(question: str) -> str:
    """Return the last word of what a question names, folded: "salary" of "what salary do we pay"."""
    for clause in reversed(_CLAUSE.split(question)):
        text = " ".join(re.findall(r"\w+", fold(spoken(clause))))
        found = [match for pattern in _NAMES if (match := pattern.search(text))]
        if found:
            nouns = min(found, key=lambda one: one.start())["noun"].split()
            return "" if any(map(_GENERAL.fullmatch, nouns)) else nouns[-1]
    return ""
