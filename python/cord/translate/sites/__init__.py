"""What a project's text holds: its names, regions, calls and call sites."""
