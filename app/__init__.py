"""Vault Assistant: find things in a vault of Markdown notes."""

NAME = "vault-assistant"
__version__ = "0.1.0"
