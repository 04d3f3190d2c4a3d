"""Globs over note paths, as regular expressions that no pattern can make slow."""

import re
from functools import lru_cache

from app.errors import BadRequestError
from app.vault.paths import path_key

MAX_CHOICES = 64
"""Most paths that the braces of one glob may stand for."""

MAX_CROSSING = 4
"""Most ``**`` in one glob: each multiplies the ways a path can be divided."""


@lru_cache(maxsize=512)
def compile_glob(glob: str) -> re.Pattern[str]:
    """Translate a glob into a regular expression over whole path keys.

    ``*`` and ``?`` stay within a folder, ``**`` does not; ``[…]`` is a class, ``{a,b}`` a choice; a
    final ``/*`` takes the whole folder. The ending ``.md`` may be left out.

    Raises:
        BadRequestError: a bracket or brace is not closed, a class is not valid, or there are too many
            choices or ``**``.
    """
    choices = _choices(path_key(glob), glob)
    try:
        return re.compile("|".join(f"(?:{_path(choice, glob)})" for choice in choices), re.DOTALL)
    except re.error as error:
        raise BadRequestError(
            "malformed glob '{glob}': {reason}", "check what stands in [ ]", glob=glob, reason=error
        ) from error


def compile_place(glob: str) -> re.Pattern[str]:
    """Translate a glob of which one without wildcards also means the folder of that name."""
    pattern = compile_glob(glob.strip("/") or glob)
    if any(sign in glob for sign in "*?[{"):
        return pattern
    return re.compile(f"(?:{pattern.pattern})(?:/.*)?", re.DOTALL)


def _choices(key: str, glob: str) -> list[str]:
    """Write a glob out without braces, one for each choice."""
    done, open_ones = [], [key]
    while open_ones:
        text = open_ones.pop()
        end = text.find("}")
        start = text.rfind("{", 0, end) if end >= 0 else text.find("{")
        if start < 0:
            done.append(text)
            continue
        if end < 0:
            raise BadRequestError(
                "malformed glob '{glob}': '{{' is not closed", "add the missing '}}'", glob=glob
            )
        open_ones += [text[:start] + part + text[end + 1 :] for part in text[start + 1 : end].split(",")]
        if len(open_ones) + len(done) > MAX_CHOICES:
            raise BadRequestError(
                "the glob '{glob}' has more than {max_choices} choices",
                "write several",
                glob=glob,
                max_choices=MAX_CHOICES,
            )
    return done


def _path(key: str, glob: str) -> str:
    if key.count("**") > MAX_CROSSING:
        raise BadRequestError(
            "the glob '{glob}' has more than {max_crossing} '**'",
            "use fewer",
            glob=glob,
            max_crossing=MAX_CROSSING,
        )
    whole_folder = key.endswith("/*")
    parts = re.sub(r"(?:\*\*/)+", "**/", key).split("/")
    out = []
    for at, part in enumerate(parts):
        last = at == len(parts) - 1
        if part == "**" or (last and whole_folder and part == "*"):
            out.append(".*" if last else "(?:.*/)?")
        else:
            out.append(_part(part, glob) + ("" if last else "/"))
    ending = "" if parts[-1].endswith("*") else r"(?:\.md)?"
    return "".join(out) + ending


def _part(part: str, glob: str) -> str:
    """Translate what stands between two slashes.

    A star takes as little as lets the text up to the next star follow, and never takes it back (an atomic
    group, as in Python's own fnmatch): a later star makes up for it, so nothing is missed.
    """
    pieces = _pieces(part, glob)
    stars = [at for at, piece in enumerate(pieces) if piece == "*"]
    if not stars or "**" in pieces:
        return "".join({"*": "[^/]*", "**": ".*"}.get(piece, piece) for piece in pieces)
    out = "".join(pieces[: stars[0]])
    for star, following in zip(stars, [*stars[1:], None], strict=True):
        fixed = "".join(pieces[star + 1 : following])
        out += f"[^/]*{fixed}" if following is None else f"(?>[^/]*?{fixed})"
    return out


def _pieces(part: str, glob: str) -> list[str]:
    pieces: list[str] = []
    at = 0
    while at < len(part):
        char = part[at]
        if char == "*":
            run = len(part[at:]) - len(part[at:].lstrip("*"))
            pieces.append("*" if run == 1 else "**")
            at += run
            continue
        if char == "?":
            pieces.append("[^/]")
        elif char == "[":
            end = part.find("]", at + 2)
            if end < 0:
                raise BadRequestError(
                    "malformed glob '{glob}': '[' is not closed", "add the missing ']'", glob=glob
                )
            pieces.append(_class(part[at + 1 : end]))
            at = end
        else:
            pieces.append(re.escape(char))
        at += 1
    return pieces


def _class(inner: str) -> str:
    negated = inner[0] in "!^"
    signs = inner[1:] if negated else inner
    # Of all signs only a single dash means something here; Python reserves doubled ones for later.
    escaped = re.sub(r"[\\\[\]^&~|]|-(?=-)|(?<=-)-", r"\\\g<0>", signs)
    return f"[^/{escaped}]" if negated else f"[{escaped}]"
