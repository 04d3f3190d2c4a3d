"""Record what the program answers, and compare two recordings.

    python -m bench.outputs record FOLDER [--code CHECKOUT] [--vault NAME=PATH ...] [--no-deep]
    python -m bench.outputs compare ONE OTHER

`record` runs commands, calls of the MCP server and requests to the page, those of `bench/outputs.toml`, on
copies of vaults, and writes each answer to a file below FOLDER. The example vault is always among them. With
--code the program of another checkout answers, so that one list is asked of two versions. `compare` shows
where two recordings differ, and ends with exit code 1 if they do.

Two recordings of the same code are equal byte by byte when both are made on the same machine. What has to
vary from run to run is replaced: the scratch folder, ports, tokens, the time of day and how long things took.
Copies get fixed dates.
"""

import argparse
import asyncio
import contextlib
import difflib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

ROOT = Path(__file__).parents[1]
COMMAND = [sys.executable, "-P", "-m", "app.cli.main"]
FIRST_DATE = 1_740_000_000
"""When the first file of a copy was changed, in seconds since 1970; each further file is a day younger."""
TOKEN = "a-token-for-the-recording"
INDEXES: dict[str, dict[str, str | None]] = {"notes": {"embedding_model": None}, "meaning": {}}
"""An index of words, which is the default, and one of the bundled model."""

ASKED: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


