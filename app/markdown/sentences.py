"""Where one sentence ends and the next begins, in running text of notes and of answers."""

import re
from collections.abc import Iterator

_ALWAYS = """
Dr Pr Prof Mr Mrs Ms Mme Mmes Mlle MM Me Mgr St Ste Jr Sr vs cf ex al e.g i.e p.ex c.-à-d approx env etc ca
hab tél dép av apr boul Inc Ltd Co Corp Mt Ft Gen Col Sgt Rev Hon
"""
_BEFORE_NUMBERS = "no nos nr n num art fig figs vol chap ch sec sect p pp pl tab éd ed"
_LONGEST = 12
"""Characters before a full stop in which an abbreviation is looked for."""
_SHORT = re.compile(
    rf"(?<![\w.])(?:{'|'.join(map(re.escape, _ALWAYS.split()))})\.\Z"
    # An initial, and the last letter of "U.S.".
    r"|(?<![^\s.(’'-])[^\W\d_]\.\Z",
)
_NUMBERED = re.compile(rf"(?<![\w.])(?:{'|'.join(_BEFORE_NUMBERS.split())})\.\Z", re.IGNORECASE)
_DIGIT = re.compile(r"\s*\d")
_DAY = re.compile(r"(?<![\w.,])\d{1,2}\.\Z")
_GERMAN_MONTH = re.compile(
    r"\s(?:Jan|Jän|Feb|März|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)(?:uar|ner|ruar|il|i|ust|t?ember|ober)?(?!\w)"
)
# What closes and opens is kept whole, so that a long run of signs is read once.
_END = re.compile(
    r"(?<=[.!?…])(?:\s[»”])?+[\"”»’)*_~=`\]]*+\s++"
    r"(?=[\"“«‘(*_\[~=`<$]*+\s?(?:[^\W_a-zß-öø-ÿœ]|[^\x00-\xff]))"
    r"|(?<=[。！？])(?=\S)"
)


def is_short_form(text: str, stop: int) -> bool:
    """Return whether the full stop right before a place ends no sentence, as in "Mme.", "J." and "7. Mai"."""
    begin = max(0, stop - _LONGEST)
    if _SHORT.search(text, begin, stop):
        return True
    if _DAY.search(text, begin, stop):
        return _GERMAN_MONTH.match(text, stop) is not None
    return _NUMBERED.search(text, begin, stop) is not None and _DIGIT.match(text, stop) is not None


def sentence_starts(text: str) -> Iterator[int]:
    """Yield where the sentences of a text after the first begin, in order.

    A sentence ends at a full stop or another sign of an end, with what closes behind it, before a letter that
    is no small one, a digit, or a sign such as an emoji. Lines end none: what a line break means is told by
    what stands on the lines.
    """
    for match in _END.finditer(text):
        if not is_short_form(text, match.start()):
            yield match.end()
