"""The source of live functions and modules, as the translator's project takes it."""

from __future__ import annotations

import ast
import linecache
import os
import sys
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from cord import _core
from cord.errors import CordError
from cord.source.modules import Module
from cord.translate.results import MAIN
from cord.translate.sites.project import Project


class Sources:
    """The files of a running program: modules, and the cells of a notebook.

    Args:
        project: The project that they are added to.
        root: Modules below this folder are the project's; everything else is a library.
    """

    def __init__(self, project: Project, root: str) -> None:
        self._project = project
        self._root = os.path.realpath(root) + os.sep
        self._names: dict[str, str] = {}  # by file, the name in the project
        self._texts: dict[str, bytes] = {}
        self.globals: dict[str, dict[str, Any]] = {}  # by name in the project

    def add(self, function: FunctionType) -> str:
        """Add the file of a function and the project's files that it leads to.

        Returns:
            The file's name in the project.

        Raises:
            CordError: The source is not there, or is not what runs.
        """
        path = function.__code__.co_filename
        text = _text_of(path, function.__globals__)
        if not text:
            raise CordError(
                f"the source of {function.__qualname__} is not there ({path})",
                "define it in a file or in a cell of a notebook",
            )
        if self._texts.get(path) != text:
            self._add(text, path, function.__globals__)
        return self._names[path]

    def add_text(self, text: bytes, path: str, namespace: dict[str, Any]) -> str:
        """Add code that stands in no file of its own, with these global names, as `add` does.

        Raises:
            CordError: It is nested deeper than the parser can follow.
        """
        self._names.pop(path, None)  # each part of a cell is a file of its own
        self._add(text, path, namespace)
        return self._names[path]

    def _add(self, text: bytes, path: str, namespace: dict[str, Any]) -> None:
        found: list[Module] = []
        try:
            self._follow(path, text, namespace, found)
            self._project.add(found)
        except (SyntaxError, ValueError, RecursionError) as error:
            raise CordError(f"{path} cannot be read: {error}") from None

    def _follow(
        self, path: str, text: bytes, namespace: dict[str, Any], found: list[Module]
    ) -> None:
        """Note a file, and those that its global names lead to."""
        self._texts[path] = text
        name = self._names[path] = self._new_name(path, namespace)
        self.globals[name] = namespace
        package = namespace.get("__package__") or ""
        module = Module(name, path, ast.parse(text, path), package, text)
        found.append(module)
        bound = module.defined | module.imports.keys()  # for those its text speaks
        for key, value in list(namespace.items()):
            if isinstance(value, ModuleType):
                self._follow_module(value, found)
            meaning = self._meaning(value, found)
            is_remote = type(value) is _core.RemoteFunction and value.__module__ == MAIN
            if meaning is not None and (is_remote or key not in bound):
                module.names[key] = meaning
                module.imports[key] = [meaning]

    def _new_name(self, path: str, namespace: dict[str, Any]) -> str:
        name = str(namespace.get("__name__", ""))
        known = self._project.modules.get(name)
        taken = known is not None and known.path != path
        if name == MAIN and path != namespace.get("__file__"):
            taken = True  # a cell
        if taken or name in self.globals:
            return f"<{name} {len(self._names)}>"
        return name

    def _follow_module(self, module: ModuleType, found: list[Module]) -> None:
        path = getattr(module, "__file__", None)
        if path is None or not self._is_own(path) or module.__name__ in self._project.remote:
            return
        text = _text_of(path, module.__dict__)
        if text and path not in self._texts:
            self._follow(path, text, module.__dict__, found)

    def _is_own(self, path: str) -> bool:
        real = os.path.realpath(path)
        prefixes = (sys.prefix, sys.base_prefix)
        library = "site-packages" in real or any(real.startswith(p + os.sep) for p in prefixes)
        return real.startswith(self._root) and path.endswith(".py") and not library

    def _meaning(self, value: object, found: list[Module]) -> str | None:
        """The dotted name of what a global name stands for, where the file does not say it."""
        if isinstance(value, ModuleType):
            return value.__name__
        if type(value) is _core.RemoteFunction:
            return f"{value.__module__}.{_core.original_of(value).__name__}"
        if isinstance(value, FunctionType) and value.__qualname__ == value.__name__:
            return f"{self._home(value, found) or value.__module__}.{value.__name__}"
        if type(value) is type and value.__module__ == MAIN:
            methods = [one for one in vars(value).values() if type(one) is FunctionType]
            home = next(filter(None, (self._home(one, found) for one in methods)), None)
            return home and f"{home}.{value.__qualname__}"
        if isinstance(value, (BuiltinFunctionType, type)) and value.__module__ != MAIN:
            return f"{value.__module__}.{value.__qualname__}"
        return None

    def _home(self, function: FunctionType, found: list[Module]) -> str | None:
        """The file that a function is from, which is followed if it is the project's: its name."""
        module = function.__module__
        if module in self._project.remote and module != MAIN:
            return module
        path = function.__code__.co_filename
        if path not in self._texts and (module == MAIN or self._is_own(path)):
            text = _text_of(path, function.__globals__)
            if text:
                self._follow(path, text, function.__globals__, found)
        return self._names.get(path)


def _text_of(path: str, namespace: dict[str, Any]) -> bytes:
    linecache.checkcache(path)
    return "".join(linecache.getlines(path, namespace)).encode()
