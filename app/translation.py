"""What the program says in French, by gettext; the message id is the English text as it stands in the code.

People edit the catalogue, `locale/fr/LC_MESSAGES/vault_assistant.po`; the program reads the `.mo` that is
compiled from it, which is all that a wheel holds. An editable install makes it (`hatch_build.py`), so does
`make messages`, and in a checkout whose catalogue was edited meanwhile the first sentence in French does.
"""

import os
import warnings
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gettext import NullTranslations

CATALOGUE = Path(__file__).parent / "locale" / "fr" / "LC_MESSAGES" / "vault_assistant.po"
COMPILED = CATALOGUE.with_suffix(".mo")


@cache
def french() -> "NullTranslations":
    """Return the catalogue; read when French is first said."""
    from gettext import GNUTranslations, NullTranslations

    if CATALOGUE.exists() and not (
        COMPILED.exists() and COMPILED.stat().st_mtime_ns >= CATALOGUE.stat().st_mtime_ns
    ):
        try:
            compile_french()
        except (ImportError, OSError) as error:
            told = f"the French texts of this checkout are not compiled ({error}); run: pip install babel"
            warnings.warn(told, stacklevel=1)
    if not COMPILED.exists():
        return NullTranslations()
    with COMPILED.open("rb") as file:
        return GNUTranslations(file)


def compile_french() -> None:
    """Write the catalogue in the form that is read.

    Raises:
        ImportError: Babel is not installed.
        OSError: it cannot be written.
    """
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with CATALOGUE.open("rb") as file:
        catalogue = read_po(file, locale="fr", abort_invalid=True)
    # Another process may read it, or write it too.
    made = COMPILED.with_suffix(f".{os.getpid()}")
    with made.open("wb") as file:
        write_mo(file, catalogue)
    made.replace(COMPILED)
