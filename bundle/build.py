"""Build what is handed out: the wheel, a bundle (``.mcpb``) of it, and its entry for registries of servers.

A bundle, which desktop programs install with one click, holds the wheel itself, so it is of one piece with
it; its libraries are fetched by uv, which the program that installs a bundle brings along. The entry
(``server.json``) has uv fetch the published package. ``make dist`` runs this.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SERVER = Path(__file__).with_name("server.py")
EXTRAS = "mcp,watch,openai,anthropic"
"""Without PyTorch and embedding models: words find notes. Meaning needs the extra `deep`."""
REGISTERED = "io.github.vault-assistant/vault-assistant"
"""The name in the MCP registry. Whoever publishes it proves that the part before the slash is theirs, and the
README names it too, by which the registry sees that the package belongs to it."""
SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
FOLDER = "The folder that holds your notes."


def wheel(folder: Path) -> Path:
    """Build the wheel into a folder."""
    with tempfile.TemporaryDirectory() as made:
        build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", made]
        subprocess.run(build, cwd=ROOT, check=True)
        [built] = Path(made).iterdir()
        return Path(shutil.move(built, folder / built.name))


def project() -> dict[str, Any]:
    """Read what the project says of itself."""
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


def manifest() -> dict[str, Any]:
    """Return the description of the bundle, by version 0.4 of the format."""
    about = project()
    place = "${__dirname}"
    return {
        "manifest_version": "0.4",
        "name": about["name"],
        "display_name": "Vault Assistant",
        "version": about["version"],
        "description": about["description"],
        "author": {"name": about["authors"][0]["name"]},
        "license": about["license"],
        "keywords": about["keywords"],
        "server": {
            "type": "uv",
            "entry_point": SERVER.name,
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", place, SERVER.name, "--vault", "${user_config.vault}"],
            },
        },
        "user_config": {
            "vault": {
                "type": "directory",
                "title": "Vault",
                "description": FOLDER,
                "required": True,
            }
        },
        "tools_generated": True,
        "compatibility": {
            "platforms": ["darwin", "linux"],
            "runtimes": {"python": about["requires-python"]},
        },
    }


def requirements(built: Path) -> str:
    """Return the bundle's own pyproject.toml, by which uv installs the wheel and its libraries."""
    about = project()
    return (
        f'[project]\nname = "vault-assistant-bundle"\nversion = "{about["version"]}"\n'
        f'requires-python = "{about["requires-python"]}"\n'
        f'dependencies = ["{about["name"]}[{EXTRAS}]"]\n\n'
        f'[tool.uv.sources]\n{about["name"]} = {{ path = "{built.name}" }}\n'
    )


def bundle(built: Path, folder: Path) -> Path:
    """Put a wheel into a bundle in a folder."""
    file = folder / f"{project()['name']}-{project()['version']}.mcpb"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", json.dumps(manifest(), indent=2, ensure_ascii=False) + "\n")
        archive.writestr("pyproject.toml", requirements(built))
        archive.write(SERVER, SERVER.name)
        archive.write(ROOT / "LICENSE", "LICENSE")
        archive.write(built, built.name)
    return file


def registry_entry() -> dict[str, Any]:
    """Return the entry for registries of MCP servers, as `SCHEMA` has it.

    A registry names a package without its extras, so that uv is told what these bring.
    """
    about = project()
    extras = about["optional-dependencies"]
    needed = [requirement for extra in EXTRAS.split(",") for requirement in extras[extra]]
    return {
        "$schema": SCHEMA,
        "name": REGISTERED,
        "title": "Vault Assistant",
        "description": about["description"],
        "version": about["version"],
        "packages": [
            {
                "registryType": "pypi",
                "registryBaseUrl": "https://pypi.org",
                "identifier": about["name"],
                "version": about["version"],
                "runtimeHint": "uvx",
                "transport": {"type": "stdio"},
                "runtimeArguments": [{"type": "named", "name": "--with", "value": each} for each in needed],
                "packageArguments": [
                    {"type": "positional", "value": "mcp"},
                    {
                        "type": "named",
                        "name": "--vault",
                        "description": FOLDER,
                        "format": "filepath",
                        "isRequired": True,
                    },
                ],
            }
        ],
    }


def registry_file(folder: Path) -> Path:
    """Write the entry for registries into a folder."""
    file = folder / "server.json"
    file.write_text(json.dumps(registry_entry(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return file


def check_readme() -> None:
    """Exit where the README does not name the server as the registry does."""
    wanted = f"mcp-name: {REGISTERED} "
    if wanted not in (ROOT / "README.md").read_text(encoding="utf-8"):
        sys.exit(f"README.md lacks: {wanted}")


def main() -> None:
    """Build all of it into ``dist/``."""
    check_readme()
    folder = ROOT / "dist"
    folder.mkdir(exist_ok=True)
    built = wheel(folder)
    for file in (built, bundle(built, folder), registry_file(folder)):
        print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1e6:.2g} MB")  # noqa: T201 - what make shows


if __name__ == "__main__":
    main()
