"""The lines that are shown of a hit: those that hold what found it, and none that stand everywhere."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.config.settings import Settings
from app.search.index.chunk import split_lines
from app.search.models import Ranked, SearchRequest
from app.search.operations import OPERATIONS
from app.search.query.evaluate import chunk_text
from app.search.query.read import read_question
from app.search.searcher import searcher_for
from app.search.show.lines import line_words
from app.search.show.results import Shower
from app.search.view import View
from app.tests.conformance.reading import VAULT as CONFORMANCE
from app.tests.conftest import MakeVault
from app.tests.search.conftest import Find
from app.vault.client import VaultClient

EXAMPLE = Path(__file__).parents[3] / "examples" / "vault"
FILLER = "Une phrase qui ne dit rien de plus.\n\n" * 6
FOOTER = "Voir aussi le budget de la serre et le sommaire.\n"


def shown(find: Find, vault: VaultClient, query: str, operation: str = "fast") -> str:
    return find(vault, operation, query=query).results[0].excerpt


@pytest.mark.parametrize(
    ("other", "line", "query"),
    [
        ("La table de la cuisine est là.", "Les livraisons furent bloquées lundi.", "la livraison bloquée"),
        (
            "Who is it that the one is for, and what is the way?",
            "Larches shed needles.",
            "What is for the larch?",
        ),
        ("Le pin, puis un pignon, puis le noir.", "Un pin noir.", "pin noir"),
        ("Le reste.", "Voir change-log-2025 et le reste.", "log"),
        ("Le frêne.", "Le mélèze perd ses aiguilles.", "meléez"),
    ],
)
def test_lines_with_words_show(tiny_vault: MakeVault, find: Find, other: str, line: str, query: str) -> None:
    excerpt = shown(find, tiny_vault({"a.md": f"{other}\n\n{FILLER}{line}\n\n{FILLER}"}), query)
    assert line in excerpt
    assert other not in excerpt


def test_a_rare_word_chooses_before_two_common_ones(tiny_vault: MakeVault, find: Find) -> None:
    others = {f"{n}.md": "budget meeting\n" for n in range(30)}
    note = f"The budget meeting.\n\n{FILLER}A quokka.\n"
    assert "A quokka." in shown(find, tiny_vault({"a.md": note, **others}), "budget meeting quokka")


def test_a_long_line_is_cut_where_the_words_stand_by_stem(tiny_vault: MakeVault, find: Find) -> None:
    filler = "il pleut et nous ne sommes pas dans la serre avec eux " * 60
    note = f"{filler}les livraisons bloquées {filler}"
    excerpt = shown(find, tiny_vault({"a.md": note}), "livraison bloquée")
    assert "les livraisons bloquées" in excerpt
    assert len(excerpt) <= 400 + len("1 | ")


def test_the_nearest_lines_show_a_hit_by_meaning(tiny_vault: MakeVault) -> None:
    searcher = searcher_for(tiny_vault({"a.md": f"{FILLER}Trees drop their leaves.\n\n{FILLER}"}))
    searcher.freshen()
    query = "autumn foliage"
    shower = Shower(searcher.view(), SearchRequest(query=query, queries=(query,), operation="fast"))
    chunk = int(shower.view.lexical.chunks.nonzero()[0][0])
    assert shower.result(Ranked(chunk, 0.5, near=(13, 13))).excerpt == "13 | Trees drop their leaves."


def test_lines_of_many_notes_are_not_shown_where_others_can_be(tiny_vault: MakeVault, find: Find) -> None:
    notes = {f"{n}.md": f"Autre note {n}.\n\n{FOOTER}" for n in range(8)}
    vault = tiny_vault({"a.md": f"{FOOTER}\n{FILLER}La serre coûte 300.\n\n{FOOTER}", **notes})
    results = {result.path: result for result in find(vault, "fast", query="budget serre").results}
    assert "La serre coûte 300." in results["a.md"].excerpt
    assert "sommaire" not in results["a.md"].excerpt
    assert results["0.md"].excerpt == "1 | Autre note 0.\n2 | \n3 | " + FOOTER.strip()


def test_excluded_notes_and_short_lines_do_not_count(tiny_vault: MakeVault) -> None:
    notes = {f"prive/{n}.md": f"Note {n}\n\n{FOOTER}\n" for n in range(9)}
    notes[".obsidian/app.json"] = '{"userIgnoreFilters": ["prive/"]}'
    notes |= {f"{n}.md": f"---\ntags: [a]\n---\n{FOOTER if n < 4 else ''}ok\n" for n in range(9)}
    searcher = searcher_for(tiny_vault(notes))
    searcher.freshen()
    snapshot = searcher.view().snapshot
    assert snapshot.shared(["tags: [a]"])[0]
    assert not any(snapshot.shared([FOOTER, "ok", "---", ""]))


def questions(vault: VaultClient) -> list[str]:
    """The headings of all notes, and what each begins with."""
    searcher = searcher_for(vault)
    searcher.freshen()
    snapshot = searcher.view().snapshot
    found: dict[str, None] = {}
    for path, doc in snapshot.lexical.paths().items():
        if snapshot.visible[doc]:
            found |= dict.fromkeys(section.text for section in snapshot.outline(doc).sections)
            words = vault.read(path).text.split()
            found[" ".join(words[20:28])] = None
    return [text for text in found if text.strip()]


def hits_by_words(view: View, text: str) -> Iterator[tuple[str, bool]]:
    """Each hit whose passage has a word of the question, as the ranking means it, and whether it is shown.

    Where the word stands only in the title, a heading or an alias, one of these must be shown.
    """
    request = SearchRequest(query=text, queries=(text,), operation="fast").model_copy(update={"limit": 1000})
    query = read_question(view.snapshot, text)
    words = line_words(view.lexical, [query])
    covered = view.lexical.having(query.positive, view.lexical.chunks, query.spellings)
    shower = Shower(view, request)
    for item in OPERATIONS["fast"](view, request).items:
        if covered[item.doc]:
            language = view.lexical.language(item.doc)
            result = shower.result(item)
            lines = split_lines(re.sub(r"(?m)^\d+ *\| ", "", result.excerpt))
            if not words.told(split_lines(chunk_text(view, item.doc)), language):
                aliases = view.snapshot.note(int(view.lexical.note_of[item.doc])).aliases
                lines = [result.title, result.path, result.heading or "", *aliases]
            yield f"{text[:60]!r}: {result.path}:{result.lines}", words.told(lines, language) > 0


@pytest.mark.slow
@pytest.mark.parametrize("source", [EXAMPLE, CONFORMANCE], ids=["example", "conformance"])
def test_no_hit_by_words_is_shown_without_any_of_them(source: Path, tmp_path: Path) -> None:
    shutil.copytree(source, tmp_path / "vault", symlinks=True)
    vault = VaultClient(tmp_path / "vault", Settings(cache_dir=tmp_path / "cache"))
    asked = questions(vault)
    hits = [hit for text in asked for hit in hits_by_words(searcher_for(vault).view(), text)]
    assert len(hits) > 5 * len(asked) > 200
    assert [place for place, is_shown in hits if not is_shown] == []
