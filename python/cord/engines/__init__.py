"""Where replicas live: an engine makes and ends them, and supplies the links that lead to them.

What an engine is, `base.py` says. The replicas of `local` are processes of this machine, those of
`nodes` live on others.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from cord.engines.base import Engine
    from cord.plan.model import Plan


def engine_of(plan: Plan) -> Engine:
    """The engine that a plan's replicas live in."""
    if not plan.engine.is_local:
        from cord.engines.nodes import Nodes

        return Nodes(plan.engine)
    from cord.engines import local

    return local
