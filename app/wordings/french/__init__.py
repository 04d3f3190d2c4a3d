"""What the program says in French: each sentence of the code as it stands there, and its translation.

Read only where somebody reads French; see `app.sentences`.
"""

from collections.abc import Mapping

from app.wordings.french import (
    commands,
    examples,
    help,
    models,
    notes,
    options,
    search,
    status,
    surfaces,
    system,
    vault,
)

FRENCH: Mapping[str, str] = {
    **commands.ROWS,
    **examples.ROWS,
    **help.ROWS,
    **models.ROWS,
    **notes.ROWS,
    **options.ROWS,
    **search.ROWS,
    **status.ROWS,
    **surfaces.ROWS,
    **system.ROWS,
    **vault.ROWS,
}
