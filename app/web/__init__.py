"""The page for one person's own browser: search, notes, questions, status."""
