"""Standing agents on this machine, for tests."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

from cord.engines.nodes import keys


class Agent:
    """A standing agent, and what a plan says to be its client."""

    def __init__(self, folder: Path, *more: str, name: str = "lab") -> None:
        self.folder, self.name = folder, name
        if not (folder / "keys").exists():
            keys.make(str(folder / "keys"))
        command = [sys.executable, "-m", "cord", "agent", "--serve", "--name", name]
        command += ["--keys", "keys/agent.key", "--listen", "127.0.0.1:0", *more]
        self.process = subprocess.Popen(
            command, cwd=folder, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        assert self.process.stderr is not None
        self.said = self.process.stderr.readline()
        found = re.search(r"at (\S+):(\d+)$", self.said)
        assert found, self.said + self.process.stderr.read()
        self.host, self.port = found[1], int(found[2])

    def engine(self, **instead: object) -> str:
        client = self.folder / "keys" / "client.key"
        said = {"port": self.port, "key": client, "name": self.name, "reconnect": 10, **instead}
        return (
            f'kind = "standing"\nhosts = ["{self.host}:{said["port"]}"]\n'
            f'keys = "{said["key"]}"\nname = "{said["name"]}"\n'
            f"wait = 10\nreconnect = {said['reconnect']}\n"
        )

    def stop(self) -> tuple[int, str]:
        """Have it end; its exit code and what it has said besides."""
        self.process.send_signal(signal.SIGTERM)
        _, stderr = self.process.communicate(timeout=30)
        return self.process.returncode, stderr
