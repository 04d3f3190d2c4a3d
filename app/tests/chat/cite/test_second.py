"""A model that judges what the rules let pass: a tiny one, whose last layer is set to what it shall find."""

from pathlib import Path

import pytest

from app.chat.cite.check import check_citations
from app.chat.cite.names import NamedNotes
from app.chat.cite.second import SecondJudge
from app.tests.conftest import MakeVault
from app.tests.search.embedding.conftest import MakeModel
from app.tests.search.embedding.conftest import make_model as make_model

NLI = ("contradiction", "entailment", "neutral")
LOG = "The larch came on 8 July.\nThe kiln broke down.\n"
SAID = "The larch arrived on 8 July (`log.md` line 1)."


def build_judge(folder: Path, source: Path, labels: tuple[str, ...], found: str) -> Path:
    """Make a model that finds one of its labels, whatever it reads; with a single label, a high or low score."""
    import torch
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

    tokenizer = AutoTokenizer.from_pretrained(source)
    tokenizer.save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=37,
        max_position_embeddings=512,
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
    )
    model = BertForSequenceClassification(config)
    with torch.no_grad():
        model.classifier.weight.zero_()
        model.classifier.bias.copy_(torch.tensor([9.0 if label == found else -9.0 for label in labels]))
    model.save_pretrained(folder)
    return folder


@pytest.mark.parametrize(
    ("labels", "found", "verdict"),
    [
        (NLI, "entailment", "supported"),
        (NLI, "contradiction", "unsupported"),
        (("not_entailment", "entailment"), "entailment", "supported"),
        (("score",), "none", "unsupported"),
    ],
)
def test_what_the_model_finds_is_the_verdict(
    make_model: MakeModel, tmp_path: Path, labels: tuple[str, ...], found: str, verdict: str
) -> None:
    model = build_judge(tmp_path / "judge", make_model(), labels, found)
    assert SecondJudge(str(model)).judge("The larch came late.", ["The larch came."]).verdict == verdict


def test_it_judges_only_what_the_rules_let_pass(
    tiny_vault: MakeVault, make_model: MakeModel, tmp_path: Path
) -> None:
    notes = NamedNotes(tiny_vault({"log.md": LOG}))
    against = build_judge(tmp_path / "against", make_model(), NLI, "contradiction")
    assert check_citations(SAID, notes).text == SAID
    checked = check_citations(SAID, notes, judged_by=str(against))
    assert checked.text == f"~~{SAID}~~"
    assert [claim.verdict for claim in checked.claims] == ["unsupported"]
    lenient = build_judge(tmp_path / "lenient", make_model(), NLI, "entailment")
    wrong = SAID.replace("8 July", "9 July")
    assert check_citations(wrong, notes, judged_by=str(lenient)).text == f"~~{wrong}~~"


def test_without_the_model_the_rules_judge_alone_and_it_is_said(
    tiny_vault: MakeVault, tmp_path: Path
) -> None:
    notes = NamedNotes(tiny_vault({"log.md": LOG}))
    checked = check_citations(
        f"{SAID} The kiln broke down (`log.md` line 2).", notes, judged_by=str(tmp_path / "no")
    )
    assert [claim.verdict for claim in checked.claims] == ["supported", "supported"]
    (remark,) = checked.remarks
    assert remark.said("en").startswith("sentences were held against the notes by rules alone: ")
