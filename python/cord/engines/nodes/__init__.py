"""Engines whose replicas live on other machines: agents serve them, a gateway leads to those.

The gateway is a process beside the program, in the place of the local engine's zygote: the native
core asks it for replicas in the same words. So nothing of the network, and nothing of what starts
agents, is in the program's own process.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable

    from cord.engines.local.zygote import Zygote
    from cord.plan.engine_plan import EnginePlan
    from cord.plan.model import RemotePlan


class Nodes:
    """The engine of a plan that names one of these kinds; see `cord.engines.base.Engine`."""

    def __init__(self, plan: EnginePlan) -> None:
        self._plan = plan
        self._cores = 0

    def start(
        self, modules: list[RemotePlan], path: list[str], beside: Callable[[bytes], None]
    ) -> Zygote:
        """As `cord.engines.base.Engine.start`; agents have joined then.

        Raises:
            CordError: None has.
        """
        from cord.engines.nodes.launchers import ranks
        from cord.engines.nodes.starting import fork

        if ranks.count(self._plan) == 1:
            return self._joined(*fork(self._plan, modules, path, beside))
        ranks.place()  # once for this process and the one that it forks
        try:
            return self._joined(*fork(self._plan, modules, path, beside))
        finally:
            ranks.take_back()

    def cores(self) -> int:
        """As `cord.engines.base.Engine.cores`: those of the nodes that have joined by then."""
        return self._cores

    def join(self, modules: list[RemotePlan]) -> Zygote:
        """As `cord.engines.base.Engine.join`.

        Raises:
            CordError: No agent has joined.
        """
        from cord.engines.nodes import fresh

        if self._plan.cpu == "baseline":
            _check_level()
        return self._joined(*fresh.start(self._plan, modules))

    def _joined(self, replicas: Zygote, status: int) -> Zygote:
        from cord.engines.nodes.joining import wait_for_agents

        try:
            joining = wait_for_agents(status, self._plan.agents, self._plan.wait, sys.stderr)
        except BaseException:
            replicas.close()
            raise
        finally:
            os.close(status)
        self._cores = joining.cores
        return replicas


def _check_level() -> None:
    """See that this interpreter, which cannot be started anew, keeps to the level of all sides."""
    from cord.engines.nodes import facts, level
    from cord.errors import CordError

    level.check(facts.flags())
    left = level.variables(os.environ)
    if left:
        settings = " ".join(f"{name}={value!r}" for name, value in left.items())
        raise CordError(
            'engine.cpu = "baseline" is for an interpreter to know when it starts',
            f"use cord run, or start Python with {settings}",
        )
