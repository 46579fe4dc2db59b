"""Forking the gateway from a program that has not begun.

What this process imports for it is what it has imported anyway: the program may have modules of
its own under any name of the library's.
"""

from __future__ import annotations

import os
import sys

from cord import _core
from cord.engines.local import zygote
from cord.errors import CordError

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable

    from cord.plan.engine_plan import EnginePlan
    from cord.plan.model import RemotePlan


def fork(
    plan: EnginePlan, modules: list[RemotePlan], path: list[str], beside: Callable[[bytes], None]
) -> tuple[zygote.Zygote, int]:
    """Fork the gateway. Call it before this process has a second thread.

    Args:
        plan: The engine's.
        modules: The remote modules.
        path: `sys.path` as replicas see it.
        beside: Does what the client may ask for besides.

    Returns:
        The client's side, and a descriptor of what the gateway tells of agents.

    Raises:
        OSError: The system has no room for it.
    """
    status, theirs = os.pipe()

    def become(control: int, client: int, mask: set[int]) -> None:
        os.close(status)
        _become_gateway(plan, modules, path, control, theirs, client, mask, beside)

    replicas = zygote.fork(modules, become)
    os.close(theirs)
    return replicas, status


def _become_gateway(
    plan: EnginePlan,
    modules: list[RemotePlan],
    path: list[str],
    control: int,
    status: int,
    client: int,
    mask: set[int],
    beside: Callable[[bytes], None],
) -> None:
    """Never returns into the client's code, whatever happens."""
    try:
        from cord.engines.nodes import gateway, request
        from cord.engines.nodes.launchers.watching import tell

        script = os.path.dirname(os.path.realpath(sys.argv[0]))
        folder = script if sys.flags.safe_path else path[0]
        try:
            contents = request.make(plan, modules, folder, path)
        except CordError as problem:
            tell(status, "over", str(problem))
            os._exit(0)
        gateway.run(plan, contents, modules, control, status, client, mask, beside)
    except BaseException as exc:
        zygote.report_crash(_core.Descriptor(os.dup(2)), "the process that leads to agents", exc)
    finally:
        os._exit(zygote.EXIT_SOFTWARE)
