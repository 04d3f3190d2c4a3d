"""Questions over HTTP: what is streamed, what is kept, and who may see it."""

import json
import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from starlette.testclient import TestClient

from app.chat.ask.answer import ask
from app.config.settings import IndexDefinition, IndexSettings
from app.vault.client import VaultClient
from app.web.app import build_app

NOTES = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
    "Home.md": "# Home\n\nSee [[Greenhouse]].\n",
    "Work/Greenhouse.md": "# Greenhouse\n\nThe heating is electric. Not <script>alert(1)</script> gas.\n",
    "private/Diary.md": "# Diary\n\nThe heating kept a quixotry secret.\n",
}
LEXICAL = IndexSettings(indexes={"notes": IndexDefinition(embedding_model=None)})
Event = tuple[str, dict[str, Any]]


@pytest.fixture
def client(vault: VaultClient) -> Iterator[TestClient]:
    app = build_app(vault, token="a-token-of-some-length")
    with TestClient(app, base_url="http://127.0.0.1:8766") as opened:
        assert opened.post("/enter", data={"token": "a-token-of-some-length"}).status_code == 200
        page = opened.get("/ask").text
        opened.headers["X-CSRF-Token"] = page.split('name="csrf-token" content="')[1].split('"')[0]
        yield opened


def events(client: TestClient, question: str, mode: str = "ask") -> list[Event]:
    answered = client.post("/ask/turns", data={"mode": mode, "question": question})
    assert answered.status_code == 200, answered.text
    assert answered.headers["content-type"].startswith("text/event-stream")
    found = []
    for part in answered.text.split("\n\n")[:-1]:
        name, data = part.split("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def test_an_answer_is_streamed_step_by_step_and_kept(client: TestClient) -> None:
    found = events(client, "How is the greenhouse heated?")
    assert [name for name, _ in found] == ["begin", "step", "end"]
    assert found[1][1] == {"text": "search: How is the greenhouse heated?"}
    html = found[-1][1]["html"]
    assert "The heating is electric. Not &lt;script&gt;alert(1)&lt;/script&gt; gas." in html
    assert (
        '<a class="cite" href="/note/Work/Greenhouse.md?lines=3#cited" aria-label="Source 1: Greenhouse, lines 3"'
        ' title="The heating is electric. Not &lt;script&gt;alert(1)&lt;/script&gt; gas.">'
        '<span class="cite-number">1</span></a>' in html
    )
    assert '<a href="/note/Work/Greenhouse.md?lines=3#cited">Greenhouse</a>' in html
    assert '<span class="soft">Work · line 3</span>' in html
    assert "this is the offline assistant" in html
    assert html in client.get("/ask").text


def test_as_markdown_it_is_the_document_of_every_surface(client: TestClient, vault: VaultClient) -> None:
    question = "How is the greenhouse heated?"
    events(client, question)
    given = client.get("/ask/turns/1.md")
    assert given.headers["content-type"] == "text/markdown; charset=utf-8"
    assert given.text == ask(vault, question).text
    assert client.get("/ask/turns/2.md").status_code == 404


def test_an_excluded_note_is_not_shown(client: TestClient) -> None:
    html = events(client, "What quixotry did the heating keep?")[-1][1]["html"]
    assert "The notes do not seem to say." in html or "The heating is electric." in html
    assert "Diary" not in html
    assert "secret" not in html


def test_a_chat_says_its_text_as_it_comes(client: TestClient) -> None:
    found = events(client, "How is the greenhouse heated?", "chat")
    assert found[0][0] == "begin"
    assert found[1] == ("step", {"text": "question to the notes: How is the greenhouse heated?"})
    assert all(name == "said" for name, _ in found[2:-1])
    assert "The heating is electric." in found[-1][1]["html"]
    assert client.post("/ask/new", follow_redirects=False).headers["location"] == "/ask"
    assert 'class="turn"' not in client.get("/ask").text


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"mode": "ask", "question": "  "}, "The question is empty."),
        ({"mode": "guess", "question": "x"}, "Unknown mode &#39;guess&#39;."),
        ({"mode": "ask", "question": "x" * 20_001}, "&#39;question&#39; has 20,001 characters."),
    ],
)
def test_what_cannot_be_asked_is_said(client: TestClient, fields: dict[str, str], message: str) -> None:
    refused = client.post("/ask/turns", data=fields, headers={"HX-Request": "true"})
    assert refused.status_code == 400
    assert message in refused.text


