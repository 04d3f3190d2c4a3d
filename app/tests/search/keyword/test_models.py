"""Which model filters: the first of the preference list that can be made, else the one for all."""

import pytest

from app.config.settings import Settings
from app.search.keyword.judge import choose_filter
from app.tests.llm.server import ModelServer, Reply


def answering(server: ModelServer, **settings: object) -> tuple[str, str]:
    """Ask the chosen filter, and tell its answer and which model the server was asked for."""
    server.replies = [Reply("log.md: yes")]
    ask, why_not = choose_filter(Settings.model_validate(settings))
    assert ask is not None
    assert why_not == ""
    return ask("a prompt", system="instructions"), server.seen[-1].body["model"]


def test_req_kws_005_the_first_available_model_of_the_preference_list_filters(server: ModelServer) -> None:
    names = ["nobody:x", "mistral:needs-a-package", "ollama:first", "ollama:second"]
    assert answering(server, keyword_models=names, model="ollama:for-all") == ("log.md: yes", "first")


def test_req_kws_005_else_any_configured_model_filters(server: ModelServer) -> None:
    assert answering(server, keyword_models=["nobody:x"], model="ollama:for-all")[1] == "for-all"
    assert answering(server, model="ollama:for-all")[1] == "for-all"


def test_req_kws_005_a_model_without_its_key(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("OPENAI_BASE_URL")
    assert answering(server, keyword_models=["openai:x"], model="ollama:for-all")[1] == "for-all"
    ask, why_not = choose_filter(Settings(keyword_models=("openai:x", "nobody:y")))
    assert ask is None
    assert why_not == "model 'openai:x' is not set up; unknown model 'nobody:y'"


def test_a_key_alone_sends_nothing(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a key")
    assert choose_filter(Settings())[0] is None
    assert server.seen == []
