"""Agents that are tasks of HyperQueue, each with a worker of its own.

Its tasks have the environment of their worker, so the key of the run goes by standard input: from
here to hq, and from the server to each task.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from cord.engines.nodes.launchers import CannotLaunch, Launched, connecting_agent
from cord.engines.nodes.launchers.watching import watch

if TYPE_CHECKING:
    from cord.plan.engine_plan import EnginePlan

_HQ = ("hq", "--colors", "never")
# An agent has its worker alone, is not started again where that is lost, and leaves no files: it
# enters the folder that it is told by itself.
_TASKS = (
    *("--name", "cord", "--cpus", "all", "--crash-limit", "1", "--directives", "off", "--stdin"),
    *("--cwd", "/", "--stdout", "none", "--stderr", "none"),
)


def launch(plan: EnginePlan, address: str, key: bytes, status: int) -> Launched:
    """Submit a job with a task for each agent.

    Args:
        plan: The engine's.
        address: Where agents find the gateway.
        key: What they show it.
        status: Where the client is told that the job has failed.

    Raises:
        CannotLaunch: There is no hq, or no server of HyperQueue.
    """
    array = f"1-{plan.nodes}"
    submit = [*_HQ, "--output-mode", "quiet", "submit", "--array", array, *_TASKS, "--"]
    try:
        done = subprocess.run(
            [*submit, *connecting_agent(plan, address)],
            input=f"{key.hex()}\n",
            capture_output=True,
            text=True,
            check=False,
        )
        job = (done.stdout.split() or [""])[-1]  # behind a word that it reads
        if done.returncode != 0 or not job.isdecimal():
            said = f"{done.stdout}\n{done.stderr}".strip().splitlines()
            raise CannotLaunch(f"hq submit has failed: {said[-1] if said else 'it says nothing'}")
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__, job],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise CannotLaunch(f"cannot run hq: {error.strerror}") from None
    launched = Launched()
    launched.processes.append(process)
    launched.undo.append([*_HQ, "job", "cancel", job])  # tasks that have found no worker
    assert process.stdout is not None
    watch(process, process.stdout, f"job {job} of HyperQueue", status, shows=False)
    return launched


def _main(job: str) -> int:
    """Wait until all tasks of a job have ended; write why one of them has failed, if one has."""
    subprocess.run([*_HQ, "job", "wait", job], stdout=subprocess.DEVNULL, check=False)
    asks = [*_HQ, "--output-mode", "json", "job", "info", job]
    told = subprocess.run(asks, stdout=subprocess.PIPE, check=False)
    if told.returncode != 0:
        return 1
    errors = [task.get("error") for one in json.loads(told.stdout) for task in one["tasks"]]
    lines = [line for error in errors if error for line in error.splitlines()]
    if lines:
        sys.stderr.write(f"{lines[0]}\n")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1]))
