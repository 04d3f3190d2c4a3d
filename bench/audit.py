"""Hold the locked packages against the public advisories; `make audit` runs it in an environment of its own.

    python bench/audit.py [CONSTRAINTS]

Exit code 0: all were looked up and nothing is known; 1: something is known; 3: no source answered.
"""

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

CLEAN, KNOWN, UNREACHED = 0, 1, 3
SOURCES = {"pypi": "PyPI", "osv": "OSV"}
SECONDS = 900
ROOT = Path(__file__).parents[1]
EXCEPTIONS = Path(__file__).with_name("audit-exceptions.txt")

Package = Mapping[str, Any]


def main(arguments: Sequence[str]) -> int:
    """Ask one source after the other until one answers, and say what it knows."""
    constraints = Path(arguments[0]) if arguments else ROOT / "constraints.txt"
    excused = exceptions(EXCEPTIONS.read_text(encoding="utf-8"))
    for source, name in SOURCES.items():
        packages = looked_up(constraints, source)
        # Asked for a package it does not know, or behind a mirror without advisories, it finds nothing wrong.
        audited = [package for package in packages if "vulns" in package and "skip_reason" not in package]
        if not audited:
            continue
        lines = known(audited, excused)
        unaudited = [package["name"] for package in packages if package not in audited]
        print(f"{len(audited)} of {len(packages)} packages looked up at {name}: {len(lines)} advisories")
        print("\n".join(lines + [f"not known to {name}: {package}" for package in unaudited]))
        return KNOWN if lines else CLEAN
    names = " nor ".join(SOURCES.values())
    print(f"not audited: neither {names} gave any advisories; nothing is known, good or bad")
    return UNREACHED


def looked_up(constraints: Path, source: str) -> list[Package]:
    """Ask a source about every package; none where it does not answer."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(constraints), "--no-deps"]
    options = [
        "--disable-pip",
        "--vulnerability-service",
        source,
        "--progress-spinner",
        "off",
        "--format",
        "json",
    ]
    try:
        ran = subprocess.run(
            [*command, *options], capture_output=True, text=True, timeout=SECONDS, check=False
        )
        found: list[Package] = json.loads(ran.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, ValueError):
        # Without a network it ends with a traceback and writes no JSON.
        return []
    return found


def exceptions(text: str) -> frozenset[str]:
    """Read the identifiers of a file of exceptions; each has its reason on the same line.

    Raises:
        SystemExit: one has no reason.
    """
    names = set()
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, _, reason = line.strip().partition(" ")
        if not reason.strip():
            raise SystemExit(f"{EXCEPTIONS.name}: '{name}' has no reason")
        names.add(name)
    return frozenset(names)


def known(packages: Sequence[Package], excused: frozenset[str]) -> list[str]:
    """Say what is known of packages, a line each, without what is excused by any of its names."""
    lines = []
    for package in packages:
        for advisory in package["vulns"]:
            names = {advisory["id"], *advisory.get("aliases", ())}
            if names & excused:
                continue
            fixed = ", ".join(advisory["fix_versions"]) or "no version yet"
            text = re.sub(r"\s+", " ", advisory.get("description", ""))[:160]
            lines.append(
                f"{package['name']} {package['version']}: {advisory['id']}, mended by {fixed}: {text}"
            )
    return lines


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
