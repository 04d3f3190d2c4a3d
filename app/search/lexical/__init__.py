"""The lexical index: BM25 over the chunks of a vault, kept as flat arrays."""
