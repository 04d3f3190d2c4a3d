"""``skill``: what an agent should know of the vault, written into a file that agents read."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli import options, output
from app.errors import BadRequestError, ConfigError
from app.sentences import Sentence

if TYPE_CHECKING:
    from app.mcp.install.change import ConfigChange
    from app.skill.text import SkillText
    from app.vault.client import VaultClient

FILE = "SKILL.md"
EXAMPLES = (
    "It names folders, tags, properties, templates, and queries that find something; all of it comes from "
    "the index, and no language model is asked. Excluded notes leave no trace in it.\n\n"
    "On a terminal the change is shown and asked about; into a pipe the text is printed and nothing is "
    "written. Run it again to refresh the file: only the part between its two marks changes.\n\n"
    "Examples:\n\n\b\n"
    "  vault-assistant skill --vault ~/Notes\n"
    "  vault-assistant skill --vault ~/Notes --to ~/.claude/skills/notes --yes\n"
    "  vault-assistant skill --vault ~/Notes --agents AGENTS.md"
)


def skill(
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="FOLDER", help="Where SKILL.md is; else .claude/skills/NAME here."),
    ] = None,
    agents: Annotated[
        Path | None, typer.Option("--agents", metavar="FILE", help="Write a section of this file instead.")
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="The skill's name; by default the vault's.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Write without asking.")] = False,
    vault: options.VaultOption = None,
    config: options.ConfigOption = None,
    debug: options.DebugOption = False,
) -> int:
    """Write what agents should know of the vault."""
    from app.bootstrap import open_vault
    from app.chat.approval import ask_person
    from app.dependencies import ProposedWrite
    from app.mcp.install.change import make_change
    from app.skill.text import skill_name

    if to is not None and agents is not None:
        raise BadRequestError("--to and --agents exclude each other", "run it once for each")
    opened = open_vault(vault, config)
    named = skill_name(opened.name if name is None else name)
    if name is not None and named != name:
        raise BadRequestError("'{name}' is no name of a skill", "write '{named}'", name=name, named=named)
    place = vault if vault is not None and vault in opened.settings.vaults else str(opened.root)
    options = ["--vault", place, *(["--config", str(config.expanduser().absolute())] if config else [])]
    text = _described(opened, named, options)
    asks = sys.stdout.isatty() and output.is_interactive()
    if not yes and not asks:
        output.show(text.section if agents is not None else f"{text.front}\n{text.section}")
        return output.FOUND
    change = _change(agents or _skill_file(opened, to, named), named, text, is_skill=agents is None)
    if change.before == change.after:
        output.tell(Sentence("'{path}' says this already.", path=change.path))
        return output.FOUND
    if not yes and not ask_person(ProposedWrite("write", str(change.path), change.diff)):
        output.tell(Sentence("Not written: '{path}' is as it was.", path=change.path))
        return output.NOTHING
    # What lies in the vault is the person's; elsewhere a file of this program needs no copy.
    backup = make_change(change, keep=_is_inside(opened, change.path))
    output.tell(Sentence("Wrote '{path}'.", path=change.path))
    if backup is not None:
        output.tell(Sentence("What it held: '{path}'.", path=backup))
    return output.FOUND


def _described(vault: "VaultClient", name: str, options: list[str]) -> "SkillText":
    """Bring the index up to date and write what it says of the vault.

    Raises:
        BadRequestError: no note can be shown.
    """
    from app.cli.build import index_words, ready_searcher
    from app.skill.examples import tried_examples
    from app.skill.survey import survey
    from app.skill.text import skill_text

    language = output.screen().language
    searcher = ready_searcher(vault, language=language)
    index_words(searcher, language=language)
    found = searcher.mended(lambda: survey(vault, searcher.view().snapshot))
    if not found.notes:
        raise BadRequestError("there is no note to tell of in this vault", "name another by --vault")
    examples = searcher.mended(lambda: tried_examples(searcher, found))
    return skill_text(name, vault.name, found, examples, options)


def _skill_file(vault: "VaultClient", to: Path | None, name: str) -> Path:
    """Return the file of the skill.

    Raises:
        BadRequestError: no folder is named, and the working folder leads into the vault.
    """
    if to is not None:
        return to.expanduser().absolute() / FILE
    path = Path(".claude", "skills", name, FILE).absolute()
    if _is_inside(vault, path):
        raise BadRequestError(
            "'{path}' lies in the vault, where nothing is written unasked",
            "start in another folder, or name one by --to",
            path=path,
        )
    return path


def _is_inside(vault: "VaultClient", path: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(vault.root)


def _change(path: Path, name: str, text: "SkillText", *, is_skill: bool) -> "ConfigChange":
    from app.mcp.install.change import ConfigChange, read_before
    from app.skill.section import with_section

    path = path.expanduser().absolute()
    before = read_before(path)
    try:
        after = with_section(
            (before or b"").decode(), name, text.section, front=text.front if is_skill else ""
        )
    except (ConfigError, UnicodeDecodeError) as error:
        message = error.message if isinstance(error, ConfigError) else "it is not UTF-8"
        raise ConfigError(
            "'{path}' was not changed: {reason}", "mend the file, or name another", path=path, reason=message
        ) from error
    return ConfigChange(path, before, after.encode())