def test_without_the_token_of_the_session_nothing_is_asked(client: TestClient) -> None:
    del client.headers["X-CSRF-Token"]
    for address in ("/ask/turns", "/ask/writes/x", "/ask/stop", "/ask/undo", "/ask/save", "/ask/new"):
        assert client.post(address, data={"question": "x"}).status_code == 403


def test_a_failing_model_is_an_answer_that_says_so(client: TestClient, vault: VaultClient) -> None:
    broken = vault.settings.model_copy(update={"model": "mistral:x"})
    client.app.state.talk.vault = VaultClient(vault.root, broken)  # type: ignore[attr-defined]
    html = events(client, "hello?")[-1][1]["html"]
    assert "<strong>Model &#39;mistral:x&#39; needs a package that is missing.</strong>" in html


async def hears(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
    """Say what the person said, and what stands in the results of tools."""
    for message in messages:
        for part in message.parts:
            if isinstance(part, UserPromptPart):
                yield f"\n- asked {part.content}"
            elif isinstance(part, ToolReturnPart) and "The heating is electric." in str(part.content):
                yield f"\n- {part.tool_name} found it"


def test_what_the_search_agent_found_is_not_told_once_other_notes_are_excluded(
    client: TestClient, vault: VaultClient
) -> None:
    client.app.state.talk.chat_model = FunctionModel(stream_function=hears)  # type: ignore[attr-defined]
    events(client, "How is the greenhouse heated?", "")
    assert "ask_vault found it" in events(client, "And is that dear?", "")[-1][1]["html"]
    exclude_more(vault)
    assert "found it" not in events(client, "And is that dear?", "")[-1][1]["html"]


def test_an_answer_of_ask_is_saved_by_itself(client: TestClient, vault: VaultClient) -> None:
    events(client, "heating", "chat")
    events(client, "How is the greenhouse heated?")
    saved = client.post("/ask/save", data={"turn": "2"}).text
    (note,) = (vault.root / "Chats").iterdir()
    assert f">Chats/{note.name}</a>" in saved
    assert saved.startswith('<article class="turn" id="turn-2"')
    assert "Save as a note" not in saved
    (write,) = re.findall('name="write" value="([^"]*)"', client.get("/ask").text)
    text = note.read_text()
    assert [line for line in text.split("\n") if line.startswith("#")] == ["# How is the greenhouse heated?"]
    assert "([[Greenhouse]] line 3)\n" in text
    assert client.get("/ask/turns/2/sent").status_code == 404
    undone = client.post("/ask/undo", data={"write": write, "turn": "2"}).text
    assert "taken back" in undone
    assert "Save as a note" in undone
    assert list(vault.root.glob("Chats/*")) == []


@pytest.mark.parametrize("number", ["9", "0", "-1", "x", "9" * 40])
def test_only_an_answer_that_is_there_is_saved(client: TestClient, vault: VaultClient, number: str) -> None:
    events(client, "How is the greenhouse heated?")
    assert client.post("/ask/save", data={"turn": number}).status_code == 400
    exclude_more(vault)
    assert client.post("/ask/save", data={"turn": "1"}).status_code == 400
    assert not (vault.root / "Chats").exists()


def exclude_more(vault: VaultClient) -> None:
    """Have the vault exclude other notes than before: what was answered is not shown any more."""
    file = vault.root / ".obsidian" / "app.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text('{"userIgnoreFilters": ["Work/Greenhouse.md"]}')
