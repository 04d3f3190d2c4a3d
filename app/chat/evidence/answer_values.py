"""Whether a text holds a thing of the kind that a question asks for, in English and French."""

import re
from bisect import bisect_right
from collections.abc import Mapping

from app.chat.evidence.answer_type import AnswerType
from app.chat.evidence.clause import one_of
from app.chat.evidence.people import other_names, tells_of_someone
from app.search.excerpt import fold

_NUMBERS = one_of(
    "one two three four five six seven eight nine ten eleven twelve \\w+teen twenty thirty forty fifty sixty",
    "seventy eighty ninety hundred thousand dozen half once twice daily weekly monthly yearly hourly none",
    "every each un une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
    "vingt trente quarante cinquante soixante quatre-vingts? cents? mille douzaine dizaine quinzaine",
    "vingtaine trentaine centaine demi demie aucun aucune chaque",
)
_COUNTS = one_of(
    "two three four five six seven eight nine ten eleven twelve \\w+teen twenty thirty forty fifty sixty",
    "seventy",
    "eighty ninety hundred thousand dozen half none deux trois quatre cinq six sept huit neuf dix onze douze",
    "treize quatorze quinze vingt trente quarante cinquante soixante cent mille douzaine dizaine aucune?",
)
"""Numbers that count; "un" and "one" mostly stand for something else."""
_TIMES = one_of("day week fortnight month quarter year jour semaine quinzaine mois trimestre an annee année")
_MONTHS = one_of(
    "jan(?:uary|vier)? feb(?:ruary)? f[ée]vr(?:ier)? mar(?:ch|s) apr(?:il)? avr(?:il)? mai june? juin",
    r"(?-i:May) may(?=\s\d) (?<=\d\s)may",
    "jul(?:y)? juillet juil aug(?:ust)? ao[ûu]t sept(?:ember|embre)? oct(?:ober|obre)?",
    "nov(?:ember|embre)? d[ée]c(?:ember|embre)?",
)
_CALENDAR = f"{_MONTHS}|" + one_of(
    "(?:mon|tues|wednes|thurs|fri|satur|sun)days? lundis?",
    "mardis? mercredis? jeudis? vendredis? samedis? dimanches? today tomorrow yesterday tonight midnight",
    "noon spring summer autumn winter century hier demain aujourd['’]hui minuit midi printemps",
    "automne hiver si[èe]cle since until before after depuis avant apr[èe]s days? weeks? months? years?",
    "hours? minutes? jours? semaines? mois ans ann[ée]es? heures?",
    # "An oar" is no year, nor is "a été lancé" a summer.
    r"(?:(?:un|par|nouvel|\d)\s|l['’])an (?:(?:en|un|cet|chaque)\s|[ld]['’])[ée]t[ée]",
    r"[ée]t[ée](?=\s(?:\d{4}|dernier|prochain))",
)
"""Words that tell a time."""
_AMOUNT = rf"(?:\d[\d.,\u00a0\u202f ]{{0,20}}+(?:k ?)?|(?<!\w)(?:{_NUMBERS})(?!\w)[ -]?+)"
"""A number that stands before its unit."""
_PART = (
    r"(?<!\w)(?:(?<!once )(?<!twice )(?<!times )(?<!\dx )an?|une?|half an?|demi-?|quarters? of an?|"
    r"quarts? d['’])"
    r"(?: (?:good|full|whole|solid|bonne|bon|petite|petit|grosse|gros|pleine))?[ -]?"
)
"""What stands before a unit without a number: "half a day", "une bonne heure"."""
_CURRENCIES = one_of(
    "euros? eur dollars? usd pounds? livres? gbp francs? chf pence cents? centimes? quid bucks yens?",
    "roupies? rupees? balles? cad aud nzd",
)
_PRICES = one_of(
    "costs? prices? fees? rent paid pays? payed prix co[ûu]ts? tarifs? montants? loyers? pay[ée]e?s?",
)
_PERIODS = one_of(
    "seconds? secs? minutes? mins? mn min hours? hrs? h days? nights? weeks? fortnights? months? years?",
    "wks? yrs? s decades? century centuries secondes? heures? jours? journ[ée]es? nuits? semaines? mois ans?",
    "ann[ée]es? si[èe]cles?",
)
_LENGTH_UNITS = one_of(
    "km kms m mi miles? kilomet(?:er|re)s? kilom[èe]tres? met(?:er|re)s? m[èe]tres? yards? yds? feet foot",
    "ft cm mm centimet(?:er|re)s? centim[èe]tres? millimet(?:er|re)s? millim[èe]tres? inch(?:es)? leagues?",
    "lieues? bornes? px pixels? characters? caract[èe]res? pages?",
)
_WEIGHT_UNITS = one_of(
    "kgs? kilos? kilograms? kilogrammes? g gr grams? grammes? mg lbs? pounds? livres? ounces? oz stones?",
    "tons? tonnes? t hundredweights? cwt",
)
_COLOURS = one_of(
    "colou?r\\w* couleurs? black white gr[ea]y red green blue yellow orange purple violet pink brown",
    "beige cream navy turquoise teal crimson scarlet maroon indigo lilac mauve olive khaki ochre golden",
    "silver noire?s? blanc(?:he)?s? grise?s? rouges? verte?s? bleue?s? jaunes? roses? brune?s? marron",
    "cr[èe]me bordeaux dor[ée]e?s? argent[ée]e?s? rousse?s? roux blonde?s? ivory ivoire [ée]cru taupe",
    "corail anthracite charcoal terracotta fuchsia magenta ocre burgundy ral",
)
_MEASURES = r"\d\s?m\s?\d\d(?!\d)|\d['′]\d{1,2}(?!\d)"
"""Lengths as "2m10" and "4'2"."""
_STREETS = one_of(
    "street st road rd avenue ave lane drive square place court terrace boulevard quay rue chemin",
    "all[ée]e impasse quai route floor flat apartment av bd bld",
)
_CALLED = r"phone|call|dial|ring|appele[rz]|t[ée]l[ée]phone[rz]?|composez?|(?:the|le) num(?:ber|[ée]ro)"
_HOLDING: Mapping[AnswerType, str] = {
    AnswerType.NUMBER: rf"\d|(?<!\w)(?:{_COUNTS})(?!\w)",
    AnswerType.MONEY: rf"(?<=[€$£¥])\s?\d|{_AMOUNT}(?:€|k€|(?:{_CURRENCIES})(?!\w))|"
    rf"(?<!\w)(?:(?:{_PRICES})(?!\w)\W+(?:\w+\W+)?\d|for free|free of|gratuite?s?(?!\w))",
    AnswerType.PERCENTAGE: rf"{_AMOUNT}(?:%|per ?cent|pct(?!\w)|pour ?cents?)",
    AnswerType.WEIGHT: rf"{_AMOUNT}(?:{_WEIGHT_UNITS})(?!\w)",
    AnswerType.DISTANCE: rf"(?:{_AMOUNT}|{_PART})(?:{_LENGTH_UNITS}|{_PERIODS})(?!\w)|{_MEASURES}",
    AnswerType.TEMPERATURE: rf"{_AMOUNT}(?:°|degrees?|degr[ée]s?|celsius|fahrenheit|[CF](?!\w))|"
    r"(?:gas mark|thermostat|th\.) ?\d",
    AnswerType.DURATION: rf"(?:{_AMOUNT}|{_PART}(?!second ))(?:{_PERIODS})(?!\w)|\b\dh\d\d",
    AnswerType.EXTENT: rf"(?:{_AMOUNT}|{_PART})(?:{_PERIODS}|{_LENGTH_UNITS})(?!\w)|\b\dh\d\d|{_MEASURES}",
    AnswerType.FREQUENCY: r"(?<!\w)(?:every|each|daily|weekly|monthly|yearly|hourly|twice|once|chaque|times|"
    r"fortnightly|quarterly|annually|nightly|quotidien\w*|hebdomadaire\w*|mensuel\w*|annuel\w*|"
    rf"trimestriel\w*|matin et soir|fois|tous les|toutes les|par (?:{_TIMES})|(?:a|per|each) (?:{_TIMES})|"
    rf"une? (?:{_TIMES}) sur|\w{{3,6}}days)(?!\w)|\d ?x\s?(?:/|per|a|par)|/ ?(?:{_TIMES})(?!\w)",
    AnswerType.AGE: rf"{_AMOUNT}(?:(?:years?|months?|weeks?|days?)[ -]old|ans|mois)(?!\w)|"
    rf"(?<!\w)(?:aged?|[âa]g[ée]e?s?|turn(?:s|ed)?|birthday|anniversaire)(?!\w)\W+(?:\w+\W+)?(?:\d|(?:{_NUMBERS})(?!\w))|"
    rf"(?<!\w)(?:over|under|at|plus de|moins de|d[èe]s|[àa] partir de|[àa])[ -](?:{_COUNTS})"
    r"(?=\W*(?:$|with|ans|years|he|she))|"
    rf"(?<!\w)(?:over|under)-\d{{1,2}}s?(?!\w)|(?<=\w\w, )\d{{1,2}}(?=, (?:is|was|has|est|et|who|qui))|"
    r"(?<!\w)(?:vingtaine|trentaine|quarantaine|cinquantaine|soixantaine)(?!\w)|"
    r"(?<!\w)(?:born|n[ée]e?s?|built|made|dates?|from|since|depuis|construite?|b[âa]tie?|de)(?!\w)\W+(?:\w+\W+){0,3}(?:1[5-9]|20)\d\d(?!\d)",
    AnswerType.CLOCK: rf"\d{{1,2}}(?::|\s?h\s?|\.)\d\d|\d\s?(?:am|pm|h|heures?|o['’]clock)(?!\w)|"
    rf"(?<!\w)(?:noon|midnight|midi|minuit|half past|quarter (?:past|to)|"
    rf"(?:at|from|until|till|by|before|after|past|[àa]|d[èe]s|jusqu['’][àa]|vers|avant|apr[èe]s) "
    rf"(?:\d|(?:{_NUMBERS})(?!\w)))",
    AnswerType.YEAR: r"(?<!\d)(?:1[0-9]|20)\d\d(?!\d| ?(?:km|m|kg|g|€|euros?|%)(?!\w))|"
    r"(?<=\w )['’]\d\d(?!\w)|"
    r"(?<!\w)nineteen[ -](?:\w+ty|\w+teen|oh)|(?<!\w)(?:mil(?:le)? neuf cent|deux mille)(?!\w)",
    AnswerType.TIME: r"(?<!\d)(?:1[0-9]|20)\d\d(?!\d)|\d{1,2}[/.-]\d{1,2}(?:[/.-]\d{2,4})?|"
    r"\d{1,2}(?::|\s?h\s?)\d\d|"
    rf"\d\s?(?:am|pm|h)(?!\w)|(?<!\w)(?:{_CALENDAR})(?!\w)",
    AnswerType.TELEPHONE: r"(?<![\d-])(?<!n[°o] (?=[1-9]))(?<!no\. (?=[1-9]))(?<!\d[ .])"
    r"(?!\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}/\d)"
    r"\+?\d(?:[ .()/-]{0,2}\d){6,13}(?![\d-])|"
    rf"(?:{_CALLED})\W+(?:\w+\W+){{0,2}}\d{{2}}",
    AnswerType.EMAIL: r"[\w.+-]@\w|\w \(at\) \w+\.\w|(?<!\w)arobase(?!\w)",
    AnswerType.WEBSITE: r"https?://|www\.|\w\.(?:com|org|net|fr|uk|io|eu|de|dev|app|info|ch|be|ca|us|es|it)(?!\w)|"
    r"(?<![\w./@-])(?:[\w-]++\.)++(?!js|py|md|json|ts)[a-z]{2,7}/[\w-]",
    AnswerType.ADDRESS: r"(?i:po box|freepost) [\dA-Z]|(?:BP|CS) \d{2,5}(?![\d/])|"
    rf"\d[\w,]{{0,4}} (?:[\w'’.-]{{1,30}} ){{0,4}}(?i:{_STREETS})(?!\w)|"
    r"(?<!\w)[A-ZÀ-Ý][\w'’-]{1,30} (?:Street|Road|Lane|Avenue|Square|Drive|Terrace)(?!\w)|"
    r"(?<!\w)(?i:rue|avenue|boulevard|quai|chemin|impasse|place) (?:d|[A-ZÀ-Ý])|"
    r"(?<!\d)\d{5}(?!\d)|(?<!\w)[A-Z]{1,2}\d[\dA-Z]? \d[A-Z]{2}(?!\w)",
    AnswerType.COLOUR: rf"(?<!\w)(?:{_COLOURS})(?!\w)|#[\da-f]{{6}}(?!\w)",
}
_SENSITIVE = frozenset({AnswerType.ADDRESS})
_VALUES = {
    answer_type: re.compile(pattern, 0 if answer_type in _SENSITIVE else re.IGNORECASE)
    for answer_type, pattern in _HOLDING.items()
}
_HEADERS: Mapping[AnswerType, re.Pattern[str]] = {
    answer_type: re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)
    for answer_type, words in {
        AnswerType.MONEY: rf"{_PRICES}|euros?|amounts?|sums?|sommes?|total|spent|d[ée]pens\w+|budget",
        AnswerType.WEIGHT: "weights?|poids|masse|yield|kg",
        AnswerType.DISTANCE: "distances?|km|miles|length|longueur",
        AnswerType.DURATION: "durations?|dur[ée]e|time|temps|hours|heures|length",
        AnswerType.EXTENT: "durations?|dur[ée]e|time|temps|hours|heures|length|longueur",
        AnswerType.TEMPERATURE: "temperatures?|temp[ée]ratures?|°C?",
        AnswerType.CLOCK: "hours?|heures?|times?|opens?|closes?|horaires?",
        AnswerType.AGE: "ages?|[âa]ges?|born|n[ée]e?",
        AnswerType.PERCENTAGE: "%|percent\\w*|pourcentages?|rates?|taux|share",
    }.items()
}
"""What the header of a table calls a column whose numbers need no unit."""
_BORN = re.compile(
    r"(?<!\w)(?:born|birth\w*|b-?days?|dob|b\.|n(?:é|e\u0301)e?s?|naissance|anniv(?:ersaires?)?|"
    r"vu le jour)(?!\w)|\((?:1\d|20)\d\d\s?[–-]",
    re.IGNORECASE,
)
_DATE = re.compile(rf"(?<!\d)(?:1\d|20)\d\d(?!\d)|\d[/.-]\d|(?<!\w)(?:{_MONTHS})(?!\w)", re.IGNORECASE)
_REASONS = one_of(
    "because since therefore thus hence otherwise reasons? allows? car parce puisque? afin raisons? donc",
    "sinon permet gr[âa]ce",
)
_REASON = re.compile(
    rf"(?<!\w)(?:{_REASONS}|so that|in order to|due to|so as to|to avoid|to prevent|this means|as a result|"
    r"pour que|[àa] cause|c['’]est pourquoi|pour [ée]viter|faute de)(?!\w)",
    re.IGNORECASE,
)
_CALL_BY_NAME = re.compile(
    r"(?<!\w)(?i:call|ring|phone|contact|appele[rz]|joindre|contacte[rz]|pr[ée]venir|demande[rz] [àa])"
    r"(?: (?:the|our|le|la|notre|m\.|mme))? [A-ZÀ-Ý][\w'’-]"
)
_PATH = re.compile(r"[\w.-]/[\w.-]|\[\[|→|(?<=\w) > (?=\w)|`")
_WORD = re.compile(r"[^\W_]+")
_DOING = one_of(
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


def holds_answer(answer_type: AnswerType, text: str, question: str, header: str = "") -> bool:
    """Return whether a text holds what is wanted, besides what the question says itself.

    ``header`` is what says of which kind bare values are: that of a table, or what a list stands under.
    """
    match answer_type:
        case AnswerType.BIRTH:
            return any(map(_BORN.search, (text, header))) and _has_other(_DATE, text, question)
        case AnswerType.PERSON:
            return tells_of_someone(text, question)
        case AnswerType.CONTACT:
            is_said = _CALL_BY_NAME.search(text) is not None
            return is_said or _has_other(_VALUES[AnswerType.TELEPHONE], text, question)
        case AnswerType.PLACE:
            return _PATH.search(text) is not None or any(True for _ in other_names(text, question))
        case AnswerType.REASON:
            return _REASON.search(text) is not None
        case AnswerType.STEPS:
            return _STEP.search(text) is not None
        case AnswerType.ANYTHING:
            return False
    if header and answer_type in _HEADERS and _HEADERS[answer_type].search(header):
        answer_type = AnswerType.NUMBER
    return _has_other(_VALUES[answer_type], text, question)


def _has_other(pattern: re.Pattern[str], text: str, question: str) -> bool:
    asked = set(re.findall(r"\w+", fold(question)))
    words = [word.span() for word in _WORD.finditer(text)]
    if not words:
        # Signs alone, such as "_@_", say nothing.
        return False
    begins = [begin for begin, _ in words]
    # What is found is widened to whole words; much that is found in one word is one.
    found = set[tuple[int, int]]()
    for match in pattern.finditer(text):
        first, last = (bisect_right(begins, place) - 1 for place in (match.start(), match.end() - 1))
        if first < last and (first < 0 or words[first][1] <= match.start()):
            # It begins with a sign, such as "+" or the blank behind "€".
            first += 1
        found.add((words[first][0], words[last][1]))
    return any(fold(text[begin:end]) not in asked for begin, end in found)
