"""What is a tag: `inline` asks here for running text, `properties` for the property block."""

import re
from collections.abc import Iterable

# Everything but blanks, controls, ASCII punctuation other than "_-/", and two blocks of Unicode punctuation.
_SIGNS = r"[^\s\x00-\x20!-,.:-@\[-^`{-\xa0\u2000-\u206f\u2e00-\u2e7f]"
_NAME = re.compile(_SIGNS + "+")
_ONLY_DIGITS = re.compile(r"[0-9]+")

TAG = re.compile("#" + _SIGNS + "+")
"""What may be a tag in running text; `clean_tag` says whether it is one."""


def clean_tag(written: str) -> str | None:
    """Return a tag's stored form, without the leading ``#``; None when it is no tag."""
    name = written.strip().removeprefix("#").rstrip("/")
    return name if _NAME.fullmatch(name) and not _ONLY_DIGITS.fullmatch(name) else None


def unique_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Keep the first spelling of each tag."""
    first: dict[str, str] = {}
    for tag in tags:
        first.setdefault(tag.casefold(), tag)
    return tuple(first.values())