@dataclass(frozen=True)
class Place:
    """A scratch folder with a copy of a vault, its own caches and its own configuration."""

    scratch: Path
    out: Path
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def vault(self) -> Path:
        """The copy of the vault."""
        return self.scratch / "vault"

    def some_notes(self, count: int) -> list[str]:
        """The paths of so many of its notes."""
        paths = sorted(path.relative_to(self.vault).as_posix() for path in self.vault.rglob("*.md"))
        seen = [path for path in paths if not any(part.startswith(".") for part in path.split("/"))]
        return seen[:: max(1, len(seen) // count)]

    def asked(self, kind: str, *, deep: bool) -> Iterator[tuple[str, str]]:
        """Yield the lines of a kind, each with a text that stands for its braces."""
        texts = {name: lines.splitlines() for name, lines in ASKED["texts"].items()}
        texts |= {"meaning": texts["ranked"] if deep else [], "alone": [""]}
        texts["note"] = [*self.some_notes(12), "overview", "overvew", "nothing there", "../outside"]
        for name, lines in ASKED[kind].items():
            for text in texts.get(name, ()):
                yield from ((line, text) for line in lines.splitlines())

    def environment(self, code: Path) -> dict[str, str]:
        """What a process of the program is given: nothing of the person who records."""
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LD_LIBRARY_PATH")}
        fixed = {"HF_HUB_OFFLINE": "1", "COLUMNS": "110", "NO_COLOR": "1", "TERM": "dumb", "TZ": "UTC"}
        return {
            **kept,
            **fixed,
            "LC_ALL": "C.UTF-8",
            "HOME": str(self.scratch / "home"),
            "XDG_RUNTIME_DIR": str(self.scratch),
            "PYTHONPATH": str(code),
            "PYTHONHASHSEED": "0",
            "VAULT_ASSISTANT_CONFIG": str(self.scratch / "config.json"),
        }

    def keep(self, section: str, name: str, text: str) -> None:
        """Write one answer, with what varies between runs replaced."""
        number = self.counts[section] = self.counts.get(section, 0) + 1
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
        short = re.sub(r"[^A-Za-z0-9]+", "-", plain).strip("-")[:60]
        file = self.out / section / f"{number:03} {short}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        today = date.today().isoformat()
        for pattern, instead in (
            (re.escape(quote(str(self.scratch), safe="")), "<scratch>"),
            (re.escape(str(self.scratch)), "<scratch>"),
            (r"(?<=127\.0\.0\.1:)\d+", "<port>"),
            (r'(?<=name="csrf-token" content=")[^"]+|(?<=name="csrf" value=")[^"]+', "<token>"),
            (rf"{today}[ T]\d\d:\d\d(:\d\d(\.\d+)?)?", "<now>"),
            (today, "<today>"),
            (r"(?<=, )\d+\.\d+ s(?: \(\d+/s\))?(?=\n)", "<time>"),
            (r"(?<=/vaults/vault-)[0-9a-f]{12}", "<digest>"),
            (r"\bin \d+(\.\d+)? ?(ms|s|seconds?)\b", "in <time>"),
        ):
            text = re.sub(pattern, instead, text)
        file.write_text(f"{text}\n", encoding="utf-8", errors="surrogateescape")


def make_place(scratch: Path, out: Path, source: Path) -> Place:
    """Copy a vault and give every file of the copy a fixed date."""
    place = Place(scratch, out)
    shutil.copytree(source, place.vault, symlinks=True)
    for number, file in enumerate(sorted(path for path in place.vault.rglob("*") if path.is_file())):
        when = FIRST_DATE + number * 86_400
        os.utime(file, (when, when), follow_symlinks=False)
    for folder in ("home", "elsewhere"):
        (scratch / folder).mkdir()
    folders = {"cache_dir": str(scratch / "cache"), "state_dir": str(scratch / "state")}
    config = {**folders, "catch_up_seconds": 300, "index": {"indexes": INDEXES, "default": "notes"}}
    (scratch / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return place


def record_command(place: Place, section: str, arguments: list[str]) -> None:
    """Run a command in this process."""
    from app.cli.main import main

    # The option of the vault stands before the two dashes that end the options.
    at = arguments.index("--") if "--" in arguments else len(arguments)
    out, err, given = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.StringIO("")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([*arguments[:at], "--vault", str(place.vault), *arguments[at:]])
    sys.stdin = given
    shown = shlex.join(arguments)
    place.keep(section, shown, f"$ {shown}\n{code}\n-- out\n{out.getvalue()}\n-- err\n{err.getvalue()}")


async def record_mcp(place: Place, *, deep: bool) -> None:
    """Speak to the server over standard input and output with the official client."""
    from mcp import Client, StdioServerParameters
    from mcp.types import ElicitRequestParams, ElicitResult

    asked: list[str] = []

    async def agree(context: object, params: ElicitRequestParams) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action="accept", content={"approve": True})

    arguments = [*COMMAND[1:], "mcp", "--tools", "all", "--vault", str(place.vault)]
    how = StdioServerParameters(command=COMMAND[0], args=arguments, env=dict(os.environ))
    async with Client(how, mode="auto", elicitation_callback=agree) as client:
        for name, listed in (
            ("tools", await client.list_tools()),
            ("resources", await client.list_resources()),
            ("resource templates", await client.list_resource_templates()),
        ):
            place.keep("mcp", name, as_json(listed.model_dump(mode="json", by_alias=True)))
        for line, text in place.asked("calls", deep=deep):
            asked.clear()
            name, _, given = line.partition(" ")
            given = given.replace("{}", json.dumps(text)[1:-1])
            result = (await client.call_tool(name, json.loads(given))).model_dump(mode="json", by_alias=True)
            place.keep("mcp", f"{name} {text}", "\n---\n".join([name, given, as_json(result), *asked]))


def as_json(value: object) -> str:
    """Return a value as JSON, texts of several lines over several lines, so that a difference is one line."""
    return json.dumps(value, ensure_ascii=False, indent=1).replace("\\n", "\n")


def record_page(place: Place) -> None:
    """Start the page, look at everything, and ask."""
    options = ["--no-browser", "--port", "0", "--token", TOKEN, "--vault", str(place.vault)]
    opener, csrf = build_opener(HTTPCookieProcessor(CookieJar())), ""
    with subprocess.Popen([*COMMAND, "serve", *options], stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        found = re.search(r"(http://127\.0\.0\.1:\d+)/enter", server.stderr.readline())
        assert found, "the page did not start"

        def send(path: str, form: dict[str, str] | None = None) -> str:
            data = urlencode(form).encode() if form is not None else None
            headers = {"Origin": found[1], "X-CSRF-Token": csrf}
            try:
                answer = opener.open(Request(found[1] + path, data, headers), timeout=600)
            except HTTPError as error:
                answer = error
            with answer:
                kept = sorted(f"{name.lower()}: {value}" for name, value in answer.headers.items())
                left = ("date", "set-cookie", "content-length")
                head = "\n".join(line for line in kept if not line.startswith(left))
                return f"{answer.status}\n{head}\n\n{answer.read().decode('utf-8', 'replace')}"

        try:
            send("/enter", {"token": TOKEN})
            while "hx-refresh" not in send("/status/progress"):
                time.sleep(0.1)
            for line, text in place.asked("pages", deep=False):
                path = line.replace("{}", quote(text))
                place.keep("page", path, f"{path}\n{send(path)}")
            csrf = re.findall(r'name="csrf-token" content="([^"]+)"', send("/ask"))[0]
            for question in ASKED["texts"]["question"].splitlines():
                answered = send("/ask/turns", {"mode": "ask", "question": question})
                place.keep("page", f"/ask/turns {question}", answered)
            place.keep("page", "/ask", send("/ask"))
        finally:
            server.terminate()


def record_vault(place: Place, *, deep: bool) -> None:
    """Record everything on one copy of a vault; the environment is that of `Place.environment`."""
    os.chdir(place.scratch / "elsewhere")
    for name in ("notes", "meaning") if deep else ("notes",):
        record_command(place, "index", ["index", "--index", name])
    for line, text in place.asked("commands", deep=deep):
        record_command(place, "read", [part.replace("{}", text) for part in shlex.split(line)])
    chat = [*COMMAND, "chat", "--vault", str(place.vault)]
    talked = subprocess.run(
        chat, input=ASKED["commands"]["chat"], capture_output=True, text=True, check=False
    )
    place.keep("chat", "chat", f"{talked.returncode}\n{talked.stdout}\n-- err\n{talked.stderr}")
    record_page(place)
    asyncio.run(record_mcp(place, deep=deep))
    for line in ASKED["commands"]["write"].splitlines():
        record_command(
            place, "write", [part.replace("{}", place.some_notes(1)[0]) for part in shlex.split(line)]
        )
    files = sorted(str(path.relative_to(place.vault)) for path in place.vault.rglob("*") if path.is_file())
    place.keep("write", "the files at the end", "\n".join(files))


def record(folder: Path, code: Path, vaults: dict[str, Path], *, deep: bool) -> None:
    """Record all vaults, each in a process of its own."""
    if folder.exists() and any(folder.iterdir()):
        raise SystemExit(f"'{folder}' is not empty: name a new folder")
    for name, source in vaults.items():
        with tempfile.TemporaryDirectory(prefix="outputs-") as scratch:
            place = make_place(Path(scratch), folder.resolve() / name, source)
            # Run as a file, so that PYTHONPATH says whose code answers.
            command = [sys.executable, "-P", __file__, "one", scratch, str(place.out)]
            command += [] if deep else ["--no-deep"]
            begun = time.monotonic()
            subprocess.run(command, env=place.environment(code), check=True)
            count = sum(1 for file in place.out.rglob("*.txt"))
            print(f"{name}: {count} answers in {time.monotonic() - begun:.0f} s", flush=True)


def compare(one: Path, other: Path, lines: int) -> int:
    """Show where two recordings differ; return how many answers do."""
    names = {file.relative_to(folder).as_posix() for folder in (one, other) for file in folder.rglob("*.txt")}
    different = 0
    for name in sorted(names):
        files = [folder / name for folder in (one, other)]
        texts = [file.read_text("utf-8", "surrogateescape") if file.exists() else "" for file in files]
        if texts[0] != texts[1]:
            different += 1
            shown = list(difflib.unified_diff(*(text.splitlines() for text in texts), n=1, lineterm=""))[2:]
            more = [f"... {len(shown) - lines} more lines"] if len(shown) > lines else []
            print("\n".join([f"== {name}", *(line[:300] for line in shown[:lines]), *more]))
    print(f"{different} of {len(names)} answers differ")
    return different


def named_vault(text: str) -> tuple[str, Path]:
    """Read ``NAME=PATH``."""
    name, _, path = text.partition("=")
    if not re.fullmatch(r"[\w-]+", name) or not Path(path).is_dir():
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=PATH with the folder of a vault")
    return name, Path(path).resolve()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("record", help="record all answers below FOLDER")
    making.add_argument("folder", type=Path)
    making.add_argument("--code", type=Path, default=ROOT, help="the checkout whose program answers")
    making.add_argument("--vault", type=named_vault, action="append", default=[], metavar="NAME=PATH")
    single = commands.add_parser("one", help="record one vault; called by `record`")
    single.add_argument("scratch", type=Path)
    single.add_argument("folder", type=Path)
    for each in (making, single):
        each.add_argument("--no-deep", action="store_true", help="leave out what needs an embedding model")
    comparing = commands.add_parser("compare", help="show where two recordings differ")
    comparing.add_argument("one", type=Path)
    comparing.add_argument("other", type=Path)
    comparing.add_argument("--lines", type=int, default=12, help="lines of a difference that are shown")
    given = parser.parse_args(arguments)
    if given.command == "compare":
        return 1 if compare(given.one, given.other, given.lines) else 0
    if given.command == "one":
        record_vault(Place(given.scratch, given.folder), deep=not given.no_deep)
    else:
        vaults = {"examples": ROOT / "examples" / "vault", **dict(given.vault)}
        record(given.folder, given.code.resolve(), vaults, deep=not given.no_deep)
    return 0


if __name__ == "__main__":
    sys.exit(main())
