"""A session: the replicas of one run, and the remote functions that lead to them."""

from __future__ import annotations

import os
from types import ModuleType
from typing import TYPE_CHECKING, Any

from cord import _core
from cord.runtime.facade import has_facade, is_own_function, make_facade, public_functions
from cord.runtime.sources import serve, served

if TYPE_CHECKING:
    from collections.abc import Callable

    from cord.plan.model import Plan, RemotePlan

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
        self._program = next((one for one in plan.remote.values() if one.is_program), None)
        if self._program is not None:  # nothing imports it
            self._native.load(self._index[self._program.module], self._native.world(), False)
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
            functions[name] = self._remote_function(remote, name, module.__dict__[name])
        make_facade(module, functions)

    def own(self, name: str) -> Callable[[Any], Any]:
        """A decorator that makes a function of the main script remote, if it can be."""

        def decorate(original: Any) -> Any:
            if self._program is None or not is_own_function(original, "__main__"):
                return original
            known_as = f":{len(served)}:{name}"
            function = self._remote_function(self._program, name, original, known_as)
            serve(known_as, function)
            return function

        return decorate

    def _remote_function(
        self, remote: RemotePlan, name: str, original: Any, known_as: str | None = None
    ) -> _core.RemoteFunction:
        settings = remote.function(name)
        ahead = settings.pure and settings.callstyle == "async"
        index = self._index[remote.module]
        return _core.RemoteFunction(
            self._native, index, known_as or name, original, settings.pure, ahead, remote.is_program
        )

    def close(self) -> None:
        """End the replicas."""
        self._native.close()

    def _abandon(self) -> None:
        _core.forked()
        self._native.abandon()
