"""Build what is handed out: the wheel, and a bundle (``.mcpb``) that desktop programs install with one click.

A bundle holds the wheel itself, so it is of one piece with it; its libraries are fetched by uv, which the
program that installs a bundle brings along. ``make dist`` runs this.
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
EXTRAS = "mcp,watch"
"""Without PyTorch and models: words find notes. Who wants meaning as well installs the extra `deep`."""


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
                "description": "The folder that holds your notes.",
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


def main() -> None:
    """Build both into ``dist/``."""
    folder = ROOT / "dist"
    folder.mkdir(exist_ok=True)
    built = wheel(folder)
    for file in (built, bundle(built, folder)):
        print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1e6:.1f} MB")  # noqa: T201 - what make shows


if __name__ == "__main__":
    main()
