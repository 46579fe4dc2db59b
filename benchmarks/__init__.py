"""Measures Cord beside its peers: `make bench`."""
