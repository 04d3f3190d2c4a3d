"""Walk every hit of every question of the judged sets, and report those that show no word that found them.

    python -m bench.shown SETS [--vault VAULT] [--set NAME]... [--work FOLDER] [--most N]

SETS is a folder of judged sets, as for the quality benchmark. A hit is one by words where its passage has any
word of the question, by the meaning of "word" that the ranking has: folded, by stem, as part of a joined
word, in the spelling of the notes. Where such a word stands in the passage's own lines, the lines that are
shown must have one. Where it stands only in the title, a heading or an alias, the title or heading must be
shown. Ends with an exit status of 1 where a hit does not.
"""

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from app.config.settings import Settings
from app.dependencies import VaultClient
from app.search.index.chunk import split_lines
from app.search.models import Operation, SearchRequest
from app.search.operations import OPERATIONS
from app.search.query.evaluate import chunk_text
from app.search.query.parse import parse_question
from app.search.query.spelling import spelt
from app.search.results import Shower
from app.search.searcher import searcher_for
from app.search.view import View
from bench.judged import read_set

_NUMBER = re.compile(r"^\d+ *\| ", re.MULTILINE)


def hits_by_words(
    view: View, text: str, operation: Operation, most: int | None
) -> Iterator[tuple[str, str, bool]]:
    """Yield of each hit by words its place, where its words stand, and whether what is shown has one.

    The places are ``lines`` and ``names``: its own lines, or only the title, headings and aliases.
    """
    request = SearchRequest(query=text, queries=(text,), operation=operation, limit=50)
    request = request.model_copy(update={"limit": most})
    query = spelt(view.snapshot, parse_question(text))
    words = view.lexical.line_words([(query.positive, query.spellings)])
    covered = view.lexical.coverage(query.positive, query.spellings)
    shower = Shower(view, request)
    for item in OPERATIONS[operation](view, request).items:
        if not covered[item.doc]:
            continue
        language = view.lexical.language(item.doc)
        result = shower.result(item)
        place = f"{result.path}:{result.lines}"
        if words.told(split_lines(chunk_text(view, item.doc)), language):
            shown = split_lines(_NUMBER.sub("", result.excerpt))
            yield place, "lines", words.told(shown, language) > 0
        else:
            aliases = view.snapshot.note(int(view.lexical.note_of[item.doc])).aliases
            names = [result.title, result.path, result.heading or "", *aliases]
            yield place, "names", words.told(names, language) > 0


def walk(view: View, texts: Sequence[str], operation: Operation, most: int | None) -> tuple[int, list[str]]:
    """Return how many hits by words some questions have, and those that show none of the words."""
    counts, missing = Counter[str](), list[str]()
    for text in texts:
        for place, where, shown in hits_by_words(view, text, operation, most):
            counts[where] += 1
            if not shown:
                missing.append(f"{text[:60]!r}: {place}")
    return counts.total(), missing


def main() -> None:
    """Walk the sets that the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", type=Path)
    parser.add_argument("--vault", type=Path, help="the vault of sets that have none of their own")
    parser.add_argument("--set", action="append", dest="names", default=[], help="only this set")
    parser.add_argument("--work", type=Path, help="where vaults and indexes are kept")
    parser.add_argument("--most", type=int, help="hits of each question, best first; all by default")
    given = parser.parse_args()
    names = given.names or sorted(folder.parent.name for folder in given.sets.glob("*/queries.jsonl"))
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        work = given.work or Path(scratch)
        for name in names:
            judged = read_set(given.sets / name, work, given.vault)
            searcher = searcher_for(VaultClient(judged.vault, Settings(cache_dir=work / name / "cache")))
            searcher.freshen()
            texts = [question.text for question in judged.questions]
            count, missing = walk(searcher.view(), texts, "fast", given.most)
            print(f"{name}: {len(texts)} questions, {count} hits by words, {len(missing)} show none of them")
            print("".join(f"  {one}\n" for one in missing[:20]), end="")
            failed |= bool(missing)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
