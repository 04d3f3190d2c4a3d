"""Update and append: what is asked changes, every other byte stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import VaultError, WriteError
from app.notes.document import Document
from app.notes.edit import append, update
from app.notes.models import NoteRequest
from app.tests.conftest import MakeVault
from app.tests.notes.conftest import Operate, contents
from app.vault.paths import NotePath

PROPERTIES = "---\nb: 'x'   # why\na:   \"[[B]]\"\n---\n"
NOTE = PROPERTIES + "# Plan\n\nIntro.\n\n## Tasks\n\n- one\n- two ^t\n\n## End\nbye\n"


def changed(tiny_vault: MakeVault, run: Operate, before: str, **parameters: object) -> str:
    vault = tiny_vault({"A.md": before})
    answer = run(vault, "update", path="A", **parameters)
    assert answer.startswith("Done: update 'A.md'."), answer
    return contents(vault)["A.md"]


@pytest.mark.parametrize(
    ("place", "old", "new"),
    [
        ({"heading": "Tasks", "content": "- three"}, "- one\n- two ^t\n", "- three\n"),
        ({"heading": "## Tasks", "content": "## Tasks\n- three\n"}, "- one\n- two ^t\n", "- three\n"),
        (
            {"heading": "Plan", "content": "All."},
            "Intro.\n\n## Tasks\n\n- one\n- two ^t\n\n## End\nbye\n",
            "All.\n",
        ),
        ({"content": "New.\n"}, NOTE.removeprefix(PROPERTIES), "New.\n"),
        ({"content": "---\nc: 1\n---\nNew.\n"}, NOTE, "---\nc: 1\n---\nNew.\n"),
        ({"block": "t", "content": "- 2"}, "- two ^t\n", "- 2 ^t\n"),
        ({"lines": "1-4", "content": "---\nz: 1\n---"}, PROPERTIES, "---\nz: 1\n---\n"),
        ({"lines": "7", "content": "Lead."}, "Intro.\n", "Lead.\n"),
    ],
)
def test_a_part_is_replaced_and_nothing_else(
    tiny_vault: MakeVault, run: Operate, place: dict[str, str], old: str, new: str
) -> None:
    assert changed(tiny_vault, run, NOTE, **place) == NOTE.replace(old, new)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"\xef\xbb\xbf# A\r\nold\r\n# B\r\n", b"\xef\xbb\xbf# A\r\nn1\r\nn2\r\n# B\r\n"),
        (
            b"\xff\xfe" + "# A\r\nold\r\n# B\r\n".encode("utf-16-le"),
            b"\xff\xfe" + "# A\r\nn1\r\nn2\r\n# B\r\n".encode("utf-16-le"),
        ),
        (b"# A\nold", b"# A\nn1\nn2"),
    ],
)
def test_encoding_mark_and_line_ends_stay(
    tiny_vault: MakeVault, run: Operate, before: bytes, after: bytes
) -> None:
    vault = tiny_vault({"A.md": before})
    run(vault, "update", path="A", heading="A", content="n1\nn2\n")
    assert vault.read_bytes("A") == after


LATIN = "# Café\nold\n# B\n".encode("latin-1")


@pytest.mark.parametrize(
    "change",
    [
        {"operation": "append", "content": "déjà"},
        {"operation": "update", "heading": "B", "content": "neuf"},
    ],
)
@pytest.mark.parametrize("data", [LATIN, b"\xff\xfe\x00\xd8" + "\nold\n# B\n".encode("utf-16-le")])
def test_a_note_in_another_encoding_is_not_made_one_of_two(
    tiny_vault: MakeVault, run: Operate, data: bytes, change: dict[str, str]
) -> None:
    vault = tiny_vault({"A.md": data, "B.md": "[[A]]"})
    said = run(vault, path="A", **change)
    assert said == (
        f"Error: 'A.md' is not valid {'UTF-8' if data == LATIN else 'UTF-16'}, and would be in two encodings. "
        "save it as UTF-8 first, in your editor or with iconv; nothing was written"
    )
    assert vault.read_bytes("A") == data
    run(vault, "move", path="A", new_path="Z")
    assert (vault.read_bytes("Z"), vault.read_bytes("B")) == (data, b"[[Z]]")
    run(vault, "delete", path="Z", permanent=True)
    assert not vault.exists("Z")


@given(
    st.lists(
        st.sampled_from([b"# A", b"text", b"- x", b"", "é".encode(), b"---", b"a\rb", b"```"]), max_size=10
    ),
    st.sampled_from([b"\n", b"\r\n"]),
    st.sampled_from([b"", b"\xef\xbb\xbf"]),
    st.integers(1, 10),
    st.integers(0, 3),
)
def test_replacing_lines_leaves_all_bytes_before_and_after(
    lines: list[bytes], newline: bytes, bom: bytes, first: int, more: int
) -> None:
    data = bom + newline.join(lines)
    document = Document(NotePath("A.md"), data)
    request = NoteRequest(operation="update", path="A", lines=f"{first}-{first + more}", content="NEW")
    try:
        after = update(document, request)
    except VaultError:
        assert first > document.line_count
        return
    own = data[len(bom) :].split(b"\n")
    before, rest = own[: first - 1], own[first + more :]
    assert after.startswith(bom + b"".join(line + b"\n" for line in before) + b"NEW")
    assert after.endswith(b"\n".join(rest))


def test_another_hash_writes_nothing(tiny_vault: MakeVault, run: Operate) -> None:
    vault = tiny_vault({"A.md": "one\n"})
    answer = run(vault, "update", path="A", content="two", expected_hash="f" * 32)
    # What it is now is not said: it could be given back without reading the note.
    assert answer == "Error: 'A.md' changed since it was read. read it again; nothing was written"
    assert contents(vault) == {"A.md": "one\n"}


@pytest.mark.parametrize(
    ("before", "heading", "content", "after"),
    [
        ("one\n", None, "- two", "one\n- two\n"),
        ("one", None, "two", "one\n\ntwo\n"),
        ("- one\n", None, "two", "- one\n\ntwo\n"),
        ("one\n", None, "## Two", "one\n\n## Two\n"),
        ("| a |\n| - |\n", None, "| b |", "| a |\n| - |\n| b |\n"),
        ("# A\n- x\n\n# B\ny\n", "A", "- z", "# A\n- x\n- z\n\n# B\ny\n"),
        ("# A\n", "A", "z", "# A\n\nz\n"),
        ("# A", "A", "- z", "# A\n- z\n"),
    ],
)
def test_appending_adds_at_the_end_and_keeps_blocks_apart(
    tiny_vault: MakeVault, run: Operate, before: str, heading: str | None, content: str, after: str
) -> None:
    vault = tiny_vault({"A.md": before})
    answer = run(vault, "append", path="A", content=content, heading=heading)
    assert answer.startswith("Done: append to 'A.md'."), answer
    assert contents(vault) == {"A.md": after}


@given(
    st.one_of(
        st.binary(max_size=60),
        st.text(alphabet="aé\r\n-#\u2028😀", max_size=60).map(str.encode),
        st.text(alphabet="aé\r\n-#\u2028😀", max_size=60).map(lambda text: text.encode("utf-16")),
    ),
    st.text(alphabet="ab #\n-é", min_size=1, max_size=20),
)
def test_appending_keeps_every_byte_that_was_there(data: bytes, content: str) -> None:
    document = Document(NotePath("A.md"), data)
    request = NoteRequest(operation="append", path="A", content=content)
    if any(problem.startswith("not valid") for problem in document.problems):
        with pytest.raises(WriteError, match="two encodings"):
            append(document, request)
    else:
        assert append(document, request).startswith(data)


SECTIONS = "# Plan\n\n## Tasks #todo\n\n- one\n\n## **End** of `x`\n\nbye\n"


@pytest.mark.parametrize("blank", ["", "\n \r\n"])
@pytest.mark.parametrize("own", ["# TASKS", "### **Tasks** ##", "## Tasks #todo #now", "_Tasks_\n==="])
def test_a_text_s_heading_that_is_the_section_s_own_is_left_out(
    tiny_vault: MakeVault, run: Operate, own: str, blank: str
) -> None:
    for operation, lines in (("append", "- one\n- two\n"), ("update", "- two\n")):
        vault = tiny_vault({f"{operation}.md": SECTIONS})
        answer = run(
            vault, operation, path=operation, heading="Tasks #todo", content=f"{blank}{own}\n\n- two\n"
        )
        assert "is left out: it is that of the section)" in answer
        assert vault.read(operation).text == SECTIONS.replace("- one\n", lines)
        assert run(vault, "undo").startswith("Done")
        assert vault.read(operation).text == SECTIONS


@pytest.mark.parametrize("content", ["## Sprint #2\n- two", "> ## Tasks\n- two", "two\n\n### Tasks\n"])
def test_a_text_s_other_headings_stay(tiny_vault: MakeVault, run: Operate, content: str) -> None:
    vault = tiny_vault({"A.md": "## Tasks\n\n## Sprint #1\n"})
    heading = "Sprint #1" if content.startswith("## Sprint") else "Tasks"
    answer = run(vault, "append", path="A", heading=f"## {heading}", content=content)
    assert "left out" not in answer
    assert content in vault.read("A").text


@pytest.mark.parametrize("operation", ["append", "update"])
@pytest.mark.parametrize("below", ["## **End** of `x`", "## end of x #tag", "End of x\n---"])
@pytest.mark.parametrize("own", ["", "## Tasks\n"])
def test_a_text_that_brings_the_heading_below_along_is_refused(
    tiny_vault: MakeVault, run: Operate, operation: str, below: str, own: str
) -> None:
    vault = tiny_vault({"A.md": SECTIONS})
    answer = run(vault, operation, path="A", heading="Tasks #todo", content=f"{own}- two\n\n{below}\n")
    assert answer.startswith("Error: the text holds the heading '")
    assert "too, which would stand twice in 'A.md'. give what belongs under 'Tasks #todo' alone" in answer
    assert vault.read("A").text == SECTIONS
