"""tantivy, given the fields and weights of this engine, and given the body alone."""

# ruff: noqa: ANN401, D102

from collections.abc import Iterable, Sequence
from typing import Any

from app.search.lexical.bm25 import EXACT_WEIGHTS, STEM_WEIGHTS
from bench.corpora import Row, folder_of
from bench.engines import TOP, Engine, Filter, Found, Note, notes


class Tantivy(Engine):
    """tantivy with the fields and weights of this engine."""

    FIELDS: tuple[tuple[str, float], ...] = (
        ("body_stem", STEM_WEIGHTS["body"]),
        ("body", EXACT_WEIGHTS["body"]),
        ("heading_stem", STEM_WEIGHTS["heading"]),
        ("heading", EXACT_WEIGHTS["heading"]),
    )

    def _open(self, fresh: bool) -> None:
        import tantivy as t

        if fresh:
            self.fresh()
            builder = t.SchemaBuilder()
            builder.add_integer_field("id", stored=True, fast=True)
            for name in ("path", "folder", "tag"):
                builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
            for name, _ in self.FIELDS:
                stem = name.endswith("stem")
                option = "position" if name == "body" else "freq"
                builder.add_text_field(name, tokenizer_name="stem" if stem else "fold", index_option=option)
            self.index = t.Index(builder.build(), path=str(self.folder))
        else:
            self.index = t.Index.open(str(self.folder))
        for name in ("fold", "stem"):
            made = t.TextAnalyzerBuilder(t.Tokenizer.regex(r"\w+"))
            made = made.filter(t.Filter.lowercase()).filter(t.Filter.ascii_fold())
            if name == "stem":
                made = made.filter(t.Filter.stemmer("english"))
            self.index.register_tokenizer(name, made.build())
        self.schema = self.index.schema

    def _add(self, writer: Any, note: Note, number: int) -> None:
        import tantivy as t

        path, chunks = note
        for row in chunks:
            texts = {name: row["body" if name.startswith("body") else "heading"] for name, _ in self.FIELDS}
            document = t.Document(id=number, path=path, folder=folder_of(path), **texts)
            for tag in row["tags"]:
                document.add_text("tag", tag)
            writer.add_document(document)

    def build(self, rows: Iterable[Row]) -> None:
        self._open(fresh=True)
        writer = self.index.writer(256_000_000, 1)
        for number, note in enumerate(notes(rows)):
            self._add(writer, note, number)
        writer.commit()
        writer.wait_merging_threads()

    def open(self) -> None:
        self._open(fresh=False)
        self.refresh()

    def update(self, note: Note) -> None:
        writer = self.index.writer(64_000_000, 1)
        writer.delete_documents("path", note[0])
        self._add(writer, note, 0)
        writer.commit()
        writer.wait_merging_threads()

    def forget(self) -> None:
        """Do nothing: only the system's file cache is kept."""

    def refresh(self) -> None:
        self.index.reload()
        self.searcher = self.index.searcher()

    def _run(self, query: Any) -> Found:
        hits = self.searcher.search(query, TOP, count=False).hits
        return [self.searcher.doc(address)["id"][0] for _, address in hits]

    def _stem(self, word: str) -> str:
        import Stemmer

        return str(Stemmer.Stemmer("english").stemWord(word))

    def search(self, words: Sequence[str], filtered: Filter | None = None) -> Found:
        import tantivy as t

        q = t.Query
        either = [
            (
                t.Occur.Should,
                q.boost_query(
                    q.term_query(self.schema, name, self._stem(word) if name.endswith("stem") else word),
                    weight,
                ),
            )
            for word in words
            for name, weight in self.FIELDS
        ]
        if not filtered:
            return self._run(q.boolean_query(either))
        must = [
            (t.Occur.Must, q.const_score_query(q.term_query(self.schema, name, value), 0.0))
            for name, value in zip(("folder", "tag"), filtered, strict=True)
        ]
        return self._run(q.boolean_query([(t.Occur.Must, q.boolean_query(either)), *must]))

    def phrase(self, words: Sequence[str]) -> Found:
        import tantivy as t

        return self._run(t.Query.phrase_query(self.schema, "body", list(words)))


class TantivyOneField(Tantivy):
    """tantivy over the exact words of the body alone: less than the others do."""

    FIELDS = (("body", 1.0),)
