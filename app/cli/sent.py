"""``status --sent``: what text went to which language model, when, and where."""

from dataclasses import asdict

from app.cli import output
from app.config.settings import Settings
from app.errors import VaultError
from app.llm.log import FOLDER, Sent, read_sent
from app.llm.masks import MASK

SHOWN = 10
PREVIEW_CHARS = 90
ASKED = "[user]\n"


def show_sent(settings: Settings, *, as_json: bool) -> int:
    """List what was sent, newest first; with ``as_json`` all of it, and the texts.

    Raises:
        VaultError: the log cannot be read.
    """
    folder = settings.state_folder / FOLDER
    try:
        entries = read_sent(settings.state_folder)
    except OSError as error:
        raise VaultError(
            f"the log of sent texts in '{folder}' cannot be read: {error.strerror or error}"
        ) from error
    if as_json:
        output.show_json([asdict(entry) for entry in entries])
    elif entries:
        output.show("\n".join(_lines(entries, str(folder))))
    else:
        output.show("Nothing was sent to a language model so far.")
    return output.FOUND if entries else output.NOTHING


def _lines(entries: list[Sent], folder: str) -> list[str]:
    noun = "text was" if len(entries) == 1 else "texts were"
    lines = [f"{len(entries)} {noun} sent to language models, newest first:"]
    for entry in entries[:SHOWN]:
        when = entry.when.replace("T", " ")[:19]
        masked = f" · {entry.left_out} × {MASK}" if entry.left_out else ""
        lines.append(f"{when} · {entry.model} · {entry.where} · {entry.characters} characters{masked}")
        lines.append(f"  {_preview(entry.text)}")
    more = len(entries) - SHOWN
    rest = f"… and {more} more; " if more > 0 else ""
    return [*lines, f"{rest}--json shows all of them with their texts, which are kept in {folder}"]


def _preview(text: str) -> str:
    """Give the beginning of what was asked last."""
    asked = " ".join(text.rpartition(ASKED)[2].partition("\n\n[")[0].split())
    return asked if len(asked) <= PREVIEW_CHARS else asked[: PREVIEW_CHARS - 1] + "…"
