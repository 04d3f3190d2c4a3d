"""Whether a text tells of somebody, in English and French: by a name, by what people are, or as "we"."""

import re
from collections.abc import Iterator

from app.chat.evidence.clause import one_of
from app.chat.evidence.when import CALENDAR
from app.search.excerpt import fold

_NAME = re.compile(r"(?<!\w)[^\W\d_a-z][\w'’-]*(?=\W|$)")
_THING = re.compile(
    r"(?:(?<!\w)(?:the|an?|this|le|la|les|une?|des|du|aux?|cet?|cette)\s|\b[lL]['’])\W{0,3}\Z"
)
"""What stands before a name that is no person's: "la Glacière", "the Thames"."""
_ROLES = one_of(
    # The family, and people near it.
    "mothers? fathers? mum mom dad parents? sisters? brothers? sons? daughters? wife husband uncles? aunts?",
    "cousins? nieces? nephews? grand\\w+ twins? friends? neighbou?rs? people m[èe]res? p[èe]res? maman papa",
    "s[oœ]e?urs? fr[èe]res? fils fille femme mari oncles? tantes? cousines? ni[èe]ces? neveux? jumea\\w+",
    "amie?s? copine?s? copains? voisine?s? gens monsieur madame m mme mr mrs ms dr",
    # Anybody.
    "man men woman women boys? girls? child children kids? bab(?:y|ies) guests? nobody everybody somebody",
    "anybody everyone someone anyone hommes? gar[çc]ons? enfants? b[ée]b[ée]s? personnes? quelqu['’]un tous",
    # What people do, and what they are together.
    "doctors? dentists? nurses? vets? teachers? pupils? students? lawyers? plumbers? bakers? builders?",
    "roofers? gardeners? painters? drivers? farmers? owners? landlords? landlady tenants? editors? authors?",
    "writers? singers? directors? managers? presidents? treasurers? secretar(?:y|ies) chairs? captains?",
    "mayors? colleagues? boss clients? customers? members? volunteers? teams? groups? committees? councils?",
    "boards? famil(?:y|ies) compan(?:y|ies) firms? club association schools? universit\\w+ government",
    "polic\\w+ crew",
    "m[ée]decins? v[ée]t[ée]rinaires? profs? professeure?s? [ée]l[èe]ves? avocate?s? plombi\\w+ boulang\\w+",
    "ma[çc]ons? couvreu\\w+ jardini\\w+ peintres? ma[îi]tres? ma[îi]tresses? propri[ée]taires? locataires?",
    "auteure?s? directeurs? directrices? pr[ée]sidente?s? maires? mairie commune coll[èe]gues? chefs?",
    "patron\\w* membres? b[ée]n[ée]voles? [ée]quipes? groupes? comit[ée]s? conseils? famill\\w+ entreprises?",
    "soci[ée]t[ée]s? [ée]coles? coll[èe]ge lyc[ée]e police",
    r"\w{3,}(?:icians?|ists?|smiths?|keepers?|makers?|istes?|iciens?|iciennes?|atrices?|ateurs?)",
)
_SOMEONE = re.compile(rf"(?<!\w)(?:{_ROLES})(?!\w)", re.IGNORECASE)
_WE = re.compile(
    r"(?<!\w)(?:I|[Ww]e|[Uu]s|[Mm]e|[Hh]e|[Ss]he|[Hh]im|[Hh]er|[Jj]e|[Jj](?=['’])|[Nn]ous|[Mm]oi)(?!\w)"
)


def other_names(text: str, question: str) -> Iterator[re.Match[str]]:
    """Find the capitalised words that the question does not have, and that do not just begin a sentence."""
    asked = _words(question)
    for match in _NAME.finditer(text):
        at = match.start()
        while at and text[at - 1] in " \u00a0\u202f*_()\"“”«»'’-":
            at -= 1
        begins = not at or text[at - 1] in ".!?:…\n>]"
        is_name = match[0][0].isupper() and (not begins or text.endswith("[[", 0, match.start()))
        if is_name and not _words(match[0]) <= asked and fold(match[0]) not in CALENDAR:
            yield match


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", fold(text)))


def tells_of_someone(text: str, question: str) -> bool:
    """Return whether a text tells of a person or of people that the question does not name itself."""
    if _WE.search(text) or not _words(" ".join(_SOMEONE.findall(text))) <= _words(question):
        return True
    names = (match for match in other_names(text, question) if not any(map(str.isdigit, match[0])))
    return any(not _THING.search(text, max(0, match.start() - 12), match.start()) for match in names)
