"""Evidence for a question in one call: the lines of notes that answer it best, within a budget of tokens."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.chat.ask.briefing import Briefing, Given, brief, shortened
from app.chat.evidence.gather import gather
from app.errors import BadRequestError
from app.limits import QUERY_CHARS, check_text
from app.notices import Notice, NoticeKind
from app.search.embedding.loading import is_installed
from app.search.show.text import BETWEEN, DATA_NOTE
from app.sentences import ParameterName
from app.showing import in_line
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
class Pack:
    """What the notes hold on a question, best first; ``text`` has at most the tokens that were asked for.

    ``probability`` says how likely the notes answer, 0 to 1, and ``tokens`` how many the text has, as
    `count_tokens` counts.
    """

    question: str
    passages: tuple[Given, ...]
    text: str
    tokens: int
    probability: float
    notices: tuple[Notice, ...] = ()

    def data(self) -> dict[str, Any]:
        """Return it as JSON has it: without the text, which holds the same."""
        passages = [
            {
                "path": one.evidence.path,
                "lines": one.evidence.range,
                "heading": one.evidence.heading,
                "date": one.evidence.day,
                "text": one.numbered,
            }
            for one in self.passages
        ]
        return {
            "question": self.question,
            "passages": passages,
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
    passages = _merged({name: look.briefing for name, look in used.items()})
    if not passages and any(look.briefing.found for look in used.values()):
        raise BadRequestError(
            "what was found has no room in {max_tokens} tokens",
            "give up to {most_tokens}",
            max_tokens=max_tokens,
            most_tokens=MOST_TOKENS,
        )
    notices = tuple(dict.fromkeys((*failed, *(one for look in used.values() for one in look.notices))))
    # The frame of the text differs from that of the briefing: what comes last gives way.
    while count_tokens(text := _text(passages, notices, likely=likely)) > max_tokens:
        if len(passages) > 1:
            passages.pop()
        elif notices:
            notices = ()
        else:
            (only,) = passages
            passages = [shortened(only.evidence, only.lines, count_tokens(only.text) * 3 // 4)]
    probability = max(look.briefing.probability for look in used.values())
    return Pack(question, tuple(passages), text, count_tokens(text), probability, notices)


@dataclass(frozen=True, slots=True)
class _Look:
    """What one vault holds on the question."""

    briefing: Briefing
    likely: bool
    notices: tuple[Notice, ...]


def _look(vault: VaultClient, question: str, max_tokens: int) -> _Look:
    found = gather(vault, question)
    briefing = brief(found, max_tokens, NEARLY)
    vectors, notices = found.view.vectors, list(found.notices)
    if found.mode == "fast" and vectors is not None and is_installed():
        # Words alone were searched by while most passages wait for their vectors.
        notices.insert(0, Notice(NoticeKind.SOME_HAVE_VECTORS, share=vectors.share(found.view.snapshot)))
    return _Look(briefing, briefing.probability >= vault.settings.ask_probability, tuple(notices))


def _merged(briefings: Mapping[str, Briefing]) -> list[Given]:
    """Put the best of each vault first, then the second of each; of two, that of the likelier vault."""
    ranked = [
        (place, -briefing.probability, at, name, given)
        for at, (name, briefing) in enumerate(briefings.items())
        for place, given in enumerate(briefing.given)
    ]
    return [
        replace(given, evidence=replace(given.evidence, path=named(name, given.evidence.path)))
        for *_, name, given in sorted(ranked, key=lambda each: each[:3])
    ]


def _text(passages: Sequence[Given], notices: Sequence[Notice], *, likely: bool) -> str:
    notes = [f"Note: {in_line(notice)}." for notice in notices]
    if not passages:
        return "\n".join(["Nothing in the notes is about this.", *notes])
    head = f"Evidence, best first {DATA_NOTE}" if likely else f"{UNLIKELY} {DATA_NOTE}"
    blocks = [_block(number, each) for number, each in enumerate(passages, start=1)]
    return "\n\n".join(["\n".join([head, *notes]), *blocks])


def _block(number: int, given: Given) -> str:
    """Write a passage below its place, as what reads notes takes it, and what it is about."""
    piece = given.evidence
    facts = [f"{number}. {in_line(f'{piece.path}:{piece.range}')}"]
    if piece.heading:
        facts.append(f"under {in_line(piece.heading, HEADING_CHARS)}")
    if piece.day and piece.day not in piece.path + piece.heading:
        facts.append(piece.day)
    return f"{BETWEEN.join(facts)}\n{given.numbered}"
