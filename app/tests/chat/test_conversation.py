"""A chat streams, and then holds what it said against the notes: corrections below, the checked text kept."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models import Model
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from app.chat.conversation import Conversation
from app.chat.offline.assistant import offline_model
from app.dependencies import ChatDependencies
from app.tests.conftest import MakeVault

NOTES = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
    "projects/petrel/state.md": "# State\n\nAfloat since August, and tight.\n",
    "projects/petrel/log.md": "# Log\n\nThe larch came late.\n\nSee [[Nowhere]].\n",
    "tasks.md": "# Call Marie\n",
    "private/Gift.md": "# Gift\n",
}
Said = str | dict[str, Any]


class Talk:
    """A conversation with a model that says what it is given, word by word; a mapping is a call of a tool."""

    def __init__(self, vault: Any, *steps: Sequence[Said], model: Model | None = None) -> None:
        self.steps = iter(steps)
        self.told: list[list[ModelMessage]] = []
        self.shown: list[str] = []
        dependencies = ChatDependencies(vault=vault, writes="allow")
        self.talk = Conversation(dependencies, model or FunctionModel(stream_function=self._stream))

    async def _stream(
        self, messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[str | DeltaToolCalls]:
        self.told.append(messages)
        for number, part in enumerate(next(self.steps)):
            if isinstance(part, str):
                for word in part.split(" "):
                    yield word if part.startswith(word) else f" {word}"
            else:
                call = DeltaToolCall("note_operations", json.dumps(part), tool_call_id=f"{len(self.told)}")
                yield {number: call}

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
        "She is “afloat since August”, says `projects/petrel/state.md` lines 1-2.\n\n"
        "The larch was late (`petrel/log.md` line 3), as `projects/petrel/larch.md` tells."
    )
    right = (
        "She is “afloat since August”, says `projects/petrel/state.md` lines 3.\n\n"
        "The larch was late (`projects/petrel/log.md` line 3), as ~~`projects/petrel/larch.md`~~ tells."
    )
    talk = Talk(tiny_vault(NOTES), [said], ["Glad to help."])
    assert talk.ask() == said + (
        "\n\nCorrections, after a look at the notes:\n"
        "- 'projects/petrel/larch.md' was cited, and there is no such note\n"
        "- `projects/petrel/state.md` lines 1-2 → `projects/petrel/state.md` lines 3\n"
        "- `petrel/log.md` line 3 → `projects/petrel/log.md` line 3"
    )
    assert talk.kept() == [right]
    assert talk.talk.exchanges[0].answer == right
    talk.ask("Thank you")
    before = [part for message in talk.told[1] for part in message.parts if isinstance(part, TextPart)]
    assert [part.content for part in before] == [right], "the model reads what holds"
    assert talk.kept() == [right, "Glad to help."]


def test_every_part_of_a_turn_is_checked(tiny_vault: MakeVault) -> None:
    read = {"operation": "read", "path": "tasks"}
    talk = Talk(tiny_vault(NOTES), ["I look into `a.md`.", read], ["It is in `b.md`."])
    assert talk.ask().startswith("I look into `a.md`.\n\nIt is in `b.md`.\n\nCorrections")
    assert talk.kept() == ["I look into ~~`a.md`~~.", "It is in ~~`b.md`~~."]
    assert talk.talk.exchanges[0].answer == "I look into ~~`a.md`~~.\n\nIt is in ~~`b.md`~~."


def test_in_french(tiny_vault: MakeVault) -> None:
    talk = Talk(tiny_vault(NOTES), ["Voir `rien.md`."])
    assert talk.ask("Où en est le bateau ?").endswith(
        "\n\nCorrections, après vérification dans les notes :\n- il n'y a pas de note « rien.md »"
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
        ({"operation": "delete", "path": "log"}, "Deleted `projects/petrel/log.md` (log.md)."),
        ({"operation": "create", "path": "Ideas/New", "content": "x"}, "Made `Ideas/New.md`."),
    ],
)
def test_a_chat_may_speak_of_the_notes_it_made_moved_or_deleted(
    tiny_vault: MakeVault, call: dict[str, Any], said: str
) -> None:
    talk = Talk(tiny_vault(NOTES), [call], [said], ["As I said: " + said])
    assert talk.ask() == said
    assert talk.ask("What did you do?") == "As I said: " + said


def test_a_note_that_a_tool_did_not_find_was_never_there(tiny_vault: MakeVault) -> None:
    talk = Talk(tiny_vault(NOTES), [{"operation": "delete", "path": "gone"}], ["Deleted `gone.md`."])
    assert talk.ask().endswith("\n- 'gone.md' was cited, and there is no such note")


def test_many_corrections_are_a_short_list(tiny_vault: MakeVault) -> None:
    talk = Talk(tiny_vault(NOTES), ["\n".join(f"- `none-{number}x.md`" for number in range(30))])
    below = talk.ask().split("Corrections, after a look at the notes:\n")[1].split("\n")
    assert len(below) == 10
    assert below[-1] == "- 21 more remarks"


def test_the_offline_assistant_shows_notes_as_they_stand(tiny_vault: MakeVault) -> None:
    talk = Talk(tiny_vault(NOTES), model=offline_model())
    answer = talk.ask("read projects/petrel/log")
    assert "See [[Nowhere]]." in answer
    assert "Corrections" not in answer
