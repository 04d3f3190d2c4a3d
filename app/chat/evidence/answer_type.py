"""What kind of thing a question asks for, in English and French: a price, a date, a person."""

import re
from enum import StrEnum

from app.chat.evidence.clause import BE, DETERMINER, clauses_of, one_of
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
    CONTACT = "contact"
    """Whom to call: a number or a name."""
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
PREFERRED = VALUES | {AnswerType.CONTACT}
"""Kinds whose values are looked for first; a number to call may be given as a name alone."""


# Questions are compared folded, with signs taken out: "qu'est-ce que" is "qu est ce que".
_WHICH = r"(?:what|which|quel(?:le)?s?)"
_IS = r"(?:(?:is|s|was|are|were|est|etait|sont|the|le|la|l|total|maximum|minimum|default|exact) )*"
_BETWEEN = one_of(
    "and or et ou of on in at by with about from for to when where that do does did is was are were should",
    "has have will de du d des avec au aux dans sur pour par qui que est etait reason name",
)
_ANY = rf"{_WHICH} {BE} (?:(?!(?:{_BETWEEN}) )\w+ ){{0,5}}?"
"""What opens a question for a thing that is named up to five words later, all of which belong to it."""
_COMPOUND = one_of(
    "s notes? plans? planning meetings? training theory functions? lists? tools? books? strateg\\w+ ideas?",
    "projects? machines? apps? calls? bookmarks? war export verification response codes? models? folders?",
    "files? formats? fields? settings? options? syntax plugins? propert\\w+ columns? location changes?",
    "history increases? party cakes? presents? gifts? cards? dinner",
)
_FIRST = rf"{_WHICH} {BE} (?:(?:{DETERMINER}|an?|une?) )?"
"""The same for a thing that is named at once: "address new dentist"."""
_ALONE = rf"(?! (?:{_COMPOUND})(?!\w))(?!\w)"
"""Nothing that makes another thing of it: "budget meeting"."""
_OF = r"(?= (?:of|for|de|du|d)(?!\w)|$)"
_GOES_ON = one_of(
    "of for to in on at from with by when if who that de du d des pour a au aux en dans sur que qu is are",
    "was were do does did has have est sont etait ont per par we i they you he she it on il elle nous",
)
_OR_IS = (
    r"(?= (?:of|for|is|are|was|were|do|does|did|de|du|d|des|est|sont|etait|a|ont|per|par|we|i|they)(?!\w)|$)"
)
_END = rf"(?= (?:{_GOES_ON})(?!\w)|$)"
_SIZES = one_of(
    "number amount score size limit population sum nombre taille limite somme numero pointure vitesse",
    "puissance rate taux",
)
_LENGTHS = one_of(
    "lengths? heights? widths? depths? thickness diameter longueurs? largeurs? hauteurs? profondeurs?",
    "epaisseurs? diametres? denivele",
)
_MONEY = one_of(
    "prices? costs? fees? rent salary salaries wages? budget fare tariff premiums? deposits? subscription",
    "prix couts? montants? loyers? salaires? tarifs? devis cotisations? abonnement facture caution",
)
PAYS = one_of("costs? pay paid pays spend spent earns? charged? owes? worth")
_PAYE = one_of(
    "cout\\w* pay\\w* paie\\w* vaut valent revien\\w+ gagne\\w* touche\\w* rembours\\w* doit doivent",
    "depens\\w* factur\\w*",
)
_PHONE = (
    r"(?:(?:tele)?phone|mobile|cell|fax|portable|landline)(?: number)?|"
    r"numero de (?:tel\w*|portable|fixe|mobile)"
)
_CALL = r"(?:call|ring|phone|dial|reach|contact|joindre|joint|appeler|appelle|contacter|telephoner)"
_MAY = one_of("do can should to could i we you one peut on faut il dois je")
_SITE = (
    r"web ?(?:sites?|pages?|address)|urls?|site (?:web|internet)|adresse (?:du site|web|internet)|"
    r"link(?= (?:to|for) )|lien(?= (?:vers|pour|du|de la|de l) )"
)
_POST = r"(?:postal |street |home )?address(?:es)?|adresses?(?: postale)?|post ?code|zip ?code|code postal"
_HUES = r"colou?rs?|couleurs?|coloris|shade|teintes?"
_HOURS = r"(?:opening|business|visiting|office) (?:hours?|times?)|horaires?|heures? d ouverture"
_LASTS = (
    r"(?:cooking|baking|proving|rising|resting|waiting|delivery|lead|boiling|drying|travel|journey|prep\w*|"
    r"response|processing) times?|durees?|duration|delai|"
    r"temps de (?:cuisson|repos|pose|sechage|trajet|attente)|"
    r"notice period|preavis"
)
_WARMTH = r"temperatures?"
_SHARE = (
    r"percentages?|percent|pourcentages?|(?:interest|mortgage|discount|vat|tax) rate|"
    r"taux (?:d interet|de tva|du livret|du pret|de remise|d humidite|de reussite)"
)
_BIRTHDAY = (
    r"birthday|birth ?date|(?:date|year|day) of birth|dob|"
    r"anniv(?:ersaire)?(?! de mariage)|(?:date|annee|jour|lieu et date) (?:de |d )?(?:naissance|anniversaire)"
)
_WEIGHTS = r"weight|poids|charge max\w*"
_TIMES = one_of("month day date week time century decade mois jour semaine heure siecle decennie")
_DAYS = r"date|deadline|echeance|day|jour"
_PLACES = one_of(
    "city country town place state street room folder file address ville pays lieu rue piece dossier",
    "fichier endroit adresse cupboard drawer shelf box shop placard tiroir etagere boite carton magasin",
)
_VERBS = one_of("did do does is was were are will has have had can could should must would exactly")
_SUBJECTS = one_of("je j tu il elle on nous vous ils elles le les la l un une ma mon mes")
_STANDS = one_of(
    "est sont se puis peut peux faut dois doit trouve\\w* range\\w* mettre met aller va vont en ai as a",
    "avons avez ont etait etaient sera c",
)
_WHERE = r"^ou (?!(?:d|de|du|des|l|le|la|les|un|une|bien|alors|plutot|sinon|non|pas)(?!\w))\w+"
"""A clause that begins with "où" without its accent, which may be "or": "ou du vin" asks nothing."""
_PUT = one_of(
    "est es sont mis mise range\\w* pose\\w* vais va vas trouve\\w* stocke\\w* garde\\w* laisse\\w*"
)
_MANY = one_of("many much far old big large high wide thick deep heavy fast")
_HOW = one_of("to do does did can could should would is are was were will might")
_QUESTIONS: tuple[tuple[AnswerType, str], ...] = (
    (AnswerType.TELEPHONE, rf"{_ANY}(?:{_PHONE}){_OF}|(?:what|which) phone number|s number$"),
    (
        AnswerType.TELEPHONE,
        rf"{_FIRST}(?:(?:tele)?phone number|{_PHONE}(?= (?:number|de|du|d) )|tel){_ALONE}",
    ),
    (
        AnswerType.TELEPHONE,
        rf"{_WHICH} (?:number|line|numero) (?:(?:{_MAY}) ){{1,3}}{_CALL}",
    ),
    (
        AnswerType.TELEPHONE,
        rf"number (?:to|do i|should i|can i|i can) {_CALL}|numero (?:ou|pour|auquel) (?:\w+ ){{0,3}}{_CALL}",
    ),
    (AnswerType.TELEPHONE, r"how (?:can|could|do) (?:\w+ ){2,6}(?:by|on the) (?:tele)?phone"),
    (AnswerType.TELEPHONE, r"comment (?:\w+ ){1,6}(?:par|au) telephone"),
    (
        AnswerType.CONTACT,
        rf"(?:who|whom) (?:\w+ ){{1,3}}{_CALL}|qui (?:(?:je|j|on|dois je|faut il) ){{0,2}}{_CALL}",
    ),
    (
        AnswerType.WEBSITE,
        rf"{_ANY}(?:{_SITE})(?:{_OF}|(?= (?:to|vers|pour) ))|{_FIRST}(?:url|adresse du site){_ALONE}",
    ),
    (AnswerType.WEBSITE, r"where online"),
    (AnswerType.WEBSITE, r"(?:\w+ )?(?:ou|where) en ligne"),
    (AnswerType.EMAIL, rf"{_ANY}(?:e ?mail address|e ?mails?$|mail$|courriel$)|{_FIRST}courriel{_ALONE}"),
    (AnswerType.EMAIL, r"(?:what|which) e ?mail address"),
    (
        AnswerType.EMAIL,
        rf"(?:{_ANY}|{_WHICH} )adresse (?:e ?mail|mail|electronique|courriel)|(?:which|what) mailbox",
    ),
    (AnswerType.ADDRESS, rf"{_ANY}(?:{_POST}){_OF}|{_FIRST}(?:{_POST}){_ALONE}|{_WHICH} (?:address|adresse)"),
    (
        AnswerType.COLOUR,
        rf"{_ANY}(?:{_HUES}){_END}|{_WHICH} (?:{_HUES})|{_FIRST}(?:paint )?(?:{_HUES}){_ALONE}",
    ),
    (AnswerType.COLOUR, rf"{_ANY}ral(?: code)?{_END}"),
    (
        AnswerType.AGE,
        rf"how old|quels? ages?|what ages?|{_ANY}ages?{_END}|{_FIRST}(?:minimum |min )?age{_ALONE}",
    ),
    (AnswerType.AGE, r"(?:ses|tes|vos) combien"),
    (
        AnswerType.CLOCK,
        rf"{_WHICH} (?:time|hours?|heures?)(?! of (?:the )?year)|{_ANY}(?:{_HOURS})(?!\w)",
    ),
    (AnswerType.CLOCK, r"how early (?:do|does|can|should|is|are|did)|how late (?:do|does|can|may|should)"),
    (AnswerType.EXTENT, r"how long (?:is|are|was|were)|how tall"),
    (
        AnswerType.EXTENT,
        rf"{_ANY}(?:{_LENGTHS}){_END}|{_WHICH} (?:{_LENGTHS})|{_FIRST}(?:{_LENGTHS}){_ALONE}",
    ),
    (
        AnswerType.EXTENT,
        r"combien de (?:long|large|haut|profondeur|hauteur|largeur)|fait quelle (?:taille|longueur)",
    ),
    (AnswerType.DURATION, r"how long|how much (?:time|notice)|combien de temps|combien d (?:heures|annees)"),
    (AnswerType.DURATION, rf"{_ANY}(?:{_LASTS}){_END}|quel (?:est le )?delai|{_FIRST}(?:{_LASTS}){_ALONE}"),
    (AnswerType.DURATION, r"combien de (?:minutes|jours|semaines|mois)|quelle duree|what duration"),
    (AnswerType.DURATION, r"(?<!every )how many (?:minutes|hours|days|weeks|months|years)"),
    (AnswerType.DISTANCE, r"how far|quelle distance|what distance|how many (?:miles|kilomet(?:er|re)s)"),
    (AnswerType.DISTANCE, rf"combien de kilometres|{_ANY}distance{_END}"),
    (AnswerType.WEIGHT, r"how heavy|(?:how much|what) (?:\w+ ){1,5}weigh|combien (?:\w+ ){0,3}pesen?t?"),
    (AnswerType.WEIGHT, r"pesen?t? (?:\w+ )?combien|how many (?:kilos?|kg|grams?|pounds)"),
    (
        AnswerType.WEIGHT,
        rf"combien de (?:kilos?|kg|grammes)|{_ANY}(?:{_WEIGHTS}){_END}|{_FIRST}(?:{_WEIGHTS}){_ALONE}",
    ),
    (
        AnswerType.TEMPERATURE,
        r"how (?:hot|cold|warm)|what temp(?= (?:for|is|does|should) )|combien de degres",
    ),
    (
        AnswerType.TEMPERATURE,
        rf"(?:{_ANY}|{_WHICH} )(?:{_WARMTH}){_ALONE}",
    ),
    (
        AnswerType.TEMPERATURE,
        r"what (?:\w+ ){0,4}(?:oven|thermostat) (?:at|to|on|down|up)|oven (?:setting|temp)",
    ),
    (AnswerType.PERCENTAGE, rf"(?:{_ANY}|{_WHICH} )(?:{_SHARE}){_ALONE}|quelle proportion"),
    (AnswerType.MONEY, rf"how much (?:(?!how|when|if|but)\w+ ){{0,7}}(?:{PAYS})(?!\w)"),
    (AnswerType.MONEY, rf"what (?:did|do|does|will|would|we|i|they) (?:\w+ ){{0,6}}(?:{PAYS})(?!\w)"),
    (AnswerType.MONEY, r"combien d argent|how much (?:\w+ ){1,6}(?:come|came|add up) to"),
    (AnswerType.MONEY, rf"how much (?:is|was|are|were|money)|combien (?:\w+ ){{0,4}}(?:{_PAYE})(?!\w)"),
    (
        AnswerType.MONEY,
        rf"a combien (?:est|etait|sont)|{_WHICH} {_IS}(?:{DETERMINER} )?(?:\w+ )?(?:{_MONEY}){_OR_IS}",
    ),
    (AnswerType.MONEY, rf"{_ANY}(?:{_MONEY}){_OF}|{_FIRST}(?:{_MONEY}){_ALONE}"),
    (AnswerType.MONEY, r"how much of (?:\w+ ){1,4}?(?:money|budget|cash|savings|grant)|quelle somme"),
    (AnswerType.MONEY, rf"(?:{_PAYE}) (?:\w+ )?combien|a combien (?:\w+ )?(?:eleve\w*|montent?)"),
    (
        AnswerType.FREQUENCY,
        r"how (?:often|many times|frequently|regularly)|combien de fois|a quelle frequence",
    ),
    (AnswerType.FREQUENCY, rf"tous les combien|every how many|a quel rythme|{_ANY}frequenc(?:y|e){_OF}"),
    (AnswerType.NUMBER, rf"how (?:{_MANY})|combien|{_WHICH} {_IS}(?:{_SIZES})"),
    (AnswerType.NUMBER, r"what (?:did|do|does|will|would) (?:\w+ ){1,6}measure"),
    (AnswerType.NUMBER, rf"{_ANY}(?:number|nb|nbre|nombre)(?= (?:of|de|d) )"),
    (AnswerType.BIRTH, rf"(?:when|{_WHICH} (?:year|day|date)) {BE} (?:\w+ ){{1,5}}(?:born|birthday$)"),
    (AnswerType.BIRTH, rf"{_ANY}(?:{_BIRTHDAY}){_END}|{_FIRST}(?:{_BIRTHDAY}){_ALONE}"),
    (AnswerType.BIRTH, rf"(?:quand|{_WHICH} (?:annee|jour)) (?:\w+ ){{0,4}}?{BE} (?:(?:il|elle)s? )?nee?s?"),
    (
        AnswerType.BIRTH,
        rf"{BE} nee?s? (?:en )?(?:quand|quelle annee)|(?:quand|quel jour) (?:\w+ ){{1,7}}vu le jour",
    ),
    (AnswerType.BIRTH, r"(?:c est )?quand (?:\w+ ){1,3}(?:anniversaire(?! de mariage)|anniv(?!\w))"),
    (
        AnswerType.YEAR,
        rf"{_WHICH} (?:year|annee)|what is (?:year of|the year(?! end)|annee d\w?)(?= )",
    ),
    (AnswerType.YEAR, rf"{_ANY}(?:vintage|millesime){_END}|{_WHICH} (?:millesime|vintage)"),
    (
        AnswerType.TIME,
        rf"(?:since|until)? ?when (?:{_VERBS})|when$|quand$|^quand|(?:depuis|jusqu a|pour) quand",
    ),
    (AnswerType.TIME, r"c (?:est|etait|sera) (?:pour )?quand"),
    (AnswerType.TIME, rf"quand (?!(?:{_SUBJECTS}) )|{_WHICH} (?:exact )?(?:{_TIMES})"),
    (AnswerType.TIME, rf"{_WHICH} (?:is|was|est|etait) (?:the|la|le|l) (?:(?:due|start|end) )?(?:{_DAYS})"),
    (
        AnswerType.TIME,
        rf"{_FIRST}(?:(?:due|start|end|expiry|release) date|deadline|date (?:de|d|du|limite)|echeance)",
    ),
    (AnswerType.PERSON, r"who|whom|whose|(?:(?:a|de|par|avec|pour|chez|c est) )?qui"),
    (AnswerType.PERSON, r"comment (?:s appelle|se nomme)\w*|what (?:is|was) (?:\w+ ){1,4}(?:called|s name)"),
    (AnswerType.PERSON, rf"{_ANY}name of the (?:man|woman|person|guy|lady|girl|boy|doctor|owner)(?!\w)"),
    (AnswerType.PLACE, rf"where|{_WHERE}|(?:d|par) (?:ou|where)|ou (?:{_STANDS})|{_WHICH} (?:{_PLACES})"),
    (AnswerType.PLACE, rf"(?:{_PUT}) (?:ou|where)(?!\w)|{_FIRST}emplacement(?= (?:de|du|d) )"),
    (AnswerType.REASON, r"why|how come|what for|pourquoi|pour quelle raison|a quoi (?:ca )?sert|what made"),
    (AnswerType.REASON, rf"{_ANY}(?:reasons? (?:for|why)|raisons? (?:de|du|d|pour))|a cause de quoi"),
    (
        AnswerType.REASON,
        r"qu est ce qui (?:fait|a fait|explique)|a quoi (?:est|sont) due?s?|comment (?:ca )?se fait",
    ),
    (AnswerType.STEPS, rf"how (?:{_HOW})|comment|what (?:do i|should i|steps)|steps (?:to|for)"),
    (AnswerType.STEPS, r"que (?:faire|dois je)|qu est ce que je (?:fais|dois)|de quelle (?:facon|maniere)"),
    (
        AnswerType.STEPS,
        rf"que faut (?:il )?faire pour|{_ANY}(?:procedure|instructions|marche a suivre|mode d emploi)",
    ),
    (AnswerType.STEPS, r"walk (?:me|us) through|what did (?:we|i) do (?:\w+ ){0,3}to"),
)
_ASKS = tuple(
    (answer_type, re.compile(rf"(?<!\w)(?:{pattern})(?!\w)")) for answer_type, pattern in _QUESTIONS
)
_MEASURED = tuple(
    (answer_type, re.compile(rf"(?<!\w)(?:{words})(?!\w)"))
    for answer_type, words in (
        (AnswerType.PERCENTAGE, "pourcentage|pour cent|percent|taux"),
        (AnswerType.WEIGHT, r"pes\w+|poids|grammes|kilos|weigh\w*|grams"),
        (AnswerType.DURATION, "time"),
        (AnswerType.TEMPERATURE, r"thermostat|degres|chauff\w+|frigo\w*|congelateur|radiateurs?"),
        (
            AnswerType.MONEY,
            r"devis|prix|tarif|loyer|facture|budget|euros?|argent|mis de cote|economis\w+|vendue?s?|"
            r"achetee?s?|saved|price|bill|(?:come|came) to",
        ),
    )
)
"""What a bare "combien" or "how much" asks for, by words elsewhere in the clause."""
_RELATIVE = re.compile(r"(?:ou|qui|who|whose|where)(?!\w)(?!$)")
"""Inside a clause these tell more of something, and ask nothing; "où" is "ou" without its accent."""

