"""A vault of which only some folders are shown: one view of it to look at, and one to write through."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from app.config.settings import Settings
from app.errors import BadRequestError, NoteNotFoundError
from app.vault.client import VaultClient
from app.vault.names import drop_vault_prefix, resolve_name
from app.vault.paths import NotePath, clean_path, normalize_path, path_key
from app.vault.scan import Listing, VaultScan


class FolderVault(VaultClient):
    """A vault whose notes outside some folders are not found by name, and treated as excluded ones.

    It still knows that they are there, so that moving a note rewrites the links to it in them as well.

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
        scan = self.listing().scan()
        known = {path_key(folder) for folder in scan.folders}
        keys = set()
        for folder in folders:
            key = path_key(drop_vault_prefix(clean_path(folder) + "/", scan).strip("/"))
            if key not in known:
                raise BadRequestError(
                    "no folder '{folder}' in the vault", "name one relative to the vault", folder=folder
                )
            keys.add(key + "/")
        self._shown = tuple(sorted(keys))
        # An index of its own, so that no word of another note is in it.
        digest = hashlib.blake2b("\n".join(self._shown).encode(), digest_size=6).hexdigest()
        self.settings = settings.model_copy(
            update={"cache_dir": settings.cache_folder.absolute() / "folders" / digest}
        )

    def inside(self, listing: Listing | None = None) -> VaultScan:
        """List what lies inside the folders, by a walk just made or one of its own."""
        scan = (listing or self.listing()).scan()
        return VaultScan(
            {path: stat for path, stat in scan.notes.items() if self._is_inside(path)},
            tuple(path for path in scan.others if self._is_inside(path)),
            tuple(folder for folder in scan.folders if self._is_inside(folder + "/")),
            tuple(problem for problem in scan.problems if self._is_inside(problem.path)),
            {path: stat for path, stat in scan.files.items() if self._is_inside(path)},
        )

    def is_excluded(self, path: str) -> bool:
        """Return whether a path is hidden by the vault's settings, or lies outside the folders."""
        return not self._is_inside(path) or super().is_excluded(path)

    def resolve(self, name: str) -> NotePath:
        """Find a note inside the folders by its name; raises as `VaultClient.resolve` does."""
        name = self.from_root(name)
        try:
            return resolve_name(name, self.inside(), self.is_excluded)
        except NoteNotFoundError:
            # A symbolic link is not listed, but read where its target is inside as well.
            direct = normalize_path(name)
            if self._is_inside(direct) and self.exists(direct) and self._is_inside(self.real_path(direct)):
                return direct
            raise

    def _is_inside(self, path: str) -> bool:
        return path_key(path).startswith(self._shown)


class ShownVault(FolderVault):
    """The same vault for all that looks: nothing outside the folders exists."""

    def scan(self, listing: Listing | None = None) -> VaultScan:
        """List what lies inside the folders, by a walk just made or one of its own."""
        return self.inside(listing)
