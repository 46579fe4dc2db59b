"""`cord explain`: what is claimed of each call, and what a run tells of it."""
