"""The tools behind the commands: `check`, `explain`."""
