"""This commit beside another, in minutes: `make bench-quick`."""
