"""Files that are no notes: their text is found with its place, read, and never shown where it is excluded."""

import io
import json
import os
import re
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from app.config.settings import Settings
from app.search.searcher import searcher_for
from app.tests.cli.conftest import Run
from app.tests.conftest import MakeVault
from app.tests.mcp.conftest import connected, said
from app.tests.search.vectors.test_build import vectors
from app.tests.web.conftest import LEXICAL, visit
from app.vault.attachments import child
from app.vault.attachments.apart import Apart
from app.vault.attachments.kinds import lacking
from app.vault.client import VaultClient

WORD = "urn:schemas-microsoft-com:word"


def pdf(*pages: str, extra: bytes = b"") -> bytes:
    """Write a PDF by hand, a page a text."""
    count = len(pages)
    kids = b" ".join(b"%d 0 R" % (4 + 2 * at) for at in range(count))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, count),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for at, page in enumerate(pages):
        shown = b" ".join(b"(%s) Tj T*" % line for line in page.encode("cp1252").split(b"\n"))
        drawn = b"BT /F1 12 Tf 72 720 Td 14 TL %s ET" % shown
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> "
            b"/Contents %d 0 R >>" % (5 + 2 * at)
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn))
    data, places = b"%PDF-1.4\n", list[bytes]()
    for number, each in enumerate(objects, start=1):
        places.append(b"%010d 00000 n \n" % len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, b"".join(places))
    trailer = b"trailer << /Size %d /Root 1 0 R %s>>\n" % (len(objects) + 1, extra)
    return data + table + trailer + b"startxref\n%d\n%%%%EOF\n" % len(data)


def with_object(data: bytes, body: bytes, **where: bytes) -> bytes:
    """Add an object, number 99, to a PDF, and name it where some words stand; readers mend the table."""
    for old, new in where.items():
        data = data.replace(b"/%s " % old.encode(), b"/%s %s " % (old.encode(), new), 1)
    return data.replace(b"xref\n0", b"99 0 obj\n%s\nendobj\nxref\n0" % body, 1)


