"""Evidence for a question in one call: the lines of notes that answer it best, within a budget of tokens."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.chat.ask.briefing import Briefing, Given, brief
from app.chat.evidence.gather import Found, gather
from app.errors import BadRequestError
from app.limits import QUERY_CHARS, check_text
from app.notices import Notice, NoticeKind
from app.search.embedding.loading import is_installed
from app.search.show.text import BETWEEN, DATA_NOTE
from app.sentences import ParameterName
from app.showing import cut, in_line, inside_marks
from app.tokens import count_tokens
from app.vault.client import VaultClient
from app.vault.named import ALONE, each_of, named

DEFAULT_TOKENS, LEAST_TOKENS, MOST_TOKENS = 1200, 200, 20_000
NEARLY = 0.07
"""How likely a stretch of a note has to answer, beside the best one, to be worth its tokens.

Chosen by questions over two notes each of public test sets: with less, one more that is found costs as many
tokens as searching and reading on.
"""
HEADING_CHARS = 80
UNLIKELY = "The notes may not answer this; what comes nearest:"


@dataclass(frozen=True, slots=True)
class Passage:
    """Some lines of a note, as they stand, by their numbers; lines that say nothing are left out."""

    path: str
    first: int
    last: int
    lines: Mapping[int, str]
    heading: str = ""
    day: str = ""
    """The day that the passage is about, such as ``2025-07-14``; empty where none is known."""

    @property
    def place(self) -> str:
        """Where it stands, as what reads notes takes it."""
        lines = str(self.first) if self.first == self.last else f"{self.first}-{self.last}"
        return f"{self.path}:{lines}"


@dataclass(frozen=True, slots=True)
class Pack:
    """What the notes hold on a question, best first; ``text`` has at most the tokens that were asked for.

    ``probability`` says how likely the notes answer, 0 to 1, and ``tokens`` how many the text has, as
    `count_tokens` counts.
    """

    question: str
    passages: tuple[Passage, ...]
    text: str
    tokens: int
    probability: float
    notices: tuple[Notice, ...] = ()

    def data(self) -> dict[str, Any]:
        """Return it as JSON has it: without the text, which holds the same."""
        return {
            "question": self.question,
            "passages": [
                {
                    "path": each.path,
                    "lines": f"{each.first}-{each.last}",
                    "heading": each.heading,
                    "date": each.day,
                    "text": numbered_lines(each.lines),
                }
                for each in self.passages
            ],
            "tokens": self.tokens,
            "probability": round(self.probability, 2),
            "notices": [str(notice) for notice in self.notices],
        }


def pack(
    vault: VaultClient | Mapping[str, VaultClient], question: str, max_tokens: int = DEFAULT_TOKENS
) -> Pack:
    """Return the lines of notes that answer a question best, with their numbers, as one short text.

    No language model is asked. It ends early where nothing else is likely to answer.

    Args:
        vault: The vault; or several by name, which answer as one. Where the notes of one are likely to
            answer, those of vaults where they are not are left out.
        question: In full, in any language.
        max_tokens: The most tokens of the whole text, 200 to 20,000.

    Raises:
        BadRequestError: the question is empty or too long, or the budget out of bounds, or too small.
        VaultError: the vault cannot be searched, or none of several.
    """
    if not question.strip():
        raise BadRequestError("the question is empty", "ask something")
    check_text(question, "question", QUERY_CHARS)
    if not LEAST_TOKENS <= max_tokens <= MOST_TOKENS:
        raise BadRequestError(
            "'{name}' is {max_tokens}",
            "give a number from {least_tokens} to {most_tokens}",
            name=ParameterName("max_tokens"),
            max_tokens=max_tokens,
            least_tokens=LEAST_TOKENS,
            most_tokens=MOST_TOKENS,
        )
    vaults = vault if isinstance(vault, Mapping) else {ALONE: vault}
    looked, failed = each_of(vaults, lambda one: _look(one, question, max_tokens))
    likely = any(look.likely for look in looked.values())
    used = {name: look for name, look in looked.items() if look.likely == likely}
    passages = _merged(used)
    if not passages and any(look.too_long for look in used.values()):
        raise BadRequestError(
            "what was found has no room in {max_tokens} tokens",
            "give up to {most_tokens}",
            max_tokens=max_tokens,
            most_tokens=MOST_TOKENS,
        )
    said = (notice for look in used.values() for notice in look.notices)
    notices = tuple(dict.fromkeys((*failed, *said)))
    probability = max(look.briefing.probability for look in used.values())
    # The frame of the text differs from that of the briefing: what comes last gives way.
    while count_tokens(text := _text(passages, notices, likely=likely)) > max_tokens:
        if len(passages) > 1:
            passages.pop()
        elif notices:
            notices = ()
        else:
            passages = [_shorter(each) for each in passages]
    return Pack(question, tuple(passages), text, count_tokens(text), probability, notices)


@dataclass(frozen=True, slots=True)
class _Look:
    """What one vault holds on the question; ``too_long`` where it holds something, and nothing fits."""

    briefing: Briefing
    likely: bool
    too_long: bool
    notices: tuple[Notice, ...]


def _look(vault: VaultClient, question: str, max_tokens: int) -> _Look:
    found = gather(vault, question)
    briefing = brief(found, max_tokens, NEARLY)
    likely = briefing.probability >= vault.settings.ask_probability
    too_long = not briefing.given and bool(brief(found, MOST_TOKENS, NEARLY).given)
    return _Look(briefing, likely, too_long, (*_unbuilt(found), *found.notices))


def _merged(looks: Mapping[str, _Look]) -> list[Passage]:
    """Put the best of each vault first, then the second of each; of two, that of the likelier vault."""
    ranked = sorted(
        (
            (place, -look.briefing.probability, at, _passage(name, given))
            for at, (name, look) in enumerate(looks.items())
            for place, given in enumerate(look.briefing.given)
        ),
        key=lambda each: each[:3],
    )
    return [passage for *_, passage in ranked]


def _unbuilt(found: Found) -> Iterator[Notice]:
    """Say that words alone were searched by while most passages wait for their vectors."""
    view = found.view
    if found.mode == "fast" and view.vectors is not None and is_installed():
        yield Notice(NoticeKind.OTHERS_BY_WORDS, share=view.vectors.share(view.snapshot))


def _passage(name: str, given: Given) -> Passage:
    piece = given.evidence
    return Passage(named(name, piece.path), piece.first, piece.last, given.lines, piece.heading, piece.day)


def _text(passages: Sequence[Passage], notices: Sequence[Notice], *, likely: bool) -> str:
    notes = [f"Note: {in_line(notice)}." for notice in notices]
    if not passages:
        return "\n".join(["Nothing in the notes is about this.", *notes])
    head = f"Evidence, best first {DATA_NOTE}" if likely else f"{UNLIKELY} {DATA_NOTE}"
    blocks = [_block(number, each) for number, each in enumerate(passages, start=1)]
    return "\n\n".join(["\n".join([head, *notes]), *blocks])


def _block(number: int, passage: Passage) -> str:
    facts = [f"{number}. {in_line(passage.place)}"]
    if passage.heading:
        facts.append(f"under {in_line(passage.heading, HEADING_CHARS)}")
    if passage.day and passage.day not in passage.path + passage.heading:
        facts.append(passage.day)
    return "\n".join([BETWEEN.join(facts), numbered_lines(passage.lines)])


def numbered_lines(lines: Mapping[int, str]) -> str:
    """Write lines with their numbers, as they are shown."""
    return "\n".join(f"{at} | {inside_marks(line)}" for at, line in lines.items())


def _shorter(passage: Passage) -> Passage:
    """Leave the last line of a passage out, or the end of its only one."""
    lines = dict(passage.lines)
    last = max(lines)
    if len(lines) > 1:
        del lines[last]
    else:
        lines[last] = cut(lines[last], max(1, len(lines[last]) * 3 // 4))
    return Passage(passage.path, min(lines), max(lines), lines, passage.heading, passage.day)
