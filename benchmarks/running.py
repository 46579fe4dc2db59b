"""Runs one contender in processes of its own, and ends them all."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from benchmarks.common.footprint import HARNESS, descendants
from benchmarks.common.timing import BEGAN
from benchmarks.model import Contender
from benchmarks.places import BIN, BUILD, EXAMPLE, HERE
from benchmarks.rounds import Failed

_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER


def adopt_orphans() -> None:
    """What a contender leaves behind becomes a child of this process, so that it can be ended."""
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def run(
    contender: Contender, cores: int | None, seconds: float, before: tuple[Path, ...] = ()
) -> dict[str, float]:
    """Run a contender once.

    Args:
        contender: Who.
        cores: How many cores it may use; None for all.
        seconds: How long it may take.
        before: Folders that stand first in its PYTHONPATH.

    Returns:
        Its measures, and `process`: how long the whole process took, in seconds.

    Raises:
        Failed: It cannot be run, or failed, or took too long.
    """
    began = time.monotonic()
    environment = _environment(began, before)
    ended = timed(contender.command, HERE / contender.folder, environment, seconds, cores)
    if ended.status:
        raise Failed(_last_line(ended.errors) or f"exit status {ended.status}")
    return {**({} if contender.silent else _measures(ended.output)), "process": ended.seconds}


class Ended(NamedTuple):
    """A process that has ended: how long it took, its exit status, and what it wrote."""

    seconds: float
    status: int
    output: bytes
    errors: bytes


def timed(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    seconds: float,
    cores: int | None = None,
) -> Ended:
    """Run a command to its end; nothing of it is left then.

    Args:
        command: The command.
        folder: Its working folder.
        environment: Its environment.
        seconds: How long it may take.
        cores: How many cores it may use; None for all.

    Raises:
        Failed: It cannot be run, or took too long.
    """
    began = time.monotonic()
    others = descendants(os.getpid())
    try:
        with _narrowed(cores):
            process = subprocess.Popen(
                command,
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
    except OSError as error:
        raise Failed(f"{command[0]}: {error.strerror}") from None
    try:
        output, errors = process.communicate(timeout=seconds)
        took = time.monotonic() - began
    except subprocess.TimeoutExpired:
        raise Failed(f"not done in {seconds:.0f} s") from None
    finally:
        _end_all(others)
    return Ended(took, process.returncode, output, errors)


def environment_of_users() -> dict[str, str]:
    """This process's environment, but that bytecode is kept.

    Without it nothing is warm: every run would compile all of Cord and of its peers.
    """
    return {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _environment(began: float, before: tuple[Path, ...]) -> dict[str, str]:
    folders = (*before, HERE / "common", HERE, EXAMPLE)
    own = environment_of_users()
    return {
        **own,
        "PATH": os.pathsep.join([str(BIN), own.get("PATH", "")]),
        "PYTHONPATH": os.pathsep.join(map(str, folders)),
        "BENCH_BUILD": str(BUILD),
        # One core for each worker: what is measured is how work is shared out.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "RAY_USAGE_STATS_ENABLED": "0",
        HARNESS: str(os.getpid()),
        BEGAN: repr(began),
    }


@contextmanager
def _narrowed(cores: int | None) -> Iterator[None]:
    """What is started in the block may use so many cores."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(allowed)[:cores])
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def _end_all(others: list[int]) -> None:
    """End everything below this process but the others; what appears meanwhile too."""
    while left := set(descendants(os.getpid())).difference(others):
        for process in left:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(process, os.WNOHANG)
        time.sleep(0.01)


def _measures(output: bytes) -> dict[str, float]:
    lines = output.splitlines()
    try:
        return {key: float(value) for key, value in json.loads(lines[-1]).items()}
    except (ValueError, IndexError, AttributeError):
        raise Failed("it printed no measures") from None


def _last_line(errors: bytes) -> str:
    lines = [line.strip() for line in errors.decode(errors="replace").splitlines()]
    told = [line for line in lines if line.strip(">")]
    return told[-1][:200] if told else ""


def say(line: str) -> None:
    """Tell on stderr how far it is."""
    print(line, file=sys.stderr, flush=True)


def build_floors() -> str | None:
    """Compile the C programs; why that is impossible, if it is."""
    BUILD.mkdir(parents=True, exist_ok=True)
    for source in sorted((HERE / "floors").glob("*.c")):
        made = _compile(source)
        if made is not None:
            return made
    return None


def _compile(source: Path) -> str | None:
    command = ["cc", "-O2", "-Wall", "-o", str(BUILD / source.stem), str(source)]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except OSError as error:
        return f"cc: {error.strerror}"
    except subprocess.CalledProcessError as error:
        return str(error.stderr).strip().splitlines()[-1]
    return None
