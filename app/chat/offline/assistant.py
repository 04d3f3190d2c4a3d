"""The offline assistant: the chat agent's own tools, driven by rules; it searches, reads and quotes."""

import json
import re
from collections.abc import AsyncIterator, Sequence

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from app.chat.evidence.evidence import Overview
from app.chat.history import Call, Turn, read_turns
from app.chat.offline import phrases
from app.chat.offline.follow_up import in_full
from app.chat.offline.phrases import PHRASES, Phrases
from app.config.settings import OFFLINE
from app.notes.models import Reading
from app.notices import Language
from app.search.format import excerpt_lines, head
from app.search.models import ShownResults
from app.showing import PATH, in_line

ASK = "ask_vault"
"""The tool that answers a question."""
_PADDING = re.compile(r"(?<=\S)[^\S\n]{3,}(?=\S)")
"""Blanks inside a line, as between the cells of a table, that are shortened where passages are listed."""
PASSAGES = 10
"""Passages that are listed where more than the answer is asked for."""


def offline_model(language: Language = "en") -> FunctionModel:
    """Make the model that stands in for a language model: no key, no network, no invention.

    It speaks ``language`` where no question tells one.
    """

    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        step = next_step(read_turns(messages), language)
        if isinstance(step, str):
            return ModelResponse(parts=[TextPart(step)])
        return ModelResponse(parts=[ToolCallPart(call.tool, call.arguments) for call in step])

    async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        step = next_step(read_turns(messages), language)
        if isinstance(step, str):
            for line in step.splitlines(keepends=True):
                yield line
            return
        for number, call in enumerate(step):
            name = f"offline-{len(messages)}-{number}"
            yield {number: DeltaToolCall(call.tool, json.dumps(call.arguments), tool_call_id=name)}

    return FunctionModel(respond, stream_function=stream, model_name=OFFLINE)


def next_step(turns: Sequence[Turn], language: Language = "en") -> list[Call] | str:
    """Decide what to do next: tools to call, or the answer, in ``language`` where no question tells one."""
    turn, before = turns[-1], turns[:-1]
    said = PHRASES[phrases.language_for([turn.question for turn in turns], language)]
    if not turn.calls and (reply := phrases.courtesy(turn.question)):
        return _signed([reply], said, first=not before)
    if not turn.calls and (spoken := phrases.asks_to_write(turn.question)) is not None:
        said = PHRASES[spoken]
        return _signed([said.writes_nothing], said, first=not before)
    if not turn.calls and (spoken := phrases.asks_to_undo(turn.question)) is not None:
        said = PHRASES[spoken]
        return _signed([said.nothing_to_undo], said, first=not before)
    if not turn.calls:
        call = _command(turn.question) or _further(turn.question, before) or _search(turn.question, before)
        return [call] if call else _signed([said.help], said, first=not before)
    if (asked := next((call for call in turn.calls if call.tool == ASK), None)) is not None:
        return _signed([_overview(asked, said)], said, first=not before)
    search = turn.search
    if search is None:
        read = turn.calls[-1]
        if read.failed and (instead := _search(turn.question, ())) is not None:
            # "Montre la décision" may be a question after all.
            return [instead]
        return _signed(
            [said.failed, read.answer] if read.failed else [_note(read, said)], said, first=not before
        )
    if search.failed and search.arguments.get("operation") == "by_link":
        # No note is called that; a passage may still speak of it.
        return [Call(ASK, {"question": search.arguments["note_path"]})]
    return _signed(_answer(search, said), said, first=not before)


def _overview(asked: Call, said: Phrases) -> str:
    if asked.failed:
        return f"{said.failed}\n\n{asked.answer}"
    return asked.value.text if isinstance(asked.value, Overview) else asked.answer


def _note(call: Call, said: Phrases) -> str:
    read = call.reading
    return call.answer if read is None else _read(read, said)


def _read(read: Reading, said: Phrases) -> str:
    path = in_line(read.path, PATH)
    if not read.lines:
        return said.empty.format(path=path)
    place = said.place_of(read.lines[0][0], read.lines[-1][0])
    head = said.note.format(path=path, place=place, count=read.count)
    tail = ["", said.cut.format(count=read.count)] if read.is_cut else []
    return "\n".join([head, "", *(text for _, text in read.lines), *tail])


def _answer(search: Call, said: Phrases) -> list[str]:
    asked = search.arguments
    if search.failed:
        return [said.failed, search.answer]
    shown = search.results
    remarks = "\n".join(in_line(one.remark(said.language)) for one in shown.notices)
    if not shown.results:
        if asked.get("offset"):
            return [said.no_more]
        named = str(asked.get("query", "")) or " ".join(asked.get("tags", ())) or asked.get("note_path", "")
        return [said.nothing.format(query=named), remarks]
    heads = {"fast": said.found, "by_link": said.linking, "by_tag": said.tagged}
    rest = said.rest.format(count=shown.left) if shown.left else ""
    return [heads[asked["operation"]], *_entries(shown), rest, remarks]


def _entries(shown: ShownResults) -> list[str]:
    """Return where each result stands, and what it quotes."""
    return [
        "\n".join(
            [head(number, result), *(f"   {_PADDING.sub('  ', line)}" for line in excerpt_lines(result))]
        )
        for number, result in enumerate(shown.results, shown.following - len(shown.results) + 1)
    ]


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
    """Understand "more" as the next passages of the last search, or those of the last question."""
    if not phrases.MORE.fullmatch(question.strip()):
        return None
    for turn in reversed(before):
        search = turn.search
        if search is not None and not search.failed:
            limit, shown = int(search.arguments.get("limit", 10)), search.results
            offset = shown.following if shown.left else int(search.arguments.get("offset", 0)) + limit
            return Call("vault_search", {**search.arguments, "offset": offset})
        if any(call.tool == ASK for call in turn.calls):
            words = phrases.content_words(turn.question) or turn.question
            return Call("vault_search", {"operation": "fast", "query": words, "limit": PASSAGES})
    return None


def _search(question: str, before: Sequence[Turn]) -> Call | None:
    """Ask what the notes say; a follow-up is asked in full, by the question before it."""
    if phrases.HELP.fullmatch(question.strip()):
        return None
    asked = (call for turn in reversed(before) for call in reversed(turn.calls) if call.tool == ASK)
    if (earlier := next(asked, None)) is not None:
        question = in_full(question, str(earlier.arguments.get("question", "")))
    return Call(ASK, {"question": question}) if question.strip(" ?!.") else None
