"""Several programs at the same notes: `python -m app.tests.notes.together` runs them."""
