"""From the small language to the source of a generator."""
