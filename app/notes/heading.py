"""Rename a heading, or a block, and rewrite the links to it, as one change."""

import re
from itertools import zip_longest
from urllib.parse import unquote

from app.errors import BadRequestError, WriteError
from app.journal.excluded import HIDDEN_NOTE
from app.markdown.models import Link
from app.notes.document import Document, Edit, block_of, chains, documents, open_document, section_of
from app.notes.find import existing
from app.notes.models import Change, NoteRequest, Plan
from app.notes.move import link_resolver, link_text, may_link, not_looked_at
from app.notices import ChangeKind, Notice
from app.sentences import Sentence
from app.vault.client import VaultClient

_COMPARED = re.compile(r"[!\"#$%&()*+,.:;<=>?@^`{|}~/\[\]\\\s]+")
"""What is a blank where Obsidian compares a heading with a link."""
_UNWRITTEN = re.compile(r"(?:[:#|^\\\s]|%%|\[\[|\]\])+")
"""What Obsidian writes as a blank in a link."""
_BLOCK = re.compile(r"[A-Za-z0-9-]+")


def rename_part(vault: VaultClient, request: NoteRequest) -> Plan:
    """Rename the heading or block of a request to its `new_path`, and rewrite the links to it.

    Raises:
        BadRequestError: there is no such heading or block, or it cannot be called so.
        WriteError: it, or a link to it, cannot be written so that every link means the same.
    """
    scan, path, changes = vault.scan(), existing(vault, request), list[Change]()
    unseen = {problem.path: problem.reason for problem in scan.problems if problem.hides}
    document, resolver = open_document(vault, path), link_resolver(vault, scan)
    document.check_hash(request.expected_hash)
    line, own, called = (_block if request.block else _heading)(document, request)
    renamed = Document(path, document.encode(document.edited([own])))
    for each in documents(vault, dict.fromkeys((path, *scan.notes)), unseen):
        links = each.parsed.links if each.path == path or may_link(each.text, path) else ()
        leading = [resolver.resolve(link.target, each.path) == path for link in links]
        meant = [_lines(document, link) if leads else [] for link, leads in zip(links, leading, strict=True)]
        edits = [own] if each.path == path else []
        for link, found in zip(links, meant, strict=True):
            edits += [_edit(each, link, found.index(line), called)] if line in found else []
        if not edits:
            continue
        after = Document(each.path, each.encode_links(each.edited(edits)))
        for link, found, now in zip_longest(links, meant, after.parsed.links):
            if now is None or link is None or (found and _lines(renamed, now) != found):
                raise WriteError(
                    "the link in '{path}', line {line}, would not lead to '{called}'",
                    "choose another name, or write the link plainly first; nothing was written",
                    path=HIDDEN_NOTE if vault.is_excluded(each.path) else each.path,
                    line=(link or links[-1]).line,
                    called=called,
                )
        changes.append(Change(each.path, each.data, after.data))
    hidden = frozenset(change.path for change in changes if vault.is_excluded(change.path))
    others = sum(change.path not in hidden and change.path != path for change in changes)
    notices = not_looked_at(vault, unseen)
    notices += [Notice(ChangeKind.LINKS_REWRITTEN, count=others)] if others else []
    facts = {"old": request.heading or request.block, "path": path, "new": own[2]}
    summary = Sentence("rename '{old}' to '{new}' in '{path}'", **facts)
    return Plan("move", path, tuple(changes), summary, notices=tuple(notices), hidden=hidden)


def _lines(document: Document, link: Link) -> list[int]:
    """Return the lines that the parts of a link behind its file mean; none where it means none."""
    *above, last = link.subpath.split("#")
    if last.startswith("^"):
        found = [each.line for each in document.parsed.blocks if each.id.casefold() == last[1:].casefold()]
        return [0] * len(above) + found[:1] if found else []
    chain = next(chains(document.parsed.headings, [*map(_compared, above), _compared(last)], _compared), [])
    return [heading.line for heading in chain]


def _compared(text: str) -> str:
    return _COMPARED.sub(" ", text).casefold().strip()


def _edit(document: Document, link: Link, at: int, called: str) -> Edit:
    """Return the change of one part of a link; what is written with escapes gets none that means the same."""
    text, start = document.text, link.end + 1
    read = unquote if link.kind == "markdown" else str
    most = range(start + len(link.subpath), start + 12 * len(link.subpath) + 1)
    stop = next((stop for stop in most if read(text[start:stop]) == link.subpath), start)
    parts = text[start:stop].split("#")
    parts[at : at + 1] = [link_text(document, link, called)]
    return start, stop, "#".join(parts)


def _heading(document: Document, request: NoteRequest) -> tuple[int, Edit, str]:
    """Return the line of a heading, how it changes, and what links call it afterwards."""
    line, new = section_of(document, request.heading or "").first, _new_name(document, request)
    text = next(heading.text for heading in document.parsed.headings if heading.line == line)
    at = document.start_of(line) + document.line(line).rfind(text)
    after = Document(document.path, document.encode(document.edited([(at, at + len(text), new)])))
    if not any((each.line, each.text) == (line, new) for each in after.parsed.headings):
        raise WriteError("the heading '{old}' cannot become '{new}'", "change it by hand", old=text, new=new)
    return line, (at, at + len(text), new), " ".join(_UNWRITTEN.sub(" ", new).split())


def _block(document: Document, request: NoteRequest) -> tuple[int, Edit, str]:
    """Return the same of a block.

    Raises:
        BadRequestError: no block has that name, or none can have the new one.
    """
    old, new = (request.block or "").strip(" #^"), _new_name(document, request).removeprefix("^")
    block_of(document, old)
    line = next(each.line for each in document.parsed.blocks if each.id.casefold() == old.casefold())
    taken = {each.id.casefold() for each in document.parsed.blocks}
    if not _BLOCK.fullmatch(new) or new.casefold() in taken:
        raise BadRequestError(
            "no block can be called '^{new}'", "letters, digits and hyphens, as no other", new=new
        )
    at = document.start_of(line) + document.line(line).rindex("^") + 1
    return line, (at, at + len(old), new), f"^{new}"


def _new_name(document: Document, request: NoteRequest) -> str:
    """Return the new name of a heading or block, which may stand behind the note's own name and ``#``."""
    note, sign, name = (request.new_path or "").strip().partition("#")
    new = name.lstrip("# ") if sign and note in ("", request.path, document.path) else note + sign + name
    if "#" in new or "\n" in new or not new:
        raise BadRequestError(
            "no heading can be called '{new}'", "give it as in #New, on one line, without #", new=new
        )
    return new
