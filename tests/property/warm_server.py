"""A process that runs programs in forked children of itself, so that they start at once.

`python warm_server.py plain` runs them as `python main.py` does, `python warm_server.py cord` as
`cord run main.py` does; the second has imported Cord, which is most of what a start costs.
`python warm_server.py copied` does the same, with a copy of the program at each call, and
`python warm_server.py bare` with these copies only: the program is not translated, which is most of
what is left of the cost. For each line on stdin, a JSON list [folder, output, limit], it runs
main.py of the folder, with stdout and stderr in the files `out` and `err` of the folder `output`,
and answers with a line: the exit status as subprocess has it, or null after `limit` seconds, or a
string that says how many processes it left behind. The program's stdin is `stdin.txt` in its
folder, if that is there.

The child goes the same way as a new process: what `cord run` does, it does from its arguments on,
replicas included, and the interpreter ends as always.
"""

from __future__ import annotations

import builtins
import ctypes
import gc
import importlib
import json
import os
import select
import signal
import sys
import time
from pathlib import Path
from types import ModuleType

PR_SET_CHILD_SUBREAPER = 36


def import_cord() -> None:
    """Import what `cord run` imports."""
    import cord._core
    import cord.cli.main
    import cord.engines.local.replica
    import cord.engines.local.zygote
    import cord.plan.modules
    import cord.plan.read
    import cord.runtime.births.births
    import cord.runtime.client.importing
    import cord.runtime.client.session
    import cord.runtime.client.translated
    import cord.tools.answering
    import cord.tools.names
    import cord.tools.run
    import cord.translate.translation  # noqa: F401


def import_what_programs_import() -> None:
    """Import what most programs import first, as it takes longer than the rest of their run."""
    names = (
        "asyncio collections concurrent.futures contextlib dataclasses functools random traceback"
    )
    for name in names.split():
        importlib.import_module(name)


def serve() -> tuple[str, str] | None:
    """Fork a child for each line of stdin; returns in each child, and at the end of the lines."""
    for line in sys.stdin:
        folder, output, limit = json.loads(line)
        pid = os.fork()
        if pid == 0:
            return folder, output
        print(json.dumps(finished(pid, limit)), flush=True)
    return None


def finished(pid: int, limit: float) -> int | str | None:
    """The exit status of a child, which is killed after `limit` seconds; or what it left behind."""
    end = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(end, select.POLLIN)
    in_time = bool(poll.poll(limit * 1000))
    os.close(end)
    if not in_time:
        os.killpg(pid, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    left = still_there(limit)
    for orphan in left:
        os.kill(orphan, signal.SIGKILL)
    if not in_time:
        return None
    return f"with processes left: {len(left)}" if left else status


def adopt_orphans() -> None:
    """Become the parent of what the children leave behind."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def still_there(limit: float) -> list[int]:
    """The orphans that have not ended after so many seconds."""
    end = time.monotonic() + limit
    try:
        while os.waitpid(-1, os.WNOHANG)[0] or time.monotonic() < end:
            time.sleep(0.001)
    except ChildProcessError:  # there is none any more
        return []
    return [int(pid) for pid in Path("/proc/thread-self/children").read_text().split()]


def enter(folder: str, output: str) -> None:
    """Make this process look as one that was started in `folder`."""
    os.setsid()
    os.chdir(folder)
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND
    given = f"{folder}/stdin.txt"
    stdin = given if os.path.exists(given) else os.devnull
    for number, path in enumerate((stdin, f"{output}/out", f"{output}/err")):
        fd = os.open(path, flags if number else os.O_RDONLY, 0o600)
        os.dup2(fd, number)
        os.close(fd)


def run_plain(folder: str) -> None:
    """Run main.py as `python main.py` does."""
    sys.argv = ["main.py"]
    sys.path[0] = folder
    module = ModuleType("__main__")
    path = os.path.join(folder, "main.py")
    module.__dict__.update(__builtins__=builtins, __file__=path, __cached__=None)
    sys.modules["__main__"] = module
    with open(path, "rb") as file:
        source = file.read()
    exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)


def run_cord() -> int:
    """Run main.py as `cord run main.py` does."""
    from cord.cli.main import run_command

    return run_command(["run", "main.py"])


def copy_at_each_call() -> None:
    """Let a copy run ahead from each call, however short that is."""
    from cord.runtime.client import session

    class Session(session.Session):
        def _copy_ahead(self, eager: bool = True) -> None:
            super()._copy_ahead(eager=True)

    session.Session = Session  # type: ignore[misc]


def translate_nothing() -> None:
    """Let programs run as they are: only their remote functions are replaced."""
    from cord.runtime.client.answers import Answers
    from cord.tools import answering

    answering.read_project = lambda *_: None  # type: ignore[assignment,return-value]
    Answers.modules = lambda _self: {}  # type: ignore[method-assign]


def main() -> None:
    """Serve until stdin ends; in a child, run its program."""
    way = sys.argv[1]
    if way != "plain":
        import_cord()
    import_what_programs_import()
    gc.collect()
    gc.freeze()
    adopt_orphans()
    job = serve()
    if job is None:
        return
    gc.unfreeze()
    enter(*job)
    if way in ("copied", "bare"):
        copy_at_each_call()
    if way == "bare":
        translate_nothing()
    if way != "plain":
        sys.exit(run_cord())
    run_plain(job[0])


if __name__ == "__main__":
    main()
