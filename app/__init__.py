"""Vault Assistant: find things in a vault of Markdown notes."""

__version__ = "0.1.0"
