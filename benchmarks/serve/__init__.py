"""Measures `cord serve`: `make serve-figures`."""
