"""Cord: write plain function calls, decide how they run in one file."""
