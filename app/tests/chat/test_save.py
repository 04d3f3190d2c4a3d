"""A conversation as a note: what stands in it, where it goes, and that nothing is ever replaced."""

import asyncio
from datetime import datetime

import pytest

from app.chat.cite.names import NamedNotes
from app.chat.cite.parse import find_citations
from app.chat.conversation import Conversation
from app.chat.offline.assistant import offline_model
from app.chat.save import Exchange, save_conversation
from app.dependencies import ChatDependencies
from app.errors import NoteExistsError, WriteError
from app.markdown.parse import parse_note
from app.tests.conftest import MakeVault

NOON = datetime(2025, 7, 14, 12, 30, 5)
HEATING = Exchange("How is it heated?", "By the stove, says [[Greenhouse]].\n", NOON)
SINCE = Exchange("Since when?\nAnd why?", "Since March.", NOON)


def test_a_conversation_becomes_a_note_with_date_and_model(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({})
    path = save_conversation(vault, [HEATING, SINCE], "ollama:qwen3")
    assert path == "Chats/2025-07-14 How is it heated.md"
    assert vault.read(path).text == (
        "---\n"
        "date: 2025-07-14T12:30:05\n"
        'model: "ollama:qwen3"\n'
        "vault-assistant: chat\n"
        "---\n"
        "# How is it heated?\n"
        "\n"
        "## How is it heated?\n"
        "\n"
        "By the stove, says [[Greenhouse]].\n"
        "\n"
        "## Since when? And why?\n"
        "\n"
        "> Since when?\n"
        "> And why?\n"
        "\n"
        "Since March.\n"
    )


@pytest.mark.parametrize(
    ("said", "saved"),
    [
        ("“It is.” (`Work/The plan.md` lines 1-2)", "“It is.” ([[The plan]] lines 1-2)"),
        ("`Work/Log.md` line 1:\n> It is, `Work/The plan.md` says.\n",
         "[[Work/Log]] line 1:\n> It is, `Work/The plan.md` says.\n"),
        ("See `The plan.md:2`, `Work/The plan.md (lines 1-2)` and The plan.md, line 2.",
         "See [[The plan]]:2, [[The plan]] (lines 1-2) and [[The plan]], line 2."),
        ("Not `Nowhere.md`, `Work/A [b].md` or `private/Diary.md` line 1.", None),
        ("It says “see `The plan.md` line 1 for more”.", None),
    ],
)  # fmt: skip
def test_the_notes_that_are_named_become_links_which_lead_there(
    tiny_vault: MakeVault, said: str, saved: str | None
) -> None:
    vault = tiny_vault(
        {
            ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
            "Work/The plan.md": "# Now\ntwo\n",
            "Work/Log.md": "It is.\n",
            "Home/Log.md": "",
            "Work/A [b].md": "one",
            "private/Diary.md": "one",
        }
    )
    text = vault.read(save_conversation(vault, [Exchange("What?", said, NOON)], "offline")).text
    written = text.partition("# What?\n\n")[2].strip()
    assert written == (said if saved is None else saved).strip()
    # Whoever reads the citations of the saved note finds the same places.
    notes = NamedNotes(vault)

    def places(answer: str) -> list[tuple[str, tuple[tuple[int, int], ...]]]:
        found = find_citations(answer, notes.written_before)
        return [(notes.find(one.name), one.ranges) for one in found] if saved else []

    assert places(written) == places(said)


def test_saved_again_it_gets_a_name_of_its_own(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"Chats/2025-07-14 how is it heated.md": "mine, in other letters"})
    saved = [save_conversation(vault, [HEATING], "offline") for _ in range(2)]
    assert saved == ["Chats/2025-07-14 How is it heated 2.md", "Chats/2025-07-14 How is it heated 3.md"]


def test_a_name_can_be_chosen_and_a_note_there_is_never_replaced(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"Mine.md": "mine"})
    assert save_conversation(vault, [HEATING], "offline", "Talks/Heating") == "Talks/Heating.md"
    with pytest.raises(NoteExistsError, match=r"there is a note at 'Mine.md' already. choose another name"):
        save_conversation(vault, [HEATING], "offline", "Mine")
    assert vault.read("Mine.md").text == "mine"


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ('What *is* "C:\\x" / [[A|b]]#c^d <e>?', "What is C x A b c d e"),
        ("../../etc/passwd", "etc passwd"),
        ("???", "Conversation"),
        ("où en est la serre ?\nvraiment", "où en est la serre vraiment"),
        ("x" * 100, "x" * 60),
    ],
)
def test_any_question_makes_a_name(tiny_vault: MakeVault, question: str, name: str) -> None:
    saved = save_conversation(tiny_vault({}), [Exchange(question, "Yes.", NOON)], "offline")
    assert saved.partition("/")[2] == f"2025-07-14 {name}.md"


def test_where_nothing_may_be_written_nothing_is(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({}, writes="refuse")
    with pytest.raises(WriteError, match="the setting 'writes' is 'refuse'"):
        save_conversation(vault, [HEATING], "offline")
    assert not (vault.root / "Chats").exists()


def test_a_chat_saves_all_that_was_said_also_what_the_model_is_no_longer_told(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"A.md": "# A\n\n" + "The stove is warm. " * 150}, history_chars=2000)
    talk = Conversation(ChatDependencies(vault), offline_model())
    for question in ("stove?", "and warm?", "hello"):
        asyncio.run(talk.ask(question, lambda _: None, lambda _: None))
    prompts = [part for message in talk.messages for part in message.parts if part.part_kind == "user-prompt"]
    assert len(prompts) < 3, "the budget was passed"
    text = vault.read(talk.save("All")).text
    assert 'model: "offline"' in text
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert headings == ["## stove?", "## and warm?", "## hello"]


def test_what_is_quoted_makes_no_tags_and_tasks(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({})
    said = (
        "Write “tags: #x”, `#y` or [[A#b]]:\n\n> - [ ] mend #garden/pane\n> 1. [x] putty\n\n- [ ] own\n\n"
        "```\n- [ ] code #z\n```\n"
    )
    text = vault.read(save_conversation(vault, [Exchange("#what?", said, NOON)], "offline")).text
    parsed = parse_note(text, "A.md")
    assert (parsed.tags, parsed.tasks) == ((), ())
    body = (
        "# \\#what?\n\nWrite “tags: \\#x”, `#y` or [[A#b]]:\n\n> - \\[ ] mend \\#garden/pane\n> 1. \\[x] putty\n\n"
        "- \\[ ] own\n\n```\n- [ ] code #z\n```\n"
    )
    assert text.endswith(body)


@pytest.mark.parametrize(
    ("question", "notes", "folder"),
    [
        ("Comment est-elle chauffée ?", {"Chats/a.md": ""}, "Conversations"),
        ("How is it heated?", {"Conversations/a.md": ""}, "Chats"),
    ],
)
def test_the_folder_is_named_in_the_language_that_was_spoken(
    tiny_vault: MakeVault, question: str, notes: dict[str, str], folder: str
) -> None:
    saved = save_conversation(tiny_vault(notes), [Exchange(question, "So.", NOON)], "offline")
    assert saved.partition("/")[0] == folder
