"""From the notes and chunks that a request allows to their order."""
