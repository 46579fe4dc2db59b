"""What `cord serve` does."""
