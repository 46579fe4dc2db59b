"""Where replicas live: each engine turns a plan into links."""
