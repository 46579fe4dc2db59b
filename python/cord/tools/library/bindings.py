"""Names that were bound to remote functions before the session, and lead to replicas meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from cord import _core
from cord.runtime.client.facade import put_method, take_back


class Bindings:
    """What is bound anew.

    Args:
        functions: The remote functions, by the identity of what they stand for.
    """

    def __init__(self, functions: Mapping[int, _core.RemoteFunction]) -> None:
        self._functions = functions
        self._undo: list[Callable[[], None]] = []

    def rebind(self, function: FunctionType) -> None:
        """Bind the global names and the closure of a function anew."""
        self.rebind_names(function.__globals__)
        for cell in function.__closure__ or ():
            try:
                value = cell.cell_contents
            except ValueError:  # empty
                continue
            remote = self._remote(value)
            if remote is not None:
                cell.cell_contents = remote
                self._undo.append(_cell_undo(cell, value, remote))

    def rebind_names(self, namespace: dict[str, Any]) -> None:
        """Bind global names anew."""
        for name, value in list(namespace.items()):
            remote = self._remote(value)
            if remote is not None:
                namespace[name] = remote
                self._undo.append(_name_undo(namespace, name, value, remote))

    def replace(
        self, namespace: dict[str, object], name: str, value: object, remote: object
    ) -> None:
        """Bind a name to a remote function, or see to it where the program does so itself."""
        if namespace.get(name) is value:
            namespace[name] = remote
        self._undo.append(_name_undo(namespace, name, value, remote))

    def replace_method(self, owner: type, name: str, remote: object) -> None:
        """Let a class have a remote function in the place of a method."""
        put = put_method(owner, name, vars(owner)[name], remote)
        self._undo.append(lambda: take_back(put))

    def restore(self) -> None:
        """Undo all that was not bound to something else meanwhile."""
        while self._undo:
            self._undo.pop()()

    def forget(self) -> None:
        """The program ends: nothing is to be undone, and its objects come to their ends."""
        self._undo.clear()

    def _remote(self, value: object) -> _core.RemoteFunction | None:
        remote = self._functions.get(id(value))
        return remote if remote is not None and _core.original_of(remote) is value else None


def _name_undo(
    namespace: dict[str, object], name: str, value: object, remote: object
) -> Callable[[], None]:
    def undo() -> None:
        if namespace.get(name) is remote:
            namespace[name] = value

    return undo


def _cell_undo(cell: object, value: object, remote: object) -> Callable[[], None]:
    def undo() -> None:
        if getattr(cell, "cell_contents", None) is remote:
            cell.cell_contents = value  # type: ignore[attr-defined]

    return undo
