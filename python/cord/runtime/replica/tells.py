"""What calls tell besides what they write: log records and warnings, as entries of their output.

The program's loggers, handlers, filters and registries decide what becomes of them, so they are
not handled here: they go into the journal of the call's output, in order with what it prints, and
the program handles them at the take (`io/told.py`). A call that tells nothing pays nothing for it.
"""

from __future__ import annotations

import sys

from cord.runtime.io import output
from cord.runtime.replica import warned
from cord.runtime.replica.warned import filters, set_filters

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

__all__ = ["filters", "install", "set_filters"]


def install(capture: output.Capture) -> None:
    """Let calls tell, from here on.

    Args:
        capture: Recorder of what calls write.
    """
    output.forward_by(capture.record)
    warned.install(capture)
    if "logging" in sys.modules:
        _take_records(capture)
    else:
        sys.meta_path.insert(0, _WhenImported("logging", capture))


def _take_records(capture: output.Capture) -> None:
    from cord.runtime.replica import records  # where there is logging

    records.install(capture)


class _WhenImported:
    """Stands on `sys.meta_path` until logging is imported.

    Args:
        name: That module.
        capture: Recorder of what calls write.
    """

    def __init__(self, name: str, capture: output.Capture) -> None:
        self._name = name
        self._capture = capture
        self._loader: Any = None

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Find the module as the others do, with a loader that does one thing more."""
        if fullname != self._name or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)
        for finder in sys.meta_path[:]:
            spec: ModuleSpec | None = finder.find_spec(fullname, path, target)
            if spec is not None:
                self._loader, spec.loader = spec.loader, self  # type: ignore[assignment]
                return spec
        return None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """As its own loader does."""
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code, then have its records taken."""
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        _take_records(self._capture)
