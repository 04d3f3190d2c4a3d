"""Where settings come from, and which source wins."""

import json
from pathlib import Path

import pytest

from app.config.file import read_config
from app.config.settings import Settings, load_settings
from app.config.trust import trust
from app.errors import ConfigError
from app.vault.client import VaultClient


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, **values: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(values))
    return path


def accept(file: Path) -> None:
    trust(file.parent, read_config(file, "folder").accepted)


def test_the_named_file_wins_over_the_environments_the_working_folders_and_the_users(
    here: Path, monkeypatch: pytest.MonkeyPatch, own_environment: Path
) -> None:
    write(own_environment / "config" / "vault-assistant" / "config.json", chunk_chars=201)
    assert load_settings().chunk_chars == 201
    accept(write(here / "config.json", chunk_chars=202))
    assert load_settings().chunk_chars == 202
    monkeypatch.setenv("VAULT_ASSISTANT_CONFIG", str(write(here / "other" / "c.json", chunk_chars=203)))
    assert load_settings().chunk_chars == 203
    file = write(here / "named.json", chunk_chars=204, model="ollama:a")
    assert load_settings(file).chunk_chars == 204
    monkeypatch.setenv("VAULT_ASSISTANT_CHUNK_CHARS", "400")
    assert (load_settings(file).chunk_chars, load_settings(file).model) == (400, "ollama:a")
    assert Settings(chunk_chars=500).chunk_chars == 500


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "cannot read the configuration '{file}'"),
        ("[]", "is not a JSON object"),
        ('{"chunk_char": 1500}', "no such setting (got 1500). did you mean 'chunk_chars'?"),
        (
            '{"vaults": {"a": {"path": "a", "index": {"x": 1}}}}',
            "setting 'vaults.a.index.x' in '{file}': there is no such setting (got 1). there are: default, indexes",
        ),
        ('{"vault": 5}', "setting 'vault': Value error, should be a path, as text (got 5)"),
        # An argument of the class that reads settings, which a file has no business with.
        ('{"_env_prefix": "OTHER_"}', "there is no such setting (got 'OTHER_')"),
    ],
)
def test_a_wrong_value_is_an_error_that_names_it(content: str, message: str, here: Path) -> None:
    file = here / "named.json"
    file.write_text(content)
    with pytest.raises(ConfigError) as caught:
        load_settings(file)
    assert message.replace("{file}", str(file)) in str(caught.value)


def test_a_variable_that_is_no_json_or_no_value_is_an_error_that_names_it(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULT_ASSISTANT_INDEX", "{bad")
    with pytest.raises(ConfigError, match="index"):
        load_settings()
    monkeypatch.delenv("VAULT_ASSISTANT_INDEX")
    monkeypatch.setenv("VAULT_ASSISTANT_CHUNK_CHARS", "many")
    with pytest.raises(ConfigError, match="setting 'chunk_chars'"):
        VaultClient(here)
