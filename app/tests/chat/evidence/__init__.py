"""Tests of what is gathered, read and quoted."""
