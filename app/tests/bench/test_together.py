from pathlib import Path

import pytest

from bench.judged import JudgedSet, Question
from bench.together import put_together


def _set(folder: Path, notes: dict[str, str], question: Question) -> JudgedSet:
    for path, text in notes.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return JudgedSet(folder.name, folder, [question], 10)


def test_the_common_vault_has_the_notes_of_all_sets_at_their_paths(tmp_path: Path) -> None:
    english = _set(tmp_path / "en", {"a/Tap.md": "A tap drips."}, Question("tap", {"a/Tap.md": 1.0}))
    french = _set(tmp_path / "fr", {"Eau.md": "L’eau coule."}, Question("eau", {"Eau.md": 1.0}))
    common = put_together([english, french], tmp_path / "work")
    found = {
        file.relative_to(common.vault).as_posix(): file.read_text(encoding="utf-8")
        for file in common.vault.rglob("*.md")
    }
    assert found == {"a/Tap.md": "A tap drips.", "Eau.md": "L’eau coule."}
    assert [(question.text, question.gains) for question in common.questions] == [
        ("tap", {"a/Tap.md": 1.0}),
        ("eau", {"Eau.md": 1.0}),
    ]


def test_two_notes_of_one_path_are_refused(tmp_path: Path) -> None:
    sets = [
        _set(tmp_path / name, {"Note.md": name}, Question("note", {"Note.md": 1.0})) for name in ("en", "fr")
    ]
    with pytest.raises(SystemExit, match=r"'Note\.md' is a note of two sets"):
        put_together(sets, tmp_path / "work")
