"""The process that reads one file after the other for their text, within little memory.

On its input comes a line of JSON with the kind and size of a file, then its bytes. On its output goes a line
of JSON: the text and its problems, or why there is none.
"""

import io
import json
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress

from app.sentences import Sentence, data_of
from app.vault.attachments.kinds import PDF, WEB
from app.vault.attachments.markup import read_epub, read_html
from app.vault.attachments.office import read_docx, read_opened, read_pptx, read_xlsx
from app.vault.attachments.packed import Archive
from app.vault.attachments.passages import Passage, joined

MOST_TOLD, MOST_REASON = 20, 100
HYPHEN = "\ufffe"
"""What PDFium gives for a hyphen that parts a word at the end of a line."""
MOST_MEMORY = 400_000_000
"""Bytes of addresses; what the program and PDFium themselves take are a third of it."""
LARGE = Sentence("it needs more memory than its reader may have")
ENCRYPTED = Sentence("it is encrypted")
PICTURES = Sentence("its pages are pictures, without text")
NO_PAGE = Sentence("none of its pages can be read")
_ARCHIVES: Mapping[str, Callable[[Archive], Iterable[Passage]]] = {
    "docx": read_docx,
    "pptx": read_pptx,
    "xlsx": read_xlsx,
    "epub": read_epub,
}


def read_pdf(data: bytes, unread: list[int]) -> Iterator[Passage]:
    """Yield the text of each page of a PDF; no script is run, and no link is followed.

    A page that cannot be read costs itself alone, and its number is put into ``unread``.
    """
    import pypdfium2

    with pypdfium2.PdfDocument(data) as document:
        if is_form := document.get_formtype() != pypdfium2.raw.FORMTYPE_NONE:
            document.init_forms()
        for number in range(1, len(document) + 1):
            try:
                if is_form:
                    # What was filled in becomes text of the page, once it is opened again.
                    with closing(document[number - 1]) as page:
                        page.flatten()
                with closing(document[number - 1]) as page, closing(page.get_textpage()) as words:
                    text = words.get_text_bounded()
            except pypdfium2.PdfiumError:
                unread.append(number)
                continue
            yield Passage(f"page {number}", text.replace(HYPHEN + "\r\n", "").replace(HYPHEN, "-"))


def read(kind: str, data: bytes) -> dict[str, object]:
    """Return the text of a file and its problems; or why there is none."""
    unread: list[int] = []
    try:
        if kind == PDF:
            passages = list(read_pdf(data, unread))
            if not any(passage.text.strip() for passage in passages):
                raise ValueError(NO_PAGE if unread else PICTURES)
        elif kind in WEB:
            passages = read_html(data)
        else:
            with zipfile.ZipFile(io.BytesIO(data)) as zipped:
                passages = list(_ARCHIVES.get(kind, read_opened)(Archive(zipped)))
        found = joined(passages)
    except MemoryError:
        return {"reason": LARGE, "is_large": True}
    except Exception as error:  # noqa: BLE001 - whatever a library says of a file is a reason
        said = " ".join(str(error).split())[:MOST_REASON] or type(error).__name__
        return {"reason": ENCRYPTED if "password" in said.lower() else said, "is_large": False}
    lost = (Sentence("page {page} cannot be read", page=number) for number in unread[:MOST_TOLD])
    return {"text": found.text, "problems": data_of((*found.problems, *lost))}


def main() -> None:
    """Serve until the input ends."""
    with suppress(ImportError, ValueError, OSError):
        # Not every system has such a limit.
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    given, taken = sys.stdin.buffer, sys.stdout.buffer
    while line := given.readline():
        asked = json.loads(line)
        answer = read(asked["kind"], given.read(asked["size"]))
        taken.write(json.dumps(answer).encode() + b"\n")
        taken.flush()


if __name__ == "__main__":
    main()
