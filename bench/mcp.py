"""Time the MCP server on a large vault: ``python -m bench.mcp SOURCE [--notes 6500]``.

SOURCE is any vault; its sections are shuffled into as many notes as asked for. The server is a process of its
own, spoken to by the official client over standard input and output; "first reply" runs from the start of the
process to the answer of `initialize`, without an index and with one. Calls are warm, one after the other.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

from bench.corpora import make_vault

STARTS, CALLS = 5, 200
QUERIES = ("recurrence weekly tasks", "due date", "filter by status", "amber cedar", "calendar view")


def process(vault: Path, environment: dict[str, str], config: Path) -> StdioServerParameters:
    command = ["-m", "app.cli.entry", "mcp", "--tools", "all"]
    arguments = [*command, "--vault", str(vault), "--config", str(config)]
    return StdioServerParameters(command=sys.executable, args=arguments, env=environment)


async def first_reply(how: StdioServerParameters) -> float:
    begun = time.perf_counter()
    async with Client(how, mode="legacy"):
        return time.perf_counter() - begun


async def first_answer(how: StdioServerParameters) -> float:
    """Seconds from the start of the process until a search finds something."""
    begun = time.perf_counter()
    async with Client(how, mode="legacy") as client:
        while (await client.call_tool("search", {"query": QUERIES[0]})).structured_content["total"] == 0:
            pass
        return time.perf_counter() - begun


async def calls(client: Client, name: str, arguments: list[dict[str, Any]]) -> list[float]:
    times = []
    for number in range(CALLS + len(arguments)):
        begun = time.perf_counter()
        result = await client.call_tool(name, arguments[number % len(arguments)])
        if result.is_error:
            raise SystemExit(f"{name}: {result.content}")
        times.append((time.perf_counter() - begun) * 1000)
    return sorted(times[len(arguments) :])


async def measure(how: StdioServerParameters, note: str) -> None:
    empty = await first_reply(how)
    answered = await first_answer(how)
    starts = [await first_reply(how) for _ in range(STARTS)]
    print("| what | median | worst |\n| --- | --- | --- |")
    print(f"| first reply, no index yet | {empty:.2f} s | |")
    print(f"| first answer, no index yet | {answered:.2f} s | |")
    print(
        f"| first reply, index there | {statistics.median(starts):.2f} s | {max(starts):.2f} s |", flush=True
    )
    async with Client(how, mode="legacy") as client:
        for title, name, arguments in (
            ("`search` fast", "search", [{"query": q} for q in QUERIES]),
            ("`pack`, words alone", "pack", [{"question": q} for q in QUERIES]),
            ("`search` fulltext", "search",
             [{"operation": "fulltext", "query": q} for q in QUERIES]),
            ("`read`", "read", [{"path": note}]),
        ):  # fmt: skip
            times = await calls(client, name, arguments)
            p99 = times[int(len(times) * 0.99) - 1]
            print(f"| {title}, warm | {statistics.median(times):.1f} ms | {p99:.1f} ms (p99) |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--notes", type=int, default=6500)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        vault = Path(scratch) / "vault"
        make_vault(options.source, vault, options.notes)
        config = Path(scratch) / "config.json"
        config.write_text(json.dumps({"index": {"indexes": {"notes": {"embedding_model": None}}}}))
        environment = {**os.environ, "VAULT_ASSISTANT_CACHE_DIR": str(Path(scratch) / "cache")}
        print(f"{options.notes} notes\n")
        note = next(vault.rglob("*.md")).relative_to(vault).as_posix()
        asyncio.run(measure(process(vault, environment, config), note))


if __name__ == "__main__":
    main()
