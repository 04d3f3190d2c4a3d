#!/usr/bin/env python3
"""Write a vault full of unpleasant files, to check that a reader stays calm.

    python make_nasty_vault.py OUT            about 60 MB
    python make_nasty_vault.py OUT --small    a few MB, same shapes
    python make_nasty_vault.py OUT --churn 5  then keep changing OUT/vault/churn for 5 seconds

OUT must not exist yet, or be an empty folder. Everything is written below OUT:

    OUT/vault/           the vault to read
    OUT/outside/         what must never be read through the vault
    OUT/manifest.json    one entry for each case: path, what it is, what to expect

Safe by construction: standard library only, no network, no program started, nothing outside OUT is
opened, links that leave the vault point at OUT/outside, and the YAML "bomb" is a small text whose
danger lies only in expanding it. Paths in the manifest that are not valid UTF-8 are given as hex in
`path_hex`. A case this system cannot hold (for instance a FIFO on Windows) is listed as skipped.

What every case expects of a reader, unless it says otherwise: no crash, no hang, bounded memory, the
other notes still found, and a file that cannot be used reported, not silently turned into an answer.
"""


# Names that are not valid UTF-8 exist as bytes only, which pathlib does not take.
# ruff: noqa: PTH101, PTH102, PTH103, PTH105, PTH107, PTH110, PTH112, PTH114, PTH118, PTH120, PTH123, PTH208, PTH211

import argparse
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence

MARK = "sésame-extérieur"  # must never be found by a search of OUT/vault


