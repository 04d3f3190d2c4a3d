"""All terms: the size rules, and the order of files without a model."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import BadRequestError
from app.search.keyword.gather import ALL_TOO_BROAD, gather
from app.search.keyword.ripgrep import FoundLine, Output
from app.tests.search.keyword.conftest import MakeCorpus, as_printed, exact, printed


def test_req_kws_002_a_term_that_is_too_broad_is_dropped_and_named(corpus: MakeCorpus) -> None:
    where = corpus({"a.md": exact("oak", 70_000, "a.md"), "b.md": "larch\n"})
    found = gather(["oak", "larch"], where)
    assert ([file.path for file in found.files], found.broad) == (["b.md"], ("oak",))


def test_req_kws_002_all_terms_too_broad_is_the_error_of_the_source(corpus: MakeCorpus) -> None:
    where = corpus({"a.md": exact("oak and larch", 70_000, "a.md")})
    with pytest.raises(BadRequestError) as caught:
        gather(["oak", "larch"], where)
    assert caught.value.message == ALL_TOO_BROAD == "each of those search terms yielded too many results"


def test_req_kws_002_the_last_terms_are_peeled_off_while_the_joint_output_is_not_under_128_kib(
    corpus: MakeCorpus,
) -> None:
    files = {f"{word}.md": exact(word, 50_000, f"{word}.md") for word in ("ash", "oak", "elm", "fir")}
    found = gather(["ash", "oak", "elm", "fir"], corpus(files))
    assert {file.path for file in found.files} == {"ash.md", "oak.md"}
    assert (found.peeled, found.broad) == (("elm", "fir"), ())
    # A term that adds little is peeled off all the same where a more important one is.
    found = gather(["ash", "oak", "elm", "pine"], corpus({**files, "pine.md": "pine\n"}))
    assert found.peeled == ("elm", "pine")


@pytest.mark.parametrize(("size", "peeled"), [(128 * 1024 - 1, ()), (128 * 1024, ("elm",))])
def test_req_kws_002_a_joint_output_of_exactly_128_kib_is_too_much(
    size: int, peeled: tuple[str, ...], corpus: MakeCorpus
) -> None:
    separators = 2 * len("--\n")
    sizes = {"ash": 50_000, "oak": 50_000, "elm": size - 100_000 - separators}
    where = corpus({f"{word}.md": exact(word, size, f"{word}.md") for word, size in sizes.items()})
    assert len(printed(where.root, *sizes, names=tuple(where.files or ()))) == size
    assert gather(list(sizes), where).peeled == peeled


def test_files_are_ranked_by_how_many_and_how_important_the_terms_they_match(corpus: MakeCorpus) -> None:
    where = corpus(
        {
            "all.md": "ash oak elm\n",
            "first.md": "ash\nash\n",
            "last two.md": "oak elm\n",
            "second.md": "oak\n",
            "last.md": "elm elm elm\n",
            "none.md": "fir\n",
        }
    )
    found = gather(["ash", "oak", "elm"], where).files
    assert [(file.path, file.terms, file.score) for file in found] == [
        ("all.md", ("ash", "oak", "elm"), 1.0),
        ("last two.md", ("oak", "elm"), 0.5),
        ("first.md", ("ash",), 0.5),
        ("second.md", ("oak",), pytest.approx(1 / 3)),
        ("last.md", ("elm",), pytest.approx(1 / 6)),
    ]
    assert found[2].matches == (1, 2)


def test_a_file_that_may_no_longer_be_shown_is_left_out_and_counted(corpus: MakeCorpus) -> None:
    where = corpus({"a.md": "larch\n", "b.md": "larch\n"})
    found = gather(["larch"], replace(where, show=lambda path, lines: lines if path == "b.md" else None))
    assert ([file.path for file in found.files], found.lost) == (["b.md"], 1)


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ([f"t{n}" for n in range(51)], "'search_terms' holds 51 terms"),
        (["x" * 1001], f"search term '{'x' * 40}…' has 1001 characters"),
        (["a\0b"], r"search term 'a\x00b' is not text"),
        (["\ud800"], r"search term '\ud800' is not text"),
    ],
)
def test_terms_that_cannot_be_searched_are_named(terms: list[str], message: str, corpus: MakeCorpus) -> None:
    with pytest.raises(BadRequestError) as caught:
        gather(terms, corpus({"a.md": "x\n"}))
    assert caught.value.message == message


def test_joined_outputs_are_what_ripgrep_prints_for_all_terms_at_once(corpus: MakeCorpus) -> None:
    rows = [f"line {n}" for n in range(200)]
    for n, word in ((5, "ash"), (17, "oak"), (38, "ash oak"), (60, "elm"), (150, "oak"), (199, "ash")):
        rows[n] += f" {word}"
    where = corpus({"a.md": "\n".join(rows), "b.md": "oak\n" * 3})
    files = gather(["ash", "oak", "elm"], where).files
    joint = Output()
    for file in sorted(files, key=lambda file: file.path):
        for number, line in sorted(file.lines.items()):
            joint.add(file.path, number, line)
    expected = printed(where.root, "ash", "oak", "elm", names=("a.md", "b.md"))
    assert as_printed(joint) == expected
    assert joint.size == len(expected)


lines_strategy = st.dictionaries(
    st.sampled_from(["a.md", "é/b.md"]),
    st.dictionaries(st.integers(1, 12), st.booleans(), min_size=1, max_size=8),
    max_size=2,
)


def output_of(files: Mapping[str, Mapping[int, bool]]) -> Output:
    output = Output()
    for path, lines in files.items():
        for number, matched in lines.items():
            output.add(path, number, FoundLine("x" * number, number + 1, matched))
    return output


@given(lines_strategy, lines_strategy)
def test_the_size_of_an_output_is_the_length_of_what_is_printed(
    first: Mapping[str, Mapping[int, bool]], second: Mapping[str, Mapping[int, bool]]
) -> None:
    joint = output_of(first).joined([output_of(second)])
    assert joint.size == len(as_printed(joint))
    matched = {(p, n) for files in (first, second) for p, lines in files.items() for n in lines if lines[n]}
    assert {(p, n) for p, lines in joint.files.items() for n in lines if lines[n].matched} == matched
    joint.drop("a.md")
    assert joint.size == len(as_printed(joint))
