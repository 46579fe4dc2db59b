"""The zygote of an agent, in an interpreter of its own."""

from __future__ import annotations

from cord.engines.local import fresh
from cord.runtime.travel import world

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn


def serve(request: dict[str, Any]) -> NoReturn:
    """Be the zygote. Does not return."""
    if request["level"]:
        from cord.engines.nodes.anew import hide

        hide(request["level"])
    if request["moved"] is not None:
        from cord.engines.nodes.moving import move

        move(*request["moved"])
    world.keep(request["kept"])
    world.is_another(*request["own_path"])
    fresh.serve(request)
