"""Which modules are the project's own: neither Python's, nor installed, nor Cord's."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Final

_MAIN: Final = "__main__"
_INSTALLED: Final = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
_PYTHONS: Final = os.path.dirname(os.__file__) + os.sep
_CORDS: Final = "cord."


def is_own(name: str) -> bool:
    """Whether the module of this name is loaded, and the project's own."""
    module = sys.modules.get(name)
    if module is None:
        return False
    if name == _MAIN:
        return True
    file = getattr(module, "__file__", None)
    if not isinstance(file, str) or name == "cord" or name.startswith(_CORDS):
        return False
    return not (file.startswith(_PYTHONS) or any(part in file for part in _INSTALLED))


def own_modules() -> dict[str, ModuleType]:
    """The project's own modules that are loaded, by their names."""
    return {name: sys.modules[name] for name in list(sys.modules) if is_own(name)}
