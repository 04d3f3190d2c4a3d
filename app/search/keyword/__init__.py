"""Keyword search: ripgrep finds files by terms, a language model keeps those that matter."""
