"""The one call that all note operations go through, as the tests of notes have it."""

from app.tests.notes.conftest import run

__all__ = ["run"]
