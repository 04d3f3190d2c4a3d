"""The lexical index: BM25 over the chunks of a vault, kept by Whoosh as flat arrays."""
