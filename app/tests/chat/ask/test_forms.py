"""An answer is understood in whatever form a model gives it; what is no answer is asked for once more."""

import json

import pytest

from app.chat.ask.answer import ask
from app.chat.ask.forms import NamedFile, SearchAnswer, says_nothing
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
        json.dumps({"function": {"name": "answer", "arguments": json.dumps(TYPED)}}),
        json.dumps({"answer": TYPED["overview"], "sources": [{"file": LOG, "lines": [7, 12]}]}),
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
        (f"{LATE}【1†source】.", f"{LATE} {PLACE}.", [(LOG, (9, 11))]),
        (f"{LATE} (`{LOG}` line 11).", f"{LATE} (`{LOG}` line 11).", [(LOG, (11, 11))]),
        (f"She floats (`{STATE}`).\n{LATE} [1].", None, [(STATE, None), (LOG, (9, 11))]),
        (f"Code: `list[1]`. {LATE} [1].", f"Code: `list[1]` (uncited). {LATE} {PLACE}.", [(LOG, (9, 11))]),
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


@pytest.mark.parametrize(
    ("thought", "rest"),
    [
        ("<think>It sank.</think>", ""),
        ("<reasoning effort='high'>It sank.</reasoning>", ""),
        ("It sank, I think.\n</think>\n", ""),
        ("", "\n<think>It sank."),
    ],
)
def test_what_a_model_thinks_aloud_is_left_out(vault: VaultClient, thought: str, rest: str) -> None:
    assert shown(vault, f"{thought}{LATE} [1].{rest}")[0] == f"{LATE} {PLACE}."
    typed = {"overview": f"{thought}{LATE} [1].{rest}", "files": []}
    assert shown(vault, typed)[0] == f"{LATE} {PLACE}."


@pytest.mark.parametrize(
    "nothing",
    ["", "<think>What now?", '{"name": "search", "arguments": {"query": "larch"}}', {}],
)
def test_an_empty_answer_is_asked_for_once_more(vault: VaultClient, nothing: object) -> None:
    assert shown(vault, nothing, f"{LATE} [1].") == (f"{LATE} {PLACE}.", [(LOG, (9, 11))], 2)


@pytest.mark.parametrize(
    ("written", "path", "lines"),
    [
        ("a.md", "a.md", None),
        ("`a.md` lines 9-14, 20", "a.md", "9-14, 20"),
        ("a.md (lignes 3-4)", "a.md", "3-4"),
        (2, "[2]", None),
        ({"file": "a.md", "range": 9}, "a.md", "9"),
        ({"number": 3}, "[3]", None),
    ],
)
def test_a_file_is_named_in_any_form(written: object, path: str, lines: str | None) -> None:
    assert SearchAnswer.model_validate({"overview": "x", "files": [written]}).files == [
        NamedFile(path=path, lines=lines)
    ]


def test_an_answer_of_which_nothing_stands_shows_the_lines_instead(vault: VaultClient) -> None:
    for text in ("The larch came seven weeks late.", "The larch came seven weeks late [1]."):
        document = ask(vault, QUESTION, model=Script(text).model)
        assert document.overview.startswith("~~The larch came seven weeks late")
        assert f"“{LATE}.”" in document.overview
        assert not document.is_answered


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"name": "search", "arguments": {"query": "larch"}\n```',
        "search(query='larch')",
        'I will search.\n```json\n{"name": "search", "arguments": {"query": "larch"}\n```',
    ],
)
def test_a_broken_call_of_a_tool_is_no_answer(vault: VaultClient, text: str) -> None:
    overview = shown(vault, text)[0]
    assert LATE in overview
    assert "query" not in overview


@pytest.mark.parametrize(
    "text",
    [f"[1] {LOG} lines 9-11, 2025-07-14", f"[1] {LOG} lines 9-11\n11 | {LATE}.", "[1]", "[33]"],
)
def test_of_an_answer_that_repeats_the_head_of_a_passage_the_passage_is_quoted(
    vault: VaultClient, text: str
) -> None:
    document = ask(vault, "How late was the larch?", model=Script(text).model)
    assert document.is_answered
    assert document.overview == f"Here is what the notes say:\n“{LATE}.” (2025-07-14, `{LOG}` line 11)"


def test_a_model_in_a_loop_is_cut(vault: VaultClient) -> None:
    overview = shown(vault, f"{LATE} [1]. " + "So the launch moved. " * 200)[0]
    assert overview.count("So the launch moved") == 1


class TestRefusal:
    """The notes do not answer, by the flag or in the words that are agreed."""

    @pytest.mark.parametrize(
        "said",
        [
            {"overview": "Nothing about that.", "answered": False},
            {"overview": "The notes do not seem to say."},
            "The notes do not seem to say.",
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

    def test_a_part_that_is_not_said_is_no_refusal(self) -> None:
        assert not says_nothing("The notes do not seem to say why, but it came late [1].")
