"""The vectors of an index: built, kept on disk, joined to chunks and searched."""
