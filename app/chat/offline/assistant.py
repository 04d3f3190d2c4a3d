"""The offline assistant: the chat agent's own tools, driven by rules; it searches, reads and quotes."""

import json
import locale
import re
from collections.abc import AsyncIterator, Sequence

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from app.chat.history import Call, Turn, read_turns
from app.chat.offline import phrases
from app.chat.offline.phrases import PHRASES, Phrases
from app.chat.offline.quoting import choose_lines, format_lines, format_numbers, squeeze
from app.notes.models import Reading
from app.notices import Language
from app.search.format import excerpt_lines, head
from app.search.models import ShownResults
from app.showing import PATH, in_line

MODEL_NAME = "offline"
PASSAGES = 3


def offline_model() -> FunctionModel:
    """Make the model that stands in for a language model: no key, no network, no invention."""
    return FunctionModel(_respond, stream_function=_stream, model_name=MODEL_NAME)


def _respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    step = next_step(read_turns(messages))
    if isinstance(step, str):
        return ModelResponse(parts=[TextPart(step)])
    return ModelResponse(parts=[ToolCallPart(call.tool, call.arguments) for call in step])


async def _stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
    step = next_step(read_turns(messages))
    if isinstance(step, str):
        for line in step.splitlines(keepends=True):
            yield line
        return
    for number, call in enumerate(step):
        name = f"offline-{len(messages)}-{number}"
        yield {number: DeltaToolCall(call.tool, json.dumps(call.arguments), tool_call_id=name)}


def next_step(turns: Sequence[Turn]) -> list[Call] | str:
    """Decide what to do next: tools to call, or the answer."""
    turn, before = turns[-1], turns[:-1]
    said = PHRASES[language_for(turns)]
    if not turn.calls and (reply := phrases.courtesy(turn.question)):
        return _signed([reply], said, first=not before)
    if not turn.calls:
        call = _command(turn.question) or _further(turn.question, before) or _search(turn.question, before)
        return [call] if call else _signed([said.help], said, first=not before)
    search = turn.search
    if search is None:
        read = turn.calls[-1]
        if read.failed and (instead := _search(turn.question, ())) is not None:
            # "Montre la décision" may be a question after all.
            return [instead]
        return _signed(
            [said.failed, read.answer] if read.failed else [_note(read, said)], said, first=not before
        )
    if search.failed and search.arguments.get("operation") == "by_link" and len(turn.calls) == 1:
        # No note is called that; a passage may still speak of it.
        return [
            Call(
                "vault_search",
                {"operation": "fast", "query": search.arguments["note_path"], "limit": PASSAGES},
            )
        ]
    if search is turn.calls[-1] and search.arguments.get("operation") == "fast":
        reads = [
            Call("note_operations", {"operation": "read", "path": result.path, "lines": result.range})
            for result in search.results.results
            if result.range
        ]
        if reads:
            return reads
    return _signed(_answer(turn, search, said), said, first=not before)


def _note(call: Call, said: Phrases) -> str:
    read = call.reading
    return call.answer if read is None else _read(read, said)


def _read(read: Reading, said: Phrases) -> str:
    path = in_line(read.path, PATH)
    if not read.lines:
        return said.empty.format(path=path)
    place = said.note.format(path=path, first=read.lines[0][0], last=read.lines[-1][0], count=read.count)
    tail = ["", said.cut.format(count=read.count)] if read.is_cut else []
    return "\n".join([place, "", *(text for _, text in read.lines), *tail])


def _answer(turn: Turn, search: Call, said: Phrases) -> list[str]:
    asked = search.arguments
    if search.failed:
        return [said.failed, search.answer]
    shown = search.results
    remarks = "\n".join(in_line(one.remark(said.language)) for one in shown.notices)
    query = str(asked.get("query", ""))
    if not shown.results:
        if asked.get("offset"):
            return [said.no_more]
        named = query or " ".join(asked.get("tags", ())) or str(asked.get("note_path", ""))
        return [said.nothing.format(query=named), remarks]
    if asked["operation"] == "fast" and (quotes := _quotes(turn, search, query, said)):
        return [said.found, *quotes, remarks]
    heads = {"fast": said.found, "by_link": said.linking, "by_tag": said.tagged}
    rest = said.rest.format(count=shown.left) if shown.left else ""
    return [heads[asked["operation"]], *_entries(shown), rest, remarks]


def _entries(shown: ShownResults) -> list[str]:
    """Return where each result stands, and what it quotes."""
    return [
        "\n".join([head(number, result), *(f"   {squeeze(line)}" for line in excerpt_lines(result))])
        for number, result in enumerate(shown.results, shown.following - len(shown.results) + 1)
    ]


def _quotes(turn: Turn, search: Call, query: str, said: Phrases) -> list[str]:
    words = phrases.words_of(query)
    quotes = []
    for call in turn.calls[turn.calls.index(search) + 1 :]:
        read = call.reading
        if read is not None and (lines := choose_lines(read.lines, words)):
            numbers = [number for number, _ in lines]
            where = said.line if len(numbers) == 1 else said.lines
            place = where.format(numbers=format_numbers(numbers))
            quotes.append(f"{in_line(read.path, PATH)}, {place}\n{format_lines(lines)}")
    return quotes


def _signed(parts: list[str], said: Phrases, *, first: bool) -> str:
    return "\n\n".join(
        [*(part.strip() for part in parts if part.strip()), said.offline if first else said.briefly]
    )


def _command(question: str) -> Call | None:
    text = question.strip()
    if match := phrases.TAGS.fullmatch(text):
        tags = [tag for tag in re.split(r"[\s,]+", match["tags"] or match["bare"]) if tag]
        return Call("vault_search", {"operation": "by_tag", "tags": tags})
    if match := phrases.BACKLINKS.fullmatch(text):
        return Call("vault_search", {"operation": "by_link", "note_path": match["name"]})
    if match := phrases.READ.fullmatch(text):
        return Call("note_operations", {"operation": "read", "path": match["name"]})
    return None


def _further(question: str, before: Sequence[Turn]) -> Call | None:
    """Understand "more" as the next passages of the last search."""
    last = _last_search(before)
    if last is None or not phrases.MORE.fullmatch(question.strip()):
        return None
    limit = int(last.arguments.get("limit", 10))
    shown = last.results
    offset = shown.following if shown.left else int(last.arguments.get("offset", 0)) + limit
    return Call("vault_search", {**last.arguments, "offset": offset})


def _search(question: str, before: Sequence[Turn]) -> Call | None:
    """Search for what carries the question; a follow-up takes the words of the question before along."""
    if phrases.HELP.fullmatch(question.strip()):
        return None
    words = phrases.content_words(question)
    last = _last_search(before)
    earlier = str(last.arguments.get("query", "")) if last else ""
    if earlier and (not words or phrases.FOLLOW_UP.match(question.strip())):
        words = " ".join(dict.fromkeys([*words.split(), *earlier.split()]))
    words = words or question.strip(" ?!.")
    if not words:
        return None
    return Call("vault_search", {"operation": "fast", "query": words, "limit": PASSAGES})


def _last_search(turns: Sequence[Turn]) -> Call | None:
    searches = (turn.search for turn in reversed(turns))
    return next((search for search in searches if search and not search.failed), None)


def language_for(turns: Sequence[Turn]) -> Language:
    """Answer in the language of the question, else of an earlier one, else of the system."""
    for turn in reversed(turns):
        if (language := phrases.language_of(turn.question)) is not None:
            return language
    return "fr" if (locale.getlocale()[0] or "").startswith("fr") else "en"
