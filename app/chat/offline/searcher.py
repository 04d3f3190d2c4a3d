"""The search agent without a language model: rules drive its tools and quote what they show."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from app.chat.ask.document import MOST_LINES
from app.chat.ask.forms import NamedFile, SearchAnswer
from app.chat.history import Call, Turn, read_turns
from app.chat.offline import phrases
from app.chat.offline.assistant import MODEL_NAME, language_for
from app.chat.offline.phrases import PHRASES
from app.chat.offline.sentences import Sentence, choose_sentences, sentences_of
from app.notices import Language
from app.search.models import SearchResult
from app.search.query.parse import parse_query
from app.search.query.time_window import window_of
from app.showing import in_line
from app.vault.dates import local_today

MOST_FILES = 5
PASSAGES = 12
MOST_WORDS = 60
"""Words of a question that are looked for, small ones left out."""
RELATIVE_SCORE = 0.35
"""A note is named when its best passage has at least this share of the best score of all."""
SURE_SCORE = 0.2
"""Below this even the best passage is little likely to answer."""
SENTENCE_CHARS = 280
MOST_QUOTES = MOST_LINES - 1
_MARKS = (("“", "”"), ("« ", " »"), ('"', '"'))


def offline_searcher() -> FunctionModel:
    """Make the model that stands in for a language model: no key, no network, no invention."""
    return FunctionModel(_respond, model_name=MODEL_NAME)


def _respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    step = next_step(read_turns(messages)[-1])
    if isinstance(step, SearchAnswer):
        return ModelResponse(parts=[ToolCallPart(info.output_tools[0].name, step.model_dump())])
    return ModelResponse(parts=[ToolCallPart(call.tool, call.arguments) for call in step])


def next_step(turn: Turn) -> list[Call] | SearchAnswer:
    """Decide what to do next: tools to call, or the answer."""
    said = PHRASES[language_for([turn])]
    if not turn.calls:
        words = phrases.content_words(turn.question) or turn.question.strip(" ?!.")
        asks_nothing = phrases.courtesy(turn.question) or phrases.HELP.fullmatch(turn.question.strip())
        if asks_nothing or not words:
            return SearchAnswer(overview=said.question)
        query = with_time(" ".join(words.split()[:MOST_WORDS]), turn.question)
        return [Call("search", {"query": query, "limit": PASSAGES})]
    passages = chosen_passages(turn)
    if passages and not any(call.tool == "read" for call in turn.calls):
        return [Call("read", {"path": passage.path, "lines": passage.range}) for passage in passages]
    return answer_from(turn) or SearchAnswer(overview=_nothing(turn))


def with_time(words: str, question: str) -> str:
    """Add the time that a question names where its words alone no longer name it, such as "in May"."""
    today = local_today()
    named, left = (window_of(parse_query(text), today) for text in (question, words))
    if named is None or (left is not None and left.period == named.period):
        return words
    place = re.search(rf"(?:[\w'’]+\s+)?{re.escape(named.phrase)}", question)
    return f"{words} {place[0]}" if place else words


def answer_from(turn: Turn) -> SearchAnswer | None:
    """Answer with what the tools have shown so far; None where they have shown nothing.

    Files are the notes of the best passages, best first, with the lines of the passages that were found;
    the overview is made of their sentences.
    """
    passages = chosen_passages(turn)
    files: dict[str, list[str]] = {}
    for passage in passages:
        files.setdefault(passage.path, []).append(passage.range or "")
    for read in (call.reading for call in turn.calls):
        # A model that read more than it had found may have had a reason.
        if read is not None and read.lines and len(files) < MOST_FILES:
            files.setdefault(read.path, [])
    if not files:
        return None
    return SearchAnswer(
        overview=_overview(turn, list(files)),
        files=[
            NamedFile(path=path, lines=", ".join(filter(None, lines)) or None)
            for path, lines in files.items()
        ],
    )


def chosen_passages(turn: Turn) -> list[SearchResult]:
    """Choose the passages of at most five notes, those of the best note first."""
    found: dict[tuple[str, str | None], SearchResult] = {}
    for passage in (passage for call in turn.calls for passage in call.results.results):
        found.setdefault((passage.path, passage.range), passage)
    best = _best(found.values())
    kept = [passage for passage in found.values() if _score(passage) >= best * RELATIVE_SCORE]
    order = {path: at for at, path in enumerate(dict.fromkeys(passage.path for passage in kept))}
    kept = [passage for passage in kept if order[passage.path] < MOST_FILES]
    return sorted(kept, key=lambda passage: order[passage.path])


def _best(passages: Iterable[SearchResult]) -> float:
    return max(map(_score, passages), default=0.0)


def _score(passage: SearchResult) -> float:
    """Return a score as it is shown: finer differences mean nothing."""
    return round(passage.score, 2)


def _overview(turn: Turn, paths: Sequence[str]) -> str:
    """Word where the notes speak of the question, in their own sentences."""
    language = language_for([turn])
    read = [shown for call in turn.calls if (shown := call.reading) is not None and shown.path in paths]
    found = [(each.path, sentence) for each in read for sentence in sentences_of(each.lines)]
    chosen = choose_sentences(
        sorted(dict.fromkeys(found), key=lambda each: paths.index(each[0])),
        phrases.content_words(turn.question),
        phrases.language_of(turn.question),
        MOST_QUOTES,
    )
    lines = [_quoted(path, sentence, language) for path, sentence in chosen]
    said = PHRASES[language]
    opening = said.found if _best(chosen_passages(turn)) >= SURE_SCORE else said.unsure
    return "\n".join([opening, *(lines or [f"`{in_line(path)}`" for path in paths[:MOST_QUOTES]])])


def _quoted(path: str, sentence: Sentence, language: Language) -> str:
    said, text = PHRASES[language], sentence.text
    if len(text) > SENTENCE_CHARS:
        text = text[:SENTENCE_CHARS].rpartition(" ")[0] + " …"
    styles = _MARKS if language == "en" else (_MARKS[1], _MARKS[0], _MARKS[2])
    opening, closing = next(
        (style for style in styles if not any(sign.strip() in text for sign in style)), ("", "")
    )
    one = sentence.first == sentence.last
    numbers = str(sentence.first) if one else f"{sentence.first}-{sentence.last}"
    place = (said.line if one else said.lines).format(numbers=numbers)
    day = f"{sentence.day}, " if sentence.day else ""
    return f"{opening}{text}{closing} ({day}`{in_line(path)}` {place})"


def _nothing(turn: Turn) -> str:
    """Say that nothing was found, and what the search advises."""
    said, search = PHRASES[language_for([turn])], turn.search
    if search is None:
        return said.question
    if search.failed:
        return f"{said.failed}\n{search.answer}"
    query: Any = search.arguments.get("query", "")
    return "\n".join(
        [
            said.nothing.format(query=query),
            *(in_line(one.remark(said.language)) for one in search.results.notices),
        ]
    )