class Maker:
    def __init__(self, out: str, small: bool) -> None:
        self.out = os.path.realpath(out)
        self.vault = os.path.join(self.out, "vault")
        self.small = small
        self.cases: list[dict[str, str]] = []

    def _inside(self, path: bytes) -> bytes:
        base = os.fsencode(self.out) + os.fsencode(os.sep)
        full = os.path.normpath(os.fsencode(path))
        if not full.startswith(base):
            raise SystemExit("refusing to write outside OUT")
        return full

    def case(
        self, kind: str, rel: str | bytes, expect: str, make: Callable[[bytes], None], root: str | None = None
    ) -> None:
        """Run make(full path) and note the case. rel may be str or bytes, relative to the vault."""
        full = os.path.join(os.fsencode(root or self.vault), os.fsencode(rel))
        entry = {"kind": kind, "expect": expect}
        raw = os.path.relpath(full, os.fsencode(self.out))
        try:
            entry["path"] = raw.decode("utf-8")
        except UnicodeDecodeError:
            entry["path_hex"] = raw.hex()
        try:
            full = self._inside(full)
            parent = os.path.dirname(full)
            os.makedirs(parent, exist_ok=True)
            if os.path.lexists(full):
                raise OSError("this file system already holds a file of that name")
            make(full)
        except (OSError, NotImplementedError, AttributeError, ValueError) as error:
            entry["skipped"] = type(error).__name__ + ": " + str(error).split(":")[0][:80]
        self.cases.append(entry)

    def put(self, kind: str, rel: str | bytes, data: str | bytes, expect: str) -> None:
        content = data.encode("utf-8") if isinstance(data, str) else data

        def make(full: bytes) -> None:
            fd = os.open(full, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
            with os.fdopen(fd, "wb") as handle:
                handle.write(content)

        self.case(kind, rel, expect, make)

    def link(self, kind: str, rel: str, target: str, expect: str) -> None:
        self.case(kind, rel, expect, lambda full: os.symlink(os.fsencode(target), full))


def names(m: Maker) -> None:
    found = "found by the word témoin and by its name"
    for label, name in [
        ("emoji", "🪲 scarabée 👩‍🔬.md"),
        ("quotes", 'l\'"une" et l’autre `code`.md'),
        ("newline in name", "première\nseconde.md"),
        ("tab and control", "tab\tbell\x07.md"),
        ("leading and trailing spaces", "  espaces  .md"),
        ("leading dash", "-rf.md"),
        ("shell signs", "$(touch raté);&|*?[x].md"),
        ("brackets and hash", "a [[b]] # c ^d | e.md"),
        ("percent", "100%25 %s %d.md"),
        ("right-to-left", "\u202etxet.md"),
        ("zero width", "zéro\u200bjoint\u200d.md"),
        ("backslash", "dos\\barre.md"),
        ("reserved on Windows", "CON.md"),
        ("only extension", ".md"),
        ("double extension", "note.md.md"),
        ("upper extension", "MAJUSCULE.MD"),  # a note or not: choose one, say which
        ("dots", "....md"),
        ("255 bytes", "é" * 126 + ".md"),
    ]:
        expect = "hidden: name starts with a dot" if name.startswith(".") else found
        m.put("name: " + label, name, "témoin\n", expect)
    m.put(
        "name: not UTF-8",
        b"caf\xe9-\xff.md",
        "témoin\n",
        "no crash when listing, printing or storing the path",
    )
    m.put(
        "name: NFC",
        "unicode/\u00e9tat.md",
        "témoin NFC\n",
        "distinct from the NFD twin on disk; choose one, say which",
    )
    m.put("name: NFD", "unicode/e\u0301tat.md", "témoin NFD\n", "see the NFC twin")
    m.put(
        "name: case A",
        "casse/Note.md",
        "témoin majuscule\n",
        "both kept apart where the disk keeps them apart",
    )
    m.put("name: case B", "casse/note.md", "témoin minuscule\n", "see case A")
    m.put(
        "name: case, linker",
        "casse/lien.md",
        "[[NOTE]] [[Note]] [[note]]\n",
        "resolves, and the same way each time",
    )
    deep = "/".join([f"d{i:02d}" for i in range(60)])
    m.put("deep folders", deep + "/fond.md", "témoin\n", found)
    m.put(
        "folder named like a note",
        "dossier.md/intérieur.md",
        "témoin\n",
        "the folder is not a note; the inner file is",
    )


def special(m: Maker) -> None:
    secret = os.path.join(m.out, "outside")
    os.makedirs(secret, exist_ok=True)
    with open(os.path.join(secret, "secret.md"), "w", encoding="utf-8") as handle:
        handle.write("# Dehors\n\n" + MARK + " #dehors\n")
    never = f"the word {MARK} is never found; the link is skipped or reported"
    m.link(
        "symlink to a file outside",
        "liens/sortie.md",
        os.path.join("..", "..", "outside", "secret.md"),
        never,
    )
    m.link("symlink to a folder outside", "liens/dossier-sorti", os.path.join("..", "..", "outside"), never)
    m.link("absolute symlink outside", "liens/absolu.md", os.path.join(secret, "secret.md"), never)
    m.link("symlink to itself", "liens/soi.md", "soi.md", "no endless loop")
    m.link("symlink loop 1", "liens/ping.md", "pong.md", "no endless loop")
    m.link("symlink loop 2", "liens/pong.md", "ping.md", "no endless loop")
    m.link("symlink to the parent", "liens/remonte", "..", "no endless walk, no note seen twice")
    m.link("dangling symlink", "liens/perdu.md", "nulle-part.md", "reported or skipped")
    m.put("target of an inner link", "liens/vrai.md", "témoin intérieur\n", "found")
    m.link(
        "symlink inside the vault",
        "liens/faux.md",
        "vrai.md",
        "follow or skip, but say which and do not leave the vault",
    )
    m.case("FIFO", "spécial/tuyau.md", "never opened: opening it would hang", lambda full: os.mkfifo(full))
    m.case("folder that looks like a note", "spécial/vide.md", "not a note", os.mkdir)

    def closed(full: bytes) -> None:
        with open(full, "w", encoding="utf-8") as handle:
            handle.write("témoin fermé\n")
        os.chmod(full, 0)

    m.case("unreadable file", "spécial/fermé.md", "reported as unreadable (a superuser can read it)", closed)

    def closed_folder(full: bytes) -> None:
        os.mkdir(full)
        with open(os.path.join(full, os.fsencode("dedans.md")), "w", encoding="utf-8") as handle:
            handle.write("témoin\n")
        os.chmod(full, 0)

    m.case("unreadable folder", "spécial/dossier-fermé", "reported; the rest is still read", closed_folder)

    def sparse(full: bytes) -> None:
        with open(full, "wb") as handle:
            handle.truncate(1 << 30)

    if not m.small:
        m.case("sparse 1 GiB of NUL", "spécial/creux.md", "size limit applies before reading", sparse)


def bytes_cases(m: Maker) -> None:
    body = "# Titre\n\ntémoin #accent [[cible]]\n"
    m.put("empty", "octets/vide.md", b"", "a note with no text")
    m.put("target", "octets/cible.md", "cible\n", "found")
    m.put("no final newline", "octets/sans-fin.md", "témoin", "found")
    m.put(
        "UTF-8 BOM",
        "octets/bom.md",
        b"\xef\xbb\xbf" + ("---\ntags: [bom]\n---\n" + body).encode(),
        "the BOM is no part of the text",
    )
    m.put(
        "UTF-16 LE BOM",
        "octets/utf16le.md",
        b"\xff\xfe" + body.encode("utf-16-le"),
        "decoded or reported, not garbage",
    )
    m.put(
        "UTF-16 BE BOM",
        "octets/utf16be.md",
        b"\xfe\xff" + body.encode("utf-16-be"),
        "decoded or reported, not garbage",
    )
    m.put("Latin-1", "octets/latin1.md", body.encode("latin-1"), "invalid UTF-8: replaced and reported")
    m.put(
        "broken UTF-8",
        "octets/cassé.md",
        b"t\xc3\xa9moin \xff\xfe\xc3( \xed\xa0\x80 #ok\n",
        "the rest is still found",
    )
    m.put("cut in a character", "octets/coupé.md", "témoin é".encode()[:-1], "found")
    m.put("NUL bytes", "octets/nul.md", b"t\xc3\xa9moin\x00[[cible]]\x00 #nul\n", "no cut at the NUL")
    m.put("binary named .md", "octets/binaire.md", bytes(range(256)) * 64, "no crash")
    m.put("CRLF", "octets/crlf.md", body.replace("\n", "\r\n"), "same answers as with LF")
    m.put("CR only", "octets/cr.md", body.replace("\n", "\r"), "no crash")
    m.put(
        "odd line ends",
        "octets/séparateurs.md",
        "un\u2028deux\u2029trois\x0bquatre\x0ccinq\x85six [[cible]]\n",
        "line numbers count LF only",
    )
    m.put("surrogates escaped", "octets/échappes.md", "\\ud83d \\x00 \\u0000 témoin\n", "plain text")


def sizes(m: Maker) -> None:
    mega = 1 << 20
    big = 2 * mega if m.small else 50 * mega
    line = "Une ligne ordinaire avec le mot témoin et un #tag/volume.\n"
    m.put(
        "large note",
        "tailles/cinquante.md",
        line * (big // len(line.encode())),
        "read within limits, or reported as too large",
    )
    m.put("one long line", "tailles/longue.md", "mot " * (mega // 4) + "témoin", "excerpt is bounded")
    m.put("one long word", "tailles/mot.md", "a" * mega, "excerpt is bounded")
    count = 5_000 if m.small else 100_000
    m.put("many links", "tailles/liens.md", "".join(f"[[n{i}]] " for i in range(count)), "linear time")
    m.put("many tags", "tailles/tags.md", "".join(f"#t{i}/x " for i in range(count // 2)), "linear time")
    m.put(
        "many headings",
        "tailles/titres.md",
        "".join(f"## t{i}\n" for i in range(count // 2)),
        "linear time",
    )
    m.put("many opening brackets", "tailles/crochets.md", "[[" * (count // 2), "linear time, no link")
    m.put(
        "many backticks",
        "tailles/accents.md",
        " ".join("`" * (i % 300 + 1) for i in range(6_000)),
        "linear time",
    )
    m.put("many dollars", "tailles/dollars.md", "$a " * (count // 2), "linear time")
    m.put("many percents", "tailles/pourcents.md", "%% " * (count // 2), "linear time")
    m.put("many unclosed comments", "tailles/commentaires.md", "<!-- " * (count // 2), "linear time")
    m.put("many stars", "tailles/étoiles.md", "*a **b " * (count // 4), "linear time")
    m.put(
        "deep quotes",
        "tailles/citations.md",
        "\n".join(">" * i + " x" for i in range(1, 400)),
        "no recursion error",
    )
    m.put(
        "deep lists",
        "tailles/listes.md",
        "\n".join("  " * i + "- x [[n]]" for i in range(400)),
        "no recursion error",
    )
    m.put("deep brackets", "tailles/imbriqués.md", "[" * 20_000 + "]" * 20_000, "no recursion error")
    m.put("deep tag", "tailles/profond.md", "#" + "/".join("n" for _ in range(2_000)) + "\n", "no crash")
    m.put(
        "wide table",
        "tailles/tableau.md",
        "|".join("c" for _ in range(5_000)) + "\n" + "|".join("-" for _ in range(5_000)) + "\n",
        "no crash",
    )
    for i in range(200 if m.small else 2_000):
        if i == 0:
            m.put("many small notes (this one and its siblings)", "nombre/n0.md", "[[n1]]\n", "all indexed")
        else:
            with open(os.path.join(m.vault, "nombre", f"n{i}.md"), "w", encoding="utf-8") as handle:
                handle.write(f"témoin {i} [[n{i + 1}]]\n")


def frontmatter(m: Maker) -> None:
    def fm(kind: str, name: str, head: str, expect: str) -> None:
        m.put("yaml: " + kind, "yaml/" + name + ".md", "---\n" + head + "\n---\ncorps témoin\n", expect)

    text = "the body is still found; the header is reported"
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 10)]
    fm("alias bomb", "bombe", "\n".join(rows), "memory stays bounded; " + text)
    fm("self reference", "cycle", "a: &a\n  - *a\ntags: *a", "no endless walk; " + text)
    fm("merge keys", "fusion", "b: &b {tags: [x]}\n<<: *b", "no crash")
    fm(
        "date out of range",
        "date",
        "date: 2025-02-30\nupdated: 2025-13-45\ncreated: 0000-00-00",
        "no date, no crash",
    )
    fm(
        "far dates",
        "lointaines",
        "created: 9999-12-31\nupdated: 99999-01-01\ndate: -0001-01-01",
        "no crash, no overflow",
    )
    fm("time out of range", "heure", "updated: 2025-01-01T25:61:61", "no crash")
    fm("duplicate keys", "double", "tags: [a]\ntags: [b]", "reported; " + text)
    fm("tabs", "tab", "tags:\n\t- a", text)
    fm("unclosed", "ouvert", 'tags: [a\nt: "b', text)
    fm(
        "code tags",
        "objet",
        "x: !!python/object/apply:os.getcwd []\ny: !!binary aGk=\nz: !inconnu 1",
        "never built; " + text,
    )
    fm("odd keys", "clés", "? [a, b]\n: 1\n1: un\nnull: rien\ntrue: oui", "no crash")
    fm("not a map", "liste", "- a\n- b", text)
    fm("scalar", "scalaire", "juste du texte", text)
    fm("wrong types", "types", "tags: {a: 1}\naliases: 12\nupdated: [2025-01-01]\ntitle: [x]", "no crash")
    fm("huge number", "nombre", "n: " + "9" * 6_000 + "\nf: 1e999", "no crash")
    fm("deep", "profond", "x: " + "[" * 1_500 + "]" * 1_500, "no recursion error; " + text)
    fm("long", "long", "tags:\n" + "\n".join(f"  - t{i}" for i in range(20_000)), "bounded time")
    fm("documents", "documents", "a: 1\n...\nb: 2", "no crash")
    fm("nul", "nul", "a: \x00b", text)
    m.put(
        "yaml: never closed",
        "yaml/jamais.md",
        "---\ntags: [a]\n" + "témoin\n" * 500,
        "no header; the text is body",
    )


def churn(folder: str, seconds: float) -> None:
    """Keep changing a few notes, as a sync program would, until the time is over."""
    os.makedirs(folder, exist_ok=True)
    stop = time.monotonic() + seconds

    def rewrite(n: int) -> None:
        i = 0
        while time.monotonic() < stop:
            i += 1
            path = os.path.join(folder, f"c{n}.md")
            if i % 4 == 0 and os.path.exists(path):
                os.remove(path)
            elif i % 4 == 1:
                with open(path + ".tmp", "w", encoding="utf-8") as handle:
                    handle.write(f"version {i} [[c{n + 1}]]\n")
                os.replace(path + ".tmp", path)
            elif i % 4 == 2:
                with open(path, "w", encoding="utf-8") as handle:
                    for _ in range(50):
                        handle.write(f"moitié {i} #churn\n")
                        handle.flush()
            else:
                moved = os.path.join(folder, f"c{n} déplacé.md")
                if os.path.exists(path):
                    os.replace(path, moved)
            time.sleep(0.002)

    threads = [threading.Thread(target=rewrite, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write a vault of unpleasant files below OUT.")
    parser.add_argument("out")
    parser.add_argument("--small", action="store_true", help="a few MB, same shapes")
    parser.add_argument("--churn", type=float, default=0, metavar="SECONDS")
    args = parser.parse_args(argv)
    if os.path.lexists(args.out) and (
        os.path.islink(args.out) or not os.path.isdir(args.out) or os.listdir(args.out)
    ):
        parser.error("OUT must not exist, or be an empty folder")
    os.makedirs(args.out, exist_ok=True)
    maker = Maker(args.out, args.small)
    os.makedirs(maker.vault)
    for part in (names, special, bytes_cases, sizes, frontmatter):
        part(maker)
    with open(os.path.join(maker.out, "manifest.json"), "w", encoding="utf-8") as handle:
        json.dump({"forbidden_word": MARK, "cases": maker.cases}, handle, ensure_ascii=False, indent=1)
    skipped = [case for case in maker.cases if "skipped" in case]
    print(f"{len(maker.cases)} cases, {len(skipped)} skipped here")
    for case in skipped:
        print("  skipped:", case["kind"], "-", case["skipped"])
    if args.churn > 0:
        churn(os.path.join(maker.vault, "churn"), min(args.churn, 600))
    return 0


if __name__ == "__main__":
    sys.exit(main())
