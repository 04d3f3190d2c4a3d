"""What the page says of the index, and of what was sent away; and how it is started."""

import os
import re
import socket
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


def test_problems_are_listed_by_note_and_excluded_ones_are_counted(vault: VaultClient) -> None:
    page = visit(vault).get("/status").text
    assert re.search(r'<a href="/note/odd.md">odd.md</a>:\s+\S', page)
    assert re.search(r'<a href="/note/broken.md">broken.md</a>:\s+properties not read', page)
    assert "1 excluded file has problems too" in words(page)


def test_how_much_of_the_meaning_is_indexed(embedded_example: VaultClient) -> None:
    page = visit(embedded_example).get("/status").text
    assert "100 % of the passages have vectors of all-MiniLM-L6-v2" in words(page)
    assert '<progress id="embedded" max="1" value="1.0">' in page


def test_without_a_model_nothing_is_sent(vault: VaultClient) -> None:
    said = words(visit(vault).get("/status").text)
    assert "None: the offline assistant answers, and nothing leaves this machine." in said
    assert "What was sent to which model Nothing so far." in said


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


def test_a_log_that_cannot_be_read_is_an_error_that_says_so(vault: VaultClient) -> None:
    (vault.settings.state_folder / "sent" / "sent.jsonl").mkdir(parents=True)
    answer = visit(vault).get("/status")
    assert answer.status_code == 400
    assert "The log of sent texts cannot be read: Is a directory." in answer.text


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


def test_a_search_during_a_first_index_says_how_long_it_takes_and_what_is_found_already(
    vault: VaultClient,
) -> None:
    keeper = Halfway(vault)
    running = come_in(vault, keeper)
    for address in ("/", "/?q=kiln", "/?from=nonsense"):
        text = running.get(address).text
        assert "20 of 50 notes. 2 a second: about 15 seconds left." in text, address
        assert "What is indexed so far is found already" in text
        assert 'hx-get="/status/progress?at=search" hx-trigger="every 1s"' in text
    french = running.get("/", headers={"Accept-Language": "fr"}).text
    assert "20 notes sur 50. 2 par seconde\u202f: encore 15 secondes environ." in french
    keeper.pace = None
    answer = running.get("/status/progress?at=search")
    assert (answer.text.strip(), "hx-refresh" in answer.headers) == ("", False)


def test_vectors_that_are_being_built_are_told_of_with_what_can_be_asked_meanwhile(
    vault: VaultClient,
) -> None:
    keeper = Halfway(vault)
    keeper.pace, keeper.passages_pace = None, Pace(300, 9000, 0, began=100.0, now=200.0)
    text = come_in(vault, keeper).get("/").text
    assert (
        "Search by meaning is being prepared: 300 of 9000 passages. 3 a second: about 49 minutes left."
        in text
    )
    assert "All notes are found by their words already" in text
    assert 'hx-trigger="every 5s"' in text


def test_a_pace_is_told_after_a_moment_and_begins_anew_with_other_work() -> None:
    first = Pace(5, 100, 5, began=10.0, now=10.0)
    assert (first.rate, first.left) == (0.0, 0.0)
    assert Pace(9, 100, 5, began=10.0, now=11.9).rate == 0.0
    later = Pace(25, 100, 5, began=10.0, now=14.0)
    assert (later.rate, later.left) == (5.0, 15.0)
    assert (later.at(30, 100).first, later.at(30, 100).began) == (5, 10.0)
    anew = later.at(0, 40)
    assert (anew.done, anew.total, anew.first) == (0, 40, 0)
    assert anew.began > later.began


# The command


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


def test_off_loopback_it_warns_loudly(serve: Callable[..., "subprocess.Popen[str]"]) -> None:
    with serve("--port", "0", "--host", "0.0.0.0", "--token", "a-token-for-the-tests") as process:
        try:
            assert process.stderr is not None
            assert process.stderr.readline().startswith(
                "WARNING: other machines can reach 0.0.0.0, and nothing is"
            )
            line = process.stderr.readline()
            assert line.startswith(f"Open http://{socket.gethostname()}:")
            assert "/enter?token=a-token-for-the-tests " in line
        finally:
            process.terminate()


def test_an_address_in_use_is_an_error(serve: Callable[..., "subprocess.Popen[str]"]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with serve("--port", str(port)) as process:
            _, said = process.communicate(timeout=200)
    assert process.returncode == 2
    assert said.startswith(f"error: cannot listen on 127.0.0.1:{port}: ")
    assert "hint: choose another --host or --port" in said
