"""Meaning: text to vectors, kept in a log and searched with FAISS."""
