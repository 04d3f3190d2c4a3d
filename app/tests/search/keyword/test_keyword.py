"""keyword_search(query, search_terms): in a vault, and in the folder around where there is none."""

from pathlib import Path

import pytest

from app.config.settings import Settings
from app.errors import BadRequestError
from app.search import keyword_search
from app.search.keyword.keyword import KeywordFile
from app.search.keyword.ripgrep import find_root
from app.tests.conftest import MakeVault
from app.tests.llm.server import ModelServer, Reply
from app.tests.search.keyword.conftest import paths_in

RANKED = (
    "no language model is configured (keyword_models names them, the best first, such as ollama:qwen3-coder, "
    "openai:gpt-5-mini, anthropic:claude-sonnet-4-5): the files are ranked by how many and how important the "
    "terms they match"
)


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
    assert answer.text == (
        f"Searched {repository}\n"
        "README: matches 'larch', 'kiln' on 2 lines\n"
        "src/wood.py: matches 'larch' on 1 line\n"
        f"Note: {RANKED}."
    )
    assert answer.files[0] == KeywordFile("README", 1.0, "matches 'larch', 'kiln' on 2 lines", (1, 2))


def test_req_kws_001_without_a_repository_the_working_folder_is_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "up.txt").write_text("larch\n")
    below = tmp_path / "below"
    below.mkdir()
    (below / "a.txt").write_text("larch\n")
    monkeypatch.chdir(below)
    answer = keyword_search("wood", "larch")
    assert (answer.root, [file.path for file in answer.files]) == (str(below), ["a.txt"])
    assert keyword_search("wood", "larch", start=tmp_path).root == str(tmp_path)


def test_req_kws_001_the_root_of_a_worktree_is_where_its_git_file_is(
    repository: Path, tmp_path: Path
) -> None:
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


def test_in_a_folder_nothing_found_names_the_folder_first(repository: Path) -> None:
    assert keyword_search("x", ["zeppelin"]).text == f"Searched {repository}\nno matches found"


def test_in_a_vault_the_answer_is_that_of_the_operation(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({f"n{n:02d}.md": "oak\nlarch\n" for n in range(20)})
    answer = keyword_search("wood", ["larch"], vault=vault, scopes="n1*")
    assert [file.path for file in answer.files] == [f"n{n}.md" for n in range(10, 20)]
    assert answer.files[0] == KeywordFile("n10.md", 1.0, "matches 'larch' on 1 line", (2,))
    assert (answer.root, answer.notices) == ("", (RANKED,))
    assert keyword_search("wood", ["zeppelin"], vault=vault, scopes="n1*").text.startswith(
        "no matches found\n"
    )


def test_folder_and_scopes_need_a_vault(repository: Path) -> None:
    with pytest.raises(BadRequestError, match="'folder' and 'scopes' need a vault"):
        keyword_search("x", ["larch"], folder="src")


@pytest.mark.parametrize(
    ("query", "terms", "message"),
    [
        ("", ["x"], "'query' required for keyword search"),
        ("x", [], "'search_terms' required for keyword search"),
        ("x", ["("], "search term '(' is no regular expression: unclosed group"),
    ],
)
def test_req_kws_004_query_and_search_terms_are_both_required(
    query: str, terms: list[str], message: str, repository: Path
) -> None:
    with pytest.raises(BadRequestError) as caught:
        keyword_search(query, terms)
    assert caught.value.message == message
