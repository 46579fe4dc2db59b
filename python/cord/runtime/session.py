"""A session: the replicas of one run, and the remote functions that lead to them."""

from __future__ import annotations

import os
from types import ModuleType
from typing import TYPE_CHECKING

from cord import _core
from cord.runtime.facade import has_facade, make_facade, public_functions

if TYPE_CHECKING:
    from cord.plan.model import Plan

    Order = tuple[int, bytes, bool]  # module, world, once more


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

    def begin(self, module: ModuleType) -> Order | None:
        """The client begins to execute a remote module: its replicas are to do so in its world.

        They do it at the same time, if all functions are pure. What a module with other functions
        does when it is executed may get in the way of another process that does it too.

        Returns:
            The order that is still to be given.
        """
        order = (self._index[module.__name__], self._native.world(), has_facade(module))
        if not self.plan.remote[module.__name__].is_pure:
            return order
        self._native.load(*order)
        return None

    def give_up(self, order: Order | None) -> None:
        """The execution has failed. A reloaded module stays, as far as it came."""
        if order is not None and order[2]:
            self._native.load(*order)

    def serve(self, module: ModuleType, order: Order | None) -> None:
        """Make the public functions of a remote module remote, for clients.

        Args:
            module: The module, executed.
            order: What `begin` returned.
        """
        if order is not None:
            self._native.load(*order)
        remote = self.plan.remote[module.__name__]
        functions: dict[str, object] = {}
        for name in public_functions(module, remote.only):
            settings = remote.function(name)
            original = module.__dict__[name]
            ahead = settings.pure and settings.callstyle == "async"
            functions[name] = _core.RemoteFunction(
                self._native, self._index[remote.module], name, original, settings.pure, ahead
            )
        make_facade(module, functions)

    def close(self) -> None:
        """End the replicas."""
        self._native.close()

    def _abandon(self) -> None:
        _core.forked()
        self._native.abandon()
