"""``measure``: what searching is worth on the vault's own questions, beside ripgrep."""

from collections import Counter
from contextlib import ExitStack
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli import options, output
from app.errors import BadRequestError
from app.notices import Language, MeasureKind, Notice

if TYPE_CHECKING:
    from app.search.measure import Measured, Question, Way

EXAMPLES = (
    "Headings, texts of links and descriptions are asked as questions; the note that each belongs to, or "
    "leads to, is the answer. The lines that hold one word for word are taken out first, in a temporary "
    "copy. No language model is asked, and the same seed asks the same.\n\nExamples:\n\n\b\n  "
    "vault-assistant measure --vault ~/Notes\n  vault-assistant measure --questions 200 --seed 7 --json"
)
ENOUGH = 0.95
"""Share of passages with vectors from which meaning is worth measuring."""
WAYS: "dict[Way, Notice | str]" = {
    "words": Notice(MeasureKind.WORDS),
    "meaning": Notice(MeasureKind.MEANING),
    "ripgrep": "ripgrep",
}
LEAST_QUESTIONS, MOST_QUESTIONS = 1, 1000


def measure(
    questions: Annotated[int, typer.Option("--questions", metavar="N", help="How many are asked.")] = 100,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Chooses the questions.")] = 1,
    index: options.IndexOption = None,
    vault: options.VaultOption = None,
    config: options.ConfigOption = None,
    as_json: options.JsonOption = False,
    debug: options.DebugOption = False,
) -> int:
    """Measure search on your notes, beside ripgrep."""
    from app.bootstrap import open_vault
    from app.cli.build import ready_searcher
    from app.cli.progress import progress_bar
    from app.search import measure as measuring

    if not LEAST_QUESTIONS <= questions <= MOST_QUESTIONS:
        raise BadRequestError(
            "'--questions' must be from {least_questions} to {most_questions} (got {questions})",
            "try 100",
            least_questions=LEAST_QUESTIONS,
            most_questions=MOST_QUESTIONS,
            questions=questions,
        )
    language = output.screen().language
    searcher = ready_searcher(open_vault(vault, config), index)
    searcher.freshen()
    view = searcher.view()
    asked = measuring.make_questions(view, questions, seed)
    if not asked:
        raise BadRequestError(
            "no heading, text of a link or description of this vault makes a question",
            "a question has two words or more, stands once in the vault, and is not the name of its note",
        )
    share = None if searcher.vectors is None else searcher.status().embedded
    ways: list[Way] = ["words", *(["meaning"] if share is not None and share >= ENOUGH else []), "ripgrep"]  # type: ignore[list-item]
    copying = Notice(MeasureKind.COPYING).said(language)
    found = []
    with ExitStack() as stack:
        with progress_bar(copying, language=language) as progress:
            copy = stack.enter_context(measuring.masked(searcher, asked, progress))
        if "meaning" in ways:
            copy.embed()
        for way in ways:
            label = Notice(MeasureKind.ASKING, way=WAYS[way]).said(language)
            with progress_bar(label, language=language) as asking:
                found.append(measuring.measure(copy, asked, way, asking))
    notes = int(view.snapshot.visible.sum())
    if as_json:
        data = {"notes": notes, "seed": seed, "ways": [asdict(each) for each in found]}
        output.show_json(data | {"questions": [asdict(question) for question in asked]})
    else:
        _show(found, asked, notes, share, language)
    return output.FOUND


def _show(
    found: "list[Measured]", asked: "list[Question]", notes: int, share: float | None, language: Language
) -> None:
    often = Counter(question.source for question in asked)
    said = Notice(
        MeasureKind.ASKED,
        count=len(asked),
        notes=notes,
        headings=often["heading"],
        links=often["link"],
        descriptions=often["description"],
    )
    names = {
        each.way: way.said(language) if isinstance(way := WAYS[each.way], Notice) else way for each in found
    }
    width = max(map(len, names.values()))
    rows = [f"{'':{width}}  {Notice(MeasureKind.COLUMNS).said(language)}"]
    rows += [
        Notice(
            MeasureKind.ROW,
            way=f"{names[each.way]:{width}}",
            hit=each.hit,
            first=each.first,
            milliseconds=each.milliseconds,
            tokens=each.tokens,
        ).said(language)
        for each in found
    ]
    remarks = [Notice(MeasureKind.MEANS), Notice(MeasureKind.HOW_RIPGREP)]
    if len(found) < len(WAYS):
        no_model = Notice(MeasureKind.WORDS_ALONE)
        remarks.append(no_model if share is None else Notice(MeasureKind.NO_MEANING, share=share))
    screen = output.screen()
    below = [screen.dim(output.wrapped(remark.said(language) + ".")) for remark in remarks]
    output.show_printed(
        "\n\n".join([output.wrapped(said.said(language) + "."), "\n".join(rows), "\n".join(below)]) + "\n"
    )
