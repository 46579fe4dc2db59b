"""Pools that a program has already: their tasks go to their workers by the dispatcher."""
