"""The local engine: replicas are processes on this machine."""
