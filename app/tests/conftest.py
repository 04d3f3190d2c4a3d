"""What every test shares: no model, no network, nobody's own vault, and a vault in one line."""

import hashlib
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pydantic_ai.models
import pytest

from app.config.settings import ENV_PREFIX, Settings
from app.tests.engines import every_engine, milvus_file, milvus_server  # noqa: F401 - fixtures

if TYPE_CHECKING:
    from app.vault.client import VaultClient

pydantic_ai.models.ALLOW_MODEL_REQUESTS = False
# Where Milvus was asked before, gRPC's own handlers of fork keep a process from being started.
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"

# A deadline is a time on the clock, which a busy machine outruns. Each run has other examples.
hypothesis.settings.register_profile("patient", deadline=None, max_examples=40)
hypothesis.settings.load_profile("patient")

EXAMPLES = Path(__file__).parents[2] / "examples"
MakeVault = Callable[..., "VaultClient"]
PROVIDER_VARIABLES = ("API_KEY", "BASE_URL", "OLLAMA_", "OPENAI_", "ANTHROPIC_")


ShareExports = Callable[[Path], Path]


@pytest.fixture(scope="session")
def kept_folder(pytestconfig: pytest.Config) -> Path:
    """The folder of what takes long to make and is the same in each run: models, and their exports.

    Other libraries, or other code that makes them, have another folder.
    """
    state = hashlib.sha256()
    for name in ("torch", "transformers", "sentence-transformers", "onnxruntime", "onnxscript"):
        try:
            state.update(version(name).encode())
        except PackageNotFoundError:
            state.update(b"none")
    code = Path(__file__).parents[1] / "search/embedding"
    names = ("onnx_model.py", "torch_model.py", "embedder.py", "model_files.py")
    for file in (*(code / name for name in names), Path(__file__).parent / "search/embedding/conftest.py"):
        state.update(file.read_bytes())
    folder = pytestconfig.rootpath / ".pytest_cache" / "kept" / state.hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def share_exports(kept_folder: Path) -> ShareExports:
    """Let a cache folder have the exports that other tests and earlier runs made: ``share_exports(cache)``."""
    kept = kept_folder / "exports"
    # Exports in a folder that others may write to are neither used nor made.
    kept.mkdir(mode=0o700, exist_ok=True)

    def share(cache: Path) -> Path:
        cache.mkdir(parents=True, exist_ok=True)
        (cache / "models").symlink_to(kept)
        return cache

    return share


@pytest.fixture(autouse=True)
def own_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory, share_exports: ShareExports
) -> Path:
    """Keep settings, keys, stores and the system trash of the person who runs the tests out of them."""
    home = tmp_path_factory.mktemp("home")
    share_exports(home / "cache")
    for name in list(os.environ):
        if name.startswith(ENV_PREFIX) or any(part in name for part in PROVIDER_VARIABLES):
            monkeypatch.delenv(name)
    monkeypatch.setenv(ENV_PREFIX + "CACHE_DIR", str(home / "cache"))
    monkeypatch.setenv(ENV_PREFIX + "STATE_DIR", str(home / "state"))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    # What is trusted is recorded in the home folder's own place, whatever STATE_DIR says.
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture(scope="module", autouse=True)
def closed_searchers() -> Iterator[None]:
    """Close the indexes that the tests of a module opened: thousands of tests hold many files and much memory."""
    yield
    if (module := sys.modules.get("app.search.searcher")) is not None:
        for searcher in list(module._searchers.values()):
            searcher.close()


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let Ctrl-C interrupt, also where the tests run as a background job, which starts out deaf to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def tiny_vault(tmp_path: Path) -> MakeVault:
    """Write notes and open them: ``tiny_vault({"A.md": "see [[B]]"}, chunk_chars=300)``.

    Values are text or bytes; ``name`` is the vault's folder name, further keywords are settings.
    """

    def make(notes: Mapping[str, str | bytes], *, name: str = "vault", **settings: Any) -> "VaultClient":
        from app.vault.client import VaultClient

        root = tmp_path / name
        root.mkdir(exist_ok=True)
        for path, content in notes.items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return VaultClient(root, Settings(**settings))

    return make


@pytest.fixture
def own_exports(own_environment: Path) -> None:
    """Begin without any export, for a test of the export itself."""
    (own_environment / "cache" / "models").unlink()


@pytest.fixture(scope="session")
def embedded_example(kept_folder: Path, share_exports: ShareExports) -> "VaultClient":
    """The example vault with the vectors of the model that comes along.

    It is built once for all tests, and anew in a later run only where the program or the vault has changed.
    """
    from filelock import FileLock

    from app.search.searcher import searcher_for
    from app.vault.client import VaultClient

    state = hashlib.sha256()
    for folder in (EXAMPLES / "vault", Path(__file__).parents[1]):
        for file in sorted(folder.rglob("*")):
            if file.is_file() and not {"tests", "__pycache__"} & set(file.relative_to(folder).parts):
                state.update(str(file.relative_to(folder)).encode() + file.read_bytes())
    root = kept_folder / "example" / state.hexdigest()[:16]
    with FileLock(kept_folder / "example.lock"):
        if not root.is_dir():
            shutil.rmtree(root.parent, ignore_errors=True)
            # Under another name until it is whole.
            begun = root.with_suffix(".begun")
            shutil.copytree(EXAMPLES, begun / "examples")
            share_exports(begun / "cache")
            begun.rename(root)
        made = VaultClient(root / "examples/vault", Settings(cache_dir=root / "cache"))
        searcher_for(made).update()
        assert searcher_for(made).embed().remaining == 0
    return made
