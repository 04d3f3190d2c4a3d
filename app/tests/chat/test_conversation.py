"""A chat streams, and then holds what it said against the notes: corrections below, the checked text kept."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from app.chat.conversation import Conversation
from app.dependencies import ChatDependencies
from app.errors import ModelError
from app.tests.conftest import MakeVault

NOTES = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
    "projects/petrel/state.md": "# State\n\nAfloat since August, and tight.\n",
    "projects/petrel/log.md": "# Log\n\nThe larch came late.\n\nSee [[Nowhere]].\n",
    "tasks.md": "# Call Marie\n",
    "private/Gift.md": "# Gift\n",
}
Said = str | dict[str, Any]
FOUND = {"operation": "fast", "query": "larch"}
REASON = "(its server failed with 500)"


class Talk:
    """A conversation with a model that says what it is given, word by word; a mapping is a call of a tool."""

    def __init__(self, vault: Any, *steps: Sequence[Said], fails: bool = False) -> None:
        self.steps = iter(steps)
        self.fails = fails
        self.told: list[list[ModelMessage]] = []
        self.shown: list[str] = []
        dependencies = ChatDependencies(vault=vault, writes="allow")
        self.talk = Conversation(dependencies, FunctionModel(stream_function=self._stream))

    async def _stream(
        self, messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[str | DeltaToolCalls]:
        self.told.append(messages)
        step = next(self.steps, ())
        for number, part in enumerate(step):
            if isinstance(part, str):
                for at, word in enumerate(part.split(" ")):
                    yield f" {word}" if at else word
            else:
                tool = "vault_search" if part is FOUND else "note_operations"
                yield {number: DeltaToolCall(tool, json.dumps(part), tool_call_id=f"{len(self.told)}")}
        if self.fails and not any(isinstance(part, dict) for part in step):
            raise ModelHTTPError(500, "m", {"error": {"message": "pydantic_ai at https://a.example/?key=k"}})

    def ask(self, question: str = "How is she?") -> str:
        self.shown.clear()
        answer = asyncio.run(self.talk.ask(question, self.shown.append, lambda _: None))
        assert "".join(self.shown) == answer
        return answer

    def kept(self) -> list[str]:
        """What the model is told it said."""
        responses = [message for message in self.talk.messages if isinstance(message, ModelResponse)]
        return [part.content for each in responses for part in each.parts if isinstance(part, TextPart)]


def test_an_answer_that_holds_is_left_alone(tiny_vault: MakeVault) -> None:
    said = "She is “afloat since August”, says `projects/petrel/state.md` line 3."
    talk = Talk(tiny_vault(NOTES), [said])
    assert talk.ask() == said
    assert len(talk.shown) > 5, "it came word by word"
    assert talk.kept() == [said] == [exchange.answer for exchange in talk.talk.exchanges]


def test_what_does_not_hold_is_said_below_and_kept_put_right(tiny_vault: MakeVault) -> None:
    said = (
        "She is “afloat since May”, says `projects/petrel/state.md` line 3.\n\n"
        "The larch was late (`petrel/log.md` line 3), as `projects/petrel/larch.md` tells."
    )
    right = (
        "~~She is “afloat since May”, says `projects/petrel/state.md` line 3.~~\n\n"
        "The larch was late (`petrel/log.md` line 3), as ~~`projects/petrel/larch.md`~~ tells."
    )
    talk = Talk(tiny_vault(NOTES), [said], ["Glad to help."])
    assert talk.ask() == said + (
        "\n\nCorrections, after a look at the notes:\n"
        "- struck out: “afloat since May” is quoted, and does not stand in the lines cited; "
        "'projects/petrel/state.md' has “Afloat since August, and tight.”\n"
        "- 'projects/petrel/larch.md' was cited, and there is no such note"
    )
    assert talk.kept() == [right]
    assert talk.talk.exchanges[0].answer == right
    talk.ask("Thank you")
    before = [part for message in talk.told[1] for part in message.parts if isinstance(part, TextPart)]
    assert [part.content for part in before] == [right], "the model reads what holds"
    assert talk.kept() == [right, "Glad to help."]


def test_in_french(tiny_vault: MakeVault) -> None:
    talk = Talk(tiny_vault(NOTES), ["Voir `rien.md`."])
    assert talk.ask("Où en est le bateau ?").endswith(
        "\n\nCorrections, après vérification dans les notes\u00a0:\n- il n'y a pas de note « rien.md »"
    )


def test_an_excluded_note_is_answered_like_one_that_is_not_there(tiny_vault: MakeVault) -> None:
    talk = Talk(tiny_vault(NOTES), ["It is in `private/Gift.md`."])
    assert talk.ask().endswith("\n- 'private/Gift.md' was cited, and there is no such note")
    assert talk.kept() == ["It is in ~~`private/Gift.md`~~."]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ({"operation": "delete", "path": "tasks"}, "Deleted `tasks.md`."),
        (
            {"operation": "move", "path": "projects/petrel/log", "new_path": "Old/log"},
            "Moved `log.md` to `Old/log.md`, from [[projects/petrel/log]].",
        ),
    ],
)
def test_a_chat_may_speak_of_the_notes_it_made_moved_or_deleted(
    tiny_vault: MakeVault, call: dict[str, Any], said: str
) -> None:
    talk = Talk(tiny_vault(NOTES), [call], [said], ["As I said: " + said])
    assert talk.ask() == said
    assert talk.ask("What did you do?") == "As I said: " + said


class TestBreakingOff:
    """A model that fails in the middle of a turn: what was said, done and found stays."""

    def test_half_an_answer_is_kept_with_the_reason(self, tiny_vault: MakeVault) -> None:
        talk = Talk(tiny_vault(NOTES), ["She is afloat, and "], fails=True)
        said = f"She is afloat, and \n\nNote: the answer ends here {REASON}; ask again for the rest."
        assert talk.ask() == said
        assert talk.talk.broke_off
        assert talk.kept() == ["She is afloat, and ", said.partition("\n\n")[2]]
        assert [exchange.answer for exchange in talk.talk.exchanges] == [said]

    def test_what_the_searches_found_is_said(self, tiny_vault: MakeVault) -> None:
        talk = Talk(tiny_vault(NOTES), [FOUND], fails=True)
        assert talk.ask("How late was the larch?") == (
            f"\n\nNote: the model came to no answer of its own {REASON}; this is what was found.\n\n"
            "Here is what the notes say:\n“The larch came late.” (`projects/petrel/log.md` line 3)"
        )
        with pytest.raises(ModelError):
            talk.ask("Go on.")
        results = [
            part.model_response_str()
            for message in talk.told[-1]
            for part in message.parts
            if isinstance(part, ToolReturnPart)
        ]
        assert len(results) == 1, "the model remembers what it did"
        assert "The larch came late." in results[0]

    def test_a_write_that_was_made_is_remembered(self, tiny_vault: MakeVault) -> None:
        vault = tiny_vault(NOTES)
        append = {"operation": "append", "path": "tasks", "content": "More."}
        talk = Talk(vault, ["I add it.", append], fails=True)
        assert talk.ask("Add it.").startswith("I add it.\n\nNote: the answer ends here")
        assert (vault.root / "tasks.md").read_text() == "# Call Marie\n\nMore.\n"
        calls = [
            part.args_as_dict()
            for message in talk.talk.messages
            for part in message.parts
            if isinstance(part, ToolCallPart)
        ]
        assert calls == [append]

    def test_a_turn_that_fails_at_once_leaves_no_trace(self, tiny_vault: MakeVault) -> None:
        talk = Talk(tiny_vault(NOTES), fails=True)
        with pytest.raises(ModelError, match="refused the request"):
            talk.ask()
        assert (talk.talk.messages, talk.talk.exchanges) == ([], [])


def test_a_result_that_was_dropped_is_given_again(tiny_vault: MakeVault) -> None:
    notes = {f"{name}.md": f"{name} " * 2500 for name in ("one", "two", "three")}
    reads = [{"operation": "read", "path": name, "max_chars": 6000} for name in ("one", "two", "one")]
    talk = Talk(tiny_vault(notes, history_chars=7000), *([read] for read in reads), ["Done."])
    talk.ask("Read them.")
    last = [part for part in talk.told[-1][-1].parts if isinstance(part, ToolReturnPart)]
    assert "one one one" in last[0].model_response_str()
