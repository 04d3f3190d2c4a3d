"""Whatever fails late keeps what was found, and says why in words of the program's own."""

import json
from collections.abc import Callable

import pytest

from app.chat.ask.answer import ask
from app.chat.ask.concat import Document
from app.errors import ModelError
from app.llm.models import resolve_model
from app.tests.chat.ask.conftest import VAULT
from app.tests.conftest import MakeVault
from app.tests.llm.conftest import server as server
from app.tests.llm.server import ModelServer, Reply, Seen
from app.vault.client import VaultClient

LOG = "projects/petrel/changelog.md"
NAME = "openai-chat:m"
QUESTION = "How late was the larch?"
SOON = {"retry-after-ms": "5"}
SECRET = "sk-live-0123456789abcdef"
LEAKY = json.dumps(
    {"error": {"message": f"pydantic_ai.Agent at https://a.example/?key={SECRET} failed"}}
).encode()
SEARCH = Reply(tool="search", call={"query": "launch high water"})

Script = Reply | Callable[[Seen], Reply]


def asked(vault: VaultClient, question: str = QUESTION) -> Document:
    return ask(vault, question, model=resolve_model(NAME, vault.settings))


def completion(finish: str, **message: object) -> Reply:
    """Give an answer of the chat completions that ends for a reason."""
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}
    data = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return Reply(body=json.dumps(data).encode())


@pytest.mark.parametrize(
    ("replies", "reason", "requests"),
    [
        ([Reply(status=500, body=LEAKY, headers=SOON)], "its server failed with 500", 2),
        ([Reply(status=429, body=LEAKY, headers=SOON)], "its server takes no further requests for now", 2),
        ([Reply("")], "what it sent is no answer", 2),
        ([SEARCH, Reply(status=500, body=LEAKY, headers=SOON)], "its server failed with 500", 3),
        ([SEARCH], "it asked for the same again and again", 4),
        ([Reply(tool="rm", call={})], "what it sent is no answer", 3),
        ([Reply(tool="read", call={"file": 1})], "what it sent is no answer", 3),
    ],
)
def test_what_fails_keeps_what_was_found_and_says_why(
    server: ModelServer, tiny_vault: MakeVault, replies: list[Script], reason: str, requests: int
) -> None:
    server.replies = replies
    document = asked(tiny_vault(VAULT, model_retries=1))
    assert document.remarks == (
        f"Note: the model came to no answer of its own ({reason}); this is what was found.",
    )
    assert f"“The larch came four weeks late.” (2025-07-14, `{LOG}` line 11)" in document.overview
    assert document.blocks[0].path == LOG
    assert "The larch came four weeks late." in document.blocks[0].text
    assert len(server.seen) == requests
    for leak in ("pydantic", "http", SECRET, "openai", "Error", "Exceed", "retries"):
        assert leak not in document.text


def test_it_is_said_in_french(server: ModelServer, tiny_vault: MakeVault) -> None:
    server.replies = [Reply(status=500, body=LEAKY, headers=SOON)]
    vault = tiny_vault({"bois.md": "Le mélèze est arrivé quatre semaines en retard.\n"}, model_retries=0)
    document = asked(vault, "Quand le mélèze est-il arrivé ?")
    assert document.remarks == (
        "Remarque : le modèle n'est pas arrivé à une réponse (son serveur a répondu par l'erreur 500) ; voici ce qui a "
        "été trouvé.",
    )
    assert "Le mélèze est arrivé quatre semaines en retard." in document.overview


def test_what_a_person_has_to_set_right_is_an_error(server: ModelServer, tiny_vault: MakeVault) -> None:
    server.replies = [Reply(status=401, body=b"{}")]
    with pytest.raises(ModelError, match=r"refused the request \(401\)"):
        asked(tiny_vault(VAULT))


def test_an_answer_that_reached_the_models_limit_says_so(server: ModelServer, tiny_vault: MakeVault) -> None:
    server.replies = [completion("length", content="The larch came four weeks late [1].\nSo the lau")]
    document = asked(tiny_vault(VAULT))
    assert document.overview == f"The larch came four weeks late (`{LOG}` lines 9-11).\nSo the lau"
    assert document.remarks == (
        "Note: the answer ends here (its answer reached the longest one that it gives); ask again for the rest.",
    )


def test_a_context_too_small_is_tried_with_half_the_evidence(
    server: ModelServer, tiny_vault: MakeVault
) -> None:
    error = {"message": "the request has 5000 tokens", "type": "exceed_context_size_error"}
    too_large = Reply(status=400, body=json.dumps({"error": error}).encode())
    server.replies = [too_large, Reply("The larch came four weeks late [1].")]
    document = asked(tiny_vault(VAULT, model_retries=0))
    assert document.overview == f"The larch came four weeks late (`{LOG}` lines 9-11)."
    assert len(server.seen) == 2
    server.replies = [too_large]
    document = asked(tiny_vault(VAULT, model_retries=0))
    assert "“The larch came four weeks late.”" in document.overview
    assert "start its server with a larger context" in document.remarks[0]
