"""Loading Cord's own modules when the program has left no descriptor.

Much of Cord is imported when it is first needed, which is in the midst of the program. The core
holds some descriptors back for such moments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from errno import EMFILE, ENFILE
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

from cord import _core


def find_own(fullname: str, path: Sequence[str] | None) -> ModuleSpec | None:
    """Find a module of Cord's as the interpreter does, with a loader that can do so once more."""
    try:
        spec = PathFinder.find_spec(fullname, path)
    except OSError as exc:
        with _spare(exc):
            spec = PathFinder.find_spec(fullname, path)
    if spec is not None and spec.origin is not None and type(spec.loader) is SourceFileLoader:
        spec.loader = OwnLoader(fullname, spec.origin)
    return spec


class OwnLoader(SourceFileLoader):
    """Loads a module of Cord's, with the descriptors that are held back if there are no others."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code; from the start again, where a descriptor was lacking."""
        try:
            super().exec_module(module)
        except OSError as exc:
            with _spare(exc):
                super().exec_module(module)


@contextmanager
def _spare(exc: OSError) -> Iterator[None]:
    """Have the descriptors at hand that are held back, if that is what was lacking."""
    if exc.errno not in (EMFILE, ENFILE):
        raise exc
    _core.give_spare()
    try:
        yield
    finally:
        _core.keep_spare()
