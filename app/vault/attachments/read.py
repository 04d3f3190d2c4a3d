"""Read the text of a file that is no note, from the kept texts where it was read before."""

from pathlib import Path

from app.config.settings import Settings
from app.errors import EngineMissingError, NoteNotFoundError, NoteUnreadableError, missing_extra
from app.sentences import Sentence
from app.vault.atomic import content_hash
from app.vault.attachments.apart import Apart
from app.vault.attachments.kept import KeptTexts
from app.vault.attachments.kinds import APART, CANVAS, MOST_BYTES, READ_SECONDS, Extracted, kind_of, lacking
from app.vault.attachments.plain import UnreadableError, read_canvas, read_text
from app.vault.files import file_size, read_file
from app.vault.paths import NotePath
from app.vault.text import NoteText


class AttachmentReader:
    """Reads one file of a vault after the other; to be closed, since it may have started a process."""

    def __init__(self, root: Path, settings: Settings) -> None:
        self._root, self._settings = root, settings
        self.kept = KeptTexts(settings.cache_folder, root)
        self._apart = Apart()

    def __enter__(self) -> "AttachmentReader":
        return self

    def __exit__(self, *_: object) -> None:
        self._apart.close()

    def read(self, path: str, seconds: float = READ_SECONDS) -> NoteText:
        """Read one file.

        Args:
            path: Its path as it is listed.
            seconds: The longest time it may take.

        Raises:
            NoteNotFoundError: there is no such file, or nothing reads its kind.
            NoteUnreadableError: it has no text that can be read; the reason is told.
            EngineMissingError: what reads it is not installed.
            PathError: a link on the path leads out of the vault.
            TimeoutError: ``seconds`` are fewer than a file may take, and were too few.
        """
        kind = kind_of(path, self._settings.attachment_texts)
        if not kind:
            raise NoteNotFoundError("no note at '{path}'", path=path)
        if extra := lacking(kind):
            raise EngineMissingError(
                "reading '{path}' needs the extra '{extra}'",
                missing_extra(extra),
                path=path,
                extra=extra,
            )
        try:
            if file_size(self._root, path) > MOST_BYTES:
                raise UnreadableError(Sentence("it is larger than {count} bytes", count=MOST_BYTES))
            data, stat = read_file(self._root, path, MOST_BYTES)
            digest = content_hash(data)
            found = self._read(kind, digest, data, seconds)
        except UnreadableError as error:
            told = "the text of '{path}' cannot be read: {reason}"
            raise NoteUnreadableError(told, path=path, reason=error.args[0]) from error
        return NoteText(NotePath(path), found.text, digest, "\n", found.problems, len(data), stat.st_mtime_ns)

    def _read(self, kind: str, digest: str, data: bytes, seconds: float) -> Extracted:
        if kind not in APART:
            return read_canvas(data) if kind == CANVAS else read_text(data)
        found = self.kept.get(digest, kind)
        if found is None:
            found = self._apart.read(kind, data, seconds)
            self.kept.put(digest, kind, found)
        return found
