"""The local engine: replicas are processes on this machine, forked by a zygote."""

from __future__ import annotations

from cord import _core

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable

    from cord.engines.local.zygote import Zygote
    from cord.plan.model import RemotePlan


def start(modules: list[RemotePlan], path: list[str], beside: Callable[[bytes], None]) -> Zygote:
    """As `cord.engines.base.Engine.start`: the zygote is forked from this process."""
    from cord.engines.local import zygote

    return zygote.start(modules, path, beside)


def cores() -> int:
    """As `cord.engines.base.Engine.cores`: those that this process may use."""
    return _core.means()[0]


def join(modules: list[RemotePlan]) -> Zygote:
    """As `cord.engines.base.Engine.join`: the zygote is an interpreter of its own."""
    from cord.engines.local import fresh

    _core.suspect_settings()  # that one knows none of what the program has set by now
    return fresh.start(modules)
