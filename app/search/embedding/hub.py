"""Fetch a model from a hub: look it up, download what is safe of it, check every byte, and keep it whole."""

import hashlib
import os
import re
import shutil
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from filelock import FileLock, Timeout

from app.config.folders import replace_file
from app.errors import EngineMissingError, ModelError
from app.search.embedding.loading import repository_of
from app.search.embedding.torch_model import INSTALL
from app.sentences import Sentence, reason_of

HUB = "https://huggingface.co"
REACH_SECONDS = 1.5
"""How long a hub may take to accept a connection; after that it counts as out of reach."""
ANSWER_SECONDS = 10.0
"""How long it may then say nothing."""
SAFE = (".json", ".txt", ".model", ".safetensors", ".md", "LICENSE")
"""Ends of the names of files that are fetched: settings, words, weights and what people read; no code."""
WEIGHTS = ".safetensors"
REVISION = re.compile(r"[0-9a-f]{40}")
DIGEST = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
OTHER_FORMS = ("onnx", "openvino", "coreml")
"""Folders that hold the same weights in other forms."""
PART = ".part"
SPARE_BYTES = 50_000_000
"""So much of the disk stays free."""

Progress = Callable[[int, int], None]
"""Called with bytes done and bytes to do."""


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file of a model on a hub: ``digest`` is a SHA-256, or the SHA-1 that git gives a small file."""

    name: str
    size: int
    digest: str


@dataclass(frozen=True, slots=True)
class Offer:
    """What a hub has under a name, at one state of it."""

    repository: str
    revision: str
    licence: str
    host: str
    files: tuple[HubFile, ...]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)


def endpoint() -> str:
    """Return the address of the hub: that of the variable ``HF_ENDPOINT``, as for the hub's own tools."""
    return os.environ.get("HF_ENDPOINT", "").rstrip("/") or HUB


def look_up(name: str) -> Offer:
    """Ask the hub what it has under a name; nothing but the name is asked about.

    The person's token, where there is one, is sent only to a hub that does not answer without it.

    Raises:
        EngineMissingError: the extra ``deep`` is not installed.
        ModelError: it cannot be reached, has no such model, does not let this person have it, answers with
            something else than a listing, or the model has no weights that are safe to load.
    """
    try:
        from huggingface_hub.errors import GatedRepoError, HFValidationError, RepositoryNotFoundError
    except ImportError as error:
        raise EngineMissingError("models need the package sentence-transformers", INSTALL) from error
    repository, hub = repository_of(name), endpoint()
    host = _reach(hub)
    try:
        with _failures(
            Sentence("'{repository}' cannot be looked up at {host}", repository=repository, host=host)
        ):
            try:
                return _offer(repository, hub, host, token=None)
            except (GatedRepoError, RepositoryNotFoundError):
                if not (token := _token()):
                    raise
                return _offer(repository, hub, host, token=token)
    except HFValidationError as error:
        raise ModelError(
            "'{name}' is no name of a model",
            "write it as OWNER/NAME: intfloat/multilingual-e5-small",
            name=name,
        ) from error
    except GatedRepoError as error:
        raise _gated(repository) from error
    except RepositoryNotFoundError as error:
        raise ModelError(
            "{host} has no model '{repository}', or does not show it to you",
            "vault-assistant model list names some",
            host=host,
            repository=repository,
        ) from error
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        # So the hub's library stumbles over what is no listing, such as the page of a hotel's network.
        raise ModelError(
            "{host} does not answer as a hub does",
            "look whether this network wants you to log in first",
            host=host,
        ) from error


def _offer(repository: str, hub: str, host: str, *, token: str | None) -> Offer:
    """Read a listing; raises ValueError where it could lead out of the model's own folder."""
    from huggingface_hub import HfApi

    api = HfApi(endpoint=hub, token=token or False)
    found = api.model_info(repository, files_metadata=True, timeout=ANSWER_SECONDS)
    files = tuple(_chosen(found.siblings or ()))
    if not REVISION.fullmatch(str(found.sha)):
        raise ValueError(f"'{found.sha}' is no revision")
    if not any(file.name.endswith(WEIGHTS) for file in files):
        raise ModelError(
            "'{repository}' has no weights that are safe to load (safetensors)",
            "choose another model",
            repository=repository,
        )
    licence = str(getattr(found.card_data, "license", None) or "none named")
    return Offer(repository, str(found.sha), licence, host, files)


