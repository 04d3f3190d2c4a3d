"""The wheel's contents: the repository's package `app`, under a name that no host's own `app` meets.

The sources keep their absolute imports, so that a file reads the same wherever it is opened; a wheel gets
each of them with the new name. An editable install keeps `app`: it shows the repository as it stands.
"""

import ast
import io
import re
import runpy
import shutil
import tempfile
import tokenize
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE, INSTALLED = "app", "vault_assistant"
_STRINGS = {"FSTRING_START": 1, "FSTRING_END": -1, "TSTRING_START": 1, "TSTRING_END": -1}
"""Tokens between which a string with fields stands, from Python 3.12 and 3.14 on."""


def renamed(text: str, modules: Collection[str]) -> str:
    """Return a module's text with `SOURCE` renamed in imports, and where strings and comments name modules.

    Args:
        text: A Python file.
        modules: What lies directly in the package; `app.css` in a string is no module, and stays.

    Raises:
        ValueError: an import binds the name `app` itself, which its uses cannot be told by.
    """
    for node in ast.walk(ast.parse(text)):
        names = node.names if isinstance(node, ast.Import) else ()
        if any(name.name.partition(".")[0] == SOURCE and not name.asname for name in names):
            raise ValueError(
                f"line {node.lineno}: write 'from {SOURCE}... import', which binds no '{SOURCE}'"
            )
    starts = [0]
    for line in io.StringIO(text):
        starts.append(starts[-1] + len(line))
    named = re.compile(rf"(?<![\w./]){SOURCE}(?=\.(?:{'|'.join(map(re.escape, sorted(modules)))})\b)")
    parts, done = [], 0
    for (first, column), (last, end), is_import in _pieces(text):
        begin, stop = starts[first - 1] + column, starts[last - 1] + end
        piece = text[begin:stop]
        parts += [text[done:begin], INSTALLED if is_import else named.sub(INSTALLED, piece)]
        done = stop
    return "".join([*parts, text[done:]])


def _pieces(text: str) -> Iterator[tuple[tuple[int, int], tuple[int, int], bool]]:
    """Yield where something may be renamed: the package's name in imports (True), strings and comments."""
    statement: list[str] = []
    nested, begun = 0, (0, 0)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = tokenize.tok_name[token.type]
        if step := _STRINGS.get(kind):
            begun = token.start if not nested else begun
            nested += step
            if not nested:
                yield begun, token.end, False
        elif not nested and kind in ("STRING", "COMMENT"):
            yield token.start, token.end, False
        elif kind == "NAME" and token.string == SOURCE and _is_package(statement):
            yield token.start, token.end, True
        if kind in ("NEWLINE", "INDENT", "DEDENT") or token.string == ";":
            statement = []
        elif kind not in ("NL", "COMMENT"):
            statement.append(token.string)


def _is_package(statement: list[str]) -> bool:
    """Return whether the next name of a statement is the first part of a module that is imported."""
    keyword = next((word for word in statement if word in ("from", "import")), "")
    if keyword == "from":
        # Behind a colon too; "raise … from" and "yield from" name values.
        at = statement.index("from")
        return at == len(statement) - 1 and (at == 0 or statement[at - 1] == ":")
    return keyword == "import" and statement[-1] in ("import", ",")


class CustomBuildHook(BuildHookInterface):
    """Compile the French texts, and give a wheel the renamed modules, and entry points that name them."""

    _folder: Path | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the renamed modules beside the repository, and have them taken in place of its own."""
        translation = runpy.run_path(str(Path(self.root, SOURCE, "translation.py")))
        translation["compile_french"]()
        if version != "standard":
            return
        compiled: Path = translation["COMPILED"]
        # Git ignores it, and so would the build.
        build_data["force_include"][str(compiled)] = compiled.relative_to(self.root).as_posix()
        self._folder = Path(tempfile.mkdtemp(prefix="vault-assistant-wheel-"))
        files = [
            file
            for file in self.build_config.builder.recurse_included_files()
            if file.relative_path.endswith(".py")
        ]
        modules = {Path(file.relative_path).parts[1].removesuffix(".py") for file in files}
        for file in files:
            target = self._folder / file.relative_path
            target.parent.mkdir(parents=True, exist_ok=True)
            text = Path(file.path).read_text(encoding="utf-8")
            try:
                target.write_text(renamed(text, modules), encoding="utf-8", newline="\n")
            except ValueError as error:
                raise ValueError(f"{file.relative_path}, {error}") from error
            build_data["force_include"][str(target)] = file.relative_path
        scripts = self.metadata.core.scripts
        for name, entry in scripts.items():
            scripts[name] = re.sub(rf"^{SOURCE}(?=\.)", INSTALLED, entry)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was written."""
        if self._folder is not None:
            shutil.rmtree(self._folder)
