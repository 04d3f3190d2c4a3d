"""The journal is tested through the operations that write it."""

from app.tests.notes.conftest import run as run
