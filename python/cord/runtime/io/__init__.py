"""Files that are read ahead, and what calls write."""
