"""The page for those who embed the package is executed, block by block, on the installed wheel."""

import json
import os
import re
import shutil
import threading
from pathlib import Path

import pytest

from app.tests.llm.server import ModelServer, Reply, Seen
from app.tests.package.wheel import ROOT, Installed

pytestmark = pytest.mark.slow

PAGE = ROOT / "docs" / "embedding.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
RUN = """
import json, pathlib, sys
blocks, names = json.loads(pathlib.Path(sys.argv[1]).read_text()), {"__name__": "page"}
for number, block in enumerate(blocks, 1):
    print(f"[{number}]")
    exec(compile(block, f"block {number}", "exec"), names)
assert not [name for name in sys.modules if name == "app" or name.startswith("app.")]
"""


def reply(seen: Seen) -> Reply:
    """Answer as a model would that searches, or writes, once."""
    tools = [tool["function"]["name"] for tool in seen.body.get("tools", [])]
    if seen.results:
        return Reply("That is all.")
    if "write" in tools:
        return Reply(
            tool="write", call={"operation": "append", "path": "tasks", "content": "The cover is sewn."}
        )
    if "search" in tools:
        return Reply(tool="search", call={"query": "larch late"})
    return Reply("That is all.")


def test_every_block_of_the_page_runs(installed: Installed, tmp_path: Path, own_environment: Path) -> None:
    notes = own_environment / "Notes"
    shutil.copytree(ROOT / "examples" / "vault", notes)
    (own_environment / "Work").mkdir()
    (own_environment / "Work" / "Plan.md").write_text("The plan of the year.\n", encoding="utf-8")
    script, blocks = tmp_path / "run.py", tmp_path / "blocks.json"
    script.write_text(RUN, encoding="utf-8")
    blocks.write_text(json.dumps(BLOCKS), encoding="utf-8")
    server = ModelServer()
    server.replies = [reply]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        os.environ["OLLAMA_BASE_URL"] = f"{server.url}/v1"
        done = installed.run("python", str(script), str(blocks))
    finally:
        del os.environ["OLLAMA_BASE_URL"]
        server.shutdown()
        server.server_close()
    assert done.returncode == 0, done.stdout[-500:] + done.stderr
    said = dict(zip(*[iter(re.split(r"^\[(\d+)\]$", done.stdout, flags=re.MULTILINE)[1:])] * 2, strict=True))
    assert list(said) == [str(number) for number in range(1, len(BLOCKS) + 1)]
    outputs = [text.strip() for text in said.values()]
    shown = "\n".join(outputs)
    for expected in (
        "That is all.",
        "('projects/petrel/changelog.md', '28-41')",
        "+++ b/Plans/Cover.md",
        "Done: create 'Plans/Cover.md'; append to 'tasks.md'.",
        "+The cover is sewn.",
        "unsupported",
        "'Nowhere.md' was cited, and there is no such note",
        "How late was the larch.md",
    ):
        assert expected in shown, expected
    assert "Error:" not in shown
    assert (notes / "Plans" / "Cover.md").read_text() == "# Cover\n"
    assert "See [[Cover]]." in (notes / "tasks.md").read_text()
    assert "The cover is sewn." in (notes / "tasks.md").read_text()


def test_the_short_example_runs(installed: Installed) -> None:
    done = installed.run("python", str(ROOT / "examples" / "embed_in_your_app.py"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("The notes say:")
    assert "projects/petrel/tasks.md" in done.stdout