def _token() -> str | None:
    """Return the token that the hub's own tools keep, unless they are told not to send it unasked."""
    from huggingface_hub import get_token
    from huggingface_hub.constants import HF_HUB_DISABLE_IMPLICIT_TOKEN

    return None if HF_HUB_DISABLE_IMPLICIT_TOKEN else get_token()


def _gated(repository: str) -> ModelError:
    return ModelError(
        "'{repository}' is given only to people who accepted its terms",
        "accept them at {endpoint}/{repository}, then log in: hf auth login",
        repository=repository,
        endpoint=endpoint(),
    )


def _chosen(siblings: Sequence[Any]) -> Iterator[HubFile]:
    """Choose the files that are fetched; raises ValueError for one whose name or digest is none."""
    for one in siblings:
        name = str(one.rfilename)
        parts = name.split("/")
        if not name.isprintable() or not {"", ".", ".."}.isdisjoint(parts):
            raise ValueError(f"{name!r} is no name of a file")
        if parts[0] in OTHER_FORMS or not name.endswith(SAFE):
            continue
        digest = str(one.lfs.sha256 if one.lfs else one.blob_id)
        if not DIGEST.fullmatch(digest) or int(one.size) < 0:
            raise ValueError(f"{digest!r} is no digest of {name!r}")
        yield HubFile(name, int(one.size), digest)


def _reach(hub: str) -> str:
    """Make sure that something answers at a hub's address, without waiting long; return its host."""
    try:
        parts = urlsplit(hub)
        host, port = parts.hostname or "", parts.port or {"http": 80}.get(parts.scheme, 443)
    except ValueError:
        host = ""
    if not host:
        raise ModelError(
            "'{hub}' is no address of a hub", "write HF_ENDPOINT as https://hub.example.org", hub=hub
        )
    if parts.scheme in getproxies() and not proxy_bypass(host):
        return host
    answer: SimpleQueue[str] = SimpleQueue()

    def connect() -> None:
        try:
            socket.create_connection((host, port), timeout=REACH_SECONDS).close()
            answer.put("")
        except OSError as error:
            answer.put(reason_of(error))

    # A name that no server resolves can take far longer than the connection may.
    threading.Thread(target=connect, name="hub", daemon=True).start()
    try:
        reason = answer.get(timeout=REACH_SECONDS)
    except Empty:
        reason = Sentence("no answer within {seconds:g} seconds", seconds=REACH_SECONDS)
    if reason:
        raise ModelError(
            "{host} cannot be reached: {reason}",
            "models that are on this machine go on working: vault-assistant model list",
            host=host,
            reason=reason,
        )
    return host


@contextmanager
def _failures(what: str) -> Iterator[None]:
    """Put what goes wrong between here and a hub into one line."""
    import httpx2
    from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError

    try:
        yield
    except RepositoryNotFoundError:
        raise
    except (httpx2.HTTPError, HfHubHTTPError, OSError) as error:
        response = getattr(error, "response", None)
        reason = (
            Sentence("the server says {status}", status=response.status_code)
            if response is not None
            else " ".join(str(error).split())[:200] or type(error).__name__
        )
        raise ModelError(
            "{what}: {reason}", "try again; what is there already is kept", what=what, reason=reason
        ) from error


def is_here(offer: Offer) -> Path | None:
    """Return the folder of a model that was fetched whole; None where it was not."""
    folder = _folder(offer) / "snapshots" / offer.revision
    return folder if all((folder / file.name).is_file() for file in offer.files) else None


def _folder(offer: Offer) -> Path:
    """Return where the hub's own tools keep a model, so that they find it too."""
    from huggingface_hub.constants import HF_HUB_CACHE

    return Path(HF_HUB_CACHE) / f"models--{offer.repository.replace('/', '--')}"


