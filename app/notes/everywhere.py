"""One change in many notes, made as one: a tag by another name, a text by another text."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal

from app.errors import BadRequestError, WriteError
from app.markdown.links import LinkResolver
from app.markdown.parse import written_tags
from app.markdown.tags import TAG, clean_tag
from app.notes.document import Document, Edit, documents
from app.notes.find import refuse_unknown
from app.notes.models import Change, Plan
from app.notes.move import link_resolver
from app.notices import ChangeKind, Notice
from app.sentences import Sentence
from app.showing import PATH, in_line
from app.vault.client import VaultClient
from app.vault.paths import clean_path, path_key

RETAG = "rename #{old} to #{new} in {count} {count:note|notes}"
REPLACE = "replace '{old}' by '{new}', {times} {times:time|times} in {count} {count:note|notes}"
_NAMED = re.compile("#?" + TAG.pattern.removeprefix("#"))


def rename_tag(vault: VaultClient, old: str, new: str) -> Plan | None:
    """Work out how a tag, and those below it, get another name; None where no note has it.

    Raises:
        BadRequestError: one of them is no tag, or both are one.
        WriteError: a tag is written in a way that cannot be changed safely, or stands only in notes that are
            not all text.
    """
    was, becomes = (clean_tag(name) for name in (old, new))
    for written, tag in ((old, was), (new, becomes)):
        if tag is None or "//" in tag or tag.startswith("/"):
            raise BadRequestError(
                "'{written}' is no tag",
                "letters, digits, - _ and /, not digits alone",
                written=in_line(written, PATH),
            )
    assert was is not None
    assert becomes is not None
    if was == becomes:
        raise BadRequestError("#{was} is called that already", "give another name", was=was)
    key, depth, merged = path_key(was), was.count("/") + 1, 0

    def renamed(name: str) -> str | None:
        parts = name.split("/")
        return "/".join([becomes, *parts[depth:]]) if path_key("/".join(parts[:depth])) == key else None

    def rewrite(document: Document) -> tuple[bytes, int] | None:
        nonlocal merged
        if path_key(was.rpartition("/")[2]) not in path_key(document.text):
            return None
        tags = document.parsed.tags
        wanted = {path_key(renamed(tag) or tag) for tag in tags}
        if all(renamed(tag) is None for tag in tags):
            return None
        for quote in ("", '"'):
            edits = list(_tag_edits(document, renamed, quote))
            after = document.encode(document.edited(edits))
            if _differs_in_tags_alone(document, Document(document.path, after), wanted):
                merged += len(wanted) < len(tags)
                return after, len(edits)
        raise WriteError(
            "#{was} in '{path}' is written in a way that cannot be changed safely",
            "change it there by hand first; nothing was written",
            was=was,
            path=document.path,
        )

    found = _everywhere(vault, "retag", rewrite, None, (was, becomes))
    return (
        _with(
            found,
            Sentence(
                "#{new} is there already: in {count} {count:note|notes} nothing will tell the two apart",
                new=becomes,
                count=merged,
            ),
        )
        if found and merged
        else found
    )


def _tag_edits(document: Document, renamed: Callable[[str], str | None], quote: str) -> Iterator[Edit]:
    running, values = written_tags(document.text)
    for start, end in running:
        if (name := renamed(document.raw[start + 1 : end])) is not None:
            yield start + 1, end, name
    for start, end in values:
        value = document.raw[start:end]
        for tag in _NAMED.finditer(value):
            sign = "#" if tag[0].startswith("#") else ""
            if (name := renamed(tag[0].removeprefix("#"))) is not None:
                # A name such as "null" is a text only in quotation marks.
                marks = quote if tag[0] == value else ""
                yield start + tag.start(), start + tag.end(), f"{marks}{sign}{name}{marks}"


def _differs_in_tags_alone(before: Document, after: Document, wanted: set[str]) -> bool:
    """Check a note whose tags were changed by reading it again."""
    old, new = before.parsed, after.parsed

    def others(document: Document) -> list[tuple[str, object]]:
        values = document.parsed.properties.items()
        return [(name, value) for name, value in values if name.casefold() not in ("tags", "tag")]

    return (
        {path_key(tag) for tag in new.tags} == wanted
        and new.frontmatter == old.frontmatter
        and others(before) == others(after)
        and [(link.target, link.subpath, link.kind) for link in old.links]
        == [(link.target, link.subpath, link.kind) for link in new.links]
        and len(old.headings) == len(new.headings)
    )


def replace_text(
    vault: VaultClient, old: str, new: str, *, folder: str | None = None, ignores_case: bool = False
) -> Plan | None:
    """Work out how a text gives way to another, wherever it stands in notes; None where no note holds it.

    Raises:
        BadRequestError: the text is empty, both are one, or there is no such folder.
        WriteError: a note's properties could not be read any more, or the text stands only in notes that are
            not all text.
    """
    if not old:
        raise BadRequestError("the text to replace is empty", "give a text")
    if old == new:
        raise BadRequestError("both texts are the same", "give another one")
    resolver: LinkResolver | None = None
    lost = 0

    def rewrite(document: Document) -> tuple[bytes, int] | None:
        nonlocal resolver, lost
        pattern = re.compile(re.escape(document.own_newlines(old)), re.IGNORECASE if ignores_case else 0)
        raw, times = pattern.subn(lambda _: document.own_newlines(new), document.raw)
        if not times:
            return None
        after = Document(document.path, document.encode(raw))
        if after.parsed.frontmatter == "invalid" != document.parsed.frontmatter:
            raise WriteError(
                "the properties of '{path}' could not be read any more",
                "change that note by hand first; nothing was written",
                path=document.path,
            )
        resolver = resolver or link_resolver(vault, vault.scan())
        lost += max(0, _nowhere(resolver, after) - _nowhere(resolver, document))
        return after.data, times

    found = _everywhere(vault, "replace", rewrite, folder, (old, new))
    return (
        _with(found, Sentence("links that will lead nowhere: {count}", count=lost))
        if found and lost
        else found
    )


def _nowhere(resolver: LinkResolver, document: Document) -> int:
    return sum(resolver.resolve(link.target, document.path) is None for link in document.parsed.links)


def _with(plan: Plan, notice: Notice) -> Plan:
    return replace(plan, notices=(notice, *plan.notices))


def _everywhere(
    vault: VaultClient,
    operation: Literal["retag", "replace"],
    rewrite: Callable[[Document], tuple[bytes, int] | None],
    folder: str | None,
    renamed: tuple[str, str],
) -> Plan | None:
    """Rewrite each note that may be changed; excluded ones are not looked into.

    A note that is not all text is left as it is, and named.

    Raises:
        WriteError: a note cannot be rewritten, or no other than such ones hold what is to change.
    """
    refuse_unknown(vault)
    scan = vault.scan()
    inside = _inside(folder, scan.folders)
    changes, refused, unseen = list[Change](), list[WriteError](), dict[str, str]()
    wanted = [path for path in scan.notes if path_key(path).startswith(inside)]
    shown, times = [path for path in wanted if not vault.is_excluded(path)], 0
    for document in documents(vault, shown, unseen):
        try:
            found = rewrite(document)
        except WriteError as error:
            if document.is_text:
                raise
            refused.append(error)
            continue
        if found is not None and found[0] != document.data:
            changes.append(Change(document.path, document.data, found[0]))
            times += found[1]
    if not changes and refused:
        raise refused[0]
    if not changes:
        return None
    notices = [Notice(ChangeKind.NOTE_UNSEEN, path=path, reason=reason) for path, reason in unseen.items()]
    notices += [Notice(ChangeKind.NOTE_LEFT, reason=error.message) for error in refused]
    if len(shown) < len(wanted):
        notices.append(Sentence("excluded notes are neither read nor changed"))
    was, becomes = (in_line(text, PATH) for text in renamed)
    told = Sentence(
        RETAG if operation == "retag" else REPLACE, old=was, new=becomes, times=times, count=len(changes)
    )
    return Plan(operation, changes[0].path, tuple(changes), told, notices=tuple(notices), renamed=renamed)


def _inside(folder: str | None, folders: tuple[str, ...]) -> str:
    """Return what the keys of the paths in a folder begin with.

    Raises:
        BadRequestError: there is no such folder.
    """
    key = path_key(clean_path(folder)) if folder is not None else ""
    if key and all(path_key(each) != key for each in folders):
        raise BadRequestError(
            "unknown folder '{folder}'", "name a folder of the vault, from its root", folder=folder
        )
    return f"{key}/" if key else ""
