"""The engines that this one is measured against."""

# ruff: noqa: ANN401, D102

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from bench.corpora import Row, folder_of
from bench.engines import TOP, Engine, Filter, Found, Note, Ours, notes
from bench.parity import Tantivy, TantivyOneField


class Fts5(Engine):
    """SQLite's FTS5, two columns, ranked by its own BM25."""

    def _connect(self) -> None:
        self.db = sqlite3.connect(self.folder / "fts.db")
        self.db.executescript(
            "pragma journal_mode=wal; pragma synchronous=normal; pragma mmap_size=1073741824"
        )

    def build(self, rows: Iterable[Row]) -> None:
        self.fresh()
        self._connect()
        self.db.executescript(
            "create table chunk(id integer primary key, path text, folder text, tags text);"
            "create index chunk_path on chunk(path);"
            "create virtual table fts using fts5(body, heading,"
            " tokenize='porter unicode61 remove_diacritics 2');"
            "insert into fts(fts, rank) values('rank', 'bm25(1.0, 0.5)');"
        )
        for note in notes(rows):
            self._add(note)
        self.db.execute("insert into fts(fts) values('optimize')")
        self.db.commit()

    def _add(self, note: Note) -> None:
        path, chunks = note
        for row in chunks:
            added = self.db.execute(
                "insert into chunk(path, folder, tags) values(?, ?, ?)",
                (path, folder_of(path), f" {' '.join(row['tags'])} "),
            )
            self.db.execute(
                "insert into fts(rowid, body, heading) values(?, ?, ?)",
                (added.lastrowid, row["body"], row["heading"]),
            )

    def open(self) -> None:
        self._connect()

    def forget(self) -> None:
        """Do nothing: only the system's file cache is kept."""

    def refresh(self) -> None:
        """See every commit at once."""

    def update(self, note: Note) -> None:
        ids = [row[0] for row in self.db.execute("select id from chunk where path = ?", (note[0],))]
        self.db.executemany("delete from fts where rowid = ?", [(each,) for each in ids])
        self.db.executemany("delete from chunk where id = ?", [(each,) for each in ids])
        self._add(note)
        self.db.commit()

    def search(self, words: Sequence[str], filtered: Filter | None = None) -> Found:
        match = " OR ".join(f'"{word}"' for word in words)
        if not filtered:
            return self._rows("select rowid from fts where fts match ? order by rank limit ?", match, TOP)
        folder, tag = filtered
        return self._rows(
            "select fts.rowid from fts join chunk c on c.id = fts.rowid where fts match ? and c.folder = ?"
            " and instr(c.tags, ?) order by rank limit ?",
            match, folder, f" {tag} ", TOP,
        )  # fmt: skip

    def phrase(self, words: Sequence[str]) -> Found:
        match = f'body: "{" ".join(words)}"'
        return self._rows("select rowid from fts where fts match ? order by rank limit ?", match, TOP)

    def _rows(self, statement: str, *values: object) -> Found:
        return [row[0] for row in self.db.execute(statement, values)]


class StockWhoosh(Engine):
    """Whoosh with its own codec, analyzer, writer and searcher."""

    def _schema(self) -> Any:
        from whoosh.analysis import StemmingAnalyzer
        from whoosh.fields import ID, KEYWORD, TEXT, Schema

        words = StemmingAnalyzer(stoplist=None)
        return Schema(
            path=ID, folder=ID, tag=KEYWORD(commas=True), body=TEXT(words), heading=TEXT(words, phrase=False)
        )

    def build(self, rows: Iterable[Row]) -> None:
        from whoosh import index

        self.fresh()
        writer = index.create_in(str(self.folder), self._schema()).writer(limitmb=512)
        for note in notes(rows):
            self._add(writer, note)
        writer.commit()

    @staticmethod
    def _add(writer: Any, note: Note) -> None:
        path, chunks = note
        for row in chunks:
            writer.add_document(
                path=path, folder=folder_of(path), tag=",".join(row["tags"]),
                body=row["body"], heading=row["heading"],
            )  # fmt: skip

    def open(self) -> None:
        from whoosh import index

        self.index = index.open_dir(str(self.folder))
        self.refresh()

    def forget(self) -> None:
        """Do nothing: only the system's file cache is kept."""

    def refresh(self) -> None:
        self.searcher = self.index.searcher()

    def update(self, note: Note) -> None:
        writer = self.index.writer()
        writer.delete_by_term("path", note[0])
        self._add(writer, note)
        writer.commit()

    def _terms(self, words: Sequence[str]) -> list[str]:
        analyzer = self.index.schema["body"].analyzer
        return [token.text for word in words for token in analyzer(word)]

    def search(self, words: Sequence[str], filtered: Filter | None = None) -> Found:
        from whoosh.query import And, ConstantScoreQuery, Or, Term

        query = Or(
            [
                Term(name, word, boost)
                for word in self._terms(words)
                for name, boost in (("body", 1.0), ("heading", 0.5))
            ]
        )
        if filtered:
            must = [
                ConstantScoreQuery(Term(name, value))
                for name, value in zip(("folder", "tag"), filtered, strict=True)
            ]
            query = And([query, *must])
        return [hit.docnum for hit in self.searcher.search(query, limit=TOP)]

    def phrase(self, words: Sequence[str]) -> Found:
        from whoosh.query import Phrase

        return [hit.docnum for hit in self.searcher.search(Phrase("body", self._terms(words)), limit=TOP)]


ENGINES: dict[str, type[Engine]] = {
    "this engine": Ours,
    "tantivy": Tantivy,
    "tantivy, one field": TantivyOneField,
    "FTS5": Fts5,
    "stock Whoosh": StockWhoosh,
}
