"""Files: whole or not at all, and never outside, even while links are swapped in."""

import os
import shutil
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from app.errors import (
    ConflictError,
    NoteExistsError,
    PathError,
    VaultError,
    WriteError,
)
from app.vault import atomic
from app.vault.atomic import content_hash
from app.vault.files import read_file, real_path, remove_file, rename_file, set_aside, write_file

LIMIT = 10_000
SECRET = b"outside"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with a note, beside a folder that must stay untouched."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.md").write_bytes(SECRET)
    root = tmp_path / "vault"
    root.mkdir()
    (root / "a.md").write_bytes(b"one")
    return root.resolve()


def outside(root: Path) -> dict[str, bytes]:
    folder = root.parent / "outside"
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def read(root: Path, path: str) -> bytes:
    return read_file(root, path, LIMIT).data


def write(root: Path, path: str, data: bytes, expected: bytes | None = None, create: bool = False) -> None:
    expected_hash = None if expected is None else content_hash(expected)
    write_file(root, path, data, limit=LIMIT, expected_hash=expected_hash, create=create)


LINKS = {
    "file": ("link.md", "../outside/secret.md", "link.md"),
    "folder": ("link", "../outside", "link/secret.md"),
    "up and up": ("link", "../../../../../../../../..", "link/etc/hosts.md"),
    "up through a folder": ("link", "sub/../../outside", "link/secret.md"),
    "link to a link": ("link", "hop", "link/secret.md"),
    "the system": ("link", "/", "link/etc/hosts.md"),
    "a name that starts like the vault": ("link", "{root}-other", "link/secret.md"),
}


@pytest.mark.parametrize("case", LINKS)
@pytest.mark.parametrize("action", ["read", "write", "create", "remove", "rename from", "rename to"])
def test_a_link_that_leads_out_is_refused_for_everything(root: Path, case: str, action: str) -> None:
    name, target, path = LINKS[case]
    (root / "sub").mkdir()
    (root / "hop").symlink_to(root.parent / "outside")
    (root / name).symlink_to(target.format(outside=root.parent / "outside", root=root))
    actions: dict[str, Callable[[], object]] = {
        "read": lambda: read(root, path),
        "write": lambda: write(root, path, b"mine"),
        "create": lambda: write(root, path, b"mine", create=True),
        "remove": lambda: remove_file(root, path, limit=LIMIT),
        "rename from": lambda: rename_file(root, path, "moved.md"),
        "rename to": lambda: rename_file(root, "a.md", path),
    }
    with pytest.raises((PathError, WriteError)):
        actions[action]()
    assert outside(root) == {"secret.md": SECRET}
    assert read(root, "a.md") == b"one"


@pytest.mark.parametrize("path", ["..", "../outside/secret.md", "sub/../../outside/secret.md"])
def test_dots_never_lead_above_the_root(root: Path, path: str) -> None:
    (root / "sub").mkdir()
    with pytest.raises(PathError):
        read(root, path)
    with pytest.raises(PathError):
        write(root, path, b"mine")
    assert outside(root) == {"secret.md": SECRET}


@pytest.mark.parametrize("target", ["real/b.md", "./real/../real/b.md", "{root}/real/b.md", "chain.md"])
def test_a_link_that_stays_inside_is_followed(root: Path, target: str) -> None:
    (root / "real").mkdir()
    (root / "real" / "b.md").write_bytes(b"two")
    (root / "chain.md").symlink_to("real/b.md")
    (root / "link.md").symlink_to(target.format(root=root))
    assert read(root, "link.md") == b"two"
    assert real_path(root, "link.md") == "real/b.md"
    write(root, "link.md", b"three", expected=b"two")
    assert (root / "real" / "b.md").read_bytes() == b"three"
    assert (root / "link.md").is_symlink()


@contextmanager
def meanwhile(act: Callable[[], object]) -> Iterator[None]:
    """Do something over and over in a thread."""
    stop = threading.Event()

    def loop() -> None:
        while not stop.is_set():
            act()

    thread = threading.Thread(target=loop)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@contextmanager
