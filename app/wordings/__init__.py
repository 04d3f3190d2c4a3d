"""The wordings of what is said beside results: one row a kind, with the English of it."""
