"""The store is data, this user's alone: what somebody else put there runs nothing, and is not believed."""

import json
import os
import pickle
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.config.settings import IndexDefinition, IndexSettings
from app.errors import ConfigError
from app.search.lexical.language import stem_all
from app.search.lexical.segment import SegmentFile
from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault
from app.tests.search.conftest import Find, paths
from app.vault.client import VaultClient

NOTES = {
    "a.md": "---\nstatus: open\n---\n# Launch\n\nThe rocket stands on the pad. #moon\n",
    "b.md": "# Diary\n\nRain, and the pad is wet. See [[a]].\n",
    "c/d.md": "Nothing but rain for a week.\n",
}
WORDS_ALONE = IndexSettings(indexes={"notes": IndexDefinition(embedding_model=None)})
SOMEBODY = 54321


class Payload:
    """Unpickled, it leaves a file behind."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.marker),)


def built(vault: VaultClient) -> Path:
    """The folder of the vault's index, whole and closed."""
    for note in vault.root.rglob("*.md"):
        # What was written just now is read again by the next search, which may make its segment anew.
        os.utime(note, (1_700_000_000, 1_700_000_000))
    searcher = searcher_for(vault)
    searcher.update()
    searcher.close()
    return searcher.folder


def test_a_prepared_pickle_in_the_place_of_any_file_runs_nothing(
    tiny_vault: MakeVault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULT_ASSISTANT_INDEX__INDEXES", '{"notes": {"embedding_model": null}}')
    vault = tiny_vault(NOTES, index=WORDS_ALONE)
    folder = built(vault)
    cache, marker = vault.settings.cache_folder, tmp_path / "ran"
    payload = pickle.dumps(Payload(marker))
    old = Path("lexical")
    names = {file.relative_to(folder) for file in (folder / "lexical").iterdir()}
    # As an earlier version had it, alone; and in the place of all there is, beside a latest commit.
    earlier = [old / "_MAIN_1.toc", old / "MAIN_0123456789abcdef.seg"]
    latest = [
        *names,
        old / "99.commit",
        old / "_MAIN_99.toc",
        old / "MAIN_99.seg",
        Path("vectors/model.json"),
    ]
    commands: list[tuple[str, list[str]]] = []
    for words in (["status"], ["find", "fast", "rocket"], ["index"], ["ask", "Where does the rocket stand?"]):
        for planted in (earlier, latest):
            copied = tmp_path / f"cache{len(commands)}"
            shutil.copytree(cache, copied)
            store = copied / folder.relative_to(cache)
            for file in names:
                (store / file).unlink()
            for file in planted:
                (store / file).parent.mkdir(exist_ok=True, mode=0o700)
                (store / file).write_bytes(payload)
            commands.append((str(copied), [*words, "--vault", str(vault.root)]))
    done = subprocess.run(
        [sys.executable, "-m", "app.tests.search.running", json.dumps(commands)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Traceback" not in done.stderr
    said = json.loads(done.stdout.splitlines()[-1])
    assert said["named"] == []
    assert set(said["codes"]) == {0}, done.stderr
    assert not marker.exists()
    for store in (Path(copied, folder.relative_to(cache)) for copied, _ in commands):
        left = [file.name for file in store.rglob("*") if file.is_file() and payload in file.read_bytes()]
        assert set(left) <= {"model.json"}
    # And the payload is one that would have run.
    pickle.loads(payload)
    assert marker.exists()


def to_somebody(path: Path) -> None:
    os.chown(path, SOMEBODY, SOMEBODY)


def test_a_cache_folder_of_somebody_else_is_refused_and_says_what_to_set(
    tiny_vault: MakeVault, find: Find
) -> None:
    if os.geteuid():
        pytest.skip("only root can give files away")
    vault = tiny_vault(NOTES, index=WORDS_ALONE)
    vault.settings.cache_folder.mkdir(exist_ok=True)
    to_somebody(vault.settings.cache_folder)
    with pytest.raises(ConfigError) as caught:
        find(vault, "fast", query="rocket")
    assert (
        caught.value.message
        == f"the cache folder '{vault.settings.cache_folder}' belongs to another user (54321)"
    )
    assert "cache_dir" in caught.value.hint


def test_where_new_files_are_open_to_a_group_the_index_is_still_this_users_alone(
    tiny_vault: MakeVault, find: Find
) -> None:
    vault = tiny_vault(NOTES, index=WORDS_ALONE)
    before = os.umask(0o002)
    try:
        folder = built(vault)
        assert find(vault, "fast", query="rocket").notices == []
        searcher_for(vault).close()
        assert find(vault, "fast", query="rocket").notices == []
    finally:
        os.umask(before)
    assert [item for item in (folder, *folder.rglob("*")) if item.stat().st_mode & 0o022] == []


def flip(file: Path, rng: random.Random) -> None:
    """Turn over one bit of a file."""
    data = bytearray(file.read_bytes())
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    file.write_bytes(data)


@pytest.mark.parametrize("seed", range(4))
def test_a_flipped_bit_anywhere_never_gives_another_answer(
    tiny_vault: MakeVault, find: Find, seed: int
) -> None:
    rng = random.Random(seed)
    vault = tiny_vault(
        {
            f"n{at}.md": f"# Note {at}\n\nword{at % 7} and rain on the pad. [[n{at + 1}]]\n"
            for at in range(40)
        },
        index=WORDS_ALONE,
    )
    folder = built(vault)
    asked = [
        ("fast", {"query": "rain word3"}),
        ("fulltext", {"query": '"rain on the pad" word5'}),
        ("by_link", {"note_path": "n3.md"}),
        ("by_date", {"start_date": "2000-01-01"}),
    ]
    expected = [paths(find(vault, operation, **parameters)) for operation, parameters in asked]
    rebuilt = 0
    for turn in range(30):
        searcher_for(vault).close()
        files = sorted(file for file in folder.rglob("*") if file.is_file() and file.stat().st_size)
        flip(files[turn % len(files)], rng)
        for (operation, parameters), wanted in zip(asked, expected, strict=True):
            results = find(vault, operation, **parameters)
            assert paths(results) == wanted
            rebuilt += any("was rebuilt" in notice for notice in results.notices)
    # Bits between the arrays mean nothing; nearly all others do.
    assert rebuilt > 20


LONG = {"long.md": " ".join(f"w{at}x" for at in range(20_000))}


def damage(folder: Path, wanted: bytes) -> str:
    """Flip a bit of the first place of the segment that holds some bytes, or amid its texts; name the segment."""
    segment = next((folder / "lexical").glob("*.seg"))
    data = bytearray(segment.read_bytes())
    packed = wanted or SegmentFile(segment, len(data), 0).arrays["text"].tobytes()
    data[data.index(packed) + len(packed) // 2] ^= 1
    segment.write_bytes(data)
    return f"the index could not be opened ('{segment.name}' is damaged) and was rebuilt"


@pytest.mark.parametrize(
    ("wanted", "operation", "query"),
    [
        (b"\nw19999x\n", "fast", "w19999x"),
        (b"", "fulltext", '"w9000x w9001x"'),
        (b"", "fast", '"w9000x w9001x"'),
    ],
)
def test_damage_that_only_a_query_meets_is_mended_before_it_answers(
    tiny_vault: MakeVault, find: Find, wanted: bytes, operation: str, query: str
) -> None:
    vault = tiny_vault({**NOTES, **LONG}, index=WORDS_ALONE)
    said = damage(built(vault), wanted)
    # Opening it does not read so far.
    searcher_for(vault).view()
    results = find(vault, operation, query=query)
    assert (paths(results), results.notices) == (["long.md"], [said])
    assert find(vault, operation, query=query).notices == []


def test_damage_that_only_an_update_meets_is_mended(tiny_vault: MakeVault, find: Find) -> None:
    many = {f"n{at}.md": f"note number{at}\n" for at in range(10)}
    vault = tiny_vault({**NOTES, **many, **LONG}, index=WORDS_ALONE)
    said = damage(built(vault), b"\nw19999x\n")
    # So many that the segment is written anew.
    for path in many:
        (vault.root / path).unlink()
    results = find(vault, "by_link", note_path="a.md")
    assert (paths(results), results.notices) == (["b.md"], [said])
    assert paths(find(vault, "fast", query="w19999x")) == ["long.md"]


SECRET = {
    "title": "zanzibarium", "alias": "quixotrope", "tag": "wobblefish", "heading": "flibbertine",
    "property": "mumpsimusly", "value": "kakorrhaphia", "text": "snollygoster", "link": "gobemouchery",
    "part": "borborygmus", "missing": "tittynopish", "accented": "éclaboussière", "task": "xertzical",
}  # fmt: skip
SECRET_NOTE = (
    f"---\naliases: [{SECRET['alias']}]\n{SECRET['property']}: {SECRET['value']}\ntags: [{SECRET['tag']}]\n---\n"
    f"# {SECRET['title']}\n\n## {SECRET['heading']}\n\nThe {SECRET['text']} and {SECRET['accented']}, see "
    f"[[a#{SECRET['part']}|{SECRET['link']}]]. #{SECRET['tag']}/inner [[{SECRET['missing']}]]\n\n- [ ] {SECRET['task']}\n"
)
EXCLUDES = '{"userIgnoreFilters": ["private/"]}'


def words_left(vault: VaultClient) -> dict[str, set[str]]:
    """Which secret words stand in which file of all caches, as they are, folded, or as stems.

    What is packed stands under ``texts`` and ``records``, of all segments, of what is deleted too.
    """
    found: dict[str, set[str]] = {}
    forms = {name: {word, *stem_all([word], 0), *stem_all([word], 1)} for name, word in SECRET.items()}
    forms["accented"] |= {"eclaboussiere", *stem_all(["eclaboussiere"], 0), *stem_all(["eclaboussiere"], 1)}
    for file in vault.settings.cache_folder.rglob("*"):
        if file.is_file():
            pieces = {file.suffix: file.read_bytes()}
            if file.suffix == ".seg":
                segment = SegmentFile(file, file.stat().st_size, 0)
                notes = range(len(segment.notes))
                pieces["texts"] = "\n".join(map(segment.text, notes)).encode("utf-8", "surrogatepass")
                pieces["records"] = b"\n".join(map(segment.record, notes))
            for place, data in pieces.items():
                for name, some in forms.items():
                    if any(form.encode() in data.lower() for form in some):
                        found.setdefault(place, set()).add(name)
    return found


def test_a_text_is_kept_of_shown_notes_alone_and_no_word_of_an_excluded_one(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(
        {
            "overview.md": "# Overview\n\nAlways in the context.\n",
            "inbox/new.md": "Left out.\n",
            "private/s.md": SECRET_NOTE,
            "projects/a/state.md": "De\u0301cision\r\nprise.\r\n",
            ".obsidian/app.json": EXCLUDES,
        }
    )
    searcher = searcher_for(vault)
    searcher.update()
    snapshot = searcher.view().snapshot
    assert {path: snapshot.texts[doc].raw for path, doc in snapshot.lexical.paths().items()} == {
        "overview.md": "",
        "inbox/new.md": "",
        "private/s.md": "",
        "projects/a/state.md": "Décision\nprise.\n",
    }
    assert words_left(vault) == {}


def test_the_words_of_a_note_that_becomes_excluded_leave_the_store(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({**NOTES, "private/s.md": SECRET_NOTE}, index=WORDS_ALONE)
    assert paths(find(vault, "fast", query=SECRET["text"])) == ["private/s.md"]
    left = words_left(vault)
    assert set().union(*left.values()) == set(SECRET)
    assert left["texts"] == set(SECRET)
    (vault.root / ".obsidian").mkdir()
    (vault.root / ".obsidian/app.json").write_text(EXCLUDES)
    assert paths(find(vault, "fast", query="rocket")) == ["a.md"]
    assert words_left(vault) == {}


@pytest.mark.parametrize("steps", ["at once", "edited before", "gone meanwhile"])
def test_the_words_of_a_note_that_moves_into_an_excluded_folder_leave_the_store(
    tiny_vault: MakeVault, find: Find, steps: str
) -> None:
    vault = tiny_vault(
        {
            **NOTES,
            **{f"more/{at}.md": f"rain number{at}\n" for at in range(20)},
            "open/s.md": SECRET_NOTE,
            ".obsidian/app.json": EXCLUDES,
        },
        index=WORDS_ALONE,
    )
    assert paths(find(vault, "fast", query=SECRET["text"])) == ["open/s.md"]
    if steps == "edited before":
        (vault.root / "open/s.md").write_text("Something else by now.\n")
        assert paths(find(vault, "fast", query="something")) == ["open/s.md"]
    aside = vault.root.parent / "aside"
    (vault.root / "open").rename(aside)
    if steps == "gone meanwhile":
        assert paths(find(vault, "fast", query="rocket")) == ["a.md"]
    aside.rename(vault.root / "private")
    assert paths(find(vault, "fast", query="rocket")) == ["a.md"]
    assert words_left(vault) == {}
