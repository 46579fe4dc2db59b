"""The replica's side of a run."""
