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

    from cord.plan.model import EnginePlan, RemotePlan

_CONTROL, _STATUS = 3, 4  # its descriptors


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
    }
    try:
        pid = spawn(__name__, given, [control, theirs], Surroundings())
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
