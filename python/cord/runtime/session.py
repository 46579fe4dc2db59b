"""A session: the replicas of one run, and the remote functions that lead to them."""

from __future__ import annotations

import os
from types import ModuleType
from typing import TYPE_CHECKING

from cord import _core
from cord.runtime.remotes import make_remote

if TYPE_CHECKING:
    from cord.plan.model import Plan


class Session:
    """Ties remote modules, once the client has imported them, to their replicas.

    Args:
        plan: The plan.
        control: File descriptor of the control socket of the process that starts replicas;
            the session takes it over.
    """

    def __init__(self, plan: Plan, control: int) -> None:
        self.plan = plan
        modules = [(remote.module, remote.replicas) for remote in plan.remote.values()]
        self._native = _core.Session(modules, control)
        self._index = {remote.module: index for index, remote in enumerate(plan.remote.values())}
        os.register_at_fork(after_in_child=self._abandon)

    def serve(self, module: ModuleType) -> None:
        """Make the public functions of a loaded remote module remote, for clients."""
        name = module.__name__
        make_remote(module, self.plan.remote[name], self._index[name], self._native)

    def close(self) -> None:
        """End the replicas."""
        self._native.close()

    def _abandon(self) -> None:
        _core.forked()
        self._native.abandon()
