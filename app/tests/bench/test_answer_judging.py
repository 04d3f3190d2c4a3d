"""The bench of answers judges what is quoted by where it stands and what it holds."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.answers.cases import Case, Place, read_keyed_beside, read_short, spread
from bench.answers.judging import Quotation, judge, quotation
from bench.answers.sets import AnswerSet, foreign

NOTE = "# Kiln\n\nThe kiln broke down.\nIt was mended in *May* 2024.\n\n| what | € |\n| --- | ---: |\n| larch | 380 |\n"
CASE = Case("1", "When?", "en", "when", evidence=(Place("kiln.md", 3, 4),), must=("kiln", "May"))


def quoted(lines: str, text: str, path: str = "kiln.md") -> Quotation:
    return quotation(path, lines, text, NOTE)


@pytest.mark.parametrize(
    ("lines", "text", "found"),
    [
        ("4", "It was mended in *May* 2024.", (4, 4)),
        ("3-4", "mended in *May*", (4, 4)),
        ("3-4", "broke down.\nIt was mended", (3, 4)),
        ("3-4", "The kiln broke down.\nIt was mended in *May* 2024.\n", (3, 4)),
        ("1-8", "| larch | 380 |", (8, 8)),
    ],
)
def test_a_quotation_is_found_on_the_lines_it_names(lines: str, text: str, found: tuple[int, int]) -> None:
    assert quoted(lines, text).place == Place("kiln.md", *found)


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ("4", "It was mended in May 2024."),
        ("3", "It was mended in *May* 2024."),
        ("4", "The kiln broke down.\nIt was mended in *May* 2024."),
        ("9-12", "larch"),
        ("0-1", "mended"),
        ("", "mended"),
        ("4", "  "),
    ],
)
def test_what_is_altered_or_stands_elsewhere_is_not_found(lines: str, text: str) -> None:
    assert quoted(lines, text).place is None
    assert quotation("kiln.md", lines, text, None).place is None


@pytest.mark.parametrize(
    ("quotations", "verdict"),
    [
        ([("3-4", "The kiln broke down.\nIt was mended in *May* 2024.")], "first"),
        ([("3", "The KILN  broke down."), ("8", "| larch | 380 |"), ("4", "in *May*")], "together"),
        ([("3", "broke down."), ("8", "larch"), ("8", "380"), ("4", "the kiln, in May")], "place"),
        ([("8", "| larch | 380 |"), ("4", "in *May*")], "wrong"),
        ([], "silent"),
    ],
)
def test_all_strings_of_a_key_have_to_be_quoted_in_the_first_or_in_three_together(
    quotations: list[tuple[str, str]], verdict: str
) -> None:
    assert judge(CASE, True, [quoted(*each) for each in quotations]).verdict == verdict


def test_a_refusal_counts_whatever_is_quoted_beside_it() -> None:
    beside = [quoted("3-4", "The kiln broke down.\nIt was mended in *May* 2024.")]
    assert judge(CASE, False, beside).verdict == "refused"
    unanswerable = Case("2", "Who?", "en", "none", is_answerable=False)
    assert judge(unanswerable, False, []).verdict == "refused"
    assert judge(unanswerable, True, beside).verdict == "wrong"
    assert judge(unanswerable, True, []).verdict == "silent"


def test_a_short_answer_is_held_as_whole_words_by_one_quotation() -> None:
    case = Case("3", "?", "en", "", evidence=(Place("kiln.md", 8, 8),), answers=("38", "larch"))
    assert judge(case, True, [quoted("8", "| 380 |")]).verdict == "place"
    assert judge(case, True, [quoted("8", "| Larch |")]).verdict == "first"
    assert judge(case, True, [quoted("3", "kiln"), quoted("8", "| larch |")]).verdict == "together"


def test_noise_is_what_is_quoted_of_lines_that_do_not_answer() -> None:
    case = Case("4", "?", "en", "", evidence=(Place("kiln.md", 4, 4), Place("other.md", 1, 2)), must=("may",))
    found = judge(case, True, [quoted("3-4", "broke down.\nIt was"), quoted("8", "larch")])
    assert (found.chars, found.noise) == (len("broke down.It waslarch"), len("broke down.larch"))
    assert (found.is_at_evidence, found.evidence_quoted) == (True, 0.5)


def test_another_place_that_answers_is_no_noise() -> None:
    case = Case(
        "5", "?", "en", "", evidence=(Place("x.md", 1, 1),), also=(Place("kiln.md", 4, 4),), must=("may",)
    )
    found = judge(case, True, [quoted("4", "in *May*")])
    assert (found.verdict, found.is_at_evidence, found.noise, found.evidence_quoted) == (
        "first",
        True,
        0,
        0.0,
    )


def made_set(folder: Path, **files: list[dict[str, Any]]) -> Path:
    folder.mkdir(parents=True)
    for name, rows in files.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_sentences_are_sought_in_the_notes_of_their_title(tmp_path: Path) -> None:
    folder = made_set(
        tmp_path / "set",
        corpus=[{"doc": "a", "title": "Kiln"}, {"doc": "b", "title": "Kiln"}],
        queries=[{"id": "1", "text": "When?"}, {"id": "2", "text": "Is it?"}],
        answers=[
            {
                "id": "1",
                "answer": "May",
                "type": "bridge",
                "evidence": [{"title": "Kiln", "sentence": "It was mended in *May* 2024."}],
            },
            {"id": "2", "answer": "Yes", "type": "comparison", "evidence": []},
        ],
    )
    (folder / "qrels.tsv").write_text("query\tdoc\tgrade\n")
    (tmp_path / "a.md").write_text("# Kiln\n")
    (tmp_path / "b.md").write_text(NOTE)
    asked = Case("1", "When?", "en", "bridge", True, (Place("b.md", 4, 4),), answers=("May",))
    assert read_short(folder, tmp_path) == [asked]
    (tmp_path / "b.md").write_text("# Kiln\n")
    with pytest.raises(ValueError, match=r"no line of a\.md, b\.md holds 'It was mended"):
        read_short(folder, tmp_path)


def test_without_sentences_the_judged_notes_are_the_evidence(tmp_path: Path) -> None:
    folder = made_set(
        tmp_path / "set",
        corpus=[{"doc": "a", "title": "Kiln"}],
        queries=[{"id": "1", "text": "When?"}],
        answers=[{"id": "1", "answer": "May", "aliases": ["05"], "hops": 2, "evidence": ["Kiln"]}],
    )
    (folder / "qrels.tsv").write_text("query\tdoc\tgrade\n1\ta\t1\n1\tb\t0\n")
    (tmp_path / "a.md").write_text("# Kiln\n\nMay\n")
    asked = Case("1", "When?", "en", "2 hops", True, (Place("a.md", 1, 4),), answers=("May", "05"))
    assert read_short(folder, tmp_path) == [asked]


def test_keys_are_joined_with_the_questions_beside_them(tmp_path: Path) -> None:
    folder = made_set(
        tmp_path / "set",
        queries=[
            {"id": "1", "query": "Quand ?", "kind": "french"},
            {"id": "2", "query": "Who?", "kind": "none"},
        ],
        answers=[
            {"id": "2", "answer": None, "evidence": []},
            {"id": "1", "evidence": [{"path": "kiln.md", "lines": "3-4"}], "also": [], "must": ["May"]},
        ],
    )
    assert read_keyed_beside(folder) == [
        Case("1", "Quand ?", "fr", "french", True, (Place("kiln.md", 3, 4),), must=("May",)),
        Case("2", "Who?", "en", "none", is_answerable=False),
    ]


def test_answerable_questions_are_asked_of_the_vaults_of_unlike_sets() -> None:
    def answer_set(name: str, home: str) -> AnswerSet:
        cases = [Case(str(at), f"{name} {at}", "en", "") for at in range(4)]
        return AnswerSet(name, home, Path(home), [*cases, Case("n", "nobody", "en", "none", False)])

    sets = [
        answer_set("docs", "docs"),
        answer_set("docs human", "docs"),
        answer_set("hotpotqa_train100", "hotpotqa_train100"),
        answer_set("musique_train100", "musique_train100"),
    ]
    asked = [
        (of.name, other.home, [case.text for case in cases if not case.is_answerable])
        for of, other, cases in foreign(sets, 2)
    ]
    assert asked == [
        ("docs", "hotpotqa_train100", ["docs 0", "docs 2"]),
        ("docs", "musique_train100", ["docs 0", "docs 2"]),
        ("docs human", "hotpotqa_train100", ["docs human 0", "docs human 2"]),
        ("docs human", "musique_train100", ["docs human 0", "docs human 2"]),
        ("hotpotqa_train100", "docs", ["hotpotqa_train100 0", "hotpotqa_train100 2"]),
        ("musique_train100", "docs", ["musique_train100 0", "musique_train100 2"]),
    ]
    assert spread(["a", "b"], 20) == ["a", "b"]
