"""A session: the replicas of one run, and the remote functions that lead to them."""

from __future__ import annotations

import os
from _weakref import ref
from types import ModuleType
from typing import TYPE_CHECKING

from cord import _core
from cord.runtime.facade import make_facade, public_functions

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
        # by id of what they stand for
        self.functions: dict[int, _core.RemoteFunction] = {}
        session = ref(self)  # nothing that is registered can be taken back
        os.register_at_fork(after_in_child=lambda: _abandon(session()))

    def serve(self, module: ModuleType) -> None:
        """Make the public functions of a loaded remote module remote, for clients."""
        remote = self.plan.remote[module.__name__]
        functions: dict[str, object] = {}
        for name in public_functions(module, remote.only):
            settings = remote.function(name)
            original = module.__dict__[name]
            ahead = settings.pure and settings.callstyle == "async"
            function = _core.RemoteFunction(
                self._native, self._index[remote.module], name, original, settings.pure, ahead
            )
            function.__dict__.update(getattr(original, "__dict__", {}), __doc__=original.__doc__)
            functions[name] = self.functions[id(original)] = function
        make_facade(module, functions)

    def close(self) -> None:
        """End the replicas."""
        self._native.close()

    def leave(self) -> None:
        """End the replicas of a program that goes on: remote functions run locally from now on."""
        self._native.run_locally()
        self._native.close()

    def abandon(self) -> None:
        """In a forked child: remote functions run locally, replicas and parent do not notice."""
        self._native.run_locally()
        self._native.abandon()


def _abandon(session: Session | None) -> None:
    if session is not None:
        session.abandon()
