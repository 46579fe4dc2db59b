"""Runs of one program beside one another: where they run, what they show, how they differ."""
