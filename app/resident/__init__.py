"""One process that keeps a vault's index and models open answers for the others, over a local socket."""
