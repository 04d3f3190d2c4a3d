"""Move a note and rewrite the links of the others so that each means what it meant before."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from posixpath import normpath, relpath
from urllib.parse import unquote

from app.errors import BadRequestError, NoteUnreadableError, WriteError
from app.journal.excluded import HIDDEN_NOTE
from app.markdown.links import LinkResolver
from app.markdown.models import Link
from app.markdown.parse import parse_note
from app.notes.document import Document, Edit, documents
from app.notes.find import refuse_twin, unlinked
from app.notes.find import target as target_path
from app.notes.models import Change, NoteRequest, Plan
from app.notices import ChangeKind, Notice
from app.sentences import Sentence
from app.vault.client import VaultClient
from app.vault.obsidian import LinkFormat
from app.vault.paths import NotePath, is_canvas_name, is_note_name, nfc, path_key
from app.vault.scan import VaultScan

_WIKI_FORBIDDEN = re.compile(r"[#|\n\r]|\[\[|\]\]|[\]\\]\Z")
_ENCODED = re.compile(r"""[\s\x00-\x1f%#<>\[\]\\"`|$]|&(?=[#\w]+;)""")
_ENCODED_ANGLED = re.compile(r"[\n\r%#<>\\`|$]|&(?=[#\w]+;)")
_PARENTHESES = re.compile(r"[()]")
_CANVAS_FILE = re.compile(r""""file"\s*:\s*("(?:[^"\\]|\\.)*")""")


@dataclass(frozen=True, slots=True)
class _Relocation:
    """One note's move, and what link targets mean before and after it."""

    old: str
    new: str
    before: LinkResolver
    after: LinkResolver
    link_format: LinkFormat
    is_excluded: Callable[[str], bool]

    def moved(self, path: str) -> str:
        """Return the path that a file has afterwards."""
        return self.new if path == self.old else path


def may_link(text: str, *paths: str) -> bool:
    """Return, cheaply, whether a text could hold a link to one of some notes, however it is written."""
    names = [_on_one_line(path_key(path).rpartition("/")[2].removesuffix(".md")) for path in paths]
    for written in (text, unquote(text)) if "%" in text else (text,):
        # YAML may fold a name over several lines.
        key = _on_one_line(path_key(written))
        if any(name in key for name in names):
            return True
    # Escapes of Markdown, HTML and YAML can hide a name from plain sight.
    return any(sign in text for sign in ("\\", "&", "''")) and (
        "](" in text or "]:" in text or text.startswith("---")
    )


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _relink(document: Document, relocation: _Relocation) -> bytes | None:
    """Rewrite the links that would otherwise change their meaning; touch nothing else.

    Returns:
        The note's new bytes; None where all links can stay.

    Raises:
        WriteError: a link cannot be written so that it means the note.
    """
    path, old = document.path, document.parsed.links
    edits: list[Edit] = []
    for link in old:
        if (target := _new_target(link, path, relocation)) is None:
            continue
        if link.start == link.end:
            raise WriteError(
                "the link to '{target}' in '{path}', line {line}, is written with escapes",
                "write it plainly first",
                target=link.target,
                path=path,
                line=link.line,
            )
        edits.append((link.start, link.end, link_text(document, link, target)))
    if not edits:
        return None
    data = document.encode_links(document.edited(edits))
    new = parse_note(Document(path, data).text, path).links
    for was, now in zip(old, new, strict=False):
        if len(old) != len(new) or not _means_the_same(was, now, path, relocation):
            raise WriteError(
                "the link in '{path}', line {line}, cannot be rewritten",
                "choose another name for the note, or change the link first",
                path=path,
                line=was.line,
            )
    return data


def _new_target(link: Link, path: str, relocation: _Relocation) -> str | None:
    """Return what a link of a note has to say to mean the same; None where it can stay."""
    source = relocation.moved(path)
    meant, now = relocation.before.resolve(link.target, path), relocation.after.resolve(link.target, source)
    if meant is None and now is not None and source != path and link.target.startswith("."):
        # A relative link to a note that is not there would find another from the new place.
        place = normpath(f"{path.rpartition('/')[0] or '.'}/{link.target.strip()}")
        text = "/" + place if not place.startswith("..") else "../" * source.count("/") + place
        # The place it names may be where the note goes.
        return text if relocation.after.resolve(text, source) is None else None
    if meant is None or not link.target.strip() or now == (wanted := relocation.moved(meant)):
        return None
    for text in _spellings(wanted, source, is_note_name(link.target), relocation.link_format):
        if relocation.after.resolve(text, source) == wanted and (
            link.kind == "markdown" or not _WIKI_FORBIDDEN.search(text)
        ):
            return text
    shown = HIDDEN_NOTE if relocation.is_excluded(wanted) else Sentence("'{path}'", path=wanted)
    raise WriteError(
        "{shown} cannot be linked to from '{path}', line {line}",
        "choose a name without # | [[ ]]",
        shown=shown,
        path=path,
        line=link.line,
    )


def _spellings(wanted: str, source: str, with_ending: bool, link_format: LinkFormat) -> Iterator[str]:
    """Yield the ways to write a target, those that the vault's settings prefer first."""
    folder = source.rpartition("/")[0]
    relative = relpath(wanted, folder or ".")
    if link_format == "shortest":
        paths = [wanted.rpartition("/")[2], wanted]
    elif link_format == "relative":
        paths = [relative, relative if relative.startswith("../") else "./" + relative, wanted]
    else:
        paths = [wanted]
    for path in dict.fromkeys([*paths, "/" + wanted]):
        forms = [path, path[:-3]] if is_note_name(path) else [path]
        yield from forms if with_ending else reversed(forms)


def link_text(document: Document, link: Link, target: str) -> str:
    """Write a target as its place in a note needs it: encoded in a Markdown link, escaped in a property."""
    if link.kind == "markdown" and document.text[link.start - 1] == "<":
        target = _ENCODED_ANGLED.sub(_percent, target)
    elif link.kind == "markdown":
        encoded = _ENCODED.sub(_percent, target)
        target = encoded if _is_balanced(target) else _PARENTHESES.sub(_percent, encoded)
    if link.quote == '"':
        return target.replace("\\", "\\\\").replace('"', '\\"')
    return target.replace("'", "''") if link.quote == "'" else target


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode())


