"""Record what the program answers, and compare two recordings.

``python -m bench.outputs record FOLDER [--vault NAME=PATH ...] [--no-deep]`` runs a fixed list of commands,
calls of the MCP server and requests to the page on copies of vaults, and writes each answer to a file below
FOLDER. The example vault is always among them. ``python -m bench.outputs compare ONE OTHER`` shows where two
recordings differ, and ends with exit code 1 if they do.

Two recordings of the same code are equal byte by byte, when both are made on the same machine. What has to
vary from run to run is replaced: the scratch folder, ports, tokens, the time of day and how long things took.
Copies get fixed dates. Only `app.cli.main` is started, as a person would, so that the recorder works on any
version of the code.
"""

import argparse
import asyncio
import contextlib
import difflib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from email.message import Message
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

ROOT = Path(__file__).parents[1]
COMMAND = [sys.executable, "-m", "app.cli.main"]
LONGEST_WAIT = 600.0
FIRST_DATE = 1_740_000_000
"""When the first file of a copy was changed, in seconds since 1970; each further file is a day younger."""
TOKEN = "a-token-for-the-recording"
INDEXES = {"notes": {"embedding_model": None}, "meaning": {}}
"""An index of words, which is the default, and one of the bundled model."""

QUERIES = (
    "budget",
    "weekly tasks",
    "due date",
    "décision réunion",
    "chauffage",
    "Étiquettes",
    "etiquettes",
    '"due date"',
    '"de la"',
    "recurrence -weekly",
    "tag:#project",
    "tag:projet",
    "path:projects",
    "path:journal OR file:tasks",
    "file:.md",
    "line:(due date)",
    "block:(task done)",
    "section:(tasks overview)",
    "task:todo",
    "task-todo:call",
    "task-done:''",
    "[status]",
    "[status:active]",
    "[aliases]",
    "/[0-9]{4}-[0-9]{2}-[0-9]{2}/",
    "/^# /",
    "(boat OR larch) -draft",
    "match-case:TODO",
    "ignore-case:todo",
    "content:note file:state",
    "zyxwvutsrq",
    "the",
    "le la les",
    "l'été",
    "日本語",
    "émoji 🎉",
    "a b c d e f g h i j k l m n o p",
    "(",
    '"unclosed',
    "/unclosed",
    "[unclosed",
    "tag:",
    "   ",
)
RANKED = (
    "What should a newcomer know about the neighbourhood?",
    "how do I mark a task as done",
    "quand le bateau est-il mis à l'eau ?",
    "larch boat launch",
    "heating price quote",
    "recurring tasks and due dates",
    "zyxwvutsrq",
    "",
)
QUESTIONS = (
    "How late was the larch, and when was the boat launched?",
    "Who is Hélène Vasseur?",
    "Combien coûte le poêle ?",
    "Quand a lieu la prochaine réunion et qui y participe ?",
    "Où en est la serre ?",
    "How do I make a task repeat every week?",
    "What are the tasks of the project potager?",
    "Qu'est-ce que le zyxwvutsrq ?",
    "budget?",
)
CHAT = """/help
Bonjour
Combien coûte le poêle ?
Et ensuite ?
encore
Que dit la note overview ?
Quelles sont les tâches en cours ?
Crée une note nommée Essai
/new
How late was the larch?
more
What links to overview?
Which notes have the tag project?
/unknown
/quit
"""


@dataclass
class Recording:
    """Files of answers below one folder, in the order in which they were asked for."""

    folder: Path
    replaced: list[tuple[re.Pattern[str], str]]
    counts: dict[str, int] = field(default_factory=dict)

    def keep(self, section: str, name: str, text: str) -> None:
        """Write one answer, with what varies between runs replaced."""
        number = self.counts[section] = self.counts.get(section, 0) + 1
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
        short = re.sub(r"[^A-Za-z0-9]+", "-", plain).strip("-")[:60]
        file = self.folder / section / f"{number:03} {short}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        for pattern, name in self.replaced:
            text = pattern.sub(name, text)
        file.write_text(f"{text}\n", encoding="utf-8", errors="surrogateescape")


