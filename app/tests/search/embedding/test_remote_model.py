"""Models behind a server give vectors; what they are sent is recorded, masked, and tried again in bounds."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from app.cli.main import main
from app.config.settings import Settings
from app.errors import ModelError
from app.llm.log import read_sent
from app.search.embedding.embedder import Embedder
from app.search.embedding.loading import embedder_of
from app.tests.llm.conftest import server as server
from app.tests.llm.server import ModelServer, Reply, Seen

NAME = "ollama:nomic-embed-text:latest"
KEY = "sk-proj-" + "aB3dE5fG7hJ9kL1mN2pQ4rS6" * 2


def vector_of(text: str, size: int) -> list[float]:
    digest = hashlib.shake_256(text.encode()).digest(size)
    return [byte - 127.5 for byte in digest]


def embedding(size: int = 16) -> Callable[[Seen], Reply]:
    def reply(seen: Seen) -> Reply:
        assert seen.path == "/v1/embeddings"
        texts = seen.body["input"]
        data = [
            {"object": "embedding", "index": at, "embedding": vector_of(text, size)}
            for at, text in enumerate([texts] if isinstance(texts, str) else texts)
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        body = {"object": "list", "data": data, "model": seen.body["model"], "usage": usage}
        return Reply(body=json.dumps(body).encode())

    return reply


def opened(tmp_path: Path, **settings: object) -> Embedder:
    given = Settings.model_validate({"state_dir": tmp_path / "state", **settings})
    return embedder_of(NAME, cache=tmp_path / "cache", settings=given)


def test_texts_are_sent_in_batches_and_recorded(server: ModelServer, tmp_path: Path) -> None:
    server.replies = [embedding()]
    embedder = opened(tmp_path, embedding={"batch": 2})
    encoded = embedder.encode(["the key", "", "the pot"])
    asked = embedder.encode_query("where?")
    assert [seen.body["input"] for seen in server.seen] == [
        ["moon"],
        ["search_document: the key", "search_document: "],
        ["search_document: the pot"],
        ["search_query: where?"],
    ]
    assert "search_document: the key" in read_sent(tmp_path / "state")[2].text
    assert {seen.body["model"] for seen in server.seen} == {"nomic-embed-text:latest"}
    expected = np.array(vector_of("search_document: the pot", 16))
    assert np.allclose(encoded[2].vector, expected / np.linalg.norm(expected), atol=1e-6)
    assert asked.tokens.shape == (0, 16)
    sent = read_sent(tmp_path / "state")
    assert (len(sent), sent[0].model, sent[0].text) == (4, NAME, "[user]\nsearch_query: where?")


def test_another_model_under_the_name_is_refused(server: ModelServer, tmp_path: Path) -> None:
    server.replies = [embedding(16), embedding(8)]
    embedder = opened(tmp_path)
    with pytest.raises(ModelError, match="gave something that is no vector of 16 numbers"):
        embedder.encode(["the key"])


def test_keys_are_not_sent(server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The same server by a name that is not known to be this machine.
    monkeypatch.setattr("app.llm.masks.is_elsewhere", lambda address, model: True)
    server.replies = [embedding()]
    embedder = opened(tmp_path)
    embedder.encode([f"api_key = {KEY}"])
    assert KEY not in json.dumps(server.seen[-1].body)
    assert "[key left out]" in server.seen[-1].body["input"][0]
    assert read_sent(tmp_path / "state")[0].left_out == 1


@pytest.mark.slow
def test_a_vault_is_searched_by_a_server(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    vault = tmp_path / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / ".obsidian" / "app.json").write_text('{"userIgnoreFilters": ["private/"]}')
    (vault / "private").mkdir()
    (vault / "private" / "Diary.md").write_text("The secret garden.\n")
    for number in range(5):
        (vault / f"{number}.md").write_text(
            f"# Note {number}\n\nThe boat number {number} lies in the harbour.\n"
        )
    monkeypatch.setenv("VAULT_ASSISTANT_INDEX__INDEXES", json.dumps({"notes": {"embedding_model": NAME}}))
    server.replies = [embedding()]
    assert main(["index", "--vault", str(vault)]) == 0
    assert "5 passages embedded" in capsys.readouterr().out
    assert main(["find", "deep", "boat", "--vault", str(vault), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {result["path"] for result in found["results"]} == {f"{number}.md" for number in range(5)}
    assert "secret" not in json.dumps([seen.body for seen in server.seen])
    assert main(["status", "--sent", "--json"]) == 0
    assert any("boat number 3" in entry["text"] for entry in json.loads(capsys.readouterr().out))
