"""What a note is and how it hangs together with others, in words."""

from datetime import datetime

from app.dependencies import VaultClient, VaultScan
from app.markdown import ParsedNote
from app.markdown.links import LinkResolver
from app.notes.document import Document
from app.notes.move import count, linking_notes
from app.showing import PATH, TAG, TAGS, TITLE, in_line, listing
from app.vault.dates import NoteDates, note_dates
from app.vault.paths import NotePath

SHOWN = 15
"""Most of any one list that is shown."""


def info(vault: VaultClient, document: Document, *, by_person: bool) -> str:
    """Describe a note: titles, tags, dates, headings, tasks, blocks, links both ways, problems.

    Excluded notes are counted for a person. For a model they do not exist: links to them lead nowhere.
    """
    scan, path, parsed = vault.scan(), document.path, document.parsed
    facts = [
        ("title", in_line(parsed.title, TITLE)),
        ("first heading", in_line(parsed.h1 or "", TITLE)),
        ("aliases", _listed(parsed.aliases)),
        ("tags", listing(["#" + tag for tag in parsed.tags], TAGS, TAG)),
        ("properties", _properties(parsed)),
        ("dates", _dates(scan, path, parsed)),
        ("size", f"{len(document.data)} bytes, {count(document.line_count, 'line')}; hash {document.hash}"),
        ("headings", _listed(tuple(f"{each.text} (line {each.line})" for each in parsed.headings))),
        ("tasks", _tasks(parsed)),
        ("blocks", _listed(tuple(f"^{each.id} (line {each.line})" for each in parsed.blocks))),
        *_links(vault, scan, path, parsed, by_person),
        ("links from", _shown(vault, linking_notes(vault, path, scan), by_person)),
        ("problems", listing([*document.problems, *parsed.problems], SHOWN, TITLE, "; ")),
    ]
    if vault.is_left_out(path):
        facts.append(("search", "left out of results: context note or inbox of a project vault"))
    if vault.is_excluded(path):
        facts.append(("search", "excluded by the vault's settings"))
    return "\n".join([f"'{in_line(path, PATH)}'", *(f"{name}: {value}" for name, value in facts if value)])


def _properties(parsed: ParsedNote) -> str:
    if parsed.frontmatter == "invalid":
        return "cannot be read"
    return _listed(tuple(str(name) for name in parsed.properties))


def _dates(scan: VaultScan, path: NotePath, parsed: ParsedNote) -> str:
    stat = scan.notes.get(path)
    if stat is None:
        return ""
    birth = None if stat.birth_ns is None else stat.birth_ns / 1e9
    dates: NoteDates = note_dates(parsed.properties, path, mtime=stat.mtime_ns / 1e9, birth=birth)
    return (
        f"created {_moment(dates.created)} (by {dates.created_source}), "
        f"modified {_moment(dates.modified)} (by {dates.modified_source})"
    )


def _moment(moment: datetime) -> str:
    text = moment.isoformat(sep=" ", timespec="minutes")
    return text.removesuffix(" 00:00")


def _tasks(parsed: ParsedNote) -> str:
    tasks = parsed.tasks
    still = [task for task in tasks if task.status == " "]
    return f"{len(tasks)}, {len(still)} open" if tasks else ""


def _links(
    vault: VaultClient, scan: VaultScan, path: NotePath, parsed: ParsedNote, by_person: bool
) -> list[tuple[str, str]]:
    resolver = LinkResolver([*scan.notes, *scan.others], all_types=vault.obsidian.all_file_types)
    found: dict[str, None] = {}
    missing: dict[str, None] = {}
    for link in parsed.links:
        meant = resolver.resolve(link.target, path)
        if meant is None or (vault.is_excluded(meant) and not by_person):
            missing[link.target] = None
        elif meant != path:
            found[meant] = None
    return [
        ("links to", _shown(vault, tuple(found), by_person)),
        ("unresolved links", _listed(tuple(missing))),
    ]


def _shown(vault: VaultClient, paths: tuple[str, ...], by_person: bool) -> str:
    """List paths; excluded ones are counted, for a person."""
    shown = tuple(path for path in paths if not vault.is_excluded(path))
    hidden = len(paths) - len(shown) if by_person else 0
    return "; ".join(
        part
        for part in (_listed(shown), f"{count(hidden, 'excluded note')} not shown" if hidden else "")
        if part
    )


def _listed(items: tuple[str, ...]) -> str:
    return listing(items, SHOWN, TITLE)
