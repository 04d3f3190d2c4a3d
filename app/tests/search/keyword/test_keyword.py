"""keyword_search(query, search_terms): in a vault, and in the folder around where there is none."""

from pathlib import Path

import pytest

from app.config.settings import Settings
from app.search import keyword_search
from app.search.keyword.keyword import KeywordFile
from app.search.keyword.ripgrep import find_root
from app.tests.llm.server import ModelServer, Reply
from app.tests.search.keyword.conftest import paths_in


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository, and the working folder two folders below its root."""
    root = tmp_path / "repository"
    (root / ".git").mkdir(parents=True)
    (root / "src" / "deep").mkdir(parents=True)
    (root / ".gitignore").write_text("build/\n")
    (root / "build").mkdir()
    (root / "build" / "out.py").write_text("larch = 1\n")
    (root / "src" / "wood.py").write_text("def larch(): ...\n")
    (root / "README").write_text("About kilns.\nLarch is dried in a kiln.\n")
    monkeypatch.chdir(root / "src" / "deep")
    return root


def test_req_kws_001_outside_a_vault_the_git_repository_around_is_searched(repository: Path) -> None:
    answer = keyword_search("where is wood dried?", ["larch", "kiln"])
    assert answer.text.startswith(
        f"Searched {repository}\nREADME: matches 'larch', 'kiln' on 2 lines\nsrc/wood.py: "
    )
    assert answer.files[0] == KeywordFile("README", 1.0, "matches 'larch', 'kiln' on 2 lines", (1, 2))


def test_req_kws_001_a_worktree_begins_at_its_git_file(repository: Path, tmp_path: Path) -> None:
    worktree = repository / "src" / "worktree"
    (worktree / "a").mkdir(parents=True)
    (worktree / ".git").write_text("gitdir: elsewhere\n")
    assert find_root(worktree / "a") == worktree
    assert find_root(repository / "src") == repository
    assert find_root(tmp_path) == tmp_path


def test_req_kws_003_the_model_filters_what_a_folder_gives(repository: Path, server: ModelServer) -> None:
    server.replies = [Reply("src/wood.py: defines it\nbuild/out.py: invented")]
    answer = keyword_search("what defines larch?", ["larch"], settings=Settings(model="ollama:m"))
    assert answer.text == (
        f"Searched {repository}\n"
        "src/wood.py: defines it\n"
        "Note: 1 name of the language model's answer left out: no such file was found."
    )
    assert paths_in(server.seen[0].body["messages"][-1]["content"]) == ["README", "src/wood.py"]
