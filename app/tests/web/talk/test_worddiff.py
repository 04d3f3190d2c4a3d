"""A proposed change as rows to read."""

import pytest

from app.notes.answer import proposed
from app.notes.models import Change, Plan
from app.vault.paths import NotePath
from app.web.talk.worddiff import FileChange, Row, Run, show_change


def shown_files(plan: Plan) -> tuple[FileChange, ...]:
    return show_change(proposed(plan, by_agent=True)).files


def diff(before: str | None, after: str | None, path: str = "A.md") -> tuple[FileChange, ...]:
    change = Change(
        NotePath(path),
        None if before is None else before.encode(),
        None if after is None else after.encode(),
    )
    return shown_files(Plan("update", path, (change,), "update 'A.md'"))


def rows(before: str | None, after: str | None) -> list[tuple[str, int | None, str]]:
    """Kind, number and text of each row; the words that differ in brackets."""
    (file,) = diff(before, after)
    return [(row.kind, row.number, shown(row.runs)) for row in file.rows]


def shown(runs: tuple[Run, ...]) -> str:
    return "".join(f"[{run.text}]" if run.differs else run.text for run in runs)


def test_the_words_that_differ_are_marked_on_both_lines() -> None:
    assert rows("# Tea\nwe meet at noon\nend\n", "# Tea\nwe meet at five\nend\n") == [
        ("same", 1, "# Tea"),
        ("gone", 2, "we meet at [noon]"),
        ("new", 2, "we meet at [five]"),
        ("same", 3, "end"),
    ]


def test_lines_that_have_nothing_in_common_are_not_compared_word_by_word() -> None:
    assert rows("alpha beta gamma\n", "one, two: three!\n") == [
        ("gone", 1, "alpha beta gamma"),
        ("new", 1, "one, two: three!"),
    ]


def test_each_line_that_goes_is_compared_with_the_one_that_takes_its_place() -> None:
    assert rows("one red\ntwo red\n", "one blue\ntwo blue\nthree blue\n") == [
        ("gone", 1, "one [red]"),
        ("gone", 2, "two [red]"),
        ("new", 1, "one [blue]"),
        ("new", 2, "two [blue]"),
        ("new", 3, "three blue"),
    ]


def test_a_new_note_and_one_that_goes() -> None:
    (made,) = diff(None, "one\n")
    assert (made.before, made.after, made.rows) == ("", "A.md", (Row("new", 1, (Run("one"),)),))
    (gone,) = diff("one\n", None)
    assert (gone.before, gone.after, gone.rows) == ("A.md", "", (Row("gone", 1, (Run("one"),)),))


def test_far_changes_have_a_gap_between_them_and_keep_their_numbers() -> None:
    before = "".join(f"line {number}\n" for number in range(1, 31))
    found = rows(before, before.replace("line 2\n", "line two\n").replace("line 28\n", "line last\n"))
    assert found.count(("gap", None, "")) == 1
    assert ("gone", 28, "line [28]") in found
    assert ("new", 28, "line [last]") in found


@pytest.mark.parametrize("text", ["-- a/B.md", "++ b/B.md", "@ -1 +1 @@", "\\ No newline at end of file"])
def test_a_line_that_looks_like_a_head_is_a_line(text: str) -> None:
    assert rows(f"-{text}\nsame\n", "same\n") == [("gone", 1, f"-{text}"), ("same", 1, "same")]
    assert rows("same\n", f"same\n+{text}\nend") == [
        ("same", 1, "same"),
        ("new", 2, f"+{text}"),
        ("new", 3, "end"),
    ]


def test_the_sentences_are_said_in_the_language_of_the_reader_and_the_lines_stay() -> None:
    change = Change(NotePath("A.md"), b"one\n", b"two <script>x</script>\n")
    write = proposed(Plan("update", "A.md", (change,), "update 'A.md'"), by_agent=True)
    found = show_change(write)
    assert found.facts_in("en") == [str(each) for each in write.about]
    french = found.facts_in("fr")
    assert french != found.facts_in("en")
    assert len(french) == len(write.about)
    assert [shown(row.runs) for row in found.files[0].rows] == ["one", "two <script>x</script>"]


def test_a_move_names_both_places_once() -> None:
    changes = (
        Change(NotePath("A.md"), b"see me\n", None),
        Change(NotePath("B.md"), None, b"see you\n"),
        Change(NotePath("C.md"), b"[[A]]\n", b"[[B]]\n"),
    )
    plan = Plan("move", "A.md", changes, "move 'A.md'", moved=(NotePath("A.md"), NotePath("B.md")))
    first, second = shown_files(plan)
    assert (first.before, first.after) == ("A.md", "B.md")
    assert [shown(row.runs) for row in first.rows] == ["see [me]", "see [you]"]
    assert (second.before, second.after) == ("C.md", "C.md")


def test_a_move_that_changes_no_text_is_shown_all_the_same() -> None:
    changes = (Change(NotePath("A.md"), b"x\n", None), Change(NotePath("B.md"), None, b"x\n"))
    plan = Plan("move", "A.md", changes, "move", moved=(NotePath("A.md"), NotePath("B.md")))
    assert shown_files(plan) == (FileChange("A.md", "B.md", ()),)


def test_other_line_ends_are_said_in_words() -> None:
    assert rows("one\r\n", "one\n") == [("ends", None, "")]