def fetch(offer: Offer, progress: Progress | None = None) -> Path:
    """Download a model, go on where an earlier try was cut off, and check each file by its digest.

    The model is found under its name only once all of it is there.

    Raises:
        ModelError: the hub or the disk refuses, or a file is not what the hub says it is.
    """
    home = _folder(offer)
    try:
        home.mkdir(parents=True, exist_ok=True)
        with FileLock(home / "fetch.lock", timeout=0, is_singleton=False):
            return _fetch(offer, home, progress)
    except Timeout as error:
        raise ModelError(
            "another process is fetching '{repository}'", "wait for it", repository=offer.repository
        ) from error
    except OSError as error:
        raise ModelError(
            "'{repository}' cannot be kept in '{home}': {reason}",
            "make room, or set HF_HOME to another folder; what was fetched is kept",
            repository=offer.repository,
            home=home,
            reason=reason_of(error),
        ) from error


def _fetch(offer: Offer, home: Path, progress: Progress | None) -> Path:
    folder = home / "snapshots" / offer.revision
    if is_here(offer) is None:
        scratch = home / f"incomplete-{offer.revision}"
        scratch.mkdir(exist_ok=True)
        _make_room(offer, scratch)
        done = 0
        for file in offer.files:
            _fetch_file(offer, file, scratch, partial(_tell, progress, done, offer.size))
            done += file.size
        for file in offer.files:
            # Another tool may have begun the folder; what else it put there stays.
            (folder / file.name).parent.mkdir(parents=True, exist_ok=True)
            (scratch / file.name).replace(folder / file.name)
        shutil.rmtree(scratch)
    refs = home / "refs"
    refs.mkdir(exist_ok=True)
    replace_file(refs / "main", offer.revision.encode())
    return folder


def _tell(progress: Progress | None, before: int, total: int, now: int) -> None:
    if progress:
        progress(before + now, total)


def _make_room(offer: Offer, scratch: Path) -> None:
    there = sum(file.stat().st_size for file in scratch.rglob("*") if file.is_file())
    free = shutil.disk_usage(scratch).free
    if offer.size - there > free - SPARE_BYTES:
        needed, left = (round(size / 1e6) for size in (offer.size - there, free))
        raise ModelError(
            "'{repository}' needs {needed} MB more, and the disk of '{scratch}' has {left} MB left",
            "make room, or set HF_HOME to a folder on another disk",
            repository=offer.repository,
            needed=needed,
            scratch=scratch,
            left=left,
        )


def _fetch_file(offer: Offer, file: HubFile, folder: Path, progress: Callable[[int], None]) -> None:
    """Fetch one file, from where it was cut off before."""
    target = folder / file.name
    if target.is_file():
        progress(file.size)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + PART)
    with part.open("ab") as stream:
        with _failures(
            Sentence("'{name}' of '{repository}' was cut off", name=file.name, repository=offer.repository)
        ):
            if stream.tell() < file.size:
                _stream(offer, file, stream, progress)
        stream.flush()
        os.fsync(stream.fileno())
    if _digest(part, len(file.digest)) != file.digest:
        part.unlink()
        raise ModelError(
            "'{name}' of '{repository}' is not what {host} says it is: its digest differs",
            "try again; if it happens twice, tell the model's owner",
            name=file.name,
            repository=offer.repository,
            host=offer.host,
        )
    part.rename(target)


def _stream(offer: Offer, file: HubFile, stream: Any, progress: Callable[[int], None]) -> None:  # noqa: ANN401
    from huggingface_hub import get_session, hf_hub_url

    url = hf_hub_url(offer.repository, file.name, revision=offer.revision, endpoint=endpoint())
    for token in (None, _token()):
        start = stream.tell()
        headers = {"Accept-Encoding": "identity"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if start:
            headers["Range"] = f"bytes={start}-"
        with get_session().stream(
            "GET", url, headers=headers, timeout=ANSWER_SECONDS, follow_redirects=True
        ) as response:
            if response.status_code in (401, 403):
                continue
            response.raise_for_status()
            if start and response.status_code != 206:
                # The server began anew.
                stream.seek(0)
                stream.truncate()
            for block in response.iter_bytes():
                # A server that sends more than it said would fill the disk.
                stream.write(block[: file.size + 1 - stream.tell()])
                if stream.tell() > file.size:
                    return
                progress(stream.tell())
            return
    raise _gated(offer.repository)


def _digest(part: Path, digits: int) -> str:
    """Return a file's SHA-256, or for forty digits the name that git gives it."""
    if digits == 64:
        with part.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    data = part.read_bytes()
    return hashlib.sha1(f"blob {len(data)}\0".encode() + data, usedforsecurity=False).hexdigest()
