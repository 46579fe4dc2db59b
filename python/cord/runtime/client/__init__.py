"""The client's side: its session, its imports, its remote functions."""
