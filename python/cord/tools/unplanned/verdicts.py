"""What the project's text says of functions: found out by a process beside the program.

It is forked from the program, so it finds the modules where the program has found them, and the
program does not wait for it.
"""

from __future__ import annotations

import gc
import marshal
import os
from contextlib import suppress
from select import POLLIN, poll

from cord import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, NoReturn

    from cord.effects.findings import Report
    from cord.plan.program import Program

# What becomes of a function: it may be called ahead; it may not; or its name leads to something
# else, as a decorator's do. Any other word: it may, if somebody knows that this does no harm, for
# it does what the word says.
MAY, MAY_NOT, HELD = "may", "may not", "held"
_NICER: Final = 10
_CLOSES: Final = "calls os.close"
# Of what kinds is what replicas stop, and only somebody who knows the function can allow.
_STOPPED: Final = frozenset({"network", "file", "process"})
_PART: Final = 1 << 16


class Verdicts:
    """An answer that is on its way.

    Args:
        program: The program.
        remote: The functions that are asked for, by module.

    Raises:
        OSError: The system has no room for the process.
    """

    def __init__(self, program: Program, remote: dict[str, list[str]]) -> None:
        ours, theirs = os.pipe2(os.O_CLOEXEC)
        try:
            pid = _core.fork_unseen()
        except OSError:
            os.close(ours)
            os.close(theirs)
            raise
        if pid == 0:
            _answer(program, remote, theirs)
        os.close(theirs)
        self._pid = pid
        self._pipe = ours
        self._poll = poll()
        self._poll.register(ours, POLLIN)
        self._data = b""

    def come(self) -> dict[str, str] | None:
        """What becomes of each, by its full name, once that is known; nothing if that fails."""
        while self._poll.poll(0):
            part = os.read(self._pipe, _PART)
            if not part:
                self.close()
                with suppress(EOFError, ValueError, TypeError):
                    found: dict[str, str] = marshal.loads(self._data)
                    return found
                return {}
            self._data += part
        return None

    def close(self) -> None:
        """Wait for it no more."""
        os.close(self._pipe)
        reap(self._pid)


def reap(pid: int) -> None:
    """End a process, and have done with it."""
    from signal import SIGKILL

    from cord.engines.local.zygote import WALL

    with suppress(OSError):
        os.kill(pid, SIGKILL)
        os.waitpid(pid, WALL)


def _answer(program: Program, remote: dict[str, list[str]], pipe: int) -> NoReturn:
    try:
        _core.set_process_name("cord")
        os.nice(_NICER)
        gc.disable()  # syntax trees are many objects, none of them garbage
        data = marshal.dumps(judged(program, remote))
        while data:
            data = data[os.write(pipe, data) :]
    finally:
        os._exit(0)


def judged(program: Program, remote: dict[str, list[str]]) -> dict[str, str]:
    """What becomes of functions, by their text.

    Args:
        program: The program.
        remote: The functions by module.

    Returns:
        One of the words above for each full name.
    """
    from cord.errors import SourceError
    from cord.silence import silence
    from cord.tools.purity import QUICK, analysed
    from cord.tools.sources import parsed

    tree = None
    with suppress(SourceError):
        tree = parsed(program.path) if program.path else None
    with silence():
        findings, _ = analysed(program, tree, remote, frozenset(), QUICK)
    return {
        f"{module}.{name}": _word(findings.report(module, name, declared=True))
        for module, names in remote.items()
        for name in names
    }


def _word(report: Report) -> str:
    from cord.effects.findings import WORDS
    from cord.knowledge import rows

    against = report.against
    if not against:  # it may close what is not its own
        return MAY_NOT if any(_CLOSES in reason for reason in report.reasons) else MAY
    outside = rows.NETWORK, rows.WRITES_FILES, rows.CLOCK
    if not against.issubset(outside):
        return MAY_NOT
    return " and ".join(WORDS[kind] for kind in outside if kind in against)


def learnt(function: _core.RemoteFunction) -> str:
    """What becomes of a function, by what replicas have done: it was remote.

    Args:
        function: The function.
    """
    _, _, kind, text = _core.stayed(function) or (0, 0, "", "")
    return text if kind in _STOPPED else MAY_NOT
