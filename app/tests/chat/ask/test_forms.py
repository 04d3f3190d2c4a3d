"""An answer is understood in whatever form a model gives it; what is no answer is asked for once more."""

import json

import pytest

from app.chat.ask.answer import ask
from app.chat.ask.forms import NamedFile, SearchAnswer, read_answer, says_nothing
from app.tests.chat.ask.conftest import Script
from app.vault.client import VaultClient

LOG = "projects/petrel/changelog.md"
STATE = "projects/petrel/state.md"
LATE = "The larch came four weeks late"
QUESTION = "How late was the larch?"
PLACE = f"(`{LOG}` lines 9-11)"
TYPED = {"overview": f"{LATE} [1].", "files": [f"{LOG}:7-12"]}


def shown(vault: VaultClient, *steps: object) -> tuple[str, list[tuple[str, object]], int]:
    """The overview, the blocks and the number of requests for a model that says something."""
    script = Script(*steps)  # type: ignore[arg-type]
    document = ask(vault, QUESTION, model=script.model)
    return document.overview, [(block.path, block.lines) for block in document.blocks], len(script.seen)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(TYPED),
        f"```json\n{json.dumps(TYPED, indent=2)}\n```",
        f"Sure! Here is the answer you asked for:\n\n```\n{json.dumps(TYPED)}\n```\nLet me know if it helps.",
        json.dumps({"name": "answer", "arguments": TYPED}),
        json.dumps({"function": {"name": "answer", "arguments": json.dumps(TYPED)}}),
        json.dumps({"answer": TYPED["overview"], "sources": [{"file": LOG, "lines": [7, 12]}]}),
        json.dumps(
            {"overview": [TYPED["overview"]], "files": [{"path": LOG, "lines": {"start": 7, "end": 12}}]}
        ),
        f"<think>\nWhat do I know?\n</think>\n{json.dumps(TYPED)}",
    ],
)
def test_json_in_a_text_is_the_answer(vault: VaultClient, text: str) -> None:
    assert shown(vault, text) == (f"{LATE} {PLACE}.", [(LOG, (7, 12))], 1)


def test_json_that_was_cut_off_keeps_what_there_is(vault: VaultClient) -> None:
    overview, blocks, requests = shown(vault, f'{{"overview": "{LATE} [1].\\nSo the lau')
    assert (overview, requests) == (f"{LATE} {PLACE}.\nSo the lau", 1)
    assert blocks == [(LOG, (9, 11))]


@pytest.mark.parametrize(
    ("text", "overview", "blocks"),
    [
        (f"{LATE} [1].", f"{LATE} {PLACE}.", [(LOG, (9, 11))]),
        (f"{LATE}[1]. See [2].", None, [(LOG, (9, 11)), ("projects/petrel/bucket/Evil.md", None)]),
        (f"{LATE} ([1]).", f"{LATE} {PLACE}.", [(LOG, (9, 11))]),
        (f"{LATE}【1†source】.", f"{LATE} {PLACE}.", [(LOG, (9, 11))]),
        (f"{LATE} (`{LOG}` line 11).", f"{LATE} (`{LOG}` line 11).", [(LOG, (11, 11))]),
        (f"She floats (`{STATE}`).\n{LATE} [1].", None, [(STATE, None), (LOG, (9, 11))]),
        (f"Code: `list[1]`. {LATE} [1].", f"Code: `list[1]` (uncited). {LATE} {PLACE}.", [(LOG, (9, 11))]),
        (f"{LATE} [1](https://a.example).", f"{LATE} [1](https://a.example) {PLACE}.", None),
        (f"{LATE} [77].", f"{LATE} ~~[77]~~ {PLACE}.", None),
    ],
)
def test_prose_is_the_overview_and_shows_what_it_cites(
    vault: VaultClient, text: str, overview: str | None, blocks: list[tuple[str, object]] | None
) -> None:
    said, found, requests = shown(vault, text)
    assert requests == 1
    assert overview is None or overview in (said, said.replace("\n", " "))
    assert blocks is None or found == blocks


def test_prose_without_a_citation_shows_the_best_of_the_evidence(vault: VaultClient) -> None:
    overview, blocks, requests = shown(vault, "It burned down.")
    assert (overview, blocks[0], requests) == ("It burned down.", (LOG, (9, 11)), 1)


def test_a_number_that_was_not_given_is_said(vault: VaultClient) -> None:
    document = ask(vault, QUESTION, model=Script(f"{LATE} [77].").model)
    assert document.remarks == ("Note: '[77]' was cited, and there is no such note.",)


