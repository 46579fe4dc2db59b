"""Starts `cord serve` with a pool, prints its port and path, and ends it with the standard input.

usage: serve.py CORD POOL SECONDS, of which SECONDS is how long each request waits. Requests that
wait are served by POOL threads of one replica, those that do not wait by POOL replicas, as the
pages of Cord advise.
"""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from pathlib import Path


def main() -> None:
    """Start, tell, wait, end."""
    command, pool, seconds = sys.argv[1:]
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    kind = "threads" if float(seconds) else "replicas"
    settings = (f"remote.page.{kind}={pool}", f'http.bind="127.0.0.1:{port}"')
    words = [word for setting in settings for word in ("--set", setting)]
    folder = Path(__file__).parent / "program"
    process = subprocess.Popen(
        [command, "serve", *words], cwd=folder, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    for line in process.stderr:
        if re.search(r"serving on", line):
            print(port, f"/?delay={seconds}", flush=True)
            break
        print(line, end="", file=sys.stderr)
    else:
        sys.exit("cord serve has ended")
    sys.stdin.read()
    process.send_signal(signal.SIGTERM)
    process.wait()


if __name__ == "__main__":
    main()
