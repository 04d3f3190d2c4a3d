"""Whether a change may be made: one decision for the chat, other agents, the page and the command line."""

from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from app.config.folders import config_folder
from app.config.settings import Writes
from app.dependencies import VaultClient
from app.errors import ConfigError, WriteError
from app.notes.models import Plan
from app.showing import PATH, in_line
from app.vault.files import future_path
from app.vault.obsidian import templates_folder
from app.vault.paths import path_key

ON_DEPENDENCIES = "set the attribute 'writes' of the dependencies to 'allow', or give them an 'approve'"


@dataclass(frozen=True, slots=True)
class Gate:
    """Who asks for a change, and what they may do.

    ``by_agent`` says that a language model or a program asks, and no person said so; ``can_ask`` that a
    person can be shown the change and answer. ``to_allow`` is the advice where nobody can.
    """

    writes: Writes = "allow"
    by_agent: bool = True
    can_ask: bool = False
    to_allow: str = ON_DEPENDENCIES


def in_configuration() -> str:
    """Say how a person allows the chat, and the clients of the server, to write without being asked."""
    file = config_folder() / "config.json"
    shown = f"~/{file.relative_to(Path.home())}" if file.is_relative_to(Path.home()) else str(file)
    return (
        f'a person can put "writes": "allow" into config.json ({shown}, or the file that --config names), '
        "or ask where they can answer"
    )


def must_ask(gate: Gate, vault: VaultClient, plan: Plan) -> bool:
    """Decide whether a person has to approve of a change before it is made.

    Raises:
        ConfigError: the setting has an unknown value.
        WriteError: it is not to be made, or a person has to approve and nobody can be asked.
    """
    if gate.writes not in get_args(Writes):
        valid = ", ".join(get_args(Writes))
        raise ConfigError(f"'writes' is {gate.writes!r}", f"it must be one of {valid}")
    not_done = f"{plan.operation} was not done"
    if gate.writes == "refuse":
        raise WriteError(f"{not_done}: the setting 'writes' is 'refuse'", "a person can change it")
    if gate.writes == "ask" and not gate.can_ask:
        raise WriteError(f"{not_done}: the setting 'writes' is 'ask', and nobody can approve", gate.to_allow)
    template = _new_template(vault, plan) if gate.by_agent else ""
    if template and not gate.can_ask:
        raise WriteError(
            f"{not_done}: '{in_line(template, PATH)}' would be a template, and nobody can approve of one",
            "choose a folder other than that of the templates, or let a person do it",
        )
    return gate.writes == "ask" or bool(template)


def _new_template(vault: VaultClient, plan: Plan) -> str:
    """Name the note that a plan puts into the folder of templates; empty where it puts none.

    What stands there is copied into other notes later, and some plugins run it. The trash and all folders
    whose name begins with a dot are refused to everybody, by `normalize_path`.
    """
    folder = templates_folder(vault.root)
    if not folder:
        return ""
    inside = path_key(folder) + "/"
    for change in plan.changes:
        if change.before is None and change.after is not None:
            # A symbolic link on the way may lead there.
            places = (change.path, future_path(vault.root, change.path))
            if any(path_key(place).startswith(inside) for place in places):
                return change.path
    return ""
