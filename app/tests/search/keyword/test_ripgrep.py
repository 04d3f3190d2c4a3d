"""The real ripgrep: what it finds, how it is stopped, what is too much, and the order of files without a model."""

import os
import threading
import time
from pathlib import Path

import pytest

from app.errors import BadRequestError, SearchError
from app.notices import Notice, NoticeKind
from app.search.keyword.ripgrep import (
    ALL_TOO_BROAD,
    TERM_BYTES,
    Corpus,
    FoundLine,
    Output,
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
    return {path: sorted(at for at, line in lines.items() if line.matched) for path, lines in output.items()}


@pytest.mark.parametrize(
    "name",
    ["-e.md", "a:12:b.md", "naïve 🌱.md", "'\"$(x)`.md", "*.md"],
)
def test_a_file_name_is_only_ever_a_name(name: str, corpus: MakeCorpus) -> None:
    assert matches(search("larch", corpus({name: "larch\n", "other.md": "oak\n"}))) == {name: [1]}


@pytest.mark.parametrize("term", ["-larch", "--files", "-e"])
def test_a_term_is_only_ever_a_term(term: str, corpus: MakeCorpus) -> None:
    assert matches(search(term, corpus({"a.md": f"x {term} y\n", "b.md": "x\n"}))) == {"a.md": [1]}


def test_settings_do_not_count(corpus: MakeCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_a_term_that_is_no_expression_is_named(term: str, reason: str, corpus: MakeCorpus) -> None:
    with pytest.raises(BadRequestError) as caught:
        search(term, corpus({"a.md": "x\n"}))
    assert caught.value.message.startswith(f"search term '{term}' is no regular expression: {reason}")
    assert "\n" not in str(caught.value)


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


def left_out(*terms: str) -> tuple[Notice, ...]:
    named = ", ".join(f"'{term}'" for term in terms)
    return (Notice(NoticeKind.TERMS_TOO_BROAD, terms=named),) if terms else ()


def test_req_kws_002_a_term_that_is_too_broad_is_dropped_and_named(corpus: MakeCorpus) -> None:
    where = corpus({"a.md": exact("oak", 70_000, "a.md"), "b.md": "larch\n"})
    [file], notices = gather(["oak", "larch"], where)
    assert (file.path, notices) == ("b.md", left_out("oak"))


def test_req_kws_002_all_terms_too_broad_is_the_error_of_the_source(corpus: MakeCorpus) -> None:
    where = corpus({"a.md": exact("oak and larch", 70_000, "a.md")})
    with pytest.raises(BadRequestError) as caught:
        gather(["oak", "larch"], where)
    assert caught.value.message == ALL_TOO_BROAD == "each of those search terms yielded too many results"


def test_req_kws_002_the_last_terms_are_peeled_off_above_128_kib(corpus: MakeCorpus) -> None:
    files = {f"{word}.md": exact(word, 50_000, f"{word}.md") for word in ("ash", "oak", "elm", "fir")}
    found, notices = gather(["ash", "oak", "elm", "fir"], corpus(files))
    assert {file.path for file in found} == {"ash.md", "oak.md"}
    assert notices == left_out("elm", "fir")


@pytest.mark.parametrize(("size", "peeled"), [(128 * 1024 - 1, ()), (128 * 1024, ("elm",))])
def test_req_kws_002_128_kib_are_too_much(size: int, peeled: tuple[str, ...], corpus: MakeCorpus) -> None:
    # Two separators, and no end of the last line.
    sizes = {"ash": 50_000, "oak": 50_000, "elm": size - 100_000 - 2 * len("--\n") + 1}
    where = corpus({f"{word}.md": exact(word, size, f"{word}.md") for word, size in sizes.items()})
    assert gather(list(sizes), where)[1] == left_out(*peeled)


def test_joined_outputs_are_what_ripgrep_prints_for_all_terms_at_once(corpus: MakeCorpus) -> None:
    rows = [f"line {n}" for n in range(200)]
    for n, word in ((5, "ash"), (17, "oak"), (38, "ash oak"), (60, "elm"), (150, "oak"), (199, "ash")):
        rows[n] += f" {word}"
    where = corpus({"a.md": "\n".join(rows), "b.md": "oak\n" * 3})
    found, _ = gather(["ash", "oak", "elm"], where)
    joint = printed({file.path: file.lines for file in sorted(found, key=lambda file: file.path)})
    expected = conftest.printed(where.root, "ash", "oak", "elm", names=("a.md", "b.md"))
    assert f"{joint}\n".encode() == expected
