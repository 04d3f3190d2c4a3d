"""What a tag may look like."""

import re
from collections.abc import Iterable

# Everything but blanks, controls, ASCII punctuation other than "_-/", and two blocks of Unicode punctuation.
TAG_SIGNS = r"[^\s\x00-\x20!-,.:-@\[-^`{-\xa0\u2000-\u206f\u2e00-\u2e7f]"

_NAME = re.compile(TAG_SIGNS + "+")
_ONLY_DIGITS = re.compile(r"[0-9]+")


def clean_tag(written: str) -> str | None:
    """Give a tag its stored form, without the leading ``#``; None when it is no tag."""
    name = written.strip().removeprefix("#").rstrip("/")
    return name if _NAME.fullmatch(name) and not _ONLY_DIGITS.fullmatch(name) else None


def unique_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Keep the first spelling of each tag."""
    first: dict[str, str] = {}
    for tag in tags:
        first.setdefault(tag.casefold(), tag)
    return tuple(first.values())
