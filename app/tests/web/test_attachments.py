"""A hit in a file that is no note: the page opens the file itself, and nothing in it may run."""

import json

from app.tests.cli.test_attachments import pdf
from app.tests.conftest import MakeVault
from app.tests.web.conftest import LEXICAL, visit


def test_a_hit_in_another_file_opens_it_where_nothing_runs(tiny_vault: MakeVault) -> None:
    files: dict[str, str | bytes] = {
        "Home.md": "# Home\n",
        "Bill.pdf": pdf("boiler", "chimney sweep"),
        "page.html": "<h1>Roof</h1>sweep the gutters<script>alert(1)</script>",
        "private/Old.pdf": pdf("sweep the private flue"),
        ".obsidian/app.json": json.dumps({"userIgnoreFilters": ["private/"]}),
    }
    client = visit(tiny_vault(files, index=LEXICAL))
    found = client.get("/", params={"q": "sweep"}).text
    assert 'href="/file/Bill.pdf#page=2"' in found
    assert 'href="/file/page.html"' in found
    assert "Old" not in found
    opened = client.get("/file/page.html")
    assert opened.headers["Content-Disposition"].startswith("attachment")
    assert "sandbox" in opened.headers["Content-Security-Policy"]
    assert client.get("/file/Bill.pdf").headers["Content-Type"] == "application/pdf"
    assert client.get("/file/private/Old.pdf").status_code == 404
