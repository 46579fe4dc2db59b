"""Watching a process that starts agents: where it fails, the client is told why."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from cord.ready import ready

if TYPE_CHECKING:
    import subprocess
    from typing import IO

# How much of what it writes is kept, for the last line.
_KEPT = 4096


def watch(
    process: subprocess.Popen[bytes],
    output: IO[bytes],
    name: str,
    status: int,
    *,
    shows: bool,
) -> None:
    """Watch it in a thread of its own.

    Args:
        process: It.
        output: What it writes, and what comes of it may go on writing.
        name: What messages call it.
        status: Where the client is told; who takes it closes it.
        shows: Whether its output appears on stderr.
    """
    try:
        ended = [os.pidfd_open(process.pid)]
    except OSError:
        ended = []  # the end of its output will do, if nobody else writes there
    arguments = (process, output.fileno(), ended, name, status, shows)
    threading.Thread(target=_watch, args=arguments, daemon=True).start()


def _watch(
    process: subprocess.Popen[bytes],
    output: int,
    ended: list[int],
    name: str,
    status: int,
    shows: bool,
) -> None:
    kept, lives = b"", True
    while True:
        readable = ready([output, *(ended if lives else ())])
        if output in readable:  # all of it, before its end is told
            got = os.read(output, _KEPT)
            if not got:
                break
            kept = (kept + got)[-_KEPT:]
            if shows:
                os.write(2, got)
        else:
            lives = False
            _tell_end(process, name, status, kept)
    if lives:
        _tell_end(process, name, status, kept)


def _tell_end(process: subprocess.Popen[bytes], name: str, status: int, output: bytes) -> None:
    code = process.wait()
    if code != 0:
        tell(status, "over", _why(name, code, output.decode(errors="replace")))
    os.close(status)


def _why(name: str, code: int, output: str) -> str:
    how = f"with exit code {code}" if code > 0 else f"by signal {-code}"
    lines = [line.strip() for line in output.splitlines()]
    lines = [line for line in lines if line and not line.startswith("hint: ")]
    reason = _reason(lines)
    return f"{name} has ended {how}: {reason}" if reason else f"{name} has ended {how}"


def _reason(lines: list[str]) -> str:
    """The last line; of a last block between rules, as Open MPI draws them, the first."""
    if not lines or not _is_rule(lines[-1]):
        return lines[-1] if lines else ""
    while lines and _is_rule(lines[-1]):
        lines = lines[:-1]
    begins = max((at + 1 for at, line in enumerate(lines) if _is_rule(line)), default=0)
    return lines[begins] if lines else ""


def _is_rule(line: str) -> bool:
    return len(line) > 2 and len(set(line)) == 1 and not line[0].isalnum()


def tell(status: int, what: str, text: str) -> None:
    """Tell the client, if it still listens."""
    escaped = text.replace("\n", "\\n")
    with suppress(OSError):
        os.write(status, f"{what} {escaped}\n".encode())
