"""Distributed sorting: Eggen et al."""
