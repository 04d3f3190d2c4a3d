"""Regular expressions as JavaScript writes them, which is how Obsidian's users write theirs."""

from app.javascript.translate import PatternError, Translation, translate

__all__ = ["PatternError", "Translation", "translate"]
