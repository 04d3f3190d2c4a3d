"""Move: every link means afterwards what it meant before, and no other byte changes."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from app.config.settings import Settings
from app.dependencies import ProposedWrite
from app.markdown.links import LinkResolver
from app.markdown.parse import parse_note
from app.notes.answer import operate
from app.notes.proposal import approve, propose
from app.tests.conftest import MakeVault
from app.tests.notes.conftest import Operate, contents
from app.vault.client import VaultClient


def app_json(**values: object) -> dict[str, str]:
    return {".obsidian/app.json": json.dumps(values)}


def meanings(vault: VaultClient) -> dict[str, list[str | None]]:
    """What every link of every note means, by note."""
    scan = vault.scan()
    resolver = LinkResolver([*scan.notes, *scan.others])
    return {
        path: [resolver.resolve(link.target, path) for link in parse_note(vault.read(path).text, path).links]
        for path in scan.notes
    }


def moved(tiny_vault: MakeVault, run: Operate, notes: dict[str, str], path: str, new: str) -> dict[str, str]:
    vault = tiny_vault(notes)
    answer = run(vault, "move", path=path, new_path=new)
    assert answer.startswith("Done: move "), answer
    return contents(vault)


def test_every_kind_of_link_to_a_renamed_note_is_rewritten(tiny_vault: MakeVault, run: Operate) -> None:
    notes = {
        "Old name.md": "[[#Own]] ^b\n",
        "a/Links.md": (
            '---\nup: "[[Old name|Up]]"\nlist:\n  - "[[old name#H]]"\n---\n'
            "[[Old name]] [[old NAME.md#Own|shown]] ![[Old name#^b]] [[Old name#A#B]]\n"
            '[t](Old%20name.md) [t](<Old name.md#Own> "title") ![t](../Old%20name.md) [x [y]](Old%20name)\n'
            "| [[Old name\\|cell]] |\n| --- |\n"
            "`[[Old name]]` %% [[Old name]] %% Old name [[Older name]]\n"
        ),
    }
    after = moved(tiny_vault, run, notes, "Old name", "New (1) name")
    assert after == {
        "New (1) name.md": "[[#Own]] ^b\n",
        "a/Links.md": (
            '---\nup: "[[New (1) name|Up]]"\nlist:\n  - "[[New (1) name#H]]"\n---\n'
            "[[New (1) name]] [[New (1) name.md#Own|shown]] ![[New (1) name#^b]] [[New (1) name#A#B]]\n"
            '[t](New%20(1)%20name.md) [t](<New (1) name.md#Own> "title") ![t](New%20(1)%20name.md) '
            "[x [y]](New%20(1)%20name)\n"
            "| [[New (1) name\\|cell]] |\n| --- |\n"
            "`[[Old name]]` %% [[New (1) name]] %% Old name [[Older name]]\n"
        ),
    }


def test_a_link_by_name_stays_when_the_note_only_changes_its_folder(
    tiny_vault: MakeVault, run: Operate
) -> None:
    after = moved(tiny_vault, run, {"A.md": "", "B.md": "[[A]] [[/A]]"}, "A", "sub/deep/")
    assert after == {"sub/deep/A.md": "", "B.md": "[[A]] [[A]]"}


@pytest.mark.parametrize(
    ("link_format", "links"),
    [
        ("shortest", "[[New]] [t](New.md)"),
        ("absolute", "[[x/New]] [t](x/New.md)"),
        ("relative", "[[../x/New]] [t](../x/New.md)"),
    ],
)
def test_rewritten_links_have_the_form_the_vault_prefers(
    tiny_vault: MakeVault, run: Operate, link_format: str, links: str
) -> None:
    notes = {"a/Old.md": "", "b/B.md": "[[a/Old]] [t](a/Old.md)", **app_json(newLinkFormat=link_format)}
    assert moved(tiny_vault, run, notes, "a/Old", "x/New")["b/B.md"] == links


def test_line_ends_marks_and_odd_bytes_stay(tiny_vault: MakeVault, run: Operate) -> None:
    vault = tiny_vault(
        {
            "Old.md": b"\xef\xbb\xbfself [[Old]]\r\n",
            "Latin.md": b"t\xe9moin [[Old]]\r\n\xff",
            "Wide.md": b"\xff\xfe" + "[[Old]] é\r\n".encode("utf-16-le"),
        }
    )
    run(vault, "move", path="Old", new_path="Été")
    assert vault.read_bytes("Été") == b"\xef\xbb\xbfself [[" + "Été".encode() + b"]]\r\n"
    assert vault.read_bytes("Latin") == b"t\xe9moin [[" + "Été".encode() + b"]]\r\n\xff"
    assert vault.read_bytes("Wide") == b"\xff\xfe" + "[[Été]] é\r\n".encode("utf-16-le")


@pytest.mark.parametrize(
    ("name", "wiki", "markdown"),
    [
        ("100% sure", "[[100% sure]]", "[t](100%25%20sure.md)"),
        ("a (b", "[[a (b]]", "[t](a%20%28b.md)"),
        ("R&amp;D", "[[R&amp;D]]", "[t](R%26amp;D.md)"),
        ("five $5 $6", "[[five $5 $6]]", "[t](five%20%245%20%246.md)"),
    ],
)
def test_names_with_signs_are_written_so_that_they_are_found(
    tiny_vault: MakeVault, run: Operate, name: str, wiki: str, markdown: str
) -> None:
    after = moved(tiny_vault, run, {"Old.md": "", "B.md": "[[Old]] [t](Old.md)"}, "Old", name)
    assert after == {f"{name}.md": "", "B.md": f"{wiki} {markdown}"}


@pytest.mark.parametrize("name", ["a#b", "a|b", "x[[y", "a^b", "a: b", "dos\\barre", "new: folder/a"])
def test_a_name_that_obsidian_does_not_make_is_refused(
    tiny_vault: MakeVault, run: Operate, name: str
) -> None:
    vault = tiny_vault({"Free.md": ""})
    for answer in (
        run(vault, "move", path="Free", new_path=name + ".md"),
        run(vault, "create", path=name + ".md", content=""),
    ):
        assert answer.startswith("Error: the title '")
    assert contents(vault) == {"Free.md": ""}


def test_a_folder_no_link_can_carry_is_refused_while_a_link_needs_it(
    tiny_vault: MakeVault, run: Operate
) -> None:
    notes = {"Old.md": "", "B.md": "[[Old]]", "Free.md": "", "c/Old.md": "", "a#b/c.md": ""}
    vault = tiny_vault(notes)
    assert run(vault, "move", path="./Old", new_path="a#b/").startswith("Error: ")
    assert contents(vault) == notes
    assert run(vault, "move", path="Free", new_path="a#b/").startswith("Done")


def test_excluded_notes_are_rewritten_but_a_model_is_not_told_of_them(
    tiny_vault: MakeVault, run: Operate
) -> None:
    notes = {"Old.md": "", "Big.md": "x" * 5000, "private/Diary.md": "secret [[Old]]"}
    vault = tiny_vault(
        {**notes, "private/Big.md": "y" * 5000, **app_json(userIgnoreFilters=["private/"])},
        max_note_bytes=4096,
    )
    asked: list[str] = []

    def approve(change: ProposedWrite) -> bool:
        asked.append(change.diff)
        return True

    answer = run(vault, "move", path="Old", new_path="New", writes="ask", approve=approve)
    assert vault.read("private/Diary").text == "secret [[New]]"
    assert "(1 excluded note changed too, not shown)" in asked[0]
    assert "(links in 1 excluded place were not all looked at)" in asked[0]
    assert "links in 'Big.md' were not all looked at" in answer
    waiting = propose(vault, {"operation": "move", "path": "New", "new_path": "Newer"})
    assert "excluded place" in waiting.diff
    assert not [word for word in ("excluded", "secret", "Diary") if word in answer + waiting.told]
    assert not [word for word in ("secret", "Diary") if word in asked[0]]


@pytest.mark.parametrize(
    ("path", "new_path", "error"),
    [
        ("A", "b", "Error: there is a note at 'B.md' already"),
        ("A", "../A", "Error: the path '../A' leads out of the vault"),
        ("A", "private/A", "Error: no note can be made at 'private/A'"),
        ("link", "C", "Error: 'link.md' is reached through a symbolic link. name 'A.md' itself"),
    ],
)
def test_a_move_that_cannot_be_changes_nothing(
    tiny_vault: MakeVault, run: Operate, path: str, new_path: str, error: str
) -> None:
    vault = tiny_vault({"A.md": "[[B]]", "B.md": "[[A]]", **app_json(userIgnoreFilters=["private/"])})
    (vault.root / "link.md").symlink_to("A.md")
    before = contents(vault)
    assert run(vault, "move", path=path, new_path=new_path).startswith(error)
    assert contents(vault) == before


NAMES = ["A.md", "b.md", "x/A.md", "x/b.md", "x/y/A.md", "z/C c.md", "É.md", "Version 2.0.md", "x/pic.png"]
TARGETS = [
    "A", "a.md", "b", "x/A", "x/b.md", "y/A", "x/y/A", "C c", "z/C c", "É", "E\u0301", "Version 2.0", "pic.png",
    "x/pic.png", "./A", "../A", "../x/b", "/A", "/x/A", "nope", "C%20c.md", "%C3%89", "",
]  # fmt: skip
FORMS = ["[[{0}]]", "[[{0}|s]]", "![[{0}#h]]", "[t]({0})", "![t]({0}#h)", "[t](<{0}> 'x')", "| [[{0}\\|s]] |"]
GOALS = ["A.md", "n.md", "x/n.md", "x/y/b.md", "w/C c.md", "É.md", "w/100% É (1.md", "Version 2.0.md", "b.MD"]


@st.composite
def vaults(draw: st.DrawFn) -> dict[str, str]:
    files = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=7, unique=True))
    link = st.builds(str.format, st.sampled_from(FORMS), st.sampled_from(TARGETS))
    texts = st.lists(link, max_size=4).map("\n\n".join)
    properties = st.sampled_from(
        ["", *(f'---\nup: "[[{target}]]"\n---\n' for target in ("A", "x/b", "É", "./A"))]
    )
    return {path: draw(properties) + draw(texts) + "\r\n" if path.endswith(".md") else "" for path in files}


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    vaults(),
    st.sampled_from(["shortest", "absolute", "relative"]),
    st.sampled_from(NAMES),
    st.sampled_from(GOALS),
)
def test_a_move_never_changes_what_any_link_means(
    files: dict[str, str], form: str, old: str, new: str
) -> None:
    assume(old in files and old.endswith(".md"))
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "vault"
        for path, text in {**files, **app_json(newLinkFormat=form)}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(text.encode())
        vault = VaultClient(root, Settings(state_dir=Path(folder) / "state"))
        before, held = meanings(vault), contents(vault)
        answer = operate(vault, {"operation": "move", "path": old, "new_path": new})
        if answer.startswith("Error: "):
            assert contents(vault) == held
            return
        after = meanings(vault)
        expected = {
            (new if path == old else path): [new if target == old else target for target in targets]
            for path, targets in before.items()
        }
        assert after.keys() == expected.keys()
        for path, targets in expected.items():
            # A link to nothing may find the note under its new name; no other link may change.
            for was, now in zip(targets, after[path], strict=True):
                assert now == was or (was is None and now == new)
        assert operate(vault, {"operation": "undo"}).startswith("Done")
        assert contents(vault) == held


CARD = '{"id":"1", "type" :"file","file" : "Old.md","x":0 }'
TEXT_CARD = '{"type":"text","text":"\\"file\\":\\"Old.md\\" [[Old]]"}'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f'{{"nodes":[\r\n\t{CARD},{TEXT_CARD}],"edges":[ ]}}', '"New é.md"'),
        ('\ufeff{"nodes":[{"file":"\\u004fld.md"},{"file":"Older.md"}]}', '"New \\u00e9.md"'),
    ],
)
def test_a_canvas_that_shows_the_note_is_rewritten_and_taken_back(
    tiny_vault: MakeVault, run: Operate, before: str, after: str
) -> None:
    notes = {"Old.md": "old\n", "B.md": "[[Old]]", "x/Plan.canvas": before}
    vault = tiny_vault(notes)
    answer = run(vault, "move", path="Old", new_path="New é")
    assert "(1 canvas now shows it by its new path)" in answer
    assert "+++ b/x/Plan.canvas" in answer
    expected = before
    for written in ('"Old.md"', '"\\u004fld.md"'):
        expected = expected.replace(written, after)
    assert contents(vault) == {"New é.md": "old\n", "B.md": "[[New é]]", "x/Plan.canvas": expected}
    assert run(vault, "undo").startswith("Done")
    assert contents(vault) == notes
    waiting = propose(vault, {"operation": "move", "path": "Old", "new_path": "New é"})
    assert "+++ b/x/Plan.canvas" in waiting.diff
    assert approve(vault, waiting.token).startswith("Done")
    assert contents(vault)["x/Plan.canvas"] == expected


def test_a_canvas_that_is_not_json_is_left_and_named(tiny_vault: MakeVault, run: Operate) -> None:
    card = '{"nodes":[{"file":"Old.md"}]}'
    left = {"Broken.canvas": "[" * 100_000, "Cut.canvas": card[:-1], "Odd.canvas": '{"nodes": 3}'}
    vault = tiny_vault(
        {"Old.md": "", "Private/Plan.canvas": card, **left, **app_json(userIgnoreFilters=["Private/"])}
    )
    answer = run(vault, "move", path="Old", new_path="New")
    reason = "were not all looked at: it is not JSON as Obsidian writes it"
    assert [line for line in answer.splitlines() if "canvas" in line] == [
        f"(links in 'Broken.canvas' {reason})",
        f"(links in 'Cut.canvas' {reason})",
    ]
    moved = card.replace("Old", "New")
    assert contents(vault) == {"New.md": "", "Private/Plan.canvas": moved, **left}


def inline_links() -> st.SearchStrategy[str]:
    """Every spelling of a link to "Tom & Jerry" in running text."""
    bare = st.sampled_from(["Tom&#32;&amp;&#x20;Jerry.md", "T%6Fm%20&%20Jerry", r"Tom%20\&%20Jerry\.md"])
    angled = st.sampled_from(
        ["Tom & Jerry.md", "Tom &amp; Jerry", "Tom%20& Jerry.md", "./Tom &#38; Jerry.md"]
    )
    part = st.sampled_from(["", "#h", "&#35;h", r"\#h"])
    destination = st.one_of(st.builds("{}{}".format, bare, part), st.builds("<{}{}>".format, angled, part))
    title = st.sampled_from(["", ' "t"', "\n't'", " (t)"])
    markdown = st.builds(
        str.format,
        st.sampled_from(["[t]({0}{1})", "![t]( {0}{1} )", "[k]: {0}{1}", "[a [b]]({0})"]),
        destination,
        title,
    )
    wiki = st.sampled_from(["[[Tom & Jerry]]", "![[ tom & jerry.md#h|x]]", "| [[Tom & Jerry\\|x]] |"])
    around = st.sampled_from(["{}", "> {}", "- {}", "%% [[Tom & Jerry]] %% x\n\n{}", "> > - {}"])
    return st.builds(
        lambda frame, link: frame.format(link.replace("\n", " ")), around, st.one_of(markdown, wiki)
    )


def property_links() -> st.SearchStrategy[str]:
    """Every spelling of a property that links to "Tom & Jerry"."""
    wiki = ["[[Tom & Jerry]]", '[[Tom & Jerry#h|it\'s "x" é]]']
    text = st.sampled_from([*wiki, "[t](Tom%20&amp;%20Jerry.md)", "[l'é](<Tom & Jerry.md#h>)"])

    def double(text: str, escaped: frozenset[int], form: str) -> str:
        signs = [
            form.format(ord(sign)) if at in escaped else f"\\{sign}" if sign in '"\\' else sign
            for at, sign in enumerate(text)
        ]
        return '"{}"'.format("".join(signs))

    places = st.frozensets(st.integers(0, 30), max_size=8)
    forms = st.sampled_from(["\\x{:02x}", "\\u{:04X}", "\\U{:08x}"])
    single = text.map(lambda text: "'{}'".format(text.replace("'", "''")))
    value = st.one_of(st.builds(double, text, places, forms), single, text.map("|-\n    {}".format))
    return st.builds(str.format, st.sampled_from(["{}", "\n  - {}", "!!str {}"]), value)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(property_links(), max_size=3),
    st.lists(inline_links(), min_size=1, max_size=4),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["Plain.md", 'w/It\'s "so" & (100%.md', "a'.md"]),
)
def test_every_spelling_of_a_link_is_counted_moved_and_taken_back(
    properties: list[str], running: list[str], newline: str, new: str
) -> None:
    head = "".join(f"p{number}: {value}\n" for number, value in enumerate(properties))
    text = f"---\n{head}---\n" + "\n\n".join(running) + "\n"
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "vault"
        root.mkdir()
        (root / "Tom & Jerry.md").write_text("")
        (root / "B.md").write_bytes(text.replace("\n", newline).encode())
        vault = VaultClient(root, Settings(state_dir=Path(folder) / "state"))
        before, held = meanings(vault), contents(vault)
        assert len(before["B.md"]) >= len(properties) + len(running)
        assert set(before["B.md"]) == {"Tom & Jerry.md"}
        answer = operate(vault, {"operation": "move", "path": "Tom & Jerry", "new_path": new})
        assert answer.startswith("Done"), answer
        assert meanings(vault)["B.md"] == [new] * len(before["B.md"])
        assert operate(vault, {"operation": "undo"}).startswith("Done")
        assert contents(vault) == held
