"""What tests of programs whose replicas live on nodes share."""

from __future__ import annotations

# For a remote module: which process is the agent that a call is made under.
OWN_AGENT = """
import os

def _agent():
    pid = os.getpid()
    while b"--connect" not in open(f"/proc/{pid}/cmdline", "rb").read().split(b"\\0"):
        pid = int(open(f"/proc/{pid}/status").read().split("PPid:")[1].split()[0])
    return pid
"""
