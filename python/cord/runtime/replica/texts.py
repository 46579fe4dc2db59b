"""The project's texts, as far as they lie beside its modules: whether words are in them."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType
    from typing import Final

_MOST_FILES: Final = 2000


def have_one(own: dict[str, ModuleType], words: tuple[bytes, ...]) -> bool:
    """Whether one of the texts has one of these words.

    Args:
        own: The project's modules that are loaded here.
        words: The words.
    """
    return any(any(word in text for word in words) for text in _texts(own))


def have_all(own: dict[str, ModuleType], words: tuple[bytes, ...]) -> bool:
    """Whether one of the texts has all of these words.

    Args:
        own: The project's modules that are loaded here.
        words: The words.
    """
    return any(all(word in text for word in words) for text in _texts(own))


def _texts(own: dict[str, ModuleType]) -> Iterator[bytes]:
    return map(_text_of, _files_beside(own))


def _files_beside(own: dict[str, ModuleType]) -> list[str]:
    """The project's texts, as far as they lie beside its modules that are loaded here."""
    files = [getattr(module, "__file__", None) for module in own.values()]
    folders = {os.path.dirname(file) for file in files if isinstance(file, str)}
    folders.update(entry for entry in (sys.path[0] if sys.path else "",) if entry)
    found = []
    for folder in folders:
        for above, inside, names in os.walk(folder):
            inside[:] = [
                one for one in inside if not one.startswith(".") and "-packages" not in one
            ]
            found += [os.path.join(above, name) for name in names if name.endswith((".py", ".pyw"))]
            if len(found) > _MOST_FILES:
                return found
    return found


def _text_of(file: str) -> bytes:
    try:
        with open(file, "rb") as text:
            return text.read()
    except OSError:
        return b""