def swapping(root: Path, name: str) -> Iterator[None]:
    """Turn a folder into a link that leads out and back, as fast as possible."""
    folder, away, link = root / name, root.parent / "away", root.parent / "link"
    link.symlink_to(root.parent / "outside")

    def swap() -> None:
        folder.rename(away)
        put(link, folder)
        folder.rename(link)
        put(away, folder)

    def put(source: Path, target: Path) -> None:
        while True:
            try:
                source.rename(target)
                return
            except OSError:
                # A writer found the folder missing and made one of its own.
                shutil.rmtree(target, ignore_errors=True)

    with meanwhile(swap):
        yield


@pytest.mark.parametrize("name", ["secret.md", "sub/secret.md"])
def test_nothing_outside_is_read_or_written_while_a_folder_is_swapped_for_a_link(
    root: Path, name: str
) -> None:
    (root / "folder" / "sub").mkdir(parents=True)
    (root.parent / "outside" / "sub").mkdir()
    (root.parent / "outside" / "sub" / "secret.md").write_bytes(SECRET)
    (root / "folder" / name).write_bytes(b"inside 0")
    path = f"folder/{name}"
    done = {"read": 0, "written": 0, "refused": 0}
    with swapping(root, "folder"):
        count = 0
        while min(done["written"], done["refused"]) < 20:
            count += 1
            try:
                assert read(root, path).startswith(b"inside")
                done["read"] += 1
                write(root, path, b"inside %d" % count)
                done["written"] += 1
                write(root, f"folder/new {count}.md", b"inside", create=True)
                remove_file(root, f"folder/new {count}.md", limit=LIMIT)
            except VaultError:
                done["refused"] += 1
    files = sorted(
        str(file.relative_to(root.parent / "outside")) for file in (root.parent / "outside").rglob("*")
    )
    assert files == ["secret.md", "sub", "sub/secret.md"]
    assert (root.parent / "outside" / name).read_bytes() == SECRET


def test_nothing_outside_is_read_or_written_while_a_file_is_swapped_for_a_link(root: Path) -> None:
    target, note, spare, link = root.parent / "outside" / "secret.md", root / "n.md", root / "s", root / "l"
    note.write_bytes(b"inside")
    tries, swaps = 0, list[int]()

    def swap() -> None:
        link.symlink_to(target)
        link.rename(note)
        spare.write_bytes(b"inside")
        spare.rename(note)
        swaps.append(1)

    with meanwhile(swap):
        while min(len(swaps), tries) < 200:
            tries += 1
            with suppress(VaultError):
                assert read(root, "n.md").startswith(b"inside")
            with suppress(VaultError):
                write(root, "n.md", b"inside, mine")
    assert outside(root) == {"secret.md": SECRET}


def test_a_name_stored_decomposed_is_found_composed(root: Path) -> None:
    (root / "E\u0301te\u0301").mkdir()
    (root / "E\u0301te\u0301" / "cafe\u0301.md").write_bytes(b"one")
    path = "Été/café.md"
    assert read(root, path) == b"one"
    write(root, path, b"two", expected=b"one")
    with pytest.raises(NoteExistsError):
        write(root, path, b"three", create=True)
    assert names(root / "E\u0301te\u0301") == ["cafe\u0301.md"]
    rename_file(root, path, "Été/thé.md")
    assert names(root / "E\u0301te\u0301") == ["thé.md"]
    remove_file(root, "Été/thé.md", limit=LIMIT)
    assert names(root / "E\u0301te\u0301") == []


def test_a_write_keeps_the_mode_and_leaves_another_hard_link_alone(root: Path) -> None:
    (root / "a.md").chmod(0o640)
    os.link(root / "a.md", root.parent / "outside" / "backup.md")
    write(root, "a.md", b"two")
    assert stat.S_IMODE((root / "a.md").stat().st_mode) == 0o640
    assert outside(root) == {"secret.md": SECRET, "backup.md": b"one"}


