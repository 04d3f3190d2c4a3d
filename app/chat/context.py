"""What every agent knows of a project vault before it looks: overview, tree and profile."""

from app.dependencies import CONTEXT_NOTES, VaultClient
from app.errors import NoteNotFoundError, NoteUnreadableError, PathError

CONTEXT_CHARS = 8000
"""Most characters of each of them."""


def context_files(vault: VaultClient) -> str:
    """Give a project vault's overview, tree and profile as read-only data, as they stand now."""
    if not vault.is_project_vault:
        return ""
    blocks = []
    for name in CONTEXT_NOTES:
        try:
            # It may be a symbolic link to a note that is excluded.
            real = vault.real_path(name)
            if vault.is_excluded(name) or vault.is_excluded(real):
                continue
            text = vault.read(real).text
        except (NoteNotFoundError, NoteUnreadableError, PathError):
            # A project vault need not have all three.
            continue
        shown = text[:CONTEXT_CHARS]
        cut = f"\n[cut at {CONTEXT_CHARS} of {len(text)} characters]" if len(text) > CONTEXT_CHARS else ""
        # The note must not be able to end its own block.
        shown = shown.replace("</file", "<\\/file")
        blocks.append(f'<file name="{name}" readonly="true">\n{shown}{cut}\n</file>')
    return "\n".join(blocks)
