"""Stands in for kubectl and a cluster, as far as agents need them: pods are processes of this machine.

What pods are is kept in the folder PODS. An image named "absent" cannot be pulled, and one named
"empty" has no Python.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

PODS = Path(os.environ["PODS"])


def environment(container: dict) -> dict[str, str]:
    return {**os.environ, **{one["name"]: one["value"] for one in container.get("env", [])}}


def create() -> None:
    for job in json.load(sys.stdin)["items"]:
        (container,) = job["spec"]["template"]["spec"]["containers"]
        image = container["image"]
        pid = None
        if image != "absent":
            command = ["false"] if image == "empty" else container["command"]
            pod = subprocess.Popen(
                command,
                env=environment(container),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            pid = pod.pid
        name = job["metadata"]["name"]
        (PODS / name).write_text(json.dumps({"job": job, "pid": pid}))
        print(f"job.batch/{name} created")


def lives(pid: int | None) -> bool:
    if pid is None:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def read(name: str) -> dict:
    return json.loads((PODS / name).read_text())


def get(name: str) -> None:
    kept = read(name)
    (container,) = kept["job"]["spec"]["template"]["spec"]["containers"]
    state = {
        "absent": {"waiting": {"reason": "ErrImagePull", "message": "no such image: absent"}},
        "empty": {"terminated": {"reason": "Error", "message": "python3: not found\n"}},
    }
    there = lives(kept["pid"])
    status = {
        "phase": "Running" if there else "Failed" if kept["pid"] else "Pending",
        "conditions": [{"type": "Ready", "status": str(there)}],
        "containerStatuses": [{"state": state.get(container["image"], {})}],
    }
    print(json.dumps({"items": [{"metadata": {"name": name}, "status": status}]}))


def execute(name: str, command: list[str]) -> None:
    kept = read(name.partition("/")[2])
    (container,) = kept["job"]["spec"]["template"]["spec"]["containers"]
    os.execvpe(command[0], command, environment(container))


def delete() -> None:
    for file in PODS.iterdir():
        with suppress(OSError, TypeError):
            os.kill(read(file.name)["pid"], signal.SIGTERM)
        file.unlink()


if os.environ.get("CLUSTER") == "down":
    sys.exit("error: the server could not be reached")
words = sys.argv[1:]
if words[0] == "create":
    create()
elif words[0] == "get":
    assert words[1] == "pods" and words[2].startswith("--selector=cord-agent="), words
    get(words[2].rpartition("=")[2])
elif words[0] == "exec":
    assert words[1] == "--stdin" and words[3] == "--", words
    execute(words[2], words[4:])
else:
    assert words[0] == "delete" and words[2].startswith("--selector="), words
    delete()
