"""A second evaluator, slow and obvious: it looks at every note of a vault with the parser and plain loops.

Queries are nested tuples here, such as ``("and", [("word", "budget"), ("not", ("tag", "work"))])``; `written`
gives the text of one, `matches` says whether a note satisfies it.
"""

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from app.markdown.links import LinkGraph
from app.markdown.models import ParsedNote
from app.markdown.parse import parse_note
from app.vault.client import VaultClient
from app.vault.daily import DayReader
from app.vault.dates import note_dates, parse_day

Ask = tuple[Any, ...]


@dataclass(frozen=True)
class Note:
    """A note as it stands on disk."""

    path: str
    text: str
    parsed: ParsedNote
    created: date
    modified: date
    links_to: frozenset[str]
    linked_from: frozenset[str]

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")


def read_vault(client: VaultClient) -> dict[str, Note]:
    """Read all notes of a vault."""
    scan = client.scan()
    texts = {
        path: unicodedata.normalize("NFC", client.read(path).text.replace("\r\n", "\n"))
        for path in scan.notes
    }
    parsed = {path: parse_note(text, path) for path, text in texts.items()}
    graph = LinkGraph.build({path: note.links for path, note in parsed.items()}, [*scan.notes, *scan.others])
    notes: dict[str, Note] = {}
    days = DayReader(client.root)
    for path, text in texts.items():
        stat = Path(client.root, client.resolve(path)).stat()
        birth = scan.notes[path].birth_ns
        born = birth / 1e9 if birth is not None else None
        dates = note_dates(parsed[path].properties, days.named(path), mtime=stat.st_mtime, birth=born)
        notes[path] = Note(
            path,
            text,
            parsed[path],
            dates.created.date(),
            dates.modified.date(),
            frozenset(edge.target for edge in graph.outgoing(path) if edge.target) - {path},
            frozenset(edge.source for edge in graph.incoming(path)) - {path},
        )
    return notes


def one_kind(text: str) -> str:
    """Write apostrophes and hyphens in one way, and no points that are characters of their own."""
    plain = text.replace("’", "'").replace("ʼ", "'").replace("\u2010", "-").replace("\u2011", "-")
    return "".join(c for c in plain if not (unicodedata.combining(c) and ord(c) < 0x700) and c != "\u00ad")


def unaccented(text: str) -> str:
    plain = one_kind(text).casefold().replace("œ", "oe").replace("æ", "ae")
    return "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", one_kind(text)).strip()


def in_text(ask: Ask, text: str, case: bool = False) -> bool:
    """Say whether a piece of text satisfies words, phrases and expressions with AND, OR and NOT."""
    kind = ask[0]
    if kind == "and":
        return all(in_text(part, text, case) for part in ask[1])
    if kind == "or":
        return any(in_text(part, text, case) for part in ask[1])
    if kind == "not":
        return not in_text(ask[1], text, case)
    if kind == "case":
        return in_text(ask[2], text, ask[1])
    if kind == "regex":
        return re.search(ask[1], text, re.MULTILINE | (0 if case else re.IGNORECASE)) is not None
    wanted = squeezed(ask[1])
    return wanted in squeezed(text) if case else wanted.casefold() in squeezed(text.casefold())


def matches(ask: Ask, note: Note, case: bool | None = None) -> bool:
    """Say whether a note satisfies a query."""
    kind = ask[0]
    if kind == "and":
        return all(matches(part, note, case) for part in ask[1])
    if kind == "or":
        return any(matches(part, note, case) for part in ask[1])
    if kind == "not":
        return not matches(ask[1], note, case)
    if kind == "case":
        return matches(ask[2], note, ask[1])
    bare = note.path[:-3]
    if kind == "word" and case is None:
        wanted = unaccented(ask[1])
        code = re.sub(r"^([^\W\d_]+)([0-9]+)$", r"\1-\2", wanted)
        return any(word in unaccented(text) for text in (note.text, bare) for word in (wanted, code))
    if kind in ("word", "phrase", "regex"):
        return in_text(ask, note.text, bool(case)) or in_text(ask, bare, bool(case))
    if kind == "file":
        return in_text(ask[1], note.path.split("/")[-1], bool(case))
    if kind == "path":
        return in_text(ask[1], note.path, bool(case))
    if kind == "content":
        return in_text(ask[1], note.text, bool(case))
    if kind == "tag":
        wanted = ask[1].casefold()
        return any(
            tag.casefold() == wanted or tag.casefold().startswith(wanted + "/") for tag in note.parsed.tags
        )
    if kind == "links-to":
        return ask[1] in note.links_to
    if kind == "linked-from":
        return ask[1] in note.linked_from
    if kind in ("created", "modified"):
        day = note.created if kind == "created" else note.modified
        return (ask[1] is None or ask[1] <= day) and (ask[2] is None or day <= ask[2])
    if kind == "property":
        return in_property(ask, note, bool(case))
    return any(in_text(ask[1], piece, bool(case)) for piece in pieces(kind, note))


