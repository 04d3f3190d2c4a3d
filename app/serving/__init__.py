"""Processes that stay: the keeper of an index, and HTTP."""
