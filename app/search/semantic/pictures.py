"""Read images: what an image model is shown of a file, and nothing that would harm."""

import struct
import warnings
import zlib
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING

from app.errors import BadRequestError, EngineMissingError

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".gif")

MOST_BYTES = 20_000_000
MOST_PIXELS = 50_000_000
"""A file of a few bytes can claim any number of pixels, each of which costs memory."""

SIDE = 640
"""Longest side that is kept, in pixels; models look at 224 to 448."""

NARROWEST = 8
"""An image this many times as long as wide is filled up with white: models scale by the shorter side."""

INSTALL = "install the extra 'image': pip install 'vault-assistant[image]', or '.[image]' in a clone"

_BROKEN = (
    OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, OverflowError, MemoryError,
    NotImplementedError, AttributeError, RuntimeError, struct.error, zlib.error,
)  # fmt: skip
"""What Pillow raises for files that are not what they claim to be."""


def is_picture(path: str) -> bool:
    """Tell by its name whether a file is an image that can be read."""
    return path.lower().endswith(SUFFIXES)


def check_pillow() -> None:
    """Make sure that images can be read.

    Raises:
        EngineMissingError: Pillow is not installed.
    """
    if find_spec("PIL") is None:
        raise EngineMissingError("images need the package pillow", INSTALL)


def read_picture(data: bytes) -> "Image":
    """Decode an image: its first frame, upright, on white, at most `SIDE` pixels long.

    Raises:
        EngineMissingError: Pillow is not installed.
        BadRequestError: it is no image that can be read; the message says why.
    """
    check_pillow()
    from PIL import Image, ImageOps

    if len(data) > MOST_BYTES:
        raise BadRequestError(f"it has more than {MOST_BYTES} bytes", "make it smaller")
    try:
        # Of odd but readable files nothing needs to be said on stderr.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(BytesIO(data), formats=FORMATS) as image:
                if image.width * image.height > MOST_PIXELS:
                    raise BadRequestError(
                        f"it has {image.width} × {image.height} pixels", f"at most {MOST_PIXELS} are read"
                    )
                image.draft("RGB", (SIDE, SIDE))
                upright = ImageOps.exif_transpose(image)
                upright.thumbnail((SIDE, SIDE))
                shown = upright.convert("RGBA")
        least = -(-max(shown.size) // NARROWEST)
        ground = Image.new("RGBA", (max(least, shown.width), max(least, shown.height)), "white")
        ground.alpha_composite(
            shown, ((ground.width - shown.width) // 2, (ground.height - shown.height) // 2)
        )
        return ground.convert("RGB")
    except Image.DecompressionBombError as error:
        raise BadRequestError("it has too many pixels", f"at most {MOST_PIXELS} are read") from error
    except _BROKEN as error:
        reason = (
            "it is no PNG, JPEG, WebP or GIF" if "cannot identify" in str(error) else f"it is broken: {error}"
        )
        raise BadRequestError(reason, "name an image that opens in a viewer") from error
