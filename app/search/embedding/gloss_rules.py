"""What is known by hand of a language that is read by glosses: how it is cut, and its small words."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from app.vault.paths import normalized

# Accents may follow their letters as characters of their own.
_LETTERS = r"[^\W_](?:[^\W_]|[\u0300-\u036f])*"
_RUN = re.compile(rf"{_LETTERS}(?:['’ʼ\-\u2010\u2011]{_LETTERS})*")
MOST_TIED, TIED_CHARS = 3, 12
"""Most pronouns tied to one word, and the length of the longest with its hyphens."""
_PLAIN = str.maketrans({"’": "'", "ʼ": "'", "\u2010": "-", "\u2011": "-"})


class Word(NamedTuple):
    """A word in small letters with plain signs, and where it stands in its text, in characters."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Rules:
    """How texts of one language are cut, and what its commonest words say in another.

    ``elided`` matches a shortened word that opens another, ``tied`` one that is tied on behind, ``whole`` are
    words that only look so. ``small`` gives the words for which no table is asked; those that say nothing are
    empty. ``letters`` matches letters that tell the language from most others, ``foreign`` those
    that it does not have.
    """

    source: str
    target: str
    elided: re.Pattern[str]
    tied: re.Pattern[str]
    whole: tuple[str, ...]
    letters: re.Pattern[str]
    foreign: re.Pattern[str]
    small: Mapping[str, str]

    @property
    def pair(self) -> str:
        """The two languages by their codes, as the table of their words is called."""
        return f"{self.source}-{self.target}"

    def words(self, text: str) -> Iterator[Word]:
        """Cut a text into words; elided ones (``l'``) and pronouns tied on (``-t-il``) stand alone."""
        for run in _RUN.finditer(text):
            plain, at = run[0].translate(_PLAIN), run.start()
            for start, word, end in self._parts(plain):
                yield Word(normalized("NFC", plain[word:end]).lower(), at + start, at + end)

    def _parts(self, run: str) -> Iterator[tuple[int, int, int]]:
        """Yield where each part of a run starts, where its word starts after what ties it on, and its end."""
        first, last = 0, len(run)
        while (elided := self.elided.match(run, first)) and elided.end() < last:
            yield first, first, elided.end()
            first = elided.end()
        behind: list[tuple[int, int, int]] = []
        while len(behind) < MOST_TIED and run[first:last].lower() not in self.whole:
            tied = self.tied.search(run, max(first, last - TIED_CHARS), last)
            if tied is None or tied.start() <= first:
                break
            behind.append((tied.start(), tied.start(1), last))
            last = tied.start()
        yield first, first, last
        yield from reversed(behind)


def _table(text: str) -> dict[str, str]:
    """Read ``gloss: words; gloss: words``."""
    rows = (row.partition(":") for row in text.split(";"))
    return {word: gloss.strip() for gloss, _, words in rows for word in words.split()}


FRENCH = Rules(
    "fr",
    "en",
    elided=re.compile(r"(?:[ldjmtscn]|qu|jusqu|lorsqu|puisqu|quoiqu|presqu)'", re.IGNORECASE),
    tied=re.compile(
        r"(?:-t)?-(je|tu|ils?|elles?|on|nous|vous|ce|ci|là|la|les?|lui|leur|moi|toi|y|en|mêmes?)$",
        re.IGNORECASE,
    ),
    whole=("rendez-vous", "au-delà", "peut-être", "est-ce"),
    letters=re.compile("[âçéêëîïôùûœ]|[àè][a-z]"),
    foreign=re.compile("[áãäåíìñóòöõøúüß]"),
    small=_table(
        """: le la les l' de d' du des ne n' se s' y en un une est-ce; to: à au aux; that: que qu' cela ça
        celui celle; it: ce c'; i: je j'; you: tu te t' toi vous; me: me m' moi; we: nous; one: on; he:
        il; she: elle; they: ils elles; him: lui; them: eux; their: leur leurs; my: mon ma mes; your: ton
        ta tes votre vos; his: son sa ses; our: notre nos; this: cet cette ceci; these: ces; those: ceux
        celles; whose: dont; how: comment; how much: combien; why: pourquoi; when: quand lorsque lorsqu';
        where: où; who: qui; what: quoi; which: quel quelle quels quelles; not: pas non; yes: oui; more:
        plus; nor: ni; there: là; here: ci; in: dans; on: sur; under: sous; with: avec; without: sans;
        for: pour; by: par; at: chez; between: entre; towards: vers; during: lors pendant; since: dès
        depuis puisque puisqu'; according: selon; in order: afin; near: auprès; until: jusque jusqu';
        before: avant; after: après; against: contre; and: et; or: ou; but: mais; so: donc; because: car;
        if: si; thus: ainsi; then: alors; as: comme; also: aussi; same: même; very: très; is: est; are:
        sont; was: était; be: être; been: été; has: a; have: ont avoir; must: faut doit dois devez
        doivent; can: peut peux puis pouvez peuvent pouvoir; do: faire fais; done: fait; all: tout toute
        tous toutes; other: autre autres; each: chaque; some: quelque quelques; several: plusieurs; today:
        aujourd'hui"""
    ),
)

RULES = (FRENCH,)
"""The languages that are read by glosses, one row each; `docs/glosses.md` says how another one is learnt."""