_LEADS = re.compile(
    r"(?:^|(?<!\w)(?:and|or|but|then|for|about|me|know|so|exactly|roughly|is|it|wonder|since|until) )$"
)
"""What stands before a "how" that asks; "the function that computes how long it is" asks for none."""

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
    for number, text in enumerate(clauses_of(question, reads_keywords=True)):
        for order, (answer_type, pattern) in enumerate(_ASKS):
            match = pattern.search(text)
            # "Quand je coche la tâche, elle disparaît" asks nothing of its first clause.
            if match and match[0] == "quand" and number:
                continue
            if match and match[0].startswith("how ") and not _LEADS.search(text[: match.start()]):
                continue
            if match and not (match.start() and _RELATIVE.match(text, match.start())):
                measured = _measured(match) if answer_type is AnswerType.NUMBER else answer_type
                found.append((match.start(), number, order, measured))
    return min(found)[3] if found else AnswerType.ANYTHING


def _measured(match: re.Match[str]) -> AnswerType:
    """Return what a question for a number is after: what is counted stands behind "combien de"."""
    counts = re.match(r" (?:de|d)(?!\w)", match.string[match.end() :])
    if match[0] not in {"combien", "how much"} or counts:
        return AnswerType.NUMBER
    kinds = (answer_type for answer_type, words in _MEASURED if words.search(match.string))
    return next(kinds, AnswerType.NUMBER)
