"""What tells calls from one another across runs: code, what it reads, what it is given."""