def pieces(kind: str, note: Note) -> list[str]:
    """Cut a note into lines, blocks, sections or tasks, or give its headings or aliases."""
    lines, parsed = note.lines, note.parsed
    if kind == "line":
        return lines
    if kind == "heading":
        return [heading.text for heading in parsed.headings]
    if kind == "alias":
        return list(parsed.aliases)
    cuts = {heading.line for heading in parsed.headings} if kind == "section" else set(parsed.block_starts)
    if kind in ("section", "block"):
        found: list[list[str]] = [[]]
        for number, line in enumerate(lines, start=1):
            if number in cuts:
                found.append([])
            found[-1].append(line)
        texts = ["\n".join(piece) for piece in found if piece]
        return [text for text in texts if text.strip()] if kind == "block" else texts
    tasks = []
    for task in parsed.tasks:
        if kind == "task-todo" and task.status != " ":
            continue
        if kind == "task-done" and task.status not in ("x", "X"):
            continue
        piece = [lines[task.line - 1]]
        for number in range(task.line + 1, len(lines) + 1):
            line = lines[number - 1].lstrip(" \t>")
            if number in cuts or not line or re.match(r"([-*+]|\d{1,9}[.)])([ \t]|$)", line):
                break
            piece.append(lines[number - 1])
        tasks.append("\n".join(piece))
    return tasks


def texts_of(value: Any) -> list[str]:
    """Give the single values of a property as text."""
    if value is None:
        return []
    if isinstance(value, dict):
        return [text for item in value.values() for text in texts_of(item)]
    if isinstance(value, list):
        return [text for item in value for text in texts_of(item)]
    if isinstance(value, bool):
        return [str(value).lower()]
    if isinstance(value, float) and value == int(value):
        return [str(int(value))]
    return [unicodedata.normalize("NFC", str(value))]


def in_property(ask: Ask, note: Note, case: bool) -> bool:
    """Say whether a note has a property, with a value as asked."""
    named = [
        value
        for name, value in note.parsed.properties.items()
        if unicodedata.normalize("NFC", name).casefold() == ask[1].casefold()
    ]
    return bool(named) and (ask[2] is None or any(in_value(ask[2], value, case) for value in named))


def in_value(ask: Ask, value: Any, case: bool) -> bool:
    kind, texts = ask[0], texts_of(value)
    if kind == "and":
        return all(in_value(part, value, case) for part in ask[1])
    if kind == "or":
        return any(in_value(part, value, case) for part in ask[1])
    if kind == "not":
        return not in_value(ask[1], value, case)
    if kind == "null":
        return value is None
    if kind == "compare":
        return any(compared(ask[1], ask[2], text) for text in texts)
    if kind == "phrase":
        return any(is_called(text, squeezed(ask[1]), case) for text in texts)
    return any(in_text(ask, text, case) for text in texts)


def is_called(text: str, wanted: str, case: bool) -> bool:
    names = [text]
    if link := re.fullmatch(r"\[\[([^\]|#]*)(#[^\]|]*)?(\|(.*))?\]\]", text):
        names += [link[1], link[1].split("/")[-1], link[4] or ""]
    try:
        if float(text) == float(wanted):
            return True
    except ValueError:
        pass
    return any(squeezed(n) == wanted if case else squeezed(n).casefold() == wanted.casefold() for n in names)


def compared(sign: str, bound: Any, text: str) -> bool:
    value: Any
    if isinstance(bound, date):
        value = parse_day(text)
    else:
        value = float(text) if re.fullmatch(r"[-+]?\d+(\.\d+)?", text.strip()) else None
    if value is None:
        return False
    orders = {"<": value < bound, "<=": value <= bound, ">": value > bound, ">=": value >= bound}
    return bool(orders[sign])


def written(ask: Ask) -> str:
    """Write a query as a person would type it."""
    kind: str = ask[0]
    if kind in ("and", "or"):
        return (" " if kind == "and" else " OR ").join(
            written(part) if part[0] == "not" else grouped(part) for part in ask[1]
        )
    if kind == "not":
        # On a property "-5" is a number.
        is_number = ask[1][0] == "word" and ask[1][1][0].isdigit()
        return f"-({written(ask[1])})" if is_number else "-" + grouped(ask[1])
    if kind == "case":
        return ("match-case:" if ask[1] else "ignore-case:") + grouped(ask[2])
    if kind == "word":
        return str(ask[1])
    if kind == "phrase":
        return '"' + str(ask[1]).replace('"', '\\"') + '"'
    if kind == "regex":
        return "/" + str(ask[1]).replace("/", "\\/") + "/"
    if kind == "tag":
        return f"tag:#{ask[1]}"
    if kind in ("links-to", "linked-from"):
        return f'{kind}:"{ask[1]}"'
    if kind in ("created", "modified"):
        low, high = ask[1], ask[2]
        if low is None or high is None:
            return f"{kind}:>={low}" if high is None else f"{kind}:<={high}"
        return f"{kind}:{low}..{high}"
    if kind == "property":
        return f'["{ask[1]}"]' if ask[2] is None else f'["{ask[1]}":{written(ask[2])}]'
    if kind == "null":
        return "null"
    if kind == "compare":
        return f"{ask[1]}{ask[2]}"
    return f"{kind}:{grouped(ask[1])}"


def grouped(ask: Ask) -> str:
    return f"({written(ask)})" if ask[0] in ("and", "or", "not") else written(ask)
