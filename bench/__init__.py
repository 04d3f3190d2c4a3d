"""Measurements, run by hand and never by the tests."""
