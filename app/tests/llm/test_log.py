"""The log of what was sent: whole, private, bounded, shared by processes, and never in an answer's way."""

import asyncio
import logging
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from app.config.settings import Settings
from app.llm import log
from app.llm.log import Sent, read_sent, record_sent, sending
from app.llm.models import complete
from app.tests.llm.server import ModelServer, Reply

ROOT = Path(__file__).parents[3]


def entry(text: str, model: str = "ollama:m") -> Sent:
    return Sent("2025-07-14T09:30:00+02:00", model, "http://localhost:11434/v1", len(text), text)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_what_is_recorded_is_read_back_newest_first(tmp_path: Path) -> None:
    texts = ["one\ntwo", "trois é 🌱", "a lone \udc80 surrogate", ""]
    for text in texts:
        record_sent(tmp_path, entry(text))
    assert read_sent(tmp_path) == [entry(text) for text in texts[::-1]]


def test_what_is_sent_for_a_turn_is_noted_under_it_in_its_threads_and_tasks_too(tmp_path: Path) -> None:
    async def send() -> None:
        await asyncio.to_thread(record_sent, tmp_path, entry("in a thread"))

    record_sent(tmp_path, entry("before"))
    with sending("t1") as first:
        record_sent(tmp_path, entry("one"))
        asyncio.run(send())
    with sending("t2") as second:
        # Where the disk refuses it was sent all the same.
        record_sent(tmp_path / "sent" / "sent.jsonl", entry("not noted", model="other"))
        record_sent(tmp_path, entry('a text that names "trace_id": "t1"'))
    assert first.sent == [("ollama:m", "http://localhost:11434/v1")] * 2
    assert second.sent == [("other", "http://localhost:11434/v1"), ("ollama:m", "http://localhost:11434/v1")]
    assert [each.text for each in read_sent(tmp_path, "t1")] == ["in a thread", "one"]
    assert [each.text for each in read_sent(tmp_path, "t2")] == ['a text that names "trace_id": "t1"']
    assert [each.trace_id for each in read_sent(tmp_path)] == ["t2", "t1", "t1", ""]


def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        record_sent(tmp_path / "state", entry("secret"))
    finally:
        os.umask(before)
    folder = tmp_path / "state" / "sent"
    assert mode(folder) == 0o700
    assert {path.name: mode(path) for path in folder.glob("*.jsonl")} == {"sent.jsonl": 0o600}


def test_it_starts_anew_beyond_its_size_and_keeps_the_log_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "MAX_BYTES", 1000)
    for number in range(40):
        record_sent(tmp_path, entry(f"{number} " + "x" * 100))
    shown = [found.text.split()[0] for found in read_sent(tmp_path)]
    assert shown == [str(number) for number in range(39, 39 - len(shown), -1)]
    sizes = {path.name: path.stat().st_size for path in (tmp_path / "sent").glob("*.jsonl")}
    assert set(sizes) == {"sent.jsonl", "sent.1.jsonl"}
    assert 1000 <= sizes["sent.1.jsonl"] < 1300
    assert sizes["sent.jsonl"] < 1300


def test_a_line_that_a_crash_cut_short_costs_nothing_else(tmp_path: Path) -> None:
    record_sent(tmp_path, entry("before"))
    with (tmp_path / "sent" / "sent.jsonl").open("ab") as file:
        file.write(b'{"when": "2025-07-14", "mod')
    record_sent(tmp_path, entry("after"))
    assert [found.text for found in read_sent(tmp_path)] == ["after", "before"]


def test_processes_that_write_at_once_lose_and_mix_nothing(tmp_path: Path) -> None:
    script = (
        "import sys\nfrom pathlib import Path\nfrom app.llm import log as sent\n"
        "for number in range(60):\n"
        "    text = f'{sys.argv[2]}-{number} ' + sys.argv[2] * 3000\n"
        "    sent.record_sent(Path(sys.argv[1]), sent.Sent('now', 'm', 'here', len(text), text))\n"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path), name], cwd=ROOT) for name in "abc"
    ]
    assert [writer.wait(200) for writer in writers] == [0, 0, 0]
    found = read_sent(tmp_path)
    assert sorted(one.text for one in found) == sorted(
        f"{name}-{number} " + name * 3000 for name in "abc" for number in range(60)
    )


class TestAnswers:
    """What happens to an answer when its request cannot be recorded."""

    def test_a_folder_that_cannot_be_written_is_said_in_the_log_and_the_answer_comes(
        self, server: ModelServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        (tmp_path / "file").write_text("")
        settings = Settings(state_dir=tmp_path / "file" / "state")
        with caplog.at_level(logging.WARNING, "vault_assistant"):
            assert complete("hello", model="ollama:m", settings=settings) == "ok"
        assert [record.getMessage() for record in caplog.records] == ["sent_not_recorded"]
        fields = vars(caplog.records[0])
        assert (fields["model"], fields["characters"]) == ("ollama:m", len("[user]\nhello"))
        assert "Not a directory" in fields["error"]

    def test_a_request_that_fails_is_recorded_too(self, server: ModelServer, tmp_path: Path) -> None:
        server.replies = [Reply(status=401, body=b"{}")]
        with pytest.raises(Exception, match="401"):
            complete(
                "hello", system="Be brief.", model="openai-chat:m", settings=Settings(state_dir=tmp_path)
            )
        found = read_sent(tmp_path)[0]
        assert found.text == "[instructions]\nBe brief.\n\n[user]\nhello"
        assert (found.model, found.where) == ("openai-chat:m", f"{server.url}/v1")

    def test_a_key_in_the_address_is_not_recorded(
        self, server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        address = server.url.replace("http://", "http://me:secret@")
        monkeypatch.setenv("OLLAMA_BASE_URL", f"{address}/v1")
        assert complete("hello", model="ollama:m", settings=Settings(state_dir=tmp_path)) == "ok"
        assert read_sent(tmp_path)[0].where == f"{server.url}/v1"
        assert "secret" not in (tmp_path / "sent" / "sent.jsonl").read_text()
