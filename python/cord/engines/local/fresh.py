"""A zygote in an interpreter of its own, for a program that runs already.

Such a program may have threads, and libraries that do not survive a fork. So the zygote is not
forked from it but started anew, with the same flags, environment, arguments and `sys.path`. Its
hash seed is the same only if `PYTHONHASHSEED` is set: the seed of a running interpreter cannot be
given to another.
"""

from __future__ import annotations

import fcntl
import json
import os
import pickle
import signal
import subprocess
import sys
from typing import Any, NoReturn

from cord.engines.local import zygote
from cord.engines.local.ledger import Ledger
from cord.plan.model import RemotePlan
from cord.runtime.travel.pinned import pin

_FIRST = 3  # the number of the first descriptor that such an interpreter is given
_SECOND = 4
_ABOVE = 16  # none of those that are given is below, so that none drives out another
# In the program's folder there may be modules named as the library's: Cord imports its own first.
_START = """\
import sys
if not sys.flags.safe_path:
    del sys.path[0]
import json
request = json.loads(sys.argv[1])
if request["hides_seed"]:
    import os
    os.environ.pop("PYTHONHASHSEED", None)
sys.path.append(request["home"])
sys.argv[:] = request["argv"]
__import__(request["module"], fromlist=["serve"]).serve(request)
"""
_HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(__file__))))


class FreshZygote(zygote.Zygote):
    """The client's side of such a zygote, which is a child like any other."""

    __slots__ = ()

    def close(self) -> None:
        """End the zygote and all replicas, and wait until they are gone. May be called twice."""
        # A handler of the program's must not hear of a child that is not the program's.
        try:
            handler = signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        except ValueError:  # not in the main thread, where alone handlers can be set
            super().close()
            return
        try:
            super().close()
        finally:
            if handler is not None:
                signal.signal(signal.SIGCHLD, handler)


class Surroundings:
    """What a zygote's interpreter is given; without arguments, what this one has.

    Args:
        path: `sys.path`.
        argv: `sys.argv`.
        flags: The interpreter's, as they are written.
        environment: The variables of its environment.
        hides_seed: Whether `PYTHONHASHSEED` is not to be seen by what it runs.
    """

    def __init__(
        self,
        path: list[str] | None = None,
        argv: list[str] | None = None,
        flags: list[str] | None = None,
        environment: dict[str, str] | None = None,
        *,
        hides_seed: bool = False,
    ) -> None:
        own = subprocess._args_from_interpreter_flags  # type: ignore[attr-defined]
        self.path = sys.path if path is None else path
        self.argv = sys.argv if argv is None else argv
        self.flags: list[str] = own() if flags is None else flags
        self.environment = dict(os.environ) if environment is None else environment
        self.hides_seed = hides_seed


def start(
    modules: list[RemotePlan],
    around: Surroundings | None = None,
    by: str = __name__,
    **more: Any,
) -> zygote.Zygote:
    """Start the zygote in a new interpreter.

    Args:
        modules: The remote modules; a launch message names one by its index.
        around: What it is given; None for what this process has.
        by: The module whose `serve` calls that of this one.
        more: What that is given besides.

    Returns:
        The client's side, which holds the control socket. Who takes it closes the zygote.

    Raises:
        OSError: The system has no room for another process or socket.
    """
    ours, theirs = zygote.control_pair()
    ledger = Ledger.make()
    is_program = by == __name__ and not more  # else an agent, which shows nothing
    request = {"modules": pickle.dumps(modules).hex(), "is_program": is_program, **more}
    try:
        pid = spawn(by, request, [theirs, ledger.fd], around or Surroundings())
    except OSError:
        os.close(ours)
        raise
    finally:
        os.close(theirs)
    return FreshZygote(pid, ours, ledger if is_program else None)


def spawn(
    module: str, request: dict[str, Any], descriptors: list[int], around: Surroundings
) -> int:
    """Start an interpreter that serves something, and nothing else.

    Args:
        module: Cord's own, whose `serve` it calls.
        request: What that is given; with `path`, and with `client` and `mask`, the process id of
            this process and the signals that it blocks.
        descriptors: What it finds under the numbers from 3 on.
        around: What the interpreter is given.

    Returns:
        Its process id.

    Raises:
        OSError: The system has no room for another process or descriptor.
    """
    whole = {
        **request,
        "module": module,
        "client": os.getpid(),
        "mask": [int(number) for number in signal.pthread_sigmask(signal.SIG_BLOCK, ())],
        "path": around.path,
        "argv": around.argv,
        "hides_seed": around.hides_seed,
        "home": _HOME,
    }
    held: list[int] = []
    try:
        for descriptor in descriptors:
            held.append(fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _ABOVE))
        return os.posix_spawn(
            sys.executable,
            [sys.executable, *around.flags, "-c", _START, json.dumps(whole)],
            around.environment,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, one, number) for number, one in enumerate(held, _FIRST)
            ],
            setsigmask=zygote.HANDLED_SIGNALS,  # until they are handled there
        )
    finally:
        for one in held:
            os.close(one)


def serve(request: dict[str, Any]) -> NoReturn:
    """Be the zygote. Does not return."""
    if request["is_program"]:
        zygote.belong_to(Ledger(_SECOND))
    modules = pickle.loads(bytes.fromhex(request["modules"]))
    mask, lasting = set(request["mask"]), bool(request.get("lasting"))
    if request["is_program"] or lasting:  # else an agent, which is sent what it runs
        pin([one.module for one in modules], request["path"])
    zygote.run(modules, request["client"], _FIRST, mask, request["path"], lasting=lasting)
