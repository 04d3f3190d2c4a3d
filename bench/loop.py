"""How long an app's event loop waits while a vault is searched, asked and written to: the largest gap.

    python bench/loop.py [VAULT] [--questions 100] [--deep] [--cache FOLDER]

A task wakes every millisecond and notes how much later it comes than it asked to, in a process whose loop
does nothing else. Prints, for each kind of work, the largest gap, the largest one without the time in which
the system had no processor for the loop's thread (Linux), and how long the work took. Other programs lengthen
the first and the last.
"""

import argparse
import asyncio
import gc
import shutil
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from app import Settings, Vault, VaultTools  # noqa: E402

TICK = 0.001
QUESTIONS = (
    "How late was the larch?",
    "When is the launch?",
    "What has to be sewn before the winter?",
    "Who is Erwan Maout?",
    "Combien a coûté le mélèze ?",
)


def starved() -> float:
    """Return for how many seconds this thread was ready to run and had no processor."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    except OSError:
        return 0.0


async def gap_during(work: Callable[[], Awaitable[object]]) -> tuple[float, float, float]:
    """Return the largest gaps in milliseconds while some work is done, and its seconds."""
    largest = own = 0.0
    done = False

    async def watch() -> None:
        nonlocal largest, own
        before, waited = time.perf_counter(), starved()
        while not done:
            await asyncio.sleep(TICK)
            now, without = time.perf_counter(), starved()
            gap = now - before - TICK
            largest, own = max(largest, gap), max(own, gap - (without - waited))
            before, waited = now, without

    watching = asyncio.create_task(watch())
    await asyncio.sleep(10 * TICK)
    largest, own, began = 0.0, 0.0, time.perf_counter()
    await work()
    took = time.perf_counter() - began
    done = True
    await watching
    return largest * 1000, own * 1000, took


async def main() -> None:
    """Measure each kind of work, the first of each in a process that has done nothing like it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("vault", nargs="?", type=Path, default=ROOT / "examples" / "vault")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--deep", action="store_true", help="search by meaning too; needs the extra deep")
    parser.add_argument("--cache", type=Path, help="keep index and model here, for a second run")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = (options.cache or Path(folder)) / "vault"
        if not copy.exists():
            shutil.copytree(options.vault, copy)
        settings = Settings(
            cache_dir=(options.cache or Path(folder)) / "cache", state_dir=Path(folder) / "state"
        )
        vault = Vault(copy, settings)
        tools = VaultTools(vault, ["search", "read", "write"], writes="allow")
        asked = [QUESTIONS[at % len(QUESTIONS)] for at in range(options.questions)]

        async def write() -> None:
            for at in range(10):
                token = (
                    await vault.propose(
                        {
                            "operation": "create",
                            "path": f"N{at}",
                            "content": f"{time.time()}",
                            "overwrite": True,
                        }
                    )
                ).token
                await vault.approve(token)

        async def stream() -> None:
            async for _ in vault.ask_stream(QUESTIONS[0], model="offline"):
                pass

        kinds: dict[str, Callable[[], Awaitable[object]]] = {
            "opening: imports, index, model": vault.open,
            "the first search": lambda: vault.search(QUESTIONS[0]),
            "100 searches": lambda: asyncio.gather(*map(vault.search, asked)),
            "the first question": lambda: vault.ask(QUESTIONS[0], model="offline"),
            "100 questions": lambda: asyncio.gather(*(vault.ask(one, model="offline") for one in asked)),
            "a question with its events": stream,
            "100 calls of the tool": lambda: asyncio.gather(
                *(tools.call("search", {"query": one}) for one in asked)
            ),
            "10 writes, proposed and approved": write,
        }
        if options.deep:
            kinds["the first deep: model, vectors"] = lambda: vault.search(QUESTIONS[0], "deep")
            kinds["100 deep searches"] = lambda: asyncio.gather(*(vault.search(one, "deep") for one in asked))
        for kind, work in kinds.items():
            gap, own, took = await gap_during(work)
            if work == vault.open:
                # As the page for embedders advises: what is loaded by now is not looked through again.
                gc.collect()
                gc.freeze()
            shown = kind.replace("100", str(options.questions))
            print(f"{shown:36} {gap:7.1f} ms {own:7.1f} ms {took:8.2f} s")
        await vault.close()


if __name__ == "__main__":
    asyncio.run(main())