def test_of_many_creators_exactly_one_succeeds(root: Path) -> None:
    outcomes: list[str] = []

    def create(number: int) -> None:
        try:
            write(root, "new.md", b"%d" % number, create=True)
            outcomes.append(str(number))
        except NoteExistsError:
            outcomes.append("refused")

    threads = [threading.Thread(target=create, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    winners = [outcome for outcome in outcomes if outcome != "refused"]
    assert [read(root, "new.md").decode()] == winners
    assert names(root) == ["a.md", "new.md"]


def test_a_reader_finds_the_old_or_the_new_content_never_a_part(root: Path) -> None:
    contents = [b"a" * 5000, b"b" * 9000]
    write(root, "a.md", contents[0])

    def rewrite() -> None:
        for content in contents:
            write(root, "a.md", content)

    with meanwhile(rewrite):
        for _ in range(300):
            assert read(root, "a.md") in contents


def overtake(root: Path, how: str) -> None:
    """Do to a note what another program might do in the last moment."""
    if how in ("rewritten", "and again"):
        (root / "a.md").write_bytes(b"theirs")
        return
    if how == "replaced":
        (root / "theirs").write_bytes(b"theirs")
    else:
        (root / "theirs").symlink_to("../outside/secret.md")
    (root / "theirs").rename(root / "a.md")


@pytest.mark.parametrize("how", ["replaced", "rewritten", "linked"])
def test_a_write_by_another_program_in_the_last_moment_is_not_lost(
    root: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    check = atomic.check_hash

    def too_late(*arguments: Any) -> None:
        check(*arguments)
        overtake(root, how)

    monkeypatch.setattr(atomic, "check_hash", too_late)
    with pytest.raises(ConflictError):
        write(root, "a.md", b"mine", expected=b"one")
    assert names(root) == ["a.md"]
    assert (root / "a.md").read_bytes() == (SECRET if how == "linked" else b"theirs")
    assert outside(root) == {"secret.md": SECRET}


@pytest.mark.parametrize("how", ["replaced", "rewritten", "linked", "and again"])
@pytest.mark.parametrize("action", ["remove", "set aside"])
def test_a_removal_does_not_lose_what_another_program_wrote_in_the_last_moment(
    root: Path, monkeypatch: pytest.MonkeyPatch, how: str, action: str
) -> None:
    check, has_hash = atomic.check_hash, atomic._has_hash

    def too_late(*arguments: Any) -> None:
        check(*arguments)
        overtake(root, how)

    def and_again(*arguments: Any) -> bool:
        found = has_hash(*arguments)
        if how == "and again":
            (root / "a.md").write_bytes(b"newest")
        return found

    monkeypatch.setattr(atomic, "check_hash", too_late)
    monkeypatch.setattr(atomic, "_has_hash", and_again)
    remove = remove_file if action == "remove" else set_aside
    with pytest.raises(ConflictError):
        remove(root, "a.md", limit=LIMIT, expected_hash=content_hash(b"one"))
    assert names(root) == ["a.md"]
    found = {"linked": SECRET, "and again": b"newest"}.get(how, b"theirs")
    assert (root / "a.md").read_bytes() == found
    assert outside(root) == {"secret.md": SECRET}


def test_what_is_set_aside_keeps_its_name_in_a_hidden_folder_beside_it(root: Path) -> None:
    (root / "sub").mkdir()
    (root / "sub/e\u0301.md").write_bytes(b"text")
    aside = set_aside(root, "sub/é.md", limit=LIMIT, expected_hash=content_hash(b"text"))
    folder, _, name = aside.rpartition("/")
    assert folder.startswith("sub/.")
    assert name == "é.md"
    assert read(root, aside) == b"text"
    assert names(root / "sub") == [folder.removeprefix("sub/")]
    with pytest.raises(ConflictError):
        set_aside(root, "a.md", limit=LIMIT, expected_hash=content_hash(b"other"))
    assert names(root) == ["a.md", "sub"]


def test_a_write_works_where_names_cannot_be_swapped(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atomic, "exchange", lambda *_: False)
    write(root, "a.md", b"two", expected=b"one")
    with pytest.raises(ConflictError):
        write(root, "a.md", b"three", expected=b"one")
    assert read(root, "a.md") == b"two"


def test_a_move_does_not_replace_what_is_there(root: Path) -> None:
    (root / "b.md").write_bytes(b"two")
    with pytest.raises(NoteExistsError):
        rename_file(root, "a.md", "b.md")
    assert (read(root, "a.md"), read(root, "b.md")) == (b"one", b"two")
