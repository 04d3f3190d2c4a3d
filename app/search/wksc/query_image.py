"""The image of a question: where it may lie, and how it is read."""

from pathlib import Path
from typing import TYPE_CHECKING

from app.dependencies import VaultClient
from app.errors import BadRequestError, NoteNotFoundError, PathError, VaultError
from app.search.embedding.image_model import MOST_BYTES, may_understand_images, read_picture
from app.search.embedding.loading import find_model
from app.vault.files import read_file, real_path
from app.vault.paths import clean_path, is_hidden, without_vault_prefix

if TYPE_CHECKING:
    from PIL.Image import Image

HINT = "name a PNG, JPEG, WebP or GIF file in the vault"


def understands_images(model: str) -> bool:
    """Tell whether a model can be asked with an image, without loading it.

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
        BadRequestError: there is no such image, or it cannot be read.
        PathError: the path leads out of the vault.
    """
    data = _anywhere(path) if anywhere else None
    if data is None:
        data = _inside(vault, path)
    try:
        return read_picture(data)
    except BadRequestError as error:
        raise BadRequestError(f"cannot read the image '{path}': {error.message}", error.hint) from error


def _anywhere(path: str) -> bytes | None:
    try:
        file = Path(path).expanduser()
        if not file.is_file():
            return None
        with file.open("rb") as stream:
            return stream.read(MOST_BYTES + 1)
    except (OSError, RuntimeError, ValueError) as error:
        raise BadRequestError(f"cannot read the image '{path}': {error}", HINT) from error


def _inside(vault: VaultClient, path: str) -> bytes:
    written = Path(path)
    try:
        if written.is_absolute() and written.is_relative_to(vault.root):
            path = written.relative_to(vault.root).as_posix()
        cleaned = without_vault_prefix(clean_path(path), (vault.root / "vault").is_dir())
        # What is excluded is not even looked at, lest what is wrong with it be told. A link may lead there.
        if _is_unshown(vault, cleaned) or _is_unshown(vault, real_path(vault.root, cleaned)):
            raise NoteNotFoundError(f"'{path}' is not shown")
        return read_file(vault.root, cleaned, MOST_BYTES).data
    except NoteNotFoundError as error:
        raise BadRequestError(f"there is no image '{path}' in the vault", HINT) from error
    except PathError as error:
        raise BadRequestError(f"cannot read the image: {error.message}", HINT) from error
    except VaultError as error:
        raise BadRequestError(f"cannot read the image '{path}': {error.message}", HINT) from error


def _is_unshown(vault: VaultClient, path: str) -> bool:
    return is_hidden(path) or vault.is_excluded(path)
