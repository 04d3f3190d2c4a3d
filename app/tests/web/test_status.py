"""What the page says of the index, and of what was sent away; and how it is started."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from html import unescape
from pathlib import Path

import httpx2
import pytest
from starlette.testclient import TestClient

from app.llm.log import Sent, record_sent
from app.search.searcher import searcher_for
from app.serving.keeper import Keeper, Pace
from app.tests.conftest import MakeVault
from app.tests.web.conftest import BASE, LEXICAL, TOKEN, visit
from app.vault.client import VaultClient
from app.web.app import build_app

NOTES: dict[str, str | bytes] = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
    "overview.md": "# Overview\n",
    "projects/garden/state.md": "the kiln\n",
    "inbox/thought.md": "later\n",
    "private/Diary.md": b"\xff secret\n",
    "odd.md": b"caf\xe9\n",
    "broken.md": "---\na: [\n---\ntext\n",
}


@pytest.fixture
def vault(tiny_vault: MakeVault) -> VaultClient:
    made = tiny_vault(NOTES, index=LEXICAL)
    for name in NOTES:
        # What was written a moment ago is looked at once more.
        os.utime(made.root / name, (1_750_000_000, 1_750_000_000))
    searcher_for(made).update()
    return made


def words(page: str) -> str:
    """The text of a page, in one line."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def test_coverage_and_what_is_left_out(vault: VaultClient) -> None:
    page = visit(vault).get("/status").text
    said = words(page)
    assert "Notes that are searched 3, in 3 passages" in said
    assert "nothing: the index is up to date" in said
    assert "Excluded: 1 note – hidden by the vault's setting 'excluded files': private/" in said
    assert "Kept out of results: 2 notes" in said
    assert '<a href="/note/inbox/thought.md">inbox/thought.md</a>' in page
    assert "Changes to notes are asked about first" in said
    assert "not built: this index is of words alone" in said
    assert "Diary" not in page
    (vault.root / "new.md").write_text("new")
    assert "1 changed note; the next search takes it up" in words(visit(vault).get("/status").text)


def test_what_was_sent_is_shown_newest_first_and_as_text(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"A.md": ""}, index=LEXICAL, model="ollama:qwen3")
    for number in range(32):
        text = f"[user]\n<script>question {number}</script>"
        text = text.ljust(20_050 if number == 31 else 0, "x")
        when = f"2025-07-14T09:{number:02}:00+02:00"
        record_sent(
            vault.settings.state_folder, Sent(when, "ollama:qwen3", "http://127.0.0.1:11434", len(text), text)
        )
    page = visit(vault).get("/status").text
    said = words(page)
    assert "<code>ollama:qwen3</code>" in page
    assert "32 texts, from all vaults of this machine, newest first. The first 30 are shown." in said
    assert "2025-07-14 09:31:00 · ollama:qwen3 · http://127.0.0.1:11434 · 20050 characters" in said
    assert "Cut after 20000 characters" in said
    shown = re.findall(r"&lt;script&gt;question (\d+)&lt;/script&gt;", page)
    assert shown == [str(number) for number in range(31, 1, -1)]
    assert "<script>question" not in page


class Halfway(Keeper):
    """A keeper in the middle of its work."""

    def __init__(self, vault: VaultClient) -> None:
        super().__init__(vault)
        self.pace = Pace(20, 50, 10, began=100.0, now=105.0)


def come_in(vault: VaultClient, keeper: Keeper) -> TestClient:
    client = TestClient(build_app(vault, token=TOKEN, keeper=keeper), base_url=BASE)
    client.post("/enter", data={"token": TOKEN})
    return client


def test_the_progress_of_a_running_index_is_asked_for_until_it_ends(vault: VaultClient) -> None:
    keeper = Halfway(vault)
    running = come_in(vault, keeper)
    page = running.get("/status").text
    assert "The index is being built: 20 of 50 notes. 2 a second: about 15 seconds left." in page
    assert 'hx-get="/status/progress" hx-trigger="every 1s"' in page
    assert '<progress id="bar" max="50" value="20">' in running.get("/status/progress").text
    assert "hx-refresh" not in running.get("/status/progress").headers
    keeper.pace = None
    assert running.get("/status/progress").headers["hx-refresh"] == "true"
    assert "every 1s" not in running.get("/status/progress").text


@pytest.fixture
def serve(vault: VaultClient, tmp_path: Path) -> Callable[..., "subprocess.Popen[str]"]:
    def started(*arguments: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "app.cli.main", "serve", "--vault", str(vault.root), "--no-browser"]
        return subprocess.Popen([*command, *arguments], stderr=subprocess.PIPE, text=True, env={**os.environ})

    return started


def test_serve_prints_the_address_that_lets_one_browser_in(
    serve: Callable[..., "subprocess.Popen[str]"],
) -> None:
    with serve("--port", "0") as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            url = re.fullmatch(r"Open (http://127\.0\.0\.1:\d+/enter\?token=\S{43}) – Ctrl-C ends\.\n", line)
            assert url, line
            with httpx2.Client(timeout=300) as browser:
                assert browser.get(url[1]).status_code == 200
                page = browser.get(url[1].partition("/enter")[0] + "/?q=kiln")
                assert "projects/garden/state.md" in page.text
            # The next one is told once the first is used, and the first is used up.
            following = process.stderr.readline()
            assert following.startswith("For another browser: http://127.0.0.1:")
            assert url[1] not in following
            assert httpx2.get(url[1], timeout=300).status_code == 401
        finally:
            process.terminate()
