"""The vault's own images with the notes that embed them, and the image of a question."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.errors import BadRequestError, EngineMissingError, NoteNotFoundError, VaultError
from app.notices import Notice, NoticeKind
from app.search.embedding.hub import find_model
from app.search.embedding.image_model import MOST_BYTES, read_picture
from app.search.embedding.model_files import may_understand_images
from app.search.index.snapshot import VaultSnapshot
from app.search.models import Ranked
from app.search.named.models import SCORE_DIGITS, SearchHit
from app.search.show.results import uri
from app.search.vectors.images import FoundImage, KeptImages
from app.search.view import View
from app.vault.client import VaultClient
from app.vault.files import read_file, real_path
from app.vault.paths import clean_path, is_hidden, without_vault_prefix

if TYPE_CHECKING:
    from PIL.Image import Image

SHARE = 3
"""Words find an image among this many hits, where there is one: a model that knows both puts all texts nearer
to words than any image, so that by cosine alone an image would come after every note."""
MOST_PLACES = 20
"""Most paths that ``also_in`` and an excerpt name."""

HINT = "name a PNG, JPEG, WebP or GIF file in the vault"


def embedding_chunks(snapshot: VaultSnapshot, images: Sequence[FoundImage]) -> dict[int, Ranked]:
    """Return the visible chunks that embed images, each with the cosine of the best one, and its line."""
    found: dict[int, Ranked] = {}
    for image in images:
        for note, line in _embeds(snapshot, image):
            doc = _chunk_at(snapshot, note, line)
            if doc is not None and (doc not in found or found[doc].score < image.cosine):
                found[doc] = Ranked(doc, image.cosine, near=(line, line))
    return found


def merged(
    chunks: Sequence[Ranked], images: Sequence[FoundImage], k: int, *, by_words: bool
) -> list[Ranked | FoundImage]:
    """Return the best ``k`` of both by their cosines; asked by words, some of them are images."""

    def cosine(item: Ranked | FoundImage) -> float:
        return item.cosine if isinstance(item, FoundImage) else item.score

    # Of equals the image comes before the chunk that embeds it.
    both: list[Ranked | FoundImage] = [*images, *chunks]
    best = sorted(both, key=cosine, reverse=True)[:k]
    least = min(len(images), k // SHARE if by_words else 0)
    if sum(isinstance(item, FoundImage) for item in best) < least:
        best = sorted([*images[:least], *chunks[: k - least]], key=cosine, reverse=True)
    return best


def image_hit(view: View, image: FoundImage) -> SearchHit:
    """Show an image; its excerpt names the notes that embed it."""
    places = [f"{view.lexical.path(note)} line {line}" for note, line in _embeds(view.snapshot, image)]
    more = f" and {len(places) - MOST_PLACES} more places" if len(places) > MOST_PLACES else ""
    listed = ", ".join(places[:MOST_PLACES]) + more
    return SearchHit(
        uri=uri(view.vault, image.path),
        path=image.path,
        title=image.path.rpartition("/")[2],
        lines=None,
        score=round(min(1.0, max(0.0, image.cosine)), SCORE_DIGITS),
        excerpt=f"image, embedded in {listed}" if listed else "image, embedded in no note",
        also_in=(),
    )


def image_notices(snapshot: VaultSnapshot, images: KeptImages, unreadable: Sequence[str]) -> Iterator[Notice]:
    """Yield which images cannot be found, and why."""
    if pending := [*images.pending(snapshot).values()]:
        yield Notice(NoticeKind.IMAGES_PENDING, count=len(pending), path=pending[0])
    for path in unreadable[:1]:
        reason = str(images.read(path))
        yield Notice(NoticeKind.IMAGES_UNREADABLE, count=len(unreadable), path=path, reason=reason)


def _embeds(snapshot: VaultSnapshot, image: FoundImage) -> list[tuple[int, int]]:
    """Return the visible notes that embed an image, each with the line, by path."""
    edges = {(edge.source, edge.link.line) for edge in snapshot.graph.incoming(image.path) if edge.link.embed}
    placed = ((snapshot.doc(source), line) for source, line in sorted(edges))
    return [(note, line) for note, line in placed if note is not None and snapshot.visible[note]]


def _chunk_at(snapshot: VaultSnapshot, note: int, line: int) -> int | None:
    # The chunks of a note follow it.
    start, end = np.searchsorted(snapshot.lexical.note_of, (note, note + 1))
    for doc in range(int(start), int(end)):
        first, last = snapshot.chunk_lines(doc)
        if snapshot.lexical.chunks[doc] and first <= line <= last:
            return doc
    return None


def understands_images(model: str) -> bool:
    """Return whether a model can be asked with an image, without loading it.

    Raises:
        VaultError: the model is not on this machine.
    """
    folder = find_model(model)
    try:
        return may_understand_images(folder)
    except (OSError, ValueError):
        # What is wrong with its files is said when it is loaded.
        return True


def read_query_image(vault: VaultClient, path: str, *, anywhere: bool) -> "Image":
    """Read the image that is asked with.

    Args:
        vault: The vault.
        path: The image's path in the vault.
        anywhere: Whether any file of the machine may be named, relative to the working folder; a person's
            own command line may.

    Raises:
        EngineMissingError: the extra ``image`` is not installed.
        BadRequestError: there is no such image, it cannot be read, or it lies outside the vault.
    """
    try:
        file = Path(path).expanduser()
        if anywhere and file.is_file():
            with file.open("rb") as stream:
                return read_picture(stream.read(MOST_BYTES + 1))
        return read_picture(_inside(vault, path))
    except EngineMissingError:
        raise
    except NoteNotFoundError as error:
        raise BadRequestError("there is no image '{path}' in the vault", HINT, path=path) from error
    except (VaultError, OSError, RuntimeError, ValueError) as error:
        reason = error.message if isinstance(error, VaultError) else error
        raise BadRequestError(
            "cannot read the image '{path}': {reason}", HINT, path=path, reason=reason
        ) from error


def _inside(vault: VaultClient, path: str) -> bytes:
    written = Path(path)
    if written.is_absolute() and written.is_relative_to(vault.root):
        path = written.relative_to(vault.root).as_posix()
    cleaned = without_vault_prefix(clean_path(path), (vault.root / "vault").is_dir())
    # What is excluded is not even looked at, lest what is wrong with it be told. A link may lead there.
    if _is_unshown(vault, cleaned) or _is_unshown(vault, real_path(vault.root, cleaned)):
        raise NoteNotFoundError("'{path}' is not shown", path=path)
    return read_file(vault.root, cleaned, MOST_BYTES).data


def _is_unshown(vault: VaultClient, path: str) -> bool:
    return is_hidden(path) or vault.is_excluded(path)
