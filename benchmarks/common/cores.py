"""Where a process runs."""

import os


def pin(index: int) -> None:
    """Let all threads of this process run on one core only.

    Args:
        index: Which of those that the process may use; counted round where there are fewer.
    """
    allowed = sorted(os.sched_getaffinity(0))
    core = allowed[index % len(allowed)]
    for thread in os.listdir("/proc/self/task"):
        os.sched_setaffinity(int(thread), {core})
