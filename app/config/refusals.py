"""What is wrong with a setting, from what pydantic says of it."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.config.file import ConfigFile
from app.errors import ConfigError
from app.sentences import Quoted, Sentence


def unknown(keys: Sequence[str], value: object, known: Sequence[str], file: ConfigFile | None) -> ConfigError:
    """Say that there is no setting of a name, where it stands, and which ones there are beside it."""
    from difflib import get_close_matches  # only a mistake needs it

    near = get_close_matches(keys[-1], known, 1)
    return ConfigError(
        "setting '{keys}'{where}: there is no such setting (got {value})",
        "did you mean '{near}'? there are: {known}" if near else "there are: {known}",
        keys=".".join(keys),
        where=Sentence(" in '{file}'", file=file.path) if file is not None else "",
        value=Quoted(value),
        near="".join(near),
        known=", ".join(known),
    )


def wrong(error: Mapping[str, Any]) -> ConfigError:
    """Say that a setting cannot have its value, and why."""
    return ConfigError(
        "setting '{where}': {reason} (got {value})",
        where=".".join(map(str, error["loc"])) or "configuration",
        reason=_reason(error),
        value=Quoted(error["input"]),
    )


def _reason(error: Mapping[str, Any]) -> Sentence:
    """Return what pydantic says is wrong, with its facts apart, so that it can be said in French."""
    template, facts = error["msg"], dict[str, object]()
    if "{" in template:
        # What was given stands in it, and would be read.
        return Sentence(template)
    for name, value in error.get("ctx", {}).items():
        shown = f"{value:g}" if isinstance(value, float) else str(value)
        if name != "error" and shown and shown in template:
            template = template.replace(shown, f"{{{name}}}")
            others, either, last = shown.rpartition(" or ")
            facts[name] = Sentence("{others} or {last}", others=others, last=last) if either else shown
    return Sentence(template, **facts)
