"""The optional steps of deep: rewritings, feedback, the cross-encoder, reasons; each can fail or be off."""

from pathlib import Path

import pytest

from app.config.settings import IndexSettings
from app.search import search
from app.search.rank.by_model import unasked
from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault
from app.tests.llm.conftest import server
from app.tests.llm.server import ModelServer, Reply
from app.tests.search.conftest import Find, paths
from app.tests.search.embedding.conftest import MakeModel
from app.tests.search.rank.test_deep import indexed, some_notes
from app.vault.client import VaultClient

__all__ = ["server"]


@pytest.fixture
def index(tiny_model: Path) -> IndexSettings:
    return indexed(tiny_model)


def ready(vault: VaultClient) -> VaultClient:
    searcher_for(vault).update()
    searcher_for(vault).embed()
    return vault


def test_rewritings_widen_the_pool_once_for_a_question(
    tiny_vault: MakeVault, index: IndexSettings, server: ModelServer, find: Find
) -> None:
    server.replies = [Reply("porcupine quills"), Reply("no reasons")]
    notes = some_notes(30) | {"far.md": "porcupine\n"}
    vault = ready(tiny_vault(notes, index=index, model="openai-chat:m", deep={"rewrites": 1}))
    results = find(vault, "deep", query="lamp harbour", explain=True)
    reasons = {result.path: str(result.relevance_reason) for result in results.results}
    assert "words of 'porcupine quills' #1" in reasons["far.md"]
    assert "lamp harbour" in str(server.seen[0].body)
    asked = len(server.seen)
    find(vault, "deep", query="lamp harbour")
    assert len(server.seen) == asked
    # A filter keeps its say over what the wordings find.
    assert "far.md" not in paths(find(vault, "deep", query="lamp harbour", folder="a"))
    assert "far.md" not in paths(find(vault, "deep", query="lamp harbour -porcupine"))


def test_what_is_still_typed_reaches_no_language_model(
    tiny_vault: MakeVault, index: IndexSettings, server: ModelServer, find: Find
) -> None:
    server.replies = [Reply("porcupine quills")]
    vault = ready(tiny_vault(some_notes(6), index=index, model="openai-chat:m", deep={"rewrites": 1}))
    with unasked():
        assert find(vault, "deep", query="harbour rope").results
    assert server.seen == []
    # What was asked for is put in other words.
    find(vault, "deep", query="harbour rope")
    assert len(server.seen) == 1


def test_a_model_that_does_not_answer_is_done_without(
    tiny_vault: MakeVault, index: IndexSettings, server: ModelServer, find: Find
) -> None:
    server.replies = [Reply(status=401, body=b'{"error": {"message": "no"}}')]
    vault = ready(tiny_vault(some_notes(6), index=index, model="openai-chat:silent"))
    results = find(vault, "deep", query="unanswered lamp", explain=True)
    assert results.results
    told = "\n".join(results.notices)
    assert "no other wordings were tried: model 'openai-chat:silent' refused the request (401: no)" in told
    assert "no reasons by the language model: model 'openai-chat:silent' refused the request" in told
    assert "found by" in str(results.results[0].relevance_reason)
    # For a while it is not asked again.
    asked = len(server.seen)
    find(vault, "deep", query="another lamp")
    assert len(server.seen) == asked


def test_reasons_are_the_model_s(tiny_vault: MakeVault, index: IndexSettings, server: ModelServer) -> None:
    server.replies = [Reply("other words"), Reply("1: It names the lamp.\n2: It does not answer.")]
    vault = ready(tiny_vault({"a.md": "a lamp\n", "b.md": "deer\n"}, index=index, model="openai-chat:m"))
    first, second = search(vault, "lamp", "deep", explain=True)
    assert (first.relevance_reason, second.relevance_reason) == ("It names the lamp.", "It does not answer.")


def build_cross_encoder(folder: Path, source: Path) -> Path:
    import torch
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

    tokenizer = AutoTokenizer.from_pretrained(source)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(3)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=37,
        max_position_embeddings=128,
    )
    config.num_labels = 1
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


def test_a_cross_encoder_is_blended_in(
    tiny_vault: MakeVault, make_model: MakeModel, tmp_path: Path, find: Find
) -> None:
    from sentence_transformers import CrossEncoder

    model = make_model()
    judge = build_cross_encoder(tmp_path / "judge", model)
    notes = {"0.md": "boat rope", "1.md": "lamp deer", "2.md": "bread seed", "3.md": "tide letter"}
    deep = {"reranker": str(judge), "reranker_weight": 1.0, "reranker_seconds": 60}
    vault = ready(tiny_vault(notes, index=indexed(model), deep=deep))
    pairs = [("winter", text) for text in notes.values()]
    scores = CrossEncoder(str(judge), device="cpu").predict(pairs, show_progress_bar=False).tolist()
    expected = [path for _, path in sorted(zip(scores, notes, strict=True), reverse=True)]
    results = find(vault, "deep", query="winter")
    assert paths(results) == expected
    assert results.notices == []
    plain = find(ready(tiny_vault(notes, index=indexed(model))), "deep", query="winter")
    assert results.results[0].score == pytest.approx(plain.results[0].score, abs=1e-3)
