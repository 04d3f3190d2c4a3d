"""Where a link in a shown note leads: to a page of ours, or nowhere."""

from dataclasses import dataclass
from urllib.parse import quote

from app.dependencies import VaultClient
from app.markdown.targets import Target
from app.search.index.snapshot import VaultSnapshot
from app.vault.paths import is_note_name
from app.web.pages import file_url, note_url
from app.web.render.anchors import subpath_anchor

PICTURES = {"png", "jpg", "jpeg", "gif", "webp", "avif", "bmp", "svg"}


@dataclass(frozen=True, slots=True)
class Targets:
    """Finds what links mean; what the vault excludes is as if it were not there."""

    view: VaultSnapshot
    vault: VaultClient

    def find(self, target: str, source: str) -> str | None:
        """Give the path of the file that is meant, seen from a note; None where there is none to show."""
        found = self.view.resolver.resolve(target, source)
        return None if found is None or self.vault.is_excluded(found) else found

    def url(self, target: Target, source: str) -> str | None:
        """Give the address a link leads to; None where nothing is there."""
        anchor = subpath_anchor(target.subpath)
        found = self.find(target.file, source)
        if found is None:
            return None
        if not is_note_name(found):
            return file_url(found)
        here = not target.file and anchor
        return ("" if here else note_url(found)) + (f"#{quote(anchor)}" if anchor else "")


def is_picture(path: str) -> bool:
    """Tell whether a file is shown in place."""
    return path.rpartition(".")[2].lower() in PICTURES
