"""A small vault with its journal, index and home, put up again in a moment for each case."""

import contextlib
import gc
import io
import os
import shutil
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

from app.config.settings import ENV_PREFIX
from app.journal import journal
from app.tests.notes.matrix.watched import Outcome, Watched, command

LOCK_SECONDS = 0.2
"""How long a command waits for another one that is stopped, or for a lock that cannot be had."""
HIDDEN = ".vault-assistant-"
NOTES = {
    "Garden.md": "---\ntags: [green]\n---\n# Garden\n\n## Beds\n\nBeans.\n\n## Tools\n\nA rake, see [[Index]].\n",
    "Index.md": "# Index\n\n[[Garden]] and [the beds](Garden.md#Beds)\n",
    "Other.md": "Nothing of note.\n",
    "Still.md": "A constant.\n",
    "Été.md": "Au [[Garden|jardin]].\r\n",
    "Work/Plan.md": "- [ ] water the [[Garden]]\n",
    "Private/Diary.md": "In the [[Garden]] alone.\n",
}
SETTINGS = '{{"trashOption": "{trash}", "userIgnoreFilters": ["Private/"]}}'

File = tuple[str, bytes, int, tuple[tuple[str, bytes], ...]]
Files = Mapping[str, File]


class World:
    """One folder that holds all a command touches; always at the same place, for the journal is named by it.

    Args:
        base: An empty folder, best in memory.
    """

    def __init__(self, base: Path) -> None:
        self._base = base
        self.here = base / "here"
        self.vault = self.here / "vault"
        self.state = self.here / "state"
        self.folders = (self.vault, self.state, self.here / "home/.local")
        for name in list(os.environ):
            if name.startswith((ENV_PREFIX, "XDG_")):
                del os.environ[name]
        os.environ |= {
            "HOME": str(self.here / "home"),
            ENV_PREFIX + "CACHE_DIR": str(self.here / "cache"),
            ENV_PREFIX + "STATE_DIR": str(self.state),
            ENV_PREFIX + "RESIDENT": "false",
        }

    def make(self, trash: str) -> None:
        """Put up the vault as it is at first."""
        for folder in (self.here, self.vault):
            shutil.rmtree(folder, ignore_errors=True)
        for path, text in {**NOTES, ".obsidian/app.json": SETTINGS.format(trash=trash)}.items():
            file = self.vault / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())
        for folder in self.folders[1:]:
            folder.mkdir(parents=True)
        (self.vault / "Garden.md").chmod(0o640)
        with contextlib.suppress(OSError):
            os.setxattr(self.vault / "Garden.md", "user.colour", b"green")

    def keep(self, name: str) -> None:
        """Remember all as it is now under a name."""
        shutil.rmtree(self._base / name, ignore_errors=True)
        shutil.copytree(self.here, self._base / name, symlinks=True)

    def restore(self, name: str) -> None:
        """Make all as it was when it was kept."""
        shutil.rmtree(self.here)
        shutil.copytree(self._base / name, self.here, symlinks=True)

    def run(self, *arguments: str) -> Outcome:
        """Run a command on the vault, in a process of its own."""
        return command([*arguments, "--vault", str(self.vault)])

    def watched(self, *arguments: str) -> Watched:
        """Start a command on the vault that stops at each call."""
        return Watched([*arguments, "--vault", str(self.vault)], self.folders)

    def warm_up(self) -> None:
        """Import here what a command imports, so that its processes need not."""
        from app.tests.notes.noting import main

        journal.LOCK_SECONDS = LOCK_SECONDS
        # Elsewhere, for what a process keeps of a vault must not be found by those that it starts.
        self.vault = self._base / "warm"
        self.make("local")
        warm: Sequence[Sequence[str]] = (
            ("note", "append", "Other", "--content", "x"),
            ("note", "move", "Garden", "--new-path", "Park"),
            ("note", "undo"),
            ("note", "delete", "Other"),
            ("note", "undo"),
            ("note", "read", "Index"),
            ("find", "fast", "constant"),
            ("status",),
        )
        with (
            contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            for arguments in warm:
                main([*arguments, "--vault", str(self.vault)])
            self.make("system")
            main(["note", "delete", "Other", "--vault", str(self.vault)])
        self.vault = self.here / "vault"
        # What is here by now is shared with the processes to come, not copied for them.
        gc.collect()
        gc.freeze()


def files(folder: Path) -> dict[str, File]:
    """Look at everything below a folder, Obsidian's settings left out: kind, bytes, mode, attributes."""
    found: dict[str, File] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if name.startswith(".obsidian"):
            continue
        status = path.lstat()
        if stat.S_ISDIR(status.st_mode):
            found[name] = ("folder", b"", 0, ())
            continue
        attributes = tuple((key, os.getxattr(path, key)) for key in sorted(os.listxattr(path)))
        found[name] = ("file", path.read_bytes(), stat.S_IMODE(status.st_mode), attributes)
    return found
