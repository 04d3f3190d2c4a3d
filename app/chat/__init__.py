"""Talking with the vault."""
