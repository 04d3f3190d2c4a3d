"""Move a note and rewrite the links of the others so that each means what it meant before."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from posixpath import normpath, relpath
from urllib.parse import unquote

from app.errors import BadRequestError, NoteNotFoundError, NoteUnreadableError, WriteError
from app.journal.excluded import HIDDEN_NOTE
from app.markdown.links import LinkResolver
from app.markdown.models import Link
from app.markdown.parse import parse_note
from app.notes.document import Document
from app.notes.find import refuse_twin, unlinked
from app.notes.find import target as target_path
from app.notes.models import Change, NoteRequest, Plan
from app.notices import ChangeKind, Notice
from app.sentences import Sentence
from app.stopping import go_on
from app.vault.client import VaultClient
from app.vault.files import read_file
from app.vault.obsidian import LinkFormat
from app.vault.paths import NotePath, is_note_name, nfc, path_key
from app.vault.scan import VaultScan

_DESTINATION = re.compile(
    r"""\]\(\s*(?:<(?P<angled>[^<>\n]*)>|(?P<bare>[^\s<]\S*?))"""
    r"""(?:\s+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?\s*\)\Z""",
    re.DOTALL,
)
_WIKI_FORBIDDEN = re.compile(r"[#|\n\r]|\[\[|\]\]|[\]\\]\Z")
_ENCODED = re.compile(r"""[\s\x00-\x1f%#<>\[\]\\"`|$]|&(?=[#\w]+;)""")
_ENCODED_ANGLED = re.compile(r"[\n\r%#<>\\`|$]|&(?=[#\w]+;)")
_PARENTHESES = re.compile(r"[()]")


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


def _relink(document: Document, relocation: _Relocation) -> bytes | None:
    """Rewrite the links that would otherwise change their meaning; touch nothing else.

    Returns:
        The note's new bytes; None where all links can stay.

    Raises:
        WriteError: a link cannot be written so that it means the note; excluded notes are not named.
    """
    try:
        return _relinked(document, relocation)
    except WriteError:
        if not relocation.is_excluded(document.path):
            raise
        raise WriteError(
            "a link in {hidden_note} cannot be rewritten",
            "choose another name for the note, or let a person change the link first",
            hidden_note=HIDDEN_NOTE,
        ) from None


def _may_link(text: str, *paths: str) -> bool:
    """Return, cheaply, whether a text could hold a link to one of some notes, however it is written."""
    names = [path_key(path).rpartition("/")[2].removesuffix(".md") for path in paths]
    for written in (text, unquote(text)) if "%" in text else (text,):
        key = path_key(written)
        if any(name in key for name in names):
            return True
    # Escapes of Markdown, HTML and YAML can hide a name from plain sight.
    return ("\\" in text or "&" in text) and ("](" in text or text.startswith("---"))


def _relinked(document: Document, relocation: _Relocation) -> bytes | None:
    source = relocation.moved(document.path)
    targets = _new_targets(document, relocation)
    if not targets:
        return None
    for escape in (str, _double_quoted, _single_quoted):
        # A link around another one has its target after that one's.
        edits = sorted(
            (_target_range(document, link), escape(target) if link.kind == "property" else target)
            for link, target in targets
        )
        parts: list[str] = []
        done = 0
        for (start, end), text in edits:
            parts += document.raw[done:start], text
            done = end
        data = document.encode_links("".join([*parts, document.raw[done:]]))
        changed = Document(document.path, data)
        if _means_the_same(document, changed, relocation, source):
            return data
    first, text = targets[0]
    meant = relocation.after.resolve(text, source)
    shown = (
        HIDDEN_NOTE
        if meant is not None and relocation.is_excluded(meant)
        else Sentence("'{path}'", path=text)
    )
    raise WriteError(
        "the link in '{path}', line {line}, cannot be rewritten to {shown}",
        "choose another name for the note, or change the link first",
        path=document.path,
        line=first.line,
        shown=shown,
    )


def _new_targets(document: Document, relocation: _Relocation) -> list[tuple[Link, str]]:
    source = relocation.moved(document.path)
    found: list[tuple[Link, str]] = []
    for link in document.parsed.links:
        if not link.target.strip():
            continue
        meant = relocation.before.resolve(link.target, document.path)
        now = relocation.after.resolve(link.target, source)
        if meant is None:
            if now is not None and source != document.path and link.target.startswith("."):
                found.append((link, _still_nothing(document, link, source, relocation)))
        elif now != (wanted := relocation.moved(meant)):
            found.append((link, _target_for(document, link, wanted, source, relocation)))
    return found


def _still_nothing(document: Document, link: Link, source: str, relocation: _Relocation) -> str:
    """Write a relative link to a note that is not there, which would find another from the new place."""
    path = normpath(f"{document.path.rpartition('/')[0] or '.'}/{link.target.strip()}")
    text = "/" + path if not path.startswith("..") else "../" * source.count("/") + path
    if relocation.after.resolve(text, source) is not None:
        # The place it names is where the note goes.
        return document.text[slice(*_target_range(document, link))]
    return _encode(document, link, text) if link.kind == "markdown" else text


def _target_for(document: Document, link: Link, wanted: str, source: str, relocation: _Relocation) -> str:
    for text in _spellings(wanted, source, is_note_name(link.target), relocation.link_format):
        if relocation.after.resolve(text, source) != wanted:
            continue
        if link.kind == "markdown":
            return _encode(document, link, text)
        if not _WIKI_FORBIDDEN.search(text):
            return text
    shown = HIDDEN_NOTE if relocation.is_excluded(wanted) else Sentence("'{path}'", path=wanted)
    raise WriteError(
        "{shown} cannot be linked to from '{path}', line {line}",
        "choose a name without # | [[ ]]",
        shown=shown,
        path=document.path,
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


def _target_range(document: Document, link: Link) -> tuple[int, int]:
    """Find the target's own characters within the link."""
    construct = document.text[link.start : link.end]
    if link.kind == "markdown":
        for opening in re.finditer(r"\]\(", construct):
            match = _DESTINATION.match(construct, opening.start())
            if match is None:
                continue
            group = "angled" if match["angled"] is not None else "bare"
            path = match[group].partition("#")[0]
            if nfc(unquote(path)).strip() == nfc(link.target).strip() or "\\" in path or "&" in path:
                start = link.start + match.start(group)
                return start, start + len(path)
    elif (opening_at := construct.find("[[")) >= 0:
        inner = re.match(r"(.*?)(?=\\?\||#|\]\]\Z)", construct[opening_at + 2 :], re.DOTALL)
        if inner is not None:
            start = link.start + opening_at + 2
            return start, start + inner.end()
    elif link.start == link.end:
        for escaped in (_double_quoted(link.target), _single_quoted(link.target)):
            start = document.text.find("[[" + escaped, link.start) + 2
            if start > 1 and document.text.startswith(("]]", "|", "#"), start + len(escaped)):
                return start, start + len(escaped)
    raise WriteError(
        "the link to '{target}' in '{path}', line {line}, is written with escapes",
        "write it plainly first",
        target=link.target,
        path=document.path,
        line=link.line,
    )


def _encode(document: Document, link: Link, text: str) -> str:
    start, _ = _target_range(document, link)
    if document.text[start - 1] == "<":
        return _ENCODED_ANGLED.sub(_percent, text)
    encoded = _ENCODED.sub(_percent, text)
    return encoded if _is_balanced(text) else _PARENTHESES.sub(_percent, encoded)


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode())


def _is_balanced(text: str) -> bool:
    depth = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return False
    return depth == 0


def _means_the_same(document: Document, changed: Document, relocation: _Relocation, source: str) -> bool:
    """Check a rewritten note by reading it again."""
    old, new = document.parsed.links, parse_note(changed.text, source).links
    if len(old) != len(new):
        return False
    for was, now in zip(old, new, strict=True):
        if (was.subpath, was.display, was.kind, was.embed) != (now.subpath, now.display, now.kind, now.embed):
            return False
        meant = relocation.before.resolve(was.target, document.path)
        if meant is None:
            # It may find the note where it goes now, as a link to a note yet to be made does.
            if relocation.after.resolve(now.target, source) not in (None, relocation.new):
                return False
        elif relocation.after.resolve(now.target, source) != relocation.moved(meant):
            return False
    return True


def _double_quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _single_quoted(text: str) -> str:
    return text.replace("'", "''")


def move(vault: VaultClient, request: NoteRequest) -> Plan:
    """Move or rename a note, and rewrite every link whose meaning would change."""
    scan = vault.scan()
    old = unlinked(vault, request)
    new = _new_path(vault, request, old, scan)
    relocation = _relocation(vault, scan, old, new)
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
    for path in scan.notes:
        go_on()
        if path == old:
            continue
        try:
            document = Document(path, vault.read_bytes(path))
        except NoteNotFoundError:
            continue
        except NoteUnreadableError as error:
            unseen[path] = error.message
            continue
        if not _may_link(document.text, old, new):
            continue
        if (data := _relink(document, relocation)) is not None:
            changes.append(Change(path, document.data, data))
    notices = [*_not_looked_at(vault, unseen), *_canvases(vault, scan, old)]
    hidden = frozenset(change.path for change in changes if vault.is_excluded(change.path))
    if others := len(changes) - 2 - len(hidden):
        notices.append(Notice(ChangeKind.LINKS_REWRITTEN, count=others))
    return Plan(
        "move",
        old,
        tuple(changes),
        Sentence("move '{old}' to '{new}'", old=old, new=new),
        moved=(old, new),
        notices=tuple(notices),
        hidden=hidden,
    )


def _canvases(vault: VaultClient, scan: VaultScan, note: NotePath) -> Iterator[Notice]:
    """Say which canvases show a note by its path, which is not rewritten there."""
    for path in scan.others:
        if not path.lower().endswith(".canvas") or vault.is_excluded(path):
            continue
        try:
            drawn = json.loads(read_file(vault.root, path, vault.settings.max_note_bytes).data)
        except (NoteNotFoundError, ValueError, RecursionError):
            # Obsidian shows no card of what is no JSON.
            continue
        except NoteUnreadableError as error:
            yield Notice(ChangeKind.LINKS_UNSEEN, path=path, reason=error.message)
            continue
        cards = drawn.get("nodes") if isinstance(drawn, dict) else None
        files = [
            card.get("file") for card in (cards if isinstance(cards, list) else ()) if isinstance(card, dict)
        ]
        if any(isinstance(file, str) and nfc(file) == note for file in files):
            yield Notice(ChangeKind.CANVAS_LEFT, path=path)


def _not_looked_at(vault: VaultClient, unseen: Mapping[str, str]) -> list[Notice]:
    """Say where links to the note may be left as they were; excluded notes and folders are counted only."""
    known = {path: reason for path, reason in unseen.items() if not _is_private(vault, path)}
    notices = [Notice(ChangeKind.LINKS_UNSEEN, path=path, reason=reason) for path, reason in known.items()]
    if private := len(unseen) - len(known):
        notices.append(Notice(ChangeKind.EXCLUDED_LINKS_UNSEEN, count=private))
    return notices


def _is_private(vault: VaultClient, path: str) -> bool:
    # A folder is excluded by what is said of the notes in it.
    return vault.is_excluded(path) or vault.is_excluded(f"{path}/note.md")


def linking_notes(vault: VaultClient, path: NotePath, scan: VaultScan) -> tuple[str, ...]:
    """List the other notes that link to a note, found by reading the files."""
    resolver = LinkResolver([*scan.notes, *scan.others], all_types=vault.obsidian.all_file_types)
    found: list[str] = []
    for source in scan.notes:
        go_on()
        if source == path:
            continue
        try:
            text = vault.read(source).text
        except (NoteUnreadableError, NoteNotFoundError):
            continue
        if not _may_link(text, path):
            continue
        if any(resolver.resolve(link.target, source) == path for link in parse_note(text, source).links):
            found.append(source)
    return tuple(found)


def links_taken(vault: VaultClient, path: NotePath, scan: VaultScan) -> list[Notice]:
    """Say of which notes a new one takes the name, so that links which led to them lead to it instead.

    Excluded notes are neither named nor looked at.
    """
    name = path_key(path).rpartition("/")[2]
    if not any(path_key(each).rpartition("/")[2] == name for each in scan.notes if each != path):
        return []
    files, all_types = [*scan.notes, *scan.others], vault.obsidian.all_file_types
    before, after = (LinkResolver(all_, all_types=all_types) for all_ in (files, [*files, path]))
    taken = Counter[str]()
    for source in scan.notes:
        go_on()
        if vault.is_excluded(source):
            continue
        try:
            text = vault.read(source).text
        except (NoteUnreadableError, NoteNotFoundError):
            continue
        for link in parse_note(text, source).links if _may_link(text, path) else ():
            meant = before.resolve(link.target, source)
            if meant is not None and after.resolve(link.target, source) == path:
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
        raise BadRequestError("'{old}' is there already", "give another 'new_path'", old=old)
    refuse_twin(new, scan, besides=old)
    return new


def _relocation(vault: VaultClient, scan: VaultScan, old: NotePath, new: NotePath) -> _Relocation:
    files = [*scan.notes, *scan.others]
    all_types = vault.obsidian.all_file_types
    return _Relocation(
        old=old,
        new=new,
        before=LinkResolver(files, all_types=all_types),
        after=LinkResolver([new if path == old else path for path in files], all_types=all_types),
        link_format=vault.obsidian.new_link_format,
        is_excluded=vault.is_excluded,
    )
