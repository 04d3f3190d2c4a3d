"""A vault of which only some folders are shown."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from app.config import Settings
from app.dependencies import VaultClient
from app.errors import BadRequestError, NoteNotFoundError
from app.names import drop_vault_prefix, resolve_name
from app.paths import NotePath, clean_path, normalize_path, path_key


class FolderVault(VaultClient):
    """A vault whose notes outside some folders are treated as excluded ones, and do not even exist by name.

    Its index is one of its own, so that no word of another note is in it.

    Args:
        vault_path: Folder of the vault.
        settings: The program's settings.
        folders: The folders that are shown, relative to the vault.

    Raises:
        BadRequestError: one of the folders is not there.
        PathError: one of them leads out of the vault.
    """

    def __init__(self, vault_path: Path, settings: Settings, folders: Sequence[str]) -> None:
        super().__init__(vault_path, settings)
        scan = self.scan()
        known = {path_key(folder) for folder in scan.folders}
        keys = set()
        for folder in folders:
            key = path_key(drop_vault_prefix(clean_path(folder) + "/", scan).strip("/"))
            if key not in known:
                raise BadRequestError(f"no folder '{folder}' in the vault", "name one relative to the vault")
            keys.add(key + "/")
        self._shown = tuple(sorted(keys))
        digest = hashlib.blake2b("\n".join(self._shown).encode(), digest_size=6).hexdigest()
        self.settings = settings.model_copy(
            update={"cache_dir": settings.cache_folder.absolute() / "folders" / digest}
        )

    def is_excluded(self, path: str) -> bool:
        """Tell whether a path is hidden by the vault's settings, or lies outside the folders."""
        return not self._is_inside(path) or super().is_excluded(path)

    def resolve(self, name: str) -> NotePath:
        """Find a note inside the folders by its name; raises as `VaultClient.resolve` does."""
        scan = self.scan()
        inside = replace(
            scan,
            notes={path: stat for path, stat in scan.notes.items() if self._is_inside(path)},
            folders=tuple(folder for folder in scan.folders if self._is_inside(folder + "/")),
        )
        try:
            return resolve_name(name, inside, self.is_excluded)
        except NoteNotFoundError:
            # A symbolic link is not listed, but read where its target is inside as well.
            direct = normalize_path(name)
            if self._is_inside(direct) and self.exists(direct) and self._is_inside(self.real_path(direct)):
                return direct
            raise

    def _is_inside(self, path: str) -> bool:
        return path_key(path).startswith(self._shown)
