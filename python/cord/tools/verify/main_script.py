"""The main script as a remote module: its functions watched, and its definitions sent along.

What a call needs of the main script travels with it under Cord: functions and classes by value, and
the globals that they read. Recorded calls are kept with the same, so that they can be made where
there is no such script.
"""

from __future__ import annotations

import ast
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

MAIN = "__main__"
_MARK = "__cord_watched__"
_BLOCKS = ("body", "orelse", "finalbody", "handlers")
_MOST_BYTES = 64 << 20  # of definitions that are kept


def compiled(source: bytes | str, path: str, names: list[str]) -> CodeType:
    """The script's code, with each of these functions watched as soon as it is defined.

    Args:
        source: The script.
        path: Its file.
        names: The functions.
    """
    tree = ast.parse(source, path)
    _watch(tree.body, frozenset(names))
    return compile(tree, path, "exec", dont_inherit=True)


def _watch(block: list[Any], names: frozenset[str]) -> None:
    """Let `f = __cord_watched__("f", f)` follow the definition of f."""
    for at in range(len(block) - 1, -1, -1):
        node = block[at]
        if isinstance(node, ast.FunctionDef) and node.name in names:
            block.insert(at + 1, _marking(node))
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for part in _BLOCKS:
                _watch(getattr(node, part, []), names)


def _marking(node: ast.FunctionDef) -> ast.Assign:
    call = ast.Call(
        ast.Name(_MARK, ast.Load()), [ast.Constant(node.name), ast.Name(node.name, ast.Load())], []
    )
    made = ast.Assign([ast.Name(node.name, ast.Store())], call)
    return ast.fix_missing_locations(ast.copy_location(made, node))


class Definitions:
    """The watched functions of the main script, and versions of what calls need of it.

    Attributes:
        versions: The versions that calls were recorded with, encoded.
    """

    def __init__(self) -> None:
        self.versions: list[bytes] = []
        self._numbers: dict[bytes, int] = {}
        self._size = 0
        self._watched: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {}

    def watch(self, made: Callable[[str, Any], Any]) -> None:
        """Have the script's functions replaced by what `made` gives for them."""

        def mark(name: str, function: Any) -> Any:
            watched = made(name, function)
            self._watched[name] = function, watched
            return watched

        vars(sys.modules[MAIN])[_MARK] = mark

    def encoded(self, name: str, args: Any, kwargs: Any) -> tuple[bytes, int | None] | None:
        """A call, encoded, and the number of the version that it needs; None if it cannot travel.

        Args:
            name: The function's name if it is the script's own; "" if it is another module's.
            args: The arguments.
            kwargs: The keyword arguments.
        """
        from cord.runtime.client.definitions import encode_names
        from cord.runtime.travel.byvalue import ByValue

        stream = io.BytesIO()
        with self._as_written():
            try:
                pickler = ByValue(stream)
                pickler.dump((args, kwargs))
                roots = [name, *pickler.names] if name else list(pickler.names)
                if not roots:
                    return stream.getvalue(), None
                version = encode_names(roots, vars(sys.modules[MAIN]).get(name))
            except Exception:
                return None
        number = self._number(version)
        return None if number is None else (stream.getvalue(), number)

    def _number(self, version: bytes) -> int | None:
        number = self._numbers.get(version)
        if number is None and self._size + len(version) <= _MOST_BYTES:
            number = self._numbers[version] = len(self.versions)
            self.versions.append(version)
            self._size += len(version)
        return number

    @contextmanager
    def _as_written(self) -> Iterator[None]:
        """The script's names stand for its own functions meanwhile, not for the watched ones."""
        main = vars(sys.modules[MAIN])
        mark = main.pop(_MARK, None)
        replaced = {name: both for name, both in self._watched.items() if main.get(name) is both[1]}
        main.update({name: function for name, (function, _) in replaced.items()})
        try:
            yield
        finally:
            main.update({name: watched for name, (_, watched) in replaced.items()})
            if mark is not None:
                main[_MARK] = mark


class Mirror:
    """The other side: `__main__` as it was when a call was made.

    Args:
        versions: The versions that calls were recorded with.
    """

    def __init__(self, versions: list[bytes]) -> None:
        self._encoded = versions
        self._current: int | None = None

    def put_in_place(self, number: int | None) -> None:
        """Have `__main__` hold a version; nothing if it is there, so that what calls left stays."""
        from cord.runtime.replica.mirror import Version

        if number is not None and number != self._current:
            Version(self._encoded[number]).put_in_place()
            self._current = number
