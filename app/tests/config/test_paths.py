"""Relative paths: from the file where a file names them, from the working folder everywhere else."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from app.bootstrap import open_vault
from app.config.paths import MODELS, PATHS, model_folder
from app.config.settings import DeepSettings, IndexDefinition, Settings, load_settings
from app.errors import ConfigError


@pytest.fixture
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the file, which is not the working folder; both have the same folders in them."""
    for folder in ("mine", "elsewhere"):
        for name in ("Notes", "Work", "model"):
            (tmp_path / folder / name).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "elsewhere")
    monkeypatch.delenv("VAULT_ASSISTANT_CACHE_DIR")
    monkeypatch.delenv("VAULT_ASSISTANT_STATE_DIR")
    return tmp_path / "mine"


def test_every_path_in_a_file_is_relative_to_the_file(apart: Path) -> None:
    file = apart / "c.json"
    index = {"indexes": {"notes": {"embedding_model": "./model"}}}
    values: dict[str, Any] = {
        "vault": "Notes",
        "vaults": {"work": {"path": "./Work", "index": index}, "home": {"path": "~/Notes"}},
        "cache_dir": "../cache",
        "state_dir": "/var/state",
        "token_file": "tokens.json",
        "index": index,
        "deep": {"reranker": "../mine/model"},
    }
    file.write_text(json.dumps(values))
    settings = load_settings(file)
    assert settings.vault == apart / "Notes"
    assert settings.vaults["work"].path == apart / "Work"
    assert settings.vaults["home"].path == Path.home() / "Notes"
    assert settings.cache_folder == apart / ".." / "cache"
    assert settings.state_folder == Path("/var/state")
    assert settings.token_file == apart / "tokens.json"
    assert settings.index.indexes["notes"].embedding_model == str(apart / "model")
    assert settings.vaults["work"].index == settings.index
    assert settings.deep.reranker == str(apart / "../mine/model")


def test_a_variable_and_an_option_count_from_the_working_folder(
    apart: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (apart / "c.json").write_text('{"vault": "Notes", "cache_dir": "cache"}')
    monkeypatch.setenv("VAULT_ASSISTANT_VAULT", "Work")
    monkeypatch.setenv("VAULT_ASSISTANT_CACHE_DIR", "cache")
    opened = open_vault(config=apart / "c.json")
    assert opened.root == apart.parent / "elsewhere" / "Work"
    assert opened.settings.cache_folder.absolute() == apart.parent / "elsewhere" / "cache"
    assert open_vault("Notes", apart / "c.json").root == apart.parent / "elsewhere" / "Notes"


def test_a_model_is_a_folder_only_where_it_is_written_as_one(apart: Path) -> None:
    """A name must not lead to a folder of that name which happens to lie beside the file or the person."""
    (apart / "c.json").write_text('{"deep": {"reranker": "model"}}')
    assert load_settings(apart / "c.json").deep.reranker == "model"
    assert model_folder("model") is None
    assert model_folder("acme/model") is None
    assert model_folder("./model") == Path("model")
    assert model_folder("/models/one") == Path("/models/one")
    assert model_folder("~/model") == Path.home() / "model"
    assert model_folder("~nobody-of-that-name/m") == Path("~nobody-of-that-name/m")


def fields(model: type[BaseModel], keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every field of a model and of those inside it; a star stands for a name."""
    for name, field in model.model_fields.items():
        yield (*keys, name), field.annotation
        kinds = [field.annotation, *get_args(field.annotation)]
        below = (*keys, name, "*") if dict in kinds or "dict" in str(field.annotation) else (*keys, name)
        for kind in kinds:
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                yield from fields(kind, below)


def test_no_setting_that_holds_a_path_is_forgotten() -> None:
    known = dict(fields(Settings))
    assert {keys for keys, kind in known.items() if "Path" in str(kind)} == set(PATHS)
    assert set(MODELS) <= set(known)
    assert "embedding_model" in IndexDefinition.model_fields
    assert "reranker" in DeepSettings.model_fields


@pytest.mark.parametrize(("name", "how"), [("cache_dir", "variable"), ("state_dir", "file")])
def test_neither_index_nor_journal_may_lie_in_the_vault(
    apart: Path, monkeypatch: pytest.MonkeyPatch, name: str, how: str
) -> None:
    (apart / "link").symlink_to("Notes")
    place = apart / "link" / "kept"
    values = {"vault": "Notes"}
    if how == "file":
        values[name] = "link/kept"
    else:
        monkeypatch.setenv("VAULT_ASSISTANT_" + name.upper(), str(place))
    (apart / "c.json").write_text(json.dumps(values))
    with pytest.raises(ConfigError) as caught:
        open_vault(config=apart / "c.json")
    assert caught.value.message == f"setting '{name}': '{place}' lies inside the vault '{apart / 'Notes'}'"
    assert not place.exists()
