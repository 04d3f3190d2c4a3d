"""The process that reads one file after the other for their text, within little memory.

On its input comes a line of JSON with the kind and size of a file, then its bytes. On its output goes a line
of JSON: the text and its problems, or why there is none.
"""

import io
import json
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress

from app.vault.attachments.kinds import MARKUP, PDF, Passage, joined
from app.vault.attachments.markup import read_epub, read_html
from app.vault.attachments.office import read_docx, read_opened, read_pptx, read_xlsx
from app.vault.attachments.packed import Archive, TooLargeError

MOST_PAGES = 20_000
HYPHEN = "\ufffe"
"""What PDFium gives for a hyphen that parts a word at the end of a line."""
MOST_MEMORY = 400_000_000
"""Bytes of addresses; what the program and PDFium themselves take are a third of it."""
_ARCHIVES: Mapping[str, Callable[[Archive], Iterable[Passage]]] = {
    "docx": read_docx,
    "pptx": read_pptx,
    "xlsx": read_xlsx,
    "epub": read_epub,
}


def read_pdf(data: bytes) -> Iterator[Passage]:
    """Yield the text of each page of a PDF; no script is run, and no link is followed."""
    import pypdfium2

    with pypdfium2.PdfDocument(data) as document:
        if is_form := document.get_formtype() != pypdfium2.raw.FORMTYPE_NONE:
            document.init_forms()
        for number in range(min(len(document), MOST_PAGES)):
            page = document[number]
            if is_form:
                # What was filled in becomes text of the page, once it is opened again.
                page.flatten()
                page.close()
                page = document[number]
            words = page.get_textpage()
            text = words.get_text_bounded()
            words.close()
            page.close()
            yield Passage(f"page {number + 1}", text.replace(HYPHEN + "\r\n", "").replace(HYPHEN, "-"))


def read(kind: str, data: bytes) -> dict[str, object]:
    """Return the text of a file and its problems; or why there is none, as a word for `reasons`."""
    try:
        if kind == PDF:
            passages = list(read_pdf(data))
            if passages and not any(passage.text.strip() for passage in passages):
                return {"reason": "pictures"}
        elif kind in MARKUP and kind not in _ARCHIVES:
            passages = read_html(data)
        else:
            with zipfile.ZipFile(io.BytesIO(data)) as zipped:
                passages = list(_ARCHIVES.get(kind, read_opened)(Archive(zipped)))
        found = joined(passages)
    except (MemoryError, TooLargeError):
        return {"reason": "large"}
    except Exception as error:  # noqa: BLE001 - whatever a library says of a file is a reason
        return {"reason": "encrypted" if "password" in str(error).lower() else "broken", "why": f"{error}"}
    return {"text": found.text, "problems": found.problems}


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