@dataclass(frozen=True)
class Place:
    """A scratch folder with a copy of a vault, its own caches and its own configuration."""

    scratch: Path

    @property
    def vault(self) -> Path:
        """The copy of the vault."""
        return self.scratch / "vault"

    @property
    def notes(self) -> list[str]:
        """The paths of its notes, in order."""
        found = (path.relative_to(self.vault).as_posix() for path in self.vault.rglob("*.md"))
        return sorted(path for path in found if not any(part.startswith(".") for part in path.split("/")))

    def environment(self) -> dict[str, str]:
        """What a process of the program is given: nothing of the person who records."""
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LD_LIBRARY_PATH")}
        return kept | {
            "HOME": str(self.scratch / "home"),
            "XDG_RUNTIME_DIR": str(self.scratch),
            "PYTHONPATH": str(ROOT),
            "PYTHONHASHSEED": "0",
            "VAULT_ASSISTANT_CONFIG": str(self.scratch / "config.json"),
            "HF_HUB_OFFLINE": "1",
            "COLUMNS": "110",
            "NO_COLOR": "1",
            "TERM": "dumb",
            "TZ": "UTC",
            "LC_ALL": "C.UTF-8",
        }


def make_place(scratch: Path, source: Path) -> Place:
    """Copy a vault and give every file of the copy a fixed date."""
    place = Place(scratch)
    shutil.copytree(source, place.vault, symlinks=True)
    for number, file in enumerate(sorted(path for path in place.vault.rglob("*") if path.is_file())):
        when = FIRST_DATE + number * 86_400
        os.utime(file, (when, when), follow_symlinks=False)
    for folder in ("home", "elsewhere"):
        (scratch / folder).mkdir()
    config = {
        "cache_dir": str(scratch / "cache"),
        "state_dir": str(scratch / "state"),
        "catch_up_seconds": 300,
        "index": {"indexes": INDEXES, "default": "notes"},
    }
    (scratch / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return place


# The command line


def finds(place: Place, *, deep: bool) -> Iterator[list[str]]:
    """Every operation of `find`, as text and as JSON, with most of its options."""
    notes = place.notes
    for query in QUERIES:
        for operation in ("fast", "fulltext"):
            yield ["find", operation, "--", query]
        yield ["find", "fulltext", "--json", "--explain", "--links", "--", query]
        yield ["find", "combined", "--explain", "--folder", "projects", "--", query]
    for query in RANKED:
        yield ["find", "fast", "--json", "--", query]
        yield ["find", "fast", "--limit", "3", "--offset", "2", "--links", "--", query]
        yield ["find", "fast", "--min-score", "0.5", "--max-chars", "700", "--", query]
        yield ["find", "scoped", "--scopes", "projects", "--scopes", "*.md", "--", query]
        if deep:
            yield ["find", "deep", "--index", "meaning", "--", query]
            yield ["find", "deep", "--index", "meaning", "--json", "--limit", "20", "--", query]
            scoped = ["find", "scoped", "--mode", "deep", "--index", "meaning", "--scopes"]
            yield [*scoped, "projects", "--", query]
    yield ["find", "fast", "--queries", "due date", "--queries", "budget", "--queries", "larch"]
    for tag in ("project", "#projet", "todo", "task", "garden/glass", "été", "a b", "1984", ""):
        yield ["find", "by_tag", "--tags", tag]
        yield ["find", "by_tag", "--tags", tag, "--tags", "task", "--match-all", "--json"]
    for note in [*notes[:: max(1, len(notes) // 12)], "overview", "Home", "nothing there", "../outside"]:
        yield ["find", "by_link", "--note-path", note]
        yield ["find", "by_link", "--note-path", note, "--direction", "both", "--depth", "3", "--json"]
        yield ["find", "by_link", "--note-path", note, "--direction", "forward", "--depth", "2", "--links"]
    for options in (
        ["--start-date", "2025-01-01", "--end-date", "2025-07"],
        ["--start-date", "2025-06-01", "--date-field", "modified", "--json"],
        ["--start-date", "last year"],
        ["--end-date", "yesterday", "--date-field", "modified", "--limit", "5"],
        ["--start-date", "2025-12-01", "--end-date", "2025-01-01"],
        ["--start-date", "soon"],
        [],
    ):
        yield ["find", "by_date", *options]
        yield ["find", "combined", *options, "--tags", "task"]
    for options in (
        ["--tags", "project", "--folder", "projects", "--query", "tasks"],
        ["--note-path", notes[0], "--query", "the"],
        ["--scopes", "project:petrel", "--query", "larch", "--json"],
        ["--scopes", "/absolute"],
        ["--limit", "0", "--query", "a"],
        ["--limit", "many", "--query", "a"],
        ["--min-score", "2", "--query", "a"],
        ["--max-chars", "5", "--query", "a"],
        ["--unknown", "a"],
        ["--index", "unknown", "--query", "a"],
    ):
        yield ["find", "combined", *options]
    yield ["find", "nonsense", "a"]
    for terms in (["due"], ["boat", "larch"], ["t[âa]che"], ["("], ["zyxwvutsrq"]):
        more = [part for term in terms for part in ("--search-terms", term)]
        yield ["find", "keyword", "what is planned?", *more]
        yield ["find", "keyword", "what is planned?", *more, "--json"]


def other_reads(place: Place, *, deep: bool) -> Iterator[list[str]]:
    """Named indexes, questions, and notes read whole and in parts."""
    for query in RANKED:
        for display in ("yaml", "json"):
            yield ["search", "--index", "notes", "--top", "4", "--display", display, "--", query]
            if deep:
                yield ["search", "--index", "meaning", "--display", display, "--", query]
    yield ["search", "--index", "unknown", "a"]
    yield ["search", "--index", "notes", "--query-image", "none.png", "a"]
    for question in QUESTIONS:
        yield ["ask", "--", question]
        yield ["ask", "--json", "--", question]
    yield ["ask", "--model", "nonsense:model", "a question"]
    for note in place.notes:
        yield ["note", "info", note]
        yield ["note", "read", note, "--max-chars", "3000"]
        yield ["note", "summarize", note]
    for note in place.notes[:: max(1, len(place.notes) // 10)]:
        for operation in ("read", "info", "summarize"):
            yield ["note", operation, note, "--json"]
        yield ["note", "read", note, "--lines", "2-5"]
        yield ["note", "read", note, "--lines", "9000-9001"]
        yield ["note", "read", note, "--heading", "Tasks"]
        yield ["note", "read", note, "--block", "^none"]
        yield ["status", note]
        yield ["status", note, "--json"]
    for note in ("overvew", "nothing there", "../outside.md", ".obsidian/app.json", "a\x07b", ""):
        for operation in ("read", "info"):
            yield ["note", operation, "--", note]
    yield ["status", "--sent"]
    for command in ("find", "note", "ask", "search", "chat", "index", "mcp", "serve", "install", "status"):
        yield [command, "--help"]
    yield ["--help"]
    yield ["nonsense"]


def writes(place: Place) -> Iterator[list[str]]:
    """A sequence of changes to the copy, good and bad, and what is taken back of them."""
    notes = place.notes
    one, two = notes[0], notes[len(notes) // 2]
    yield ["note", "create", "New/Made here", "--content", "# Made\n\nSee [[overview]] and #made.\n", "--yes"]
    yield ["note", "create", "New/Made here", "--content", "again", "--yes"]
    yield [
        "note",
        "create",
        "New/Made here",
        "--content",
        "again [[New/Made here]]\n",
        "--yes",
        "--overwrite",
    ]
    yield ["note", "append", "New/Made here", "--content", "- [ ] a task\n"]
    yield ["note", "append", "New/Made here", "--content", "- [ ] a task\n", "--yes"]
    yield ["note", "append", one, "--content", "An added line with [[Made here]].", "--yes", "--json"]
    yield ["note", "update", two, "--lines", "1-1", "--content", "A first line.", "--yes"]
    yield ["note", "update", two, "--expected-hash", "0" * 32, "--content", "x", "--yes"]
    yield ["note", "update", one, "--heading", "No such heading", "--content", "x", "--yes"]
    yield ["find", "fulltext", "added line"]
    yield ["find", "by_link", "--note-path", "New/Made here", "--direction", "both"]
    yield ["note", "move", "New/Made here", "--new-path", "Elsewhere/Moved there", "--yes"]
    yield ["note", "read", one]
    yield ["note", "move", two, "--new-path", "Elsewhere/", "--yes"]
    yield ["find", "by_link", "--note-path", "Elsewhere/Moved there", "--direction", "both"]
    yield ["note", "undo", "--yes"]
    yield ["note", "delete", "Elsewhere/Moved there", "--yes"]
    yield ["note", "read", "Elsewhere/Moved there"]
    yield ["note", "undo", "Elsewhere/Moved there", "--yes"]
    yield ["note", "delete", one, "--yes", "--permanent", "--json"]
    yield ["note", "undo", "--yes", "--json"]
    yield ["note", "create", "../outside", "--content", "x", "--yes"]
    yield ["note", "create", "bad\nname", "--content", "x", "--yes"]
    yield ["note", "create", "CON", "--content", "x", "--yes"]
    yield ["note", "append", "nothing there", "--content", "x", "--yes"]
    for _ in range(8):
        yield ["note", "undo", "--yes"]


def record_commands(place: Place, recording: Recording, section: str, calls: Iterator[list[str]]) -> None:
    """Run commands one after the other in this process."""
    from app.cli.main import main

    for arguments in calls:
        out, err, given = io.StringIO(), io.StringIO(), sys.stdin
        sys.stdin = io.StringIO("")
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(
                [*arguments, "--vault", str(place.vault)]
                if "--" not in arguments
                else within(arguments, place)
            )
        sys.stdin = given
        shown = " ".join(arguments)
        recording.keep(
            section, shown, f"$ {shown}\n{code}\n--- out\n{out.getvalue()}\n--- err\n{err.getvalue()}"
        )


def within(arguments: list[str], place: Place) -> list[str]:
    """Put the option of the vault before the two dashes that end the options."""
    at = arguments.index("--")
    return [*arguments[:at], "--vault", str(place.vault), *arguments[at:]]


def record_process(
    place: Place, recording: Recording, section: str, arguments: list[str], given: str = ""
) -> None:
    """Run one command in a process of its own."""
    done = subprocess.run(
        [*COMMAND, *arguments, "--vault", str(place.vault)],
        input=given,
        capture_output=True,
        text=True,
        cwd=place.scratch / "elsewhere",
        check=False,
        timeout=LONGEST_WAIT,
    )
    shown = " ".join(arguments)
    recording.keep(
        section, shown, f"$ {shown}\n{done.returncode}\n--- out\n{done.stdout}\n--- err\n{done.stderr}"
    )


# The MCP server


def mcp_calls(place: Place, *, deep: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Calls of every tool, with good, loose and bad values."""
    notes = place.notes
    for query in (*QUERIES[::3], *RANKED):
        yield "vault_search", {"operation": "fast", "query": query}
        yield "search", {"queries": [query], "limit": 3}
        yield "wksm_search", {"query": query, "index": "notes", "k": 3}
        if deep and query in RANKED:
            yield "vault_search", {"operation": "deep", "query": query, "index": "meaning"}
            yield "wksm_search", {"query": query, "index": "meaning"}
    yield "vault_search", {"operation": "fast", "queries": '["due date", "budget"]', "limit": "3"}
    yield "vault_search", {"operation": "by_tag", "tags": "project, task"}
    yield "vault_search", {"operation": "by_tag", "tags": '["project"]', "match_all": "true"}
    yield "vault_search", {"operation": "by_link", "note_path": notes[0], "direction": "both", "depth": "2"}
    yield "vault_search", {"operation": "by_date", "start_date": "2025-01-01", "limit": 3}
    yield "vault_search", {"operation": "scoped", "query": "tasks", "scopes": ["projects"]}
    yield "vault_search", {"operation": "combined", "query": "tasks", "unknown": 1}
    yield "vault_search", {"operation": "keyword", "query": "plans?", "search_terms": ["due", "boat"]}
    yield "vault_search", {"operation": "nonsense", "query": "a"}
    yield "vault_search", {"query": "a", "limit": "many"}
    yield "vault_search", {}
    yield "keyword_search", {"query": "plans?", "search_terms": ["due", "boat"]}
    yield "wksm_search", {"index": "unknown", "query": "a"}
    for question in QUESTIONS:
        yield "ask", {"question": question}
    yield "tree", {}
    yield "tree", {"folder": "projects"}
    yield "read", {"path": notes[0]}
    yield "read", {"path": notes[0], "lines": "2-4"}
    yield "read", {"path": "nothing there"}
    for note in notes[:: max(1, len(notes) // 6)]:
        for operation in ("read", "info", "summarize"):
            yield "note_operations", {"operation": operation, "path": note}
    yield (
        "note_operations",
        {"operation": "create", "path": "New/By a client", "content": "# New\n\nBy a client.\n"},
    )
    yield "note_operations", {"operation": "append", "path": "New/By a client", "content": "More.\n"}
    yield "note_operations", {"operation": "move", "path": "New/By a client", "new_path": "Other/By a client"}
    yield "note_operations", {"operation": "delete", "path": "Other/By a client"}
    for _ in range(4):
        yield "note_operations", {"operation": "undo"}
    yield "note_operations", {"operation": "create", "path": "../outside", "content": "x"}


async def record_mcp(place: Place, recording: Recording, *, deep: bool) -> None:
    """Speak to the server over standard input and output with the official client."""
    from mcp import Client, StdioServerParameters
    from mcp.types import ElicitRequestParams, ElicitResult

    asked: list[str] = []

    async def agree(context: object, params: ElicitRequestParams) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action="accept", content={"approve": True})

    arguments = [*COMMAND[1:], "mcp", "--tools", "all", "--vault", str(place.vault)]
    how = StdioServerParameters(command=COMMAND[0], args=arguments, env=dict(os.environ))
    for mode in ("auto", "legacy"):
        async with Client(how, mode=mode, elicitation_callback=agree) as client:
            for name, listed in (
                ("tools", await client.list_tools()),
                ("resources", await client.list_resources()),
                ("resource templates", await client.list_resource_templates()),
            ):
                recording.keep(
                    "mcp", f"{mode} {name}", as_json(listed.model_dump(mode="json", by_alias=True))
                )
    async with Client(how, mode="auto", elicitation_callback=agree) as client:
        for name, given in mcp_calls(place, deep=deep):
            asked.clear()
            result = await client.call_tool(name, given)
            shown = [
                as_json({"tool": name, **given}),
                as_json(result.model_dump(mode="json", by_alias=True)),
                *asked,
            ]
            recording.keep("mcp", f"{name} {given.get('operation', '')}", "\n---\n".join(shown))


def as_json(value: object) -> str:
    """Return a value as JSON, line by line, texts with newlines included as lists of lines."""
    return json.dumps(lined(value), ensure_ascii=False, indent=1)


def lined(value: object) -> object:
    """Return a value with every text of several lines as a list, so that a difference is seen as one line."""
    if isinstance(value, dict):
        return {name: lined(part) for name, part in value.items()}
    if isinstance(value, list):
        return [lined(part) for part in value]
    return value.split("\n") if isinstance(value, str) and "\n" in value else value


# The page


class Browser:
    """One browser that has come in to the page and keeps its cookie."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.csrf = ""
        self.opener: OpenerDirector = build_opener(HTTPCookieProcessor(CookieJar()))

    def send(self, path: str, form: dict[str, str] | None = None) -> tuple[int, Message, str]:
        """Return status, headers and body of one request; a form makes it a POST."""
        data = urlencode(form).encode() if form is not None else None
        headers = {"Origin": self.address} | ({"X-CSRF-Token": self.csrf} if self.csrf else {})
        try:
            with self.opener.open(
                Request(self.address + path, data, headers), timeout=LONGEST_WAIT
            ) as answer:
                return answer.status, answer.headers, answer.read().decode("utf-8", "replace")
        except HTTPError as error:
            with error:
                return error.code, error.headers, error.read().decode("utf-8", "replace")


def pages(place: Place) -> Iterator[str]:
    """The addresses of the page, parts that a script asks for included."""
    yield "/"
    for query in (*QUERIES[::2], *RANKED):
        yield f"/?q={quote(query)}"
        yield f"/facets?q={quote(query)}"
    for query in QUERIES[1::4]:
        yield f"/?q={quote(query)}&mode=fulltext"
        yield f"/why?q={quote(query)}&path={quote(place.notes[0])}"
    for note in place.notes:
        yield f"/note/{quote(note)}"
    for note in place.notes[:: max(1, len(place.notes) // 10)]:
        yield f"/note/{quote(note)}?lines=2-4"
        yield f"/note/{quote(note)}?q=due%20date"
        yield f"/graph/{quote(note)}"
    for file in sorted(
        path for path in place.vault.rglob("*") if path.suffix in (".png", ".canvas", ".base", ".svg")
    ):
        yield f"/file/{quote(file.relative_to(place.vault).as_posix())}"
    yield from (
        "/note/nothing%20there",
        "/note/..%2Foutside.md",
        "/file/none.png",
        "/status",
        "/ask",
        "/nonsense",
    )


def record_page(place: Place, recording: Recording) -> None:
    """Start the page, look at everything, and ask; then commands that the page's process answers."""
    arguments = [
        *COMMAND,
        "serve",
        "--no-browser",
        "--port",
        "0",
        "--token",
        TOKEN,
        "--vault",
        str(place.vault),
    ]
    with subprocess.Popen(
        arguments, stderr=subprocess.PIPE, text=True, cwd=place.scratch / "elsewhere"
    ) as server:
        try:
            assert server.stderr is not None
            line = server.stderr.readline()
            found = re.search(r"(http://127\.0\.0\.1:\d+)/enter", line)
            if found is None:
                raise SystemExit(f"the page did not start: {line}{server.stderr.read()}")
            browser = Browser(found[1])
            browser.send("/enter", {"token": TOKEN})
            wait_for_index(browser)
            for path in pages(place):
                keep_page(recording, browser, path)
            csrf = re.search(r'name="csrf-token" content="([^"]+)"', browser.send("/ask")[2])
            browser.csrf = csrf[1] if csrf else ""
            for mode in ("ask", "chat"):
                for question in QUESTIONS:
                    keep_page(recording, browser, "/ask/turns", {"mode": mode, "question": question})
                keep_page(recording, browser, "/ask")
                keep_page(recording, browser, "/ask/turns/1.md")
                keep_page(recording, browser, "/ask/new", {})
            for operation, query in (("fast", "due date"), ("fast", "larch"), ("fulltext", "tag:#project")):
                record_process(place, recording, "resident", ["find", operation, query])
            record_process(place, recording, "resident", ["ask", QUESTIONS[0]])
        finally:
            server.terminate()


def wait_for_index(browser: Browser) -> None:
    """Wait until the page says that its index is complete."""
    until = time.monotonic() + LONGEST_WAIT
    while "hx-refresh" not in browser.send("/status/progress")[1]:
        if time.monotonic() > until:
            raise SystemExit("the page did not bring its index up to date")
        time.sleep(0.1)


def keep_page(recording: Recording, browser: Browser, path: str, form: dict[str, str] | None = None) -> None:
    """Send one request and keep what it answers."""
    status, headers, body = browser.send(path, form)
    shown = f"{path} {form or ''}".strip()
    kept = {
        name.lower(): value for name, value in headers.items() if name.lower() not in ("date", "set-cookie")
    }
    head = "\n".join(f"{name}: {kept[name]}" for name in sorted(kept) if name != "content-length")
    recording.keep("page", shown, f"{shown}\n{status}\n{head}\n\n{body}")


# Record and compare


def record_vault(place: Place, folder: Path, *, deep: bool) -> None:
    """Record everything on one copy of a vault; the environment is that of `Place.environment`."""
    recording = Recording(folder, varying(place))
    os.chdir(place.scratch / "elsewhere")
    record_commands(place, recording, "index", iter([["index", "--index", "notes"]]))
    if deep:
        record_commands(place, recording, "index", iter([["index", "--index", "meaning"]]))
    record_commands(place, recording, "find", finds(place, deep=deep))
    record_commands(place, recording, "read", other_reads(place, deep=deep))
    record_process(place, recording, "chat", ["chat"], CHAT)
    record_page(place, recording)
    asyncio.run(record_mcp(place, recording, deep=deep))
    record_commands(place, recording, "write", writes(place))
    listed = subprocess.run(
        ["find", ".", "-type", "f"], cwd=place.vault, capture_output=True, text=True, check=True
    )
    recording.keep("write", "the files at the end", "\n".join(sorted(listed.stdout.split("\n"))))


def varying(place: Place) -> list[tuple[re.Pattern[str], str]]:
    """What differs between two runs of the same code, and what stands for it."""
    return [
        (re.compile(re.escape(quote(str(place.scratch), safe=""))), "<scratch>"),
        (re.compile(re.escape(str(place.scratch))), "<scratch>"),
        (re.compile(r"(?<=127\.0\.0\.1:)\d+"), "<port>"),
        (re.compile(r'(?<=name="csrf-token" content=")[^"]+'), "<token>"),
        (re.compile(r'(?<=name="csrf" value=")[^"]+'), "<token>"),
        (re.compile(rf"{date.today().isoformat()}[ T]\d\d:\d\d(:\d\d(\.\d+)?)?"), "<now>"),
        (re.compile(re.escape(date.today().isoformat())), "<today>"),
        (re.compile(r"(?<=, )\d+\.\d+ s(?: \(\d+/s\))?(?=\n)"), "<time>"),
        (re.compile(r"(?<=/vaults/vault-)[0-9a-f]{12}"), "<digest>"),
        (re.compile(r"\bin \d+(\.\d+)? ?(ms|s|seconds?)\b"), "in <time>"),
    ]


def record(folder: Path, vaults: dict[str, Path], *, deep: bool) -> None:
    """Record all vaults, each in a process of its own."""
    if folder.exists() and any(folder.iterdir()):
        raise SystemExit(f"'{folder}' is not empty: name a new folder")
    for name, source in vaults.items():
        with tempfile.TemporaryDirectory(prefix="outputs-") as scratch:
            place = make_place(Path(scratch), source)
            command = [sys.executable, "-m", "bench.outputs", "one", scratch, str(folder.resolve() / name)]
            command += [] if deep else ["--no-deep"]
            begun = time.monotonic()
            subprocess.run(command, env=place.environment(), cwd=ROOT, check=True)
            count = sum(1 for file in (folder / name).rglob("*.txt"))
            print(f"{name}: {count} answers in {time.monotonic() - begun:.0f} s", flush=True)


def compare(one: Path, other: Path, lines: int) -> int:
    """Show where two recordings differ; return how many answers do."""
    names = {file.relative_to(folder).as_posix() for folder in (one, other) for file in folder.rglob("*.txt")}
    different = 0
    for name in sorted(names):
        texts = [
            (folder / name).read_text("utf-8", "surrogateescape") if (folder / name).exists() else ""
            for folder in (one, other)
        ]
        if texts[0] == texts[1] and all((folder / name).exists() for folder in (one, other)):
            continue
        different += 1
        print(f"== {name}")
        shown = list(
            difflib.unified_diff(
                texts[0].splitlines(), texts[1].splitlines(), str(one), str(other), "", "", 1, ""
            )
        )
        print("\n".join(line[:300] for line in shown[2 : 2 + lines]))
        if len(shown) > 2 + lines:
            print(f"... {len(shown) - 2 - lines} more lines")
    print(f"{different} of {len(names)} answers differ")
    return different


def named_vault(text: str) -> tuple[str, Path]:
    """Read ``NAME=PATH``."""
    name, separator, path = text.partition("=")
    if not separator or not re.fullmatch(r"[\w-]+", name) or not Path(path).is_dir():
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=PATH with the folder of a vault")
    return name, Path(path).resolve()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("record", help="record all answers below FOLDER")
    making.add_argument("folder", type=Path)
    making.add_argument("--vault", type=named_vault, action="append", default=[], metavar="NAME=PATH")
    making.add_argument("--no-deep", action="store_true", help="leave out what needs an embedding model")
    single = commands.add_parser("one", help="record one vault; called by `record`")
    single.add_argument("scratch", type=Path)
    single.add_argument("folder", type=Path)
    single.add_argument("--no-deep", action="store_true")
    comparing = commands.add_parser("compare", help="show where two recordings differ")
    comparing.add_argument("one", type=Path)
    comparing.add_argument("other", type=Path)
    comparing.add_argument("--lines", type=int, default=12, help="lines of a difference that are shown")
    given = parser.parse_args(arguments)
    if given.command == "compare":
        return 1 if compare(given.one, given.other, given.lines) else 0
    if given.command == "one":
        record_vault(Place(given.scratch), given.folder, deep=not given.no_deep)
    else:
        vaults = {"examples": ROOT / "examples" / "vault", **dict(given.vault)}
        record(given.folder, vaults, deep=not given.no_deep)
    return 0


if __name__ == "__main__":
    sys.exit(main())
