"""The chat through the providers' real clients: a question, a tool call, its result, a streamed answer."""

import re

import pytest

from app.chat.conversation import Conversation
from app.dependencies import ChatDependencies
from app.llm.log import read_sent
from app.llm.loop import run
from app.llm.models import resolve_model
from app.tests.conftest import MakeVault
from app.tests.llm.server import ModelServer, Reply, Seen
from app.vault.client import VaultClient

NOTES = {"projects/Greenhouse.md": "# Greenhouse\n\nThe heating is electric.\n"}
SEARCH = {"operation": "fast", "query": "heating"}
PROVIDERS = {
    "openai-chat:m": ("/v1/chat/completions", "sk-open"),
    "ollama:m": ("/v1/chat/completions", "api-key-not-set"),
    "anthropic:m": ("/v1/messages", "sk-anthropic"),
}


def conversation(vault: VaultClient, name: str) -> Conversation:
    return Conversation(ChatDependencies(vault), resolve_model(name, vault.settings))


def quoting(seen: Seen) -> Reply:
    """Answer with the note and lines that the search's answer names first."""
    named = re.search(r"[\w/]+\.md:[0-9-]+", seen.results[-1])
    assert named is not None
    return Reply(f"Electric, says {named[0]}.")


@pytest.mark.parametrize("name", PROVIDERS)
def test_the_model_searches_reads_the_result_and_streams_its_answer(
    server: ModelServer, tiny_vault: MakeVault, name: str
) -> None:
    server.replies = [Reply(call=SEARCH), quoting]
    vault, said, calls = tiny_vault(NOTES), list[str](), list[str]()
    answer = run(conversation(vault, name).ask("How is it heated?", said.append, calls.append))
    assert answer == "".join(said) == "Electric, says projects/Greenhouse.md:1-3."
    assert len(said) > 3, "it came in pieces"
    assert calls == ["search: heating"]
    assert [(seen.path, seen.key) for seen in server.seen] == [PROVIDERS[name]] * 2
    assert "The heating is electric." in server.seen[1].results[0]

    # What is logged is what the server got.
    entries = read_sent(vault.settings.state_folder)[::-1]
    for entry, seen in zip(entries, server.seen, strict=True):
        assert (entry.model, entry.characters) == (name, len(entry.text))
        assert entry.where.startswith(server.url)
        assert len(texts(seen.body)) >= 2
        for text in texts(seen.body):
            assert text in entry.text


def texts(value: object, key: str = "") -> list[str]:
    """Every text of a request that is no name of the protocol, and no description of a tool."""
    if isinstance(value, dict):
        return [text for name, part in value.items() if name != "tools" for text in texts(part, name)]
    if isinstance(value, list):
        return [text for part in value for text in texts(part, key)]
    return [value] if isinstance(value, str) and key in ("content", "text", "output", "instructions") else []
