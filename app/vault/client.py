"""The vault: its notes are read, written and listed here, and nothing outside of its folder."""

from os.path import isdir, isfile  # these answer no where the disk cannot tell
from pathlib import Path

from app.config.settings import Settings, default_settings
from app.errors import (
    ConfigError,
    NoteNotFoundError,
    NoteUnreadableError,
    VaultError,
    VaultNotFoundError,
    WriteError,
)
from app.system import CAN_WALK
from app.vault.atomic import content_hash
from app.vault.attachments.kinds import kind_of
from app.vault.attributes import Attributes
from app.vault.files import read_file, real_path, remove_file, rename_file, write_file
from app.vault.names import resolve_name
from app.vault.obsidian import ObsidianSettings, read_obsidian_settings, settings_signature
from app.vault.paths import NotePath, clean_path, is_hidden, is_note_name, normalize_path, path_key
from app.vault.scan import Listing, VaultScan
from app.vault.text import NoteText, note_text
from app.vault.work import Work

CONTEXT_NOTES = ("overview.md", "tree.md", "profile.md")
INBOX = "inbox/"
PROJECTS = "projects"


class VaultClient:
    """A vault: reads and writes its notes, and nothing outside of it.

    Args:
        vault_path: Folder of the vault.
        settings: The program's settings; without them, the defaults and the environment, no file read.

    Raises:
        VaultNotFoundError: the folder does not exist or is not a folder.
    """

    def __init__(self, vault_path: str | Path, settings: Settings | None = None) -> None:
        if not CAN_WALK:
            raise ConfigError(
                "this system opens no file relative to a folder, and so no vault", "on Windows, use WSL"
            )
        # As a path it would be the working folder; it is what a variable that is not set gives.
        if not str(vault_path):
            raise VaultNotFoundError(
                "the vault's folder is an empty text", "name the folder that holds the notes"
            )
        path = Path(vault_path).expanduser()
        try:
            self.root, is_folder = path.resolve(strict=True), path.is_dir()
        except (OSError, RuntimeError, ValueError) as error:
            raise VaultNotFoundError("no vault at '{path}'", "name an existing folder", path=path) from error
        if not is_folder:
            raise VaultNotFoundError(
                "'{path}' is not a folder", "name the folder that holds the notes", path=path
            )
        self.name = self.root.name
        self._written = tuple(dict.fromkeys(f"{folder}/" for folder in (self.root, path.absolute())))
        self.settings = settings or default_settings()
        self._signature, self._obsidian = settings_signature(self.root), read_obsidian_settings(self.root)

    @property
    def obsidian(self) -> ObsidianSettings:
        """Obsidian's settings for this vault, read again when ``app.json`` changed."""
        signature = settings_signature(self.root)
        if signature != self._signature or self._obsidian.is_unsettled:
            self._obsidian = read_obsidian_settings(self.root, self._obsidian)
            self._signature = signature
        return self._obsidian

    @property
    def is_project_vault(self) -> bool:
        """Whether the root holds ``projects/`` and one of overview.md, tree.md, profile.md."""
        return isdir(self.root / PROJECTS) and any(isfile(self.root / name) for name in CONTEXT_NOTES)  # noqa: PTH112, PTH113

    def listing(self) -> Listing:
        """Walk through the whole vault without opening a note."""
        return Listing(self.root)

    def scan(self, listing: Listing | None = None) -> VaultScan:
        """List the vault without opening a note, by a walk just made or one of its own."""
        return (listing or self.listing()).scan()

    def read(self, path: str) -> NoteText:
        """Read one note, or the text of a file that is none, which never is an excluded one.

        Raises:
            PathError: the path is malformed or leads out of the vault.
            NoteNotFoundError: there is no such note.
            NoteUnreadableError: it is larger than the setting `max_note_bytes`, or not to be read.
            EngineMissingError: what reads the file is not installed.
        """
        if self.is_attachment(path):
            from app.vault.attachments.read import AttachmentReader

            with AttachmentReader(self.root, self.settings) as reader:
                return reader.read(path)
        note = normalize_path(path)
        content = read_file(self.root, note, self.settings.max_note_bytes)
        return note_text(note, content.data, content.stat.st_mtime_ns)

    def is_attachment(self, path: str) -> bool:
        """Return whether a path is that of a file whose text is read, though it is no note, and is shown.

        No file whose name begins with a dot, or that a link on its path leads to, is such.
        """
        if is_note_name(path) or not kind_of(path, self.settings.attachment_texts):
            return False
        try:
            is_there = real_path(self.root, path) == path == clean_path(path)
        except (VaultError, OSError):
            return False
        return is_there and not is_hidden(path) and not self.is_excluded(path)

    def read_bytes(self, path: str) -> bytes:
        """Read the bytes of one note, or of a canvas; raises as `read` does."""
        return read_file(self.root, normalize_path(path, canvas=True), self.settings.max_note_bytes).data

    def exists(self, path: str) -> bool:
        """Return whether a note is at a path; raises PathError as `read` does."""
        try:
            real_path(self.root, normalize_path(path))
        except (NoteNotFoundError, NoteUnreadableError):
            return False
        return True

    def real_path(self, path: str) -> NotePath:
        """Return where an existing note really is, symbolic links inside the vault resolved."""
        return NotePath(real_path(self.root, normalize_path(path)))

    def from_root(self, name: str) -> str:
        """Return ``./Plan.md`` for an absolute path of this computer that leads into the vault.

        Any other name is returned as it is: a leading ``/`` alone means the vault's root.
        """
        return next((f"./{name[len(root) :]}" for root in self._written if name.startswith(root)), name)

    def resolve(self, name: str) -> NotePath:
        """Find the existing note that a forgivingly written name means; see `from_root` and `resolve_name`.

        Raises:
            NoteNotFoundError: no note has that name; the hint has the nearest names.
            PathError: the name is malformed, leads out of the vault, or several notes have it.
        """
        scan, name = self.scan(), self.from_root(name)
        try:
            return resolve_name(name, scan, self.is_excluded)
        except NoteNotFoundError:
            # A symbolic link is not listed, but read where its target is inside.
            direct = normalize_path(name)
            if self.exists(direct):
                return direct
            raise

    def is_excluded(self, path: str) -> bool:
        """Return whether the vault's "excluded files" hide a path; all do where they are not known."""
        return self.obsidian.is_ignored(path)

    def is_left_out(self, path: str) -> bool:
        """Return whether a project vault keeps a note out of results: context notes and the inbox."""
        key = path_key(path)
        return (key in CONTEXT_NOTES or key.startswith(INBOX)) and self.is_project_vault

    def write(
        self,
        path: NotePath,
        data: bytes,
        *,
        expected_hash: str | None = None,
        create: bool = False,
        attributes: Attributes | None = None,
        work: Work | None = None,
    ) -> str:
        """Write one note, or a canvas, in one step, keeping its attributes; missing folders are made.

        Arguments and errors are those of `write_file`; besides, WriteError is raised where the note would be
        too large to be read back.

        Returns:
            Hash of the new content.
        """
        note, limit = normalize_path(path, canvas=True), self.settings.max_note_bytes
        if len(data) > limit:
            raise WriteError(
                "'{note}' would have {count} bytes",
                "the setting 'max_note_bytes' allows {limit}",
                note=note,
                count=len(data),
                limit=limit,
            )
        write_file(
            self.root,
            note,
            data,
            limit=limit,
            expected_hash=expected_hash,
            create=create,
            attributes=attributes,
            work=work,
        )
        return content_hash(data)

    def remove(self, path: str, *, expected_hash: str | None = None, work: Work | None = None) -> None:
        """Delete one note for good; raises as `write` does."""
        note, limit = normalize_path(path), self.settings.max_note_bytes
        remove_file(self.root, note, limit=limit, expected_hash=expected_hash, work=work)

    def rename(self, path: str, new_path: str, *, work: Work | None = None) -> None:
        """Move one note, making missing folders; raises NoteExistsError where one is already."""
        rename_file(self.root, normalize_path(path), normalize_path(new_path), work=work)
