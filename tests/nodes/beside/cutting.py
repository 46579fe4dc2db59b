"""Start an agent whose connection goes through this process, which cuts it every now and then.

It begins when a process of this agent's has written its number into the file "begun". The
environment says how: CUTS, how often; EVERY, seconds between; FOREVER, that nobody is let through
again after the last. Then there is a file "cut".
"""

import os
import subprocess
import sys
import time
from pathlib import Path

from passing import Passing

def parent_of(process: int) -> int:
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return 0
    return int(stat.rpartition(")")[2].split()[1])


def has_begun(agent: int) -> bool:
    """Whether a call has begun in a process that comes from this agent."""
    try:
        processes = {int(line) for line in Path("begun").read_text().splitlines()}
    except OSError:
        return False
    while processes:
        if agent in processes:
            return True
        processes = {parent_of(process) for process in processes} - {0}
    return False


command = sys.argv[1:]
at = command.index("--connect") + 1
host, _, port = command[at].rpartition(":")
passing = Passing((host, int(port)))
command[at] = f"127.0.0.1:{passing.port}"
agent = subprocess.Popen(command)
while not has_begun(agent.pid) and agent.poll() is None:
    time.sleep(0.02)
for _ in range(int(os.environ["CUTS"])):
    time.sleep(float(os.environ["EVERY"]))
    passing.cut()
if "FOREVER" in os.environ:
    passing.close()
Path("cut").touch()
sys.exit(agent.wait())
