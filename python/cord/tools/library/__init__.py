"""Cord in a program that runs already: `cord.session`."""
