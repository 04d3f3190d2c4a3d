"""Work that lasts: its rate and end, a stop that keeps what is done, and runs in the background."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import FileLock

from app.bootstrap import open_vault
from app.cli import background, build
from app.cli.background import LOCK, LOG, RECORD, Run, begin, running
from app.cli.progress import Pace, stoppable
from app.errors import VaultError
from app.notices import Notice, WorkKind
from app.search.private import read_record
from app.search.searcher import searcher_for
from app.tests.cli import conftest
from app.tests.waiting import wait_until


@pytest.fixture
def many(tmp_path: Path) -> str:
    root = tmp_path / "many"
    (root / ".obsidian").mkdir(parents=True)
    for number in range(30):
        (root / f"Note {number}.md").write_text(f"# Note {number}\n\nA larch, the {number}th.\n")
        os.utime(root / f"Note {number}.md", (1.7e9, 1.7e9))
    return str(root)


def test_the_pace_is_counted_from_the_first_step_of_the_work() -> None:
    now = [100.0]
    pace = Pace(lambda: now[0])
    now[0] = 107.0
    assert pace.said("en") == "0:07 so far"
    # Told again that nothing is done: what came before made ready.
    pace.count(0, 200)
    now[0] = 108.0
    assert (pace.rate, pace.said("fr")) == (0.0, "depuis 0:01")
    pace.count(20, 200)
    assert pace.said("en") == "20/s · 0:09 left"
    now[0] = 137.0
    pace.count(30, 3000)
    assert pace.said("fr") == "1,0/s · encore 49:30"


def stopping_at(step: int) -> Callable[..., object]:
    """Return a bar at whose step the person presses Ctrl-C."""

    @contextmanager
    def bar(label: Notice, note: str, *, language: str) -> Iterator[Callable[[int, int], None]]:
        def progress(done: int, total: int) -> None:
            if done == step:
                os.kill(os.getpid(), signal.SIGINT)

        yield progress

    return bar


def test_ctrl_c_keeps_the_words_that_are_indexed_and_says_so(
    run: conftest.Run, many: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(build, "progress_bar", stopping_at(12))
        stopped = run("index", "--vault", many)
    assert (stopped.code, stopped.out) == (130, "")
    assert stopped.err == (
        "Stopped. 12 of 30 notes are in the index and can be found; 'vault-assistant index' goes on from there.\n"
    )
    status = run("status", "--vault", many, "--json").json
    assert (status["notes"], status["pending"]) == (12, 18)
    assert run("index", "--vault", many).out.startswith("30 notes in the index: 18 written, 0 deleted, ")


def test_a_run_that_is_stopped_counts_no_excluded_notes(
    run: conftest.Run, many: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(many, ".obsidian/app.json").write_text('{"userIgnoreFilters": ["A/", "Z/"]}')
    for folder in ("A", "Z"):
        Path(many, folder).mkdir()
        Path(many, folder, "Diary.md").write_text("secret\n")
    monkeypatch.setattr(build, "progress_bar", stopping_at(12))
    stopped = run("index", "--vault", many)
    shown = run("status", "--vault", many, "--json").json["notes"]
    assert stopped.err.startswith(f"Stopped. {shown} of 30 notes are in the index")
    assert shown in (11, 12)


def test_the_first_search_of_a_vault_is_stopped_alike(
    run: conftest.Run, many: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    monkeypatch.setattr(build, "progress_bar", stopping_at(5))
    stopped = run("find", "larch", "--vault", many)
    assert stopped.code == 130
    assert stopped.err.startswith("Arrêté. Notes indexées et trouvables : 5 sur 30 ; ")


@pytest.mark.usefixtures("interruptible")
def test_a_second_ctrl_c_ends_at_once() -> None:
    with stoppable() as stopped:
        assert not stopped()
        os.kill(os.getpid(), signal.SIGINT)
        assert stopped()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_run_in_the_background_outlives_its_command(run: conftest.Run, many: str) -> None:
    begun = run("index", "--background", "--vault", many)
    assert (begun.code, begun.err) == (0, "")
    folder = searcher_for(open_vault(many)).folder
    assert str(folder / LOG) in begun.out
    wait_until(lambda: running(folder) is None)
    assert (folder / LOG).read_text().startswith("30 notes in the index: 30 written, 0 deleted, ")
    assert (folder / LOG).stat().st_mode & 0o777 == 0o600
    status = run("status", "--vault", many, "--json").json
    assert (status["pending"], status["background"]) == (0, None)
    refused = run("index", "--background", "--watch", "--vault", many)
    assert refused.code == 2
    assert "leave --watch out" in refused.err


def test_while_one_runs_another_is_not_begun_and_status_shows_it(run: conftest.Run, many: str) -> None:
    folder = searcher_for(open_vault(many)).folder
    with Run(folder).noted():
        begun = run("index", "--background", "--vault", many)
        assert begun.out.startswith(f"Process {os.getpid()} brings the index up to date already. ")
        label, before = Notice(WorkKind.EMBEDDING), Notice(WorkKind.LOADING_MODEL)
        with Run(folder).bar(label, language="fr", before=before) as progress:
            progress(0, 700)
        assert "\nbackground: Loading the model 0 of 700, " in run("status", "--vault", many).out
        with Run(folder).bar(label, language="fr", before=before) as progress:
            progress(32, 700)
        shown = run("status", "--vault", many)
        assert f"\nbackground: Embedding 32 of 700, process {os.getpid()}, log {folder / LOG}\n" in shown.out
        assert "Vecteurs 32 sur 700" in run("--lang", "fr", "status", "--vault", many).out
        assert run("status", "--vault", many, "--json").json["background"]["done"] == 32
    assert running(folder) is None
    assert "background" not in run("status", "--vault", many).out


def test_a_run_begins_although_somebody_looks_for_one_at_that_moment(many: str) -> None:
    folder = searcher_for(open_vault(many)).folder
    folder.mkdir(parents=True, exist_ok=True)
    held, over = threading.Event(), threading.Event()

    def look() -> None:
        with FileLock(folder / LOCK, is_singleton=False):
            held.set()
            over.wait(0.3)

    looking = threading.Thread(target=look)
    looking.start()
    held.wait()
    with Run(folder).noted():
        found = running(folder)
        assert found is not None
        assert found.pid == os.getpid()
    looking.join()


def test_a_run_that_is_slow_to_begin_is_not_called_over(
    run: conftest.Run, many: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "BEGIN_SECONDS", 0.0)
    begun = run("index", "--background", "--vault", many)
    assert " indexes in the background. " in begun.out
    folder = searcher_for(open_vault(many)).folder
    wait_until(lambda: (folder / LOG).read_text().startswith("30 notes in the index: 30 written"))
    wait_until(lambda: running(folder) is None)


def test_a_failure_of_a_background_run_is_said_by_the_command(
    run: conftest.Run, many: str, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"chunk_chars": 1}')
    good = tmp_path / "good.json"
    good.write_text("{}")
    assert run("index", "--background", "--vault", many, "--config", str(broken)).code == 2
    (Path(many) / ".obsidian/app.json").write_text("{")
    # What stops a run stands in its log, and status has what stands in the way.
    run("index", "--background", "--vault", many, "--config", str(good))
    assert "cannot be read" in run("status", "--vault", many).out


def test_a_run_that_failed_leaves_why(many: str) -> None:
    folder = searcher_for(open_vault(many)).folder
    folder.mkdir(parents=True, exist_ok=True)
    with pytest.raises(VaultError, match="full"), Run(folder).noted():
        raise VaultError("the disk is full", "make room")
    assert read_record(folder / RECORD)["failed"] == "the disk is full. make room"
    assert running(folder) is None


def test_a_run_that_is_over_at_once_names_its_log(many: str, tmp_path: Path) -> None:
    folder = searcher_for(open_vault(many)).folder
    with pytest.raises(VaultError) as caught:
        begin(folder, ["index", "--vault", str(tmp_path / "gone")])
    assert (caught.value.message, caught.value.hint) == (
        "the run ended with code 2", f"its log is '{folder / LOG}'",
    )  # fmt: skip
