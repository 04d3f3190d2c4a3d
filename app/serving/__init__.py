"""Processes that stay: the keeper of an index, and the resident that answers for other processes."""