def packed(parts: Mapping[str, str]) -> bytes:
    """Write an archive of XML; prefixes of names are declared where they are used."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return made.getvalue()


def relations(*targets: str) -> str:
    rows = "".join(f'<Relationship Id="r{at}" Target="{each}"/>' for at, each in enumerate(targets, start=1))
    space = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<Relationships xmlns="{space}">{rows}</Relationships>'


REL = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
DOCX = packed(
    {
        "word/styles.xml": '<styles><style styleId="T1"><name val="heading 1"/></style></styles>',
        "word/document.xml": '<document><p><pPr><pStyle val="T1"/></pPr><r><t>Lease</t></r></p>'
        "<p><r><t>The rent is </t></r><r><t>1234 euros</t></r><r><delText>gone</delText></r></p>"
        "<tbl><tr><tc><p><r><t>deposit</t></r></p></tc><tc><p><r><t>900</t></r></p></tc></tr></tbl></document>",
        "word/footnotes.xml": "<footnotes><p><r><t>payable quarterly</t></r></p></footnotes>",
    }
)
PPTX = packed(
    {
        "ppt/presentation.xml": f'<p {REL}><sldId id="256" r:id="r2"/><sldId id="257" r:id="r1"/></p>',
        "ppt/_rels/presentation.xml.rels": relations("slides/a.xml", "slides/b.xml"),
        "ppt/slides/a.xml": "<s><p><t>second turbine</t></p></s>",
        "ppt/slides/b.xml": "<s><p><t>opening words</t></p></s>",
        "ppt/slides/_rels/a.xml.rels": relations("../notesSlides/n.xml"),
        "ppt/notesSlides/n.xml": "<s><p><t>mention subsidies</t></p></s>",
    }
)
XLSX = packed(
    {
        "xl/workbook.xml": f'<w {REL}><sheet name="Budget" r:id="r1"/></w>',
        "xl/_rels/workbook.xml.rels": relations("worksheets/sheet1.xml"),
        "xl/sharedStrings.xml": "<sst><si><t>insulation</t></si></sst>",
        "xl/styles.xml": '<s><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></s>',
        "xl/worksheets/sheet1.xml": '<w><row><c t="s"><v>0</v></c><c><v>4711</v></c><c s="1"><v>45306</v></c>'
        "</row></w>",
    }
)
ODS = packed({"content.xml": '<b><spreadsheet><table name="Costs"><table-row><table-cell><p>gravel</p>'
    "</table-cell><table-cell><p>77</p></table-cell></table-row></table></spreadsheet></b>"})  # fmt: skip
ODT = packed({"content.xml": '<b><text><h outline-level="1">Garden</h><p>plant <s/>quinces</p></text></b>'})
EPUB = packed(
    {
        "META-INF/container.xml": '<c><rootfile full-path="O/p.opf"/></c>',
        "O/p.opf": '<p><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><itemref idref="a"/></p>',
        "O/a.xhtml": "<!DOCTYPE html><html><head><title>no</title></head><h2>Title</h2>by<h1>Chapter one</h1><p>whale&nbsp;oil</p>"
        "<script>hidden()</script></html>",
    }
)
LONG_LINE = "The first line of a long card is shortened where it names kumquats"
CANVAS = json.dumps(
    {
        "nodes": [
            {"id": "g", "type": "group", "label": "House", "x": 0, "y": 0, "width": 900, "height": 900},
            {"id": "a", "type": "text", "text": "# Boiler\n\nvalve KD-4471 #heat", "x": 9, "y": 9},
            {"id": "b", "type": "file", "file": "Home.md", "x": 9, "y": 99},
            {"id": "c", "type": "text", "text": "Chimney sweep", "x": 2000, "y": 99},
            {"id": "d", "type": "text", "text": LONG_LINE, "x": 2000, "y": 999},
        ],
        "edges": [{"fromNode": "a", "toNode": "c", "label": "needs cleaning by"}],
    }
)
FILES: dict[str, str | bytes] = {
    "Home.md": "# Home\n\nThe bill: ![[chaudiere.pdf#page=2]]\n",
    "Factures/chaudiere.pdf": pdf("Facture de la chaudière", "Entretien annuel: 184 euros", "left\nright"),
    "Plan.canvas": CANVAS,
    "Lease.docx": DOCX,
    "Talk.pptx": PPTX,
    "Costs.xlsx": XLSX,
    "More.ods": ODS,
    "Garden.odt": ODT,
    "Book.epub": EPUB,
    "page.html": "<h2>Roof</h2><p>slates<br>from Angers</p><style>p{}</style>",
    "log.txt": "# no place\na turbine log of Zermatt\n",
}
FOUND = [
    ("chaudiere facture", "Factures/chaudiere.pdf, page 1"),
    ("entretien annuel", "Factures/chaudiere.pdf, page 2"),
    ("KD-4471", "Plan.canvas, House › Boiler"),
    ("sweep", "Plan.canvas, Chimney sweep"),
    ("kumquats", f"Plan.canvas, {LONG_LINE[:39]}…"),
    ('"needs cleaning by"', "Plan.canvas, needs cleaning by"),
    ("rent 1234", "Lease.docx, Lease"),
    ("deposit", "Lease.docx, Lease"),
    ("quarterly", "Lease.docx, footnotes"),
    ("subsidies", "Talk.pptx, slide 2"),
    ("opening", "Talk.pptx, slide 1"),
    ("insulation", "Costs.xlsx, Budget"),
    ("2024-01-15", "Costs.xlsx, Budget"),
    ("gravel", "More.ods, Costs"),
    ("quinces", "Garden.odt, Garden"),
    ("whale", "Book.epub, Chapter one"),
    ("angers", "page.html, Roof"),
    ("zermatt", "log.txt"),
]
Files = Callable[[Mapping[str, str | bytes]], str]


@pytest.fixture
def files(tiny_vault: MakeVault) -> Files:
    """Write a vault whose files are not new, and give its folder."""

    def make(contents: Mapping[str, str | bytes]) -> str:
        root = tiny_vault(contents).root
        for path in contents:
            os.utime(root / path, (time.time() - 3600, time.time() - 3600))
        return str(root)

    return make


def hits(run: Run, vault: str, *words: str) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = json.loads(run("find", *words, "--vault", vault, "--json").out)["results"]
    return results


def test_each_text_is_found_with_its_place(run: Run, files: Files) -> None:
    vault = files(FILES)
    assert "10 other files read" in run("index", "--vault", vault).out
    for words, place in FOUND:
        shown = run("find", words, "--vault", vault).out
        assert f"{place}:" in shown.replace(f"{vault}/", ""), (words, shown)
        # A line that only names a place is not shown as text.
        assert ": #" not in shown, (words, shown)
    for words in ("gone", "hidden"):
        assert not hits(run, vault, words), words


def test_filters_and_links(run: Run, files: Files) -> None:
    vault = files(FILES)
    for words, paths in (
        (("kind:pdf",), {"Factures/chaudiere.pdf"}),
        (("kind:note",), {"Home.md"}),
        (("file:lease",), {"Lease.docx"}),
        (("path:factures euros",), {"Factures/chaudiere.pdf"}),
        (("turbine", "--in", "Factures"), set()),
        (("tag:#heat",), {"Plan.canvas"}),
        (("by_link", "Home"), {"Plan.canvas"}),
    ):
        assert {hit["path"] for hit in hits(run, vault, *words)} == paths, words
    assert "chaudiere" not in run("list", "--orphans", "--vault", vault).out


def test_cat_prints_the_text_page_by_page(run: Run, files: Files) -> None:
    vault = files(FILES)
    whole = (
        "# page 1\nFacture de la chaudière\n# page 2\nEntretien annuel: 184 euros\n# page 3\nleft\nright\n"
    )
    assert run("cat", "chaudiere.pdf", "--vault", vault).out == whole
    part = run("cat", "Factures/chaudiere.pdf#page=2", "--vault", vault).out
    assert part == "# page 2\nEntretien annuel: 184 euros\n"
    before = {path: (Path(vault) / path).read_bytes() for path in FILES}
    for command in (
        ("edit", "chaudiere.pdf"),
        ("rm", "chaudiere.pdf", "--yes"),
        ("mv", "Plan.canvas", "B.md"),
    ):
        assert run(*command, "--vault", vault).code, command
    assert {path: (Path(vault) / path).read_bytes() for path in FILES} == before


def test_commands_know_which_files_they_are_for(run: Run, files: Files) -> None:
    vault = files(FILES)
    for question, searched in (
        ("how do zebras sleep at night", "searched 1 note and 10 files"),
        ("où dorment mes zèbres rayés", "recherche dans 1 note et 10 fichiers"),
    ):
        assert searched in run("ask", question, "--vault", vault).out, question
    known = run("status", "chaudiere.pdf", "--vault", vault).out
    assert "Factures/chaudiere.pdf" in known
    assert "searched: yes" in known
    for command, offered in (("cat", True), ("status", True), ("edit", False), ("mv", False), ("rm", False)):
        names = run("__complete", "fish", command, "--vault", vault, "").out.splitlines()
        assert "Home\t." in names, command
        assert ("chaudiere.pdf\tFactures" in names) is offered, command


def test_an_excluded_file_is_nowhere(run: Run, files: Files, own_environment: Path) -> None:
    vault = files(FILES)
    run("index", "--vault", vault)
    kept = list((own_environment / "cache" / "attachments").rglob("*.zst"))
    assert len(kept) == 8
    settings = Path(vault) / ".obsidian" / "app.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(json.dumps({"userIgnoreFilters": ["Factures/"]}))
    for words in ("entretien", "kind:pdf", "chaudiere", "euros", "path:Factures"):
        assert all("chaudiere.pdf" not in hit["path"] for hit in hits(run, vault, words)), words
    for command in (("cat", "Factures/chaudiere.pdf"), ("cat", "chaudiere.pdf#page=1"), ("ask", "184 euros")):
        shown = run(*command, "--vault", vault)
        assert "Entretien" not in shown.out + shown.err, command
    run("index", "--vault", vault)
    left = list((own_environment / "cache" / "attachments").rglob("*.zst"))
    assert len(left) == 7
    for file in (own_environment / "cache").rglob("*"):
        assert not file.is_file() or b"entretien" not in file.read_bytes().lower(), file


def test_a_file_is_read_once(run: Run, files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    vault = files(FILES)
    run("index", "--vault", vault)
    # Whatever is read from now on fails.
    monkeypatch.setattr(Apart, "_started", lambda self: pytest.fail("a file is read again"))
    os.utime(f"{vault}/Lease.docx")
    Path(vault, "Talk.pptx").rename(f"{vault}/Factures/Other.pptx")
    run("index", "--vault", vault)
    assert [hit["path"] for hit in hits(run, vault, "subsidies")] == ["Factures/Other.pptx"]
    assert [hit["path"] for hit in hits(run, vault, "quarterly")] == ["Lease.docx"]


def test_a_bad_file_costs_itself_alone(run: Run, files: Files) -> None:
    small = pdf("tiny words")
    bomb = packed({"word/document.xml": "<d>" + "a" * 300_000_000 + "</d>"})
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    laughs = f'<!DOCTYPE w [<!ENTITY e0 "lol">{entities}]><w><sheet name="&e9;"/></w>'
    locked = b"/Encrypt << /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -4 >> /ID [<00> <00>] " % (
        (b"00" * 32,) * 2
    )
    one_page = pdf("first larch", "second", "third larch").replace(b"6 0 obj\n<<", b"6 0 obj\n((")
    bad: dict[str, str | bytes] = {
        "part.pdf": one_page,
        "scan.pdf": pdf("", ""),
        "locked.pdf": pdf("secret", extra=locked),
        "bomb.docx": bomb,
        "laughs.xlsx": packed({"xl/workbook.xml": laughs}),
        "zip.docx": b"PK\3\4 no archive",
        "no.canvas": "[1, 2",
        "binary.txt": b"a\0b",
    }
    broken = {f"broken/{at:04}.pdf": small[:at] for at in range(0, len(small) - 40, 10)}
    vault = files(
        bad | broken | {"Note.md": "fine", "Lease.docx": DOCX, "Long.pdf": pdf(*["page of larch"] * 300)}
    )
    run("index", "--vault", vault)
    told = json.loads(run("status", "--vault", vault, "--json").out)["problems"]
    problems = {row["path"]: row["reason"] for row in told}
    for path, reason in {
        "part.pdf": "page 2 cannot be read",
        "scan.pdf": "pictures",
        "locked.pdf": "encrypted",
        "bomb.docx": "memory",
        "laughs.xlsx": "document type",
        "zip.docx": "zip",
        "no.canvas": "no canvas",
        "binary.txt": "no text",
    }.items():
        assert reason in problems[path], (path, problems[path])
    assert "la page 2 ne peut être lue" in run("--lang", "fr", "status", "part.pdf", "--vault", vault).out
    assert "il est chiffré" in run("--lang", "fr", "status", "locked.pdf", "--vault", vault).out
    texts = {path for path in broken if path not in problems}
    assert {hit["path"] for hit in hits(run, vault, "tiny words", "--limit", "0")} <= texts
    assert [hit["path"] for hit in hits(run, vault, "deposit")] == ["Lease.docx"]
    assert run("find", "fulltext", "fine", "--vault", vault).out
    assert len(hits(run, vault, "larch", "--limit", "0", "file:long")) == 300
    assert [hit["heading"] for hit in hits(run, vault, "larch", "file:part")] == ["page 1", "page 3"]


def test_without_the_extra_the_rest_is_read(run: Run, files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    vault = files(FILES)
    monkeypatch.setattr("app.vault.attachments.kinds.PathFinder.find_spec", lambda name: None)
    lacking.cache_clear()
    told = run("index", "--vault", vault)
    assert "1 PDF file is not searched: the extra 'attachments' reads them" in told.err
    assert hits(run, vault, "sweep")
    assert not hits(run, vault, "kind:pdf")
    assert "attachments" in run("cat", "chaudiere.pdf", "--vault", vault).err
    monkeypatch.undo()
    lacking.cache_clear()


FORM = with_object(
    pdf("Signed by:"),
    b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Wilhelmina) /DA (/F1 12 Tf 0 g) /F 4 "
    b"/Rect [72 600 300 620] >>",
    Catalog=b"/AcroForm << /Fields [99 0 R] /DA (/F1 12 Tf 0 g) /DR << /Font << /F1 3 0 R >> >> >>",
    Page=b"/Annots [99 0 R]",
)
"""A form of which a field is filled in."""
LETTERS = (
    b"begincmap 1 begincodespacerange <00> <FF> endcodespacerange 4 beginbfchar <61> <05DD> <62> <05D5> "
)
LETTERS += b"<63> <05DC> <64> <05E9> endbfchar endcmap"
RIGHT_TO_LEFT = with_object(
    pdf("abcd"),
    b"<< /Length %d >>\nstream\n%s\nendstream" % (len(LETTERS), LETTERS),
    Font=b"/ToUnicode 99 0 R",
)
"""A word in Hebrew, whose letters stand as they are seen, the last one first."""


def test_forms_and_text_from_right_to_left(run: Run, files: Files) -> None:
    vault = files(
        {"Form.pdf": FORM, "Right.pdf": RIGHT_TO_LEFT, "Right.html": "<h1>ספר</h1><p>שלום &rlm;עולם</p>"}
    )
    for words, spots in (
        ("wilhelmina", [("Form.pdf", "page 1")]),
        ("שלום", [("Right.pdf", "page 1"), ("Right.html", "ספר")]),
        ("עולם", [("Right.html", "ספר")]),
    ):
        assert {(hit["path"], hit["heading"]) for hit in hits(run, vault, words)} == set(spots), words


def test_meaning_finds_passages_until_they_are_excluded(
    run: Run, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    near = {"type": "text", "text": "A sweep comes in autumn for the chimney", "x": 0, "y": 0}
    far = {"type": "text", "text": "Tickets for the museum", "x": 0, "y": 900}
    vault = files(
        {
            "Home.md": "# Home\n\nRead novels in the evening.\n",
            "Bills/Work.pdf": pdf("Music lessons for the children", "The plumber mended our boiler"),
            "Plan.canvas": json.dumps({"nodes": [near, far]}),
        }
    )
    monkeypatch.delenv("VAULT_ASSISTANT_INDEX__INDEXES")
    run("index", "--vault", vault)
    built = searcher_for(VaultClient(vault))
    for words, path, text in (
        ("heating was repaired", "Bills/Work.pdf", "plumber"),
        ("who cleans the fireplace", "Plan.canvas", "sweep"),
    ):
        best = hits(run, vault, words, "--deep")[0]
        assert (best["path"], text in best["excerpt"]) == (path, True), (words, best)
    count = len(vectors(built))
    settings = Path(vault) / ".obsidian/app.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"userIgnoreFilters": ["Bills/"]}))
    run("index", "--vault", vault)
    assert "Bills/Work.pdf" not in {hit["path"] for hit in hits(run, vault, "heating was repaired", "--deep")}
    assert len(vectors(built)) < count
    assert not hits(run, vault, "plumber")


LOOKS = [
    *(("find", words) for words in ("valve", "kind:pdf", "kind:canvas", "path:Closed", "file:rook", "valv")),
    *(
        ("find", "--in", "Closed", "valve"),
        ("find", "by_link", "Rook.pdf"),
        ("find", "--why", "Rook.pdf", "valve"),
    ),
    *(("find", "fulltext", "valve", "--notes"), ("find", "keyword", "valve"), ("search", "valve", "--json")),
    *(
        ("ask", "what about the valve"),
        ("ask", "valve", "--full"),
        ("list",),
        ("list", "recent"),
        ("list", "tags"),
    ),
    *(("list", "--links", "Home"), ("list", "--related", "Home"), ("list", "orphans")),
    *((command, name) for command in ("cat", "status") for name in ("Rook.pdf", "Rook.canvas", "Rook.docx")),
    *(("cat", "Closed/Rook.txt"), ("cat", "Rook.pdf#page=1"), ("status", "--json")),
    *(("edit", "--obsidian", "Rook.pdf"), ("__complete", "fish", "cat", "")),
]
CALLS: list[tuple[str, dict[str, Any]]] = [
    *(("search", {"operation": "fast", "query": each}) for each in ("valve", "kind:pdf", "path:Closed")),
    ("search", {"operation": "fulltext", "query": "valve"}),
    ("wksm_search", {"query": "valve"}),
    ("ask", {"question": "What about the valve?"}),
    *(
        ("read", {"operation": "read", "path": f"Closed/Rook.{kind}"})
        for kind in ("pdf", "canvas", "docx", "txt")
    ),
    *(("read", {"operation": each, "path": "Rook.pdf"}) for each in ("read", "info", "summarize")),
    ("read", {"operation": "tree"}),
]
PAGES = ["/?q=valve", "/facets?q=valve", "/status", "/names", "/browse/", "/around/Home.md", "/note/Home.md"]
PAGES += [
    f"/{part}/Closed/Rook.{kind}" for part in ("file", "play", "note") for kind in ("pdf", "canvas", "txt")
]
SECRET = re.compile("zugzwang|rook", re.IGNORECASE)


@pytest.mark.asyncio
async def test_an_excluded_file_is_shown_on_no_surface(run: Run, files: Files) -> None:
    card = {"type": "text", "text": "valve #zugzwang", "x": 0, "y": 0}
    vault = files(
        {
            "Home.md": "# Home\n\nA valve of the house.\n",
            "Closed/Rook.pdf": pdf("valve of zugzwang"),
            "Closed/Rook.canvas": json.dumps({"nodes": [card]}),
            "Closed/Rook.docx": packed({"word/document.xml": "<d><p><t>valve of zugzwang</t></p></d>"}),
            "Closed/Rook.txt": "valve of zugzwang",
        }
    )

    async def shown() -> dict[str, list[str]]:
        """Return what is seen of the files at each look, but for the words of who looks."""
        client = VaultClient(vault, Settings(index=LEXICAL))
        page = visit(client)
        seen = {str(look): run(*look, "--vault", vault) for look in LOOKS if look[0] != "__complete"}
        texts = {look: found.out + found.err for look, found in seen.items()}
        texts["completed"] = run("__complete", "fish", "cat", "--vault", vault, "").out
        texts |= {address: page.get(address).text for address in PAGES}
        async with connected(client, tools=["search,wksm_search,ask,read"]) as server:
            for name, given in CALLS:
                texts[f"{name} {given}"] = said(await server.call_tool(name, given))
            texts["resources"] = str(await server.list_resources())
        return {
            look: left
            for look, text in texts.items()
            if (left := [each for each in SECRET.findall(text) if each.lower() not in look.lower()])
        }

    assert len(await shown()) > 25
    settings = Path(vault) / ".obsidian/app.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"userIgnoreFilters": ["Closed/"]}))
    assert await shown() == {}
    run("index", "--vault", vault)
    assert await shown() == {}


LONG = [f"page {at} of the ledger " + "words of a page " * 40 for at in range(1999)]


@pytest.mark.slow
def test_a_long_file_is_found_to_its_last_page(run: Run, files: Files) -> None:
    vault = files({"Home.md": "# Home", "Long.pdf": pdf(*LONG, "the last word is zugzwang")})
    run("index", "--vault", vault)
    assert "Long.pdf, page 2000: " in run("find", "zugzwang", "--vault", vault).out


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this system does not tell it so")
def test_a_long_file_takes_little_memory() -> None:
    data, command = pdf(*LONG), [sys.executable, "-m", child.__name__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        assert reader.stdin is not None
        assert reader.stdout is not None
        reader.stdin.write(json.dumps({"kind": "pdf", "size": len(data)}).encode() + b"\n" + data)
        reader.stdin.flush()
        assert b"page 1999" in reader.stdout.readline()
        # The most that was in use at once, in kB.
        peak = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{reader.pid}/status").read_text())
    assert peak is not None
    assert int(peak[1]) * 1024 < 400_000_000, peak[0]


def test_edit_opens_another_file_in_obsidian_alone(run: Run, files: Files) -> None:
    vault = files(FILES)
    opened = run("edit", "--obsidian", "chaudiere.pdf#page=2", "--vault", vault)
    assert opened.out.strip().endswith("file=Factures%2Fchaudiere.pdf%23page%3D2")