def _is_balanced(text: str) -> bool:
    depth = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return False
    return depth == 0


def _means_the_same(was: Link, now: Link, path: str, relocation: _Relocation) -> bool:
    """Check a link of a rewritten note, read again."""
    if was._replace(target="", line=0, start=0, end=0) != now._replace(target="", line=0, start=0, end=0):
        return False
    meant = relocation.before.resolve(was.target, path)
    means = relocation.after.resolve(now.target, relocation.moved(path))
    # To nothing, it may find the note where it goes now, as a link to a note yet to be made does.
    return means in (None, relocation.new) if meant is None else means == relocation.moved(meant)


def _files_shown(canvas: str) -> list[object]:
    """Return the files that the cards of a canvas show; raises ValueError where it is no JSON."""
    drawn = json.loads(canvas) if canvas.strip() else None
    nodes = drawn.get("nodes") if isinstance(drawn, dict) else None
    return [node.get("file") for node in nodes if isinstance(node, dict)] if isinstance(nodes, list) else []


def _recarded(canvas: Document, old: str, new: str) -> bytes:
    """Rewrite a note's path on the cards of a canvas, and no other character; raises as `_files_shown`."""
    raw, shown = canvas.raw, _files_shown(canvas.raw)
    for file in reversed(list(_CANVAS_FILE.finditer(raw))):
        if nfc(json.loads(file[1])) == old:
            path = json.dumps(new, ensure_ascii="\\u" in file[1])
            changed = raw[: file.start(1)] + path + raw[file.end(1) :]
            # What is no card, such as an edge, may have a file of its own.
            raw, shown = (changed, now) if (now := _files_shown(changed)) != shown else (raw, shown)
    return canvas.encode_links(raw)


