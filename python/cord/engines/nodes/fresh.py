"""The gateway in an interpreter of its own, for a program that runs already."""

from __future__ import annotations

import os
import pickle
import sys
from typing import TYPE_CHECKING

from cord.engines.local import zygote
from cord.engines.local.fresh import FreshZygote, Surroundings, spawn
from cord.engines.nodes import gateway, request

if TYPE_CHECKING:
    from typing import Any, NoReturn

    from cord.plan.engine_plan import EnginePlan
    from cord.plan.model import RemotePlan

_CONTROL, _STATUS, _GIVEN = 3, 4, 5  # its descriptors


def start(plan: EnginePlan, modules: list[RemotePlan]) -> tuple[zygote.Zygote, int]:
    """Start the gateway in a new interpreter, for a program that may have threads.

    Args:
        plan: The engine's.
        modules: The remote modules.

    Returns:
        The client's side, which who takes it closes; and what the gateway tells of agents.

    Raises:
        OSError: The system has no room for it.
        CordError: The program's code cannot be sent.
    """
    contents = request.make(plan, modules, _folder(), sys.path)
    given = _in_memory(pickle.dumps((plan, modules, contents)))
    status, theirs = os.pipe()
    ours, control = zygote.control_pair()
    try:
        pid = spawn(__name__, {}, [control, theirs, given], Surroundings())
    except OSError:
        os.close(ours)
        os.close(status)
        raise
    finally:
        for end in (control, theirs, given):
            os.close(end)
    return FreshZygote(pid, ours), status


def _folder() -> str:
    """The folder of the program that runs here; of one that is no file, where it is."""
    file = getattr(sys.modules["__main__"], "__file__", None)
    return os.getcwd() if file is None else os.path.dirname(os.path.realpath(file))


def _in_memory(content: bytes) -> int:
    """A descriptor of a file with that: it is too long for a command line."""
    file = os.memfd_create("cord")
    with open(os.dup(file), "wb") as writer:
        writer.write(content)
    os.lseek(file, 0, os.SEEK_SET)
    return file


def serve(told: dict[str, Any]) -> NoReturn:
    """Be the gateway, in an interpreter of its own. Does not return."""
    with open(_GIVEN, "rb") as file:
        plan, modules, contents = pickle.load(file)
    mask = set(told["mask"])
    gateway.run(plan, contents, modules, _CONTROL, _STATUS, told["client"], mask, None)
