"""Texts that look like a key or a password, by their form alone; docs/reliability.md lists the forms."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from app.notices import Notice, NoticeKind

KEY, PASSWORD = Notice(NoticeKind.A_KEY), Notice(NoticeKind.A_PASSWORD)
ACCOUNT, CARD = Notice(NoticeKind.A_BANK_ACCOUNT), Notice(NoticeKind.A_PAYMENT_CARD)
SEED = Notice(NoticeKind.A_RECOVERY_PHRASE)

# Each begins where no letter of its own kind stands before it, so that a long run of them is read once.
_PROVIDER_KEYS = re.compile(
    r"(?<![\w-])(?:sk-[\w-]{20,}|xox[abeprs]-[\w-]{10,}|glpat-[\w-]{20,}|AIza[\w-]{35}(?![\w-])"
    r"|gh[opsur]_[A-Za-z0-9]{36,}|github_pat_\w{22,}|(?:AKIA|ASIA)[A-Z0-9]{16}(?!\w)|[rs]k_live_[A-Za-z0-9]{16,}"
    r"|hf_[A-Za-z0-9]{30,}|npm_[A-Za-z0-9]{36}(?!\w)|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,})",
    re.ASCII,
)
_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PRIVATE_KEY_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LINE = re.compile(r"[A-Za-z0-9+/=]{16,}\s*$")
_KEY_LETTERS = re.compile(r"[A-Za-z0-9+/=]{16,}")
_IN_ADDRESS = re.compile(r"[A-Za-z]://[^\s/@:]{1,100}:(?P<value>[^\s/@]{3,100})@")
_NAMED = re.compile(
    r"(?<![^\W_])(?:(?P<key>(?:api|secret|access|auth)[ _-]?(?:access[ _-]?)?(?:key|token)"
    r"|token|(?:client[ _-]?)?secret|cl[eé]f? d['’]api)"
    r"|pass ?word|passwd|pwd|passphrase|mots? de passe|mdp)"
    r"[*_`\"']{0,3}\s{0,3}(?P<sign>[:=：|])[=>]?[*_]{0,3}[^\S\n]{0,3}[`\"'«“]{0,3}[^\S\n]{0,1}"
    r"(?P<value>[^\s|`\"'»”]{4,})(?P<rest>[^\n|]{0,80})",
    re.IGNORECASE,
)
_ACCOUNT = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?:[ \u00a0]?[A-Z0-9]){11,30}")
_CARD = re.compile(
    r"(?<![\w/=.+-])(?:[0-9]{4}([ -]?)[0-9]{4}\1[0-9]{4}\1[0-9]{4}|3[47][0-9]{2}([ -]?)[0-9]{6}\2[0-9]{5})"
    r"(?![\w/=-])"
)
_SEED = re.compile(
    r"(?:seed|recovery|mnemonic|backup) (?:phrase|words)|phrases? (?:secr[eè]te|de r[eé]cup[eé]ration)",
    re.IGNORECASE,
)
_SEED_WORD = r"(?:[0-9]{1,2}[.):]? )?[a-z]{3,8}"
_SEED_WORDS = re.compile(
    rf"[\s*_`]{{0,4}}[:=]?[\s*_`]{{0,6}}(?P<value>{_SEED_WORD}(?:[ ,\n]{{1,3}}{_SEED_WORD}){{11,30}})"
    r"(?![\w,])"
)
_SEED_LENGTHS = (12, 15, 18, 21, 24)

# What stands behind "password:" and is none: placeholders, code, types, links, and words about passwords.
_NO_VALUE = re.compile(
    r"[\W_]*$|[<$%{(\[]|https?:|(?:~|\.{1,2})?/[^/]+/|\d{4}-\d\d-\d\d$|pass$|(?:x+|\.+|\*+)$|[\w.]+[(\[]|(?:[a-z]+[._-])*(?:password|passwd|pwd|passphrase)\b"
    r"|(?:str|string|text|none|null|true|false|required|optional|unknown|forgotten|changed?|change-?me|hidden"
    r"|secret|empty|same|reset|inconnu|oubli[eé]e?|aucun|identique|vide|chang[eé]r?|obligatoire)\W*$",
    re.IGNORECASE,
)
LENGTHS = {
    country: int(length)
    for country, length in re.findall(
        "([A-Z]{2})([0-9]{2})",
        "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 "
        "EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 "
        "KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 "
        "PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 "
        "VG24 XK20 ",
    )
}
"""How many characters an IBAN of a country has."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A place in a text that looks like something that is to stay private."""

    kind: Notice
    start: int
    end: int
    value: str
    """What it is told apart by: the same number written with and without blanks is the same."""

    @property
    def beginning(self) -> str:
        """The first characters, four at most and never more than half of it."""
        return self.value[: min(4, len(self.value) // 2)]


def find_secrets(text: str) -> list[Secret]:
    """List what looks like a key or a password, in the order of the text, none inside another.

    The time is linear in the text's length.
    """
    found = [secret for look in _LOOKS for secret in look(text)]
    kept: list[Secret] = []
    for secret in sorted(found, key=lambda each: (each.start, -each.end)):
        if not kept or secret.start >= kept[-1].end:
            kept.append(secret)
    return kept


def _private_keys(text: str) -> Iterator[Secret]:
    at = 0
    while begin := _PRIVATE_KEY.search(text, at):
        following = _PRIVATE_KEY.search(text, begin.end())
        close = _PRIVATE_KEY_END.search(text, begin.end(), following.start() if following else len(text))
        at = close.end() if close else _end_of_key(text, begin.end())
        # Told apart by its first letters alone: it may stand there with line numbers, or cut.
        body = "".join(_KEY_LETTERS.findall(text[begin.end() : at]))
        yield Secret(KEY, begin.start(), at, body[:64] or begin.group())


def _end_of_key(text: str, at: int) -> int:
    """Find where a key that was cut ends: with its last line of letters and digits in a row."""
    while at < len(text):
        after = text.find("\n", at + 1)
        after = len(text) if after < 0 else after
        line = text[at:after]
        if line.strip() and not _KEY_LINE.search(line[-200:]):
            return at
        at = after
    return at


def _provider_keys(text: str) -> Iterator[Secret]:
    for found in _PROVIDER_KEYS.finditer(text):
        # A dash and words, as in "sk-learn-and-other-libraries", is no key: that has digits, and a long run.
        if _is_key(found.group()):
            yield Secret(KEY, found.start(), found.end(), found.group())


def _in_addresses(text: str) -> Iterator[Secret]:
    for found in _IN_ADDRESS.finditer(text):
        if not _NO_VALUE.match(found["value"]):
            yield Secret(PASSWORD, *found.span("value"), found["value"])


def _named(text: str) -> Iterator[Secret]:
    at = 0
    while found := _NAMED.search(text, at):
        value = found["value"].rstrip(".,;)*_")
        at = found.end("value")
        if len(value) < 4 or _NO_VALUE.match(value):
            continue
        if found["key"]:
            if len(value) >= 16 and _is_key(value):
                yield Secret(KEY, found.start("value"), found.start("value") + len(value), value)
            continue
        alone = not found["rest"].strip(" \t\r`\"'*_».,;”") and found["sign"] != "|"
        if _is_mixed(value) or (alone and len(value) >= 6):
            yield Secret(PASSWORD, found.start("value"), found.start("value") + len(value), value)


def _is_key(value: str) -> bool:
    """Return whether letters and digits stand in it, and twelve such signs or more in a row."""
    return _is_mixed(value) and max(map(len, re.split("[^A-Za-z0-9]", value))) >= 12


def _is_mixed(value: str) -> bool:
    """Return whether letters stand beside digits, or beside signs as no word has them."""
    letters = any(sign.isalpha() for sign in value)
    digits = any(sign.isdigit() for sign in value)
    return (letters and (digits or any(sign in "!@#$%^&*+=?~§€£" for sign in value))) or (
        value.isdigit() and len(value) >= 4
    )


def _accounts(text: str) -> Iterator[Secret]:
    for found in _ACCOUNT.finditer(text):
        length = LENGTHS.get(found.group()[:2], 0)
        ends = [at for at, sign in enumerate(found.group(), 1) if sign not in " \u00a0"]
        if not length or len(ends) < length:
            continue
        end = found.start() + ends[length - 1]
        value = re.sub(r"[ \u00a0]", "", text[found.start() : end])
        digits = "".join(str(int(sign, 36)) for sign in value[4:] + value[:4])
        if not text[end : end + 1].isalnum() and int(digits) % 97 == 1:
            yield Secret(ACCOUNT, found.start(), end, value)


def _cards(text: str) -> Iterator[Secret]:
    for found in _CARD.finditer(text):
        value = re.sub("[ -]", "", found.group())
        issued = (
            value[0] in "34" or "51" <= value[:2] <= "55" or "2221" <= value[:4] <= "2720" or value[0] == "6"
        )
        doubled = [int(sign) * (1 + (at % 2)) for at, sign in enumerate(reversed(value))]
        if issued and sum(each - 9 * (each > 9) for each in doubled) % 10 == 0:
            yield Secret(CARD, found.start(), found.end(), value)


def _seeds(text: str) -> Iterator[Secret]:
    for label in _SEED.finditer(text):
        if found := _SEED_WORDS.match(text, label.end()):
            words = re.findall("[a-z]+", found["value"])
            if len(words) in _SEED_LENGTHS:
                yield Secret(SEED, *found.span("value"), " ".join(words))


_LOOKS: tuple[Callable[[str], Iterator[Secret]], ...] = (
    _private_keys,
    _provider_keys,
    _in_addresses,
    _named,
    _accounts,
    _cards,
    _seeds,
)
