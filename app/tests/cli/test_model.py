"""``model``: list, get, use and test embedding models, with a real hub and real small models."""

import json
import shutil
from pathlib import Path

import pytest

from app.config.folders import config_folder
from app.tests.cli.conftest import Run
from app.tests.search.embedding.conftest import make_model as make_model
from app.tests.search.embedding.conftest import tiny_model as tiny_model
from app.tests.search.embedding.hub_server import Hub, serving

BUNDLED, SMALL = "all-MiniLM-L6-v2", "acme/moon-small"
NOTES = {
    "Moon.md": "# Moon\n\nSee [[Rover|the car that drives itself]].\n\n## Fuel for the night\n\nHydrogen.\n",
    "Rover.md": "# Rover\n\nIt has six wheels.\n\n## Repairing a wheel\n\nTake the spare one.\n",
    "Home.md": "# Home\n\n## Things to buy\n\n- bread\n",
}


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    (folder / ".obsidian").mkdir(parents=True)
    for path, text in NOTES.items():
        (folder / path).write_text(text)
    return folder


@pytest.fixture(autouse=True)
def no_variable(words_alone: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the configuration file decide the model, as for a person."""
    monkeypatch.delenv("VAULT_ASSISTANT_INDEX__INDEXES")


def own_file() -> Path:
    return config_folder() / "config.json"


def configure(values: object) -> Path:
    own_file().parent.mkdir(parents=True, exist_ok=True)
    own_file().write_text(json.dumps(values))
    return own_file()


def model_of(path: Path) -> object:
    return json.loads(path.read_text())["index"]["indexes"]["notes"]["embedding_model"]


def test_the_list_says_what_is_here_and_in_use(run: Run) -> None:
    configure({"index": {"indexes": {"notes": {"embedding_model": BUNDLED}}}})
    rows = {row["name"]: (row["here"], row["used"]) for row in run("setup", "model", "--json").json}
    assert rows[BUNDLED] == (True, True)
    assert rows["intfloat/multilingual-e5-small"] == (False, False)
    said = run("setup", "model").out
    assert "ibm-granite/granite-embedding-97m-multilingual-r2\n  knows 52 languages well" in said
    assert f"{BUNDLED} (here, in use)" in said


@pytest.mark.slow
def test_a_model_is_got_used_and_answers(
    run: Run,
    tiny_model: Path,
    make_model: object,
    notes: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    configure({"writes": "refuse", "index": {"indexes": {"notes": {"embedding_model": str(tiny_model)}}}})
    assert run("index", "--vault", str(notes)).code == 0
    served = tmp_path / "served"
    shutil.copytree(make_model(seed=3), served)  # type: ignore[operator]
    with serving(Hub({SMALL: served})) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
        got = run("setup", "model", SMALL, "--vault", str(notes), "--json")
        assert got.code == 0, got.err
        assert f"{SMALL}: " in got.err
        assert "licence mit, from 127.0.0.1. Nothing of your notes is sent there." in got.err
        assert (got.json["dimension"], got.json["file"], got.json["embedded"]) == (32, str(own_file()), 3)
        assert all("Hydrogen" not in path for _, path, _ in hub.asked)
    # From here on there is no hub.
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert run("setup", "model", SMALL, "--vault", str(notes)).code == 0
    assert model_of(own_file()) == SMALL
    assert json.loads(own_file().read_text())["writes"] == "refuse"
    status = run("status", "--vault", str(notes), "--json").json
    assert (status["embedding_model"], status["embedded"]) == (SMALL, 1.0)
    assert run("find", "deep", "hydrogen", "--vault", str(notes), "--json").json["results"]
