"""Whether a change may be made, who is asked, and what a person is warned of."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from app.config.folders import config_folder
from app.config.settings import Writes
from app.errors import ConfigError, WriteError
from app.markdown.loading import loaded
from app.notes.models import Plan
from app.sentences import Quoted, Sentence
from app.showing import PATH, in_line
from app.vault.client import VaultClient
from app.vault.files import future_path
from app.vault.obsidian import templates
from app.vault.paths import path_key

ON_DEPENDENCIES = "set the attribute 'writes' of the dependencies to 'allow', or give them an 'approve'"

URL = 200
"""Most characters of an address that are shown."""
_FENCE = re.compile(r"(?<![`~])(?:`{3,}+|~{3,}+)[ \t]*+\{?\.?(?P<language>[\w-]+)")
_LANGUAGES = {
    "dataviewjs": "Dataview",
    "datacorejs": "Datacore",
    "datacorejsx": "Datacore",
    "datacorets": "Datacore",
    "datacoretsx": "Datacore",
    "js-engine": "JS Engine",
    "meta-bind-js-view": "Meta Bind",
}


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


def in_configuration() -> Sentence:
    """Say how a person allows the chat, and the clients of the server, to write without being asked."""
    file = config_folder() / "config.json"
    shown = f"~/{file.relative_to(Path.home())}" if file.is_relative_to(Path.home()) else str(file)
    return Sentence(
        'a person can put "writes": "allow" into config.json ({file}, or the file that --config names), '
        "or ask where they can answer",
        file=shown,
    )


def must_ask(gate: Gate, vault: VaultClient, plan: Plan) -> bool:
    """Decide whether a person has to approve of a change before it is made.

    Raises:
        ConfigError: the setting has an unknown value.
        WriteError: it is not to be made, or a person has to approve and nobody can be asked.
    """
    if gate.writes not in get_args(Writes):
        valid = ", ".join(get_args(Writes))
        raise ConfigError(
            "'writes' is {writes}", "it must be one of {valid}", writes=Quoted(gate.writes), valid=valid
        )
    not_done = Sentence("{operation} was not done", operation=plan.operation)
    if gate.writes == "refuse":
        raise WriteError(
            "{not_done}: the setting 'writes' is 'refuse'", "a person can change it", not_done=not_done
        )
    if gate.writes == "ask" and not gate.can_ask:
        raise WriteError(
            Sentence("{not_done}: the setting 'writes' is 'ask', and nobody can approve", not_done=not_done),
            gate.to_allow,
        )
    template = _new_template(vault, plan) if gate.by_agent else ""
    if template and not gate.can_ask:
        raise WriteError(
            "{not_done}: '{template}' would be a template, and nobody can approve of one",
            "choose a folder other than that of the templates, or let a person do it",
            not_done=not_done,
            template=in_line(template, PATH),
        )
    return gate.writes == "ask" or bool(template)


def _new_template(vault: VaultClient, plan: Plan) -> str:
    """Name the note that a plan puts into the folder of templates; empty where it puts none.

    What stands there is copied into other notes later, and some plugins run it. The trash and all folders
    whose name begins with a dot are refused to everybody, by `normalize_path`.
    """
    folder = templates(vault.root).folder
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


def acts(text: str) -> list[Sentence]:
    """Say what a note does by itself: sentences without their subject, each once."""
    found = [
        Sentence("loads from the network when it is opened: {url}", url=in_line(url, URL))
        for url in loaded(text)
    ]
    found += [
        Sentence("runs code in Obsidian with the plugin {plugin}", plugin=each) for each in _plugins(text)
    ]
    return list(dict.fromkeys(found))


def _plugins(text: str) -> Iterator[str]:
    """Name the plugins for which a note holds code."""
    for match in _FENCE.finditer(text):
        if plugin := _LANGUAGES.get(match["language"].lower()):
            yield plugin
    if "`$=" in text:
        yield "Dataview"
    if "<%" in text:
        yield "Templater"