@pytest.mark.parametrize(
    ("thought", "rest"),
    [
        ("<think>It sank.</think>", ""),
        ("<thinking>\nIt sank.\n</thinking>\n\n", ""),
        ("<reasoning effort='high'>It sank.</reasoning>", ""),
        ("It sank, I think.\n</think>\n", ""),
        ("", "\n<think>It sank."),
        ("<think>a</think>\n<think>It sank.</think>\n", ""),
    ],
)
def test_what_a_model_thinks_aloud_is_left_out(vault: VaultClient, thought: str, rest: str) -> None:
    assert shown(vault, f"{thought}{LATE} [1].{rest}")[0] == f"{LATE} {PLACE}."
    typed = {"overview": f"{thought}{LATE} [1].{rest}", "files": []}
    assert shown(vault, typed)[0] == f"{LATE} {PLACE}."


def test_a_mark_that_an_answer_speaks_of_stays() -> None:
    text = "Models write `<think>` and `</think>` around it [1]."
    assert read_answer(text) == SearchAnswer(overview=text)


@pytest.mark.parametrize(
    "nothing",
    [
        "",
        " \n",
        "<think>What now?",
        '{"name": "search", "arguments": {"query": "larch"}}',
        {},
        {"overview": None},
    ],
)
def test_an_empty_answer_is_asked_for_once_more(vault: VaultClient, nothing: object) -> None:
    assert shown(vault, nothing, f"{LATE} [1].") == (f"{LATE} {PLACE}.", [(LOG, (9, 11))], 2)


@pytest.mark.parametrize("nothing", ["", "<think>What now?", {}, {"overview": ""}])
def test_a_model_that_stays_empty_leaves_what_was_found(vault: VaultClient, nothing: object) -> None:
    script = Script(nothing)  # type: ignore[arg-type]
    document = ask(vault, QUESTION, model=script.model)
    assert len(script.seen) == 2
    assert "“The larch came four weeks late.”" in document.overview
    assert document.remarks == (
        "Note: the model came to no answer of its own (what it sent is no answer); this is what was found.",
    )


@pytest.mark.parametrize("files", ["all", [None, 7.5, {"x": 1}], {"path": "nowhere.md"}])
def test_files_that_are_none_do_not_cost_the_answer(vault: VaultClient, files: object) -> None:
    overview, _, requests = shown(vault, {"overview": f"{LATE} [1].", "files": files})
    assert (overview, requests) == (f"{LATE} {PLACE}.", 1)


@pytest.mark.parametrize(
    ("written", "path", "lines"),
    [
        ("a.md", "a.md", None),
        ("a b.md:9-14", "a b.md", "9-14"),
        ("`a.md` lines 9-14, 20", "a.md", "9-14, 20"),
        ("a.md (lignes 3-4)", "a.md", "3-4"),
        (2, "[2]", None),
        ("2", "[2]", None),
        ("[2]", "[2]", None),
        ({"file": "a.md", "range": 9}, "a.md", "9"),
        ({"number": 3}, "[3]", None),
    ],
)
def test_a_file_is_named_in_any_form(written: object, path: str, lines: str | None) -> None:
    assert SearchAnswer.model_validate({"overview": "x", "files": [written]}).files == [
        NamedFile(path=path, lines=lines)
    ]


def test_a_passage_is_shown_by_its_number(vault: VaultClient) -> None:
    assert shown(vault, {"overview": "It came late.\nSee below.", "files": [1]})[1] == [(LOG, (9, 11))]


class TestRefusal:
    """The notes do not answer, by the flag or in the words that are agreed."""

    @pytest.mark.parametrize(
        "said",
        [
            {"overview": "Nothing about that.", "answered": False},
            {"overview": "", "answered": "false"},
            {"overview": "The notes do not seem to say."},
            "The notes do not seem to say.",
            "**The notes do not seem to say**",
            "<think>Hm.</think>The notes do not seem to say. I looked twice.",
            "Les notes ne semblent pas le dire.",
        ],
    )
    def test_the_nearest_places_are_named(self, vault: VaultClient, said: object) -> None:
        document = ask(vault, QUESTION, model=Script(said).model)  # type: ignore[arg-type]
        assert document.text.startswith("The notes do not seem to say.\nWhat comes nearest:\n“")
        assert f"`{LOG}` line 11" in document.text
        assert (document.is_answered, document.blocks) == (False, ())

    def test_in_the_language_of_the_question(self, vault: VaultClient) -> None:
        document = ask(
            vault, "Quand le larch est-il venu ?", model=Script("The notes do not seem to say.").model
        )
        assert document.overview.startswith("Les notes ne semblent pas le dire.\nLe plus proche\u00a0:\n«")
        assert f"`{LOG}` ligne 11" in document.overview

    def test_without_anything_near(self, vault: VaultClient) -> None:
        document = ask(vault, "zeppelyn?", model=Script("The notes do not seem to say.").model)
        assert (document.text, document.is_answered) == ("The notes do not seem to say.\n", False)

    @pytest.mark.parametrize(
        "text",
        [
            "The notes do not seem to say why, but it came late [1].",
            "It came late [1]. The notes do not seem to say why.",
            "It is said [1].",
        ],
    )
    def test_a_part_that_is_not_said_is_no_refusal(self, text: str) -> None:
        assert not says_nothing(text)