def move(vault: VaultClient, request: NoteRequest) -> Plan:
    """Move or rename a note and rewrite the links to it, those of canvases too, and in it."""
    scan = vault.scan()
    old = unlinked(vault, request)
    new = _new_path(vault, request, old, scan)
    before, after = link_resolver(vault, scan), link_resolver(vault, scan, new, gone=old)
    relocation = _Relocation(old, new, before, after, vault.obsidian.new_link_format, vault.is_excluded)
    moving = Document(old, vault.read_bytes(old))
    moving.check_hash(request.expected_hash)
    changes = [
        Change(old, moving.data, None),
        Change(new, None, _relink(moving, relocation) or moving.data),
    ]
    unseen = {problem.path: problem.reason for problem in scan.problems if problem.hides}
    if "" in unseen or (unseen and old not in scan.notes):
        raise NoteUnreadableError(
            "the links to it cannot be found: {unseen}",
            "try again; nothing was written",
            unseen="; ".join(unseen.values()),
        )
    for document in documents(vault, (path for path in scan.notes if path != old), unseen):
        try:
            data = _relink(document, relocation) if may_link(document.text, old, new) else None
        except WriteError:
            if not vault.is_excluded(document.path):
                raise
            raise WriteError(
                "a link in {hidden_note} cannot be rewritten",
                "choose another name for the note, or let a person change the link first",
                hidden_note=HIDDEN_NOTE,
            ) from None
        if data is not None:
            changes.append(Change(document.path, document.data, data))
    others = len(changes) - 2
    for canvas in documents(vault, filter(is_canvas_name, scan.others), unseen):
        try:
            data = _recarded(canvas, old, new)
        except (ValueError, RecursionError):
            unseen[canvas.path] = Sentence("it is not JSON as Obsidian writes it")
            continue
        if data != canvas.data:
            changes.append(Change(canvas.path, canvas.data, data))
    hidden = frozenset(change.path for change in changes if vault.is_excluded(change.path))
    notices = not_looked_at(vault, unseen)
    for kind, changed in (
        (ChangeKind.LINKS_REWRITTEN, changes[2 : others + 2]),
        (ChangeKind.CANVASES_REWRITTEN, changes[others + 2 :]),
    ):
        if count := sum(change.path not in hidden for change in changed):
            notices.append(Notice(kind, count=count))
    return Plan(
        "move",
        old,
        tuple(changes),
        Sentence("move '{old}' to '{new}'", old=old, new=new),
        moved=(old, new),
        notices=tuple(notices),
        hidden=hidden,
    )


def not_looked_at(vault: VaultClient, unseen: Mapping[str, str]) -> list[Notice]:
    """Say where links to the note may be left as they were; excluded notes and folders are counted only."""
    # A folder is excluded by what is said of the notes in it.
    private = {path for path in unseen if any(map(vault.is_excluded, (path, f"{path}/note.md")))}
    known = ((path, reason) for path, reason in unseen.items() if path not in private)
    notices = [Notice(ChangeKind.LINKS_UNSEEN, path=path, reason=reason) for path, reason in known]
    if private:
        notices.append(Notice(ChangeKind.EXCLUDED_LINKS_UNSEEN, count=len(private)))
    return notices


def linking_notes(vault: VaultClient, path: NotePath, scan: VaultScan) -> tuple[str, ...]:
    """List the other notes that link to a note, found by reading the files."""
    resolver = link_resolver(vault, scan)
    return tuple(
        other.path
        for other in documents(vault, (each for each in scan.notes if each != path))
        if may_link(other.text, path)
        and any(resolver.resolve(link.target, other.path) == path for link in other.parsed.links)
    )


def links_taken(vault: VaultClient, path: NotePath, scan: VaultScan) -> list[Notice]:
    """Say of which notes a new one takes the name, so that links which led to them lead to it instead.

    Excluded notes are neither named nor looked at.
    """
    name = path_key(path).rpartition("/")[2]
    if not any(path_key(each).rpartition("/")[2] == name for each in scan.notes if each != path):
        return []
    before, after = link_resolver(vault, scan), link_resolver(vault, scan, path)
    taken = Counter[str]()
    for other in documents(vault, (each for each in scan.notes if not vault.is_excluded(each))):
        for link in other.parsed.links if may_link(other.text, path) else ():
            meant = before.resolve(link.target, other.path)
            if meant is not None and after.resolve(link.target, other.path) == path:
                taken[meant] += 1
    shown = {other: count for other, count in sorted(taken.items()) if not vault.is_excluded(other)}
    return [Notice(ChangeKind.LINKS_TAKEN, path=other, count=count) for other, count in shown.items()]


def _new_path(vault: VaultClient, request: NoteRequest, old: NotePath, scan: VaultScan) -> NotePath:
    written = request.new_path or ""
    if written.endswith("/"):
        # A folder: the note keeps its name.
        written += old.rpartition("/")[2]
    new = target_path(vault, request, written, scan, keeps=old.rpartition("/")[2])
    if new == old:
        raise BadRequestError("'{old}' is there already", "give another name", old=old)
    refuse_twin(new, scan, besides=old)
    return new


def link_resolver(vault: VaultClient, scan: VaultScan, new: str = "", *, gone: str = "") -> LinkResolver:
    """Return what finds the file a link means; besides, with a new note, and without one that is gone."""
    files = (path for path in (*scan.notes, *scan.others, new) if path and path != gone)
    return LinkResolver(files, all_types=vault.obsidian.all_file_types)
