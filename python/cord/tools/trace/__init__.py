"""`cord run --trace FILE`: a run written down, and what is made of that."""
