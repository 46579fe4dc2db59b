"""How many replicas a module has, in words."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.plan.model import RemotePlan


def number_of_replicas(remote: RemotePlan) -> str:
    """Their number, as far as it is known before a run.

    Args:
        remote: The module.
    """
    threads = f" of {remote.threads} threads" if remote.threads > 1 else ""
    if not remote.per_core:
        return counted(remote.replicas, "replica") + threads
    if remote.replicas == 0:
        return f"a replica{threads} for each core of the nodes"
    return f"{counted(remote.replicas, 'replica')}{threads}, one for each core"


def counted(number: int, what: str) -> str:
    """So many of something."""
    if number == 1:
        return f"1 {what}"
    return f"{number or 'no'} {what}s"
