"""Check an answer that was said already, and say what of it does not hold."""

from collections.abc import Iterable, Sequence

from app.chat.cite.check import check_citations
from app.chat.named import NamedNotes
from app.chat.phrases import PHRASES, Language
from app.chat.remarks import remark
from app.dependencies import VaultClient

MOST_SHOWN = 10


def check_answer(
    vault: VaultClient, texts: Sequence[str], language: Language, former: Iterable[str] = ()
) -> tuple[list[str], str]:
    """Check the parts of an answer against the vault, for any surface that shows text as it comes.

    Args:
        vault: The vault, as it stands at the end of the turn.
        texts: What was said, part by part.
        language: In which the corrections are said.
        former: Names of notes that the conversation may speak of though they are gone.

    Returns:
        The parts as they are to be kept, and what to say below the answer: empty where all of it holds.
    """
    notes = NamedNotes(vault, former)
    checked = [check_citations(text, notes) for text in texts]
    changes = dict.fromkeys(f"{before} → {after}" for each in checked for before, after in each.changes)
    remarks = dict.fromkeys(remark(text, language) for each in checked for text in each.remarks)
    lines = [" ".join(line.split()) for line in (*remarks, *changes)]
    if len(lines) > MOST_SHOWN:
        left = remark(f"{len(lines) - MOST_SHOWN + 1} more remarks", language)
        lines = [*lines[: MOST_SHOWN - 1], left]
    said = "\n".join([PHRASES[language].corrected, *(f"- {line}" for line in lines)]) if lines else ""
    return [each.text for each in checked], said
