"""The clauses of a question, each as it is compared with patterns: folded, without what only leads to it."""

import re
from collections.abc import Sequence

from app.search.excerpt import fold

_CLAUSE = re.compile(r"(?<=[.!?;:,…])\s+|\n+| [-–—] ")
_ACCENTED_WHERE = re.compile(r"(?<!\w)où(?!\w)", re.IGNORECASE)
_WORD = re.compile(r"\w+")
MOST_KEYWORDS = 10
"""Words, at the most, of a text that asks nothing and names what it is after: "boiler phone number"."""


def one_of(*words: str) -> str:
    """Return a pattern of any of some words; those with blanks between them are given apart."""
    return "|".join(part for text in words for part in text.split())


DETERMINER = "(?:{})".format(
    one_of(
        "the our my your his her their le la l les mon ma mes notre nos votre vos son sa ses leur",
    )
)
BE = r"(?:is|was|are|were|s|est|sont|etait|c est quoi)"
_OPENERS = one_of(
    "so and ok okay hey hi hello please now well also sorry",
    "dis alors et bon donc sinon bonjour salut stp euh",
)
_KNOW = r"know|remember|recall|tell|say|remind|look up|give|find|have|check|see|show|please|still|me|us|again"
_SAVOIR = (
    r"sais|savez|sait|souviens|souvenez|souvient|rappelles|rappelez|peux|peut|pouvez|connais|connaissez|dire|"
    r"retrouver|donner|redonner|rappeler|trouver|noter|note|encore|deja|te|vous|me|m|se|s|bien|de|d|du"
)
_LEADS_IN = re.compile(
    rf"(?:(?:{_OPENERS}) )*(?:"
    rf"(?:(?:do|does|can|could|would|will) (?:you|we|i|anyone|anybody|somebody)(?: (?:{_KNOW}))+|"
    r"(?:i|we) (?:(?:d|would) (?:like|love)|need|want|wish)(?: to (?:know|have|find|see|get))|"
    r"i (?:wonder|(?:m|am) (?:wondering|looking for|trying to (?:find|remember))|forgot|forget|"
    r"(?:can t|cannot|don t|do not) (?:remember|recall|know|find))|"
    r"(?:any|no) idea|remind me|tell me|give me|show me|find me|have (?:we|you|i) got|"
    r"is there (?:(?:a|any) )?(?:note|anything|something|mention)|what about|how about)"
    r"(?: (?:of|about|on|for))?|"
    rf"(?:est ce qu(?:e|) )?(?:tu|vous|on|quelqu un)(?: (?:{_SAVOIR}))+|"
    rf"(?:sais|savez|connais|peux|pourrais|pouvez|pourriez) (?:tu|vous)(?: (?:{_SAVOIR}))*|"
    r"(?:te|vous) (?:souviens|souvenez|rappelles|rappelez) (?:tu|vous)(?: (?:de|du|d))?|"
    r"(?:je|j) (?:(?:voudrais|veux|aimerais|souhaite)(?: bien)? (?:savoir|connaitre|retrouver|avoir)|"
    r"(?:me demande|cherche|ne sais plus|ai oublie))|"
    r"(?:dis|donne|redonne|rappelle|retrouve) moi|est ce qu on a(?: note)?|(?:on a|t as|t aurais)|"
    r"besoin (?:de|du|d)|quid (?:de|du|d|des)|c est quoi) "
)
_OPENS_QUESTION = re.compile(
    r"(?:"
    + one_of(
        "what which who whom whose when where why how if whether quel quelle quels quelles lequel laquelle"
    )
    + "|"
    + one_of("quand qui ou combien comment pourquoi quoi que qu si ce")
    + r"|(?:a|de|d|dans|sur|pour|par|avec|chez|depuis|jusqu a|vers|since|until|in|on|at|to|from|for|with) "
    r"(?:what|which|whom|where|when|how|quel|quelle|quels|quelles|quand|qui|quoi|ou|combien))(?!\w)"
)
_QUESTION_WORD = re.compile(
    one_of(
        "what which who whom whose when where why how quel quelle quels quelles quand qui combien comment",
        "pourquoi quoi que qu est is are was were do does did can could should would has have will i we je j",
    )
)


def clauses_of(question: str, *, reads_keywords: bool = False) -> Sequence[str]:
    """Return the clauses of a question, the last one first.

    Each is folded, its words with one blank between them. "Do you know the price of ..." is returned as
    "what is the price of ...", and "où" is "where", since without its accent it is "or". Where keywords are
    read, a few words that are no question are returned as one: "chimney sweep price" as "what is chimney
    sweep price".
    """
    clauses = [
        " ".join(_WORD.findall(fold(clause)))
        for clause in _CLAUSE.split(_ACCENTED_WHERE.sub("where", question))
    ]
    words = [word for clause in clauses for word in clause.split()]
    asks = any(map(_QUESTION_WORD.fullmatch, words))
    # "Price and colour of the sail" names two things.
    is_one = len(words) <= MOST_KEYWORDS and not {"and", "or", "et", "ou"} & set(words)
    is_named = reads_keywords and not asks and is_one
    return [_asked(clause, is_named=is_named) for clause in reversed(clauses) if clause]


def _asked(clause: str, *, is_named: bool) -> str:
    lead = _LEADS_IN.match(clause)
    if lead:
        clause = clause[lead.end() :]
        if clause.startswith("when "):
            # By itself "when we left" tells a time, and asks for none.
            return clause.replace("when ", "when did ", 1)
        if _OPENS_QUESTION.match(clause):
            return clause
    return f"what is {clause}" if lead or is_named else clause
