"""The gateway in an interpreter of its own, for a program that runs already."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

from cord.engines.local import zygote
from cord.engines.local.fresh import HOME, FreshZygote
from cord.engines.nodes import gateway, request

if TYPE_CHECKING:
    from typing import Any, NoReturn

    from cord.plan.model import EnginePlan, RemotePlan

_CONTROL, _STATUS = 3, 4  # its descriptors
_START = """\
import sys
if not sys.flags.safe_path:
    del sys.path[0]
import json
given = json.loads(sys.argv[1])
sys.path.append(given["home"])
sys.argv[:] = given["argv"]
from cord.engines.nodes.fresh import serve
serve(given)
"""


def start(plan: EnginePlan, modules: list[RemotePlan]) -> tuple[zygote.Zygote, int]:
    """Start the gateway in a new interpreter, for a program that may have threads.

    Args:
        plan: The engine's.
        modules: The remote modules.

    Returns:
        The client's side, which who takes it closes; and what the gateway tells of agents.

    Raises:
        OSError: The system has no room for it.
    """
    status, theirs = os.pipe()
    ours, control = zygote.control_pair()
    given = {
        "plan": pickle.dumps(plan).hex(),
        "modules": pickle.dumps(modules).hex(),
        "content": request.make(plan, modules, sys.path).hex(),
        "client": os.getpid(),
        "mask": [int(number) for number in signal.pthread_sigmask(signal.SIG_BLOCK, ())],
        "home": HOME,
        "argv": sys.argv,
    }
    flags = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
    try:
        pid = os.posix_spawn(
            sys.executable,
            [sys.executable, *flags, "-c", _START, json.dumps(given)],
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, os.dup(theirs), _STATUS),
                (os.POSIX_SPAWN_DUP2, control, _CONTROL),
            ],
            setsigmask=zygote.HANDLED_SIGNALS,
        )
    except OSError:
        os.close(ours)
        os.close(status)
        raise
    finally:
        os.close(control)
        os.close(theirs)
    return FreshZygote(pid, ours), status


def serve(given: dict[str, Any]) -> NoReturn:
    """Be the gateway, in an interpreter of its own. Does not return."""
    plan = pickle.loads(bytes.fromhex(given["plan"]))
    modules = pickle.loads(bytes.fromhex(given["modules"]))
    content, mask = bytes.fromhex(given["content"]), set(given["mask"])
    gateway.run(plan, content, modules, _CONTROL, _STATUS, given["client"], mask, None)
