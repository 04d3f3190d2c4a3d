"""Every system call of every write, killed and failed; `python -m app.tests.notes.matrix` runs it all."""
