"""The remote module of a replica, loaded when the client imports its own."""

from __future__ import annotations

import sys

from cord._core import note_new_state
from cord.engines.local.libraries import limit_threads, threads_of
from cord.runtime.replica.modules import is_reloaded
from cord.runtime.travel import loaded

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from types import ModuleType

    from cord import _core
    from cord.plan.model import RemotePlan


class RemoteModule:
    """The remote module, as far as it is loaded.

    Attributes:
        name: Its dotted name.
        module: The module itself, once it is loaded.
        is_loading: Whether it is being loaded.
        is_program: Whether it is the main script.
        is_bound: Whether it has functions that call by this process's link.
        endpoint: This end of that link.
        loaded: In a copy of a replica: the order that this has followed, and in which world.

    Args:
        plan: What the plan says of it.
    """

    def __init__(self, plan: RemotePlan) -> None:
        self.name = plan.module
        self.module: ModuleType | None = None
        self.is_loading = self.is_bound = False
        self.endpoint: _core.Endpoint | None = None
        self.loaded: tuple[bytes, bytes] | None = None
        self.is_program = plan.is_program
        self._blas_threads = threads_of(plan.blas_threads, plan.replicas)

    def obey(self, order: bytes, world: bytes) -> None:
        """Do what the client does now: import the module anew, or execute it once more.

        Args:
            order: Whether the client reloads the module object that it has.
            world: The world of this process.
        """
        done, self.loaded = self.loaded, None
        if done != (order, world):
            self._load(again=order != b"\0")
            note_new_state()

    def _load(self, *, again: bool) -> None:
        self.is_loading = True
        try:
            if again and self.module is not None:
                from importlib import reload

                is_reloaded(self.name)
                self.module = reload(self.module)
                return
            if self._blas_threads is not None:
                limit_threads(self._blas_threads)
            if self.is_program:  # what it defines comes with the calls
                self.module = sys.modules["__main__"]
                return
            if self.name in loaded.adopted:
                self.module = sys.modules[self.name]
                return
            sys.modules.pop(self.name, None)
            # The import statement's own function, not importlib's: it cuts the import system's
            # frames from the traceback of a failure, as in the plain program.
            __import__(self.name)
            self.module = sys.modules[self.name]
        finally:
            self.is_loading = False
