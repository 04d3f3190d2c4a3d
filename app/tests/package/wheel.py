"""The wheel as a host installs it: built once, in an environment of its own, beside a package `app` of the host's."""

import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
HOST = 'raise ImportError("this is the host\'s own app")\n'


@dataclass(frozen=True)
class Installed:
    """An environment that holds the wheel and sees the libraries of this one, but not the checkout."""

    wheel: Path
    folder: Path
    host: Path
    """A folder with a package `app` that must not be imported; commands run in it, with it on PYTHONPATH."""

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    def run(self, *command: str, input: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run a command of the environment, such as `python` or `vault-assistant`."""
        program, *arguments = command
        return subprocess.run(
            [str(self.folder / "bin" / program), *arguments],
            cwd=self.host,
            env={**os.environ, "PYTHONPATH": str(self.host), "COLUMNS": "80"},
            input=input,
            capture_output=True,
            text=True,
            check=False,
        )


def build(folder: Path) -> Path:
    """Build the wheel of the checkout into a folder."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    [wheel] = folder.glob("*.whl")
    return wheel


def install(wheel: Path, folder: Path) -> Installed:
    """Install a wheel with pip; its libraries are those of this environment."""
    environment = folder / "environment"
    venv.create(environment, with_pip=False, symlinks=True)
    python = environment / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "-q", "--no-deps", "--no-index", str(wheel)], check=True)
    # Folders that a .pth file names are not looked through for .pth files: the checkout stays out of sight.
    libraries = [path for path in sys.path if Path(path).name == "site-packages"]
    [own] = environment.glob("lib/python*/site-packages")
    (own / "libraries.pth").write_text("\n".join(libraries), encoding="utf-8")
    # Where a wheel's programs are, beside Python, this environment has ripgrep.
    if (ripgrep := Path(sys.executable).with_name("rg")).exists():
        (environment / "bin" / "rg").symlink_to(ripgrep)
    host = folder / "host"
    (host / "app").mkdir(parents=True)
    (host / "app" / "__init__.py").write_text(HOST, encoding="utf-8")
    return Installed(wheel, environment, host)
