"""What modules bind at their top level, and which of it can be remote.

The rule: a function is remote if the module itself defines it with `def` at its top level, its name
has no leading underscore and stands in `__all__` if there is one, and `only` names it if there is
an `only`. So is one that it offers and others define (`offers.py`), a method that `only` names, and
what `only` names of variables, if that turns out to be a function. A generator function stays in
the program, decorated or not: what a call of it gives is bound to the process that made it, and
cannot travel. Of a coroutine function what its coroutine returns does: pure ones are remote where
they are awaited, which no text shows.
"""

from __future__ import annotations

from importlib.util import source_hash

from cord.kept import Kept
from cord.silence import silence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ast import Module
    from collections.abc import Callable, Iterable
    from typing import Any, TypeVar

    from cord.plan.model import RemotePlan
    from cord.plan.program import Program

    _Answer = TypeVar("_Answer")


# Why the result of a call cannot travel, though what it comes to can.
COROUTINE = "a coroutine function"
# What is known of a method that is not there.
_NO = 0, COROUTINE


class Outline:
    """What a module binds at its top level.

    Attributes:
        functions: The functions defined with `def`, by name; the last definition counts. Of each
            the line, and why its calls cannot travel ("a generator function") or None.
        others: What else the names are: "a class", "imported", "assigned".
        has_star_import: Whether names may come from anywhere.
        exported: The names in `__all__`, or None where there is none that can be read.
        parameters: The names of the parameters of each function, and of each method.
        methods: What classes define with `def`, as `Class.name`: of each the line, and why its
            calls cannot travel ("a property") or None.
        imports: What names are imported from: the module, with a dot for each level of a relative
            one, and the name there.
        stars: The modules that all names are imported from, likewise.
        variables: Those of the names that are assigned which may hold functions.
    """

    def __init__(
        self,
        functions: dict[str, tuple[int, str | None]],
        others: dict[str, str],
        has_star_import: bool = False,
        exported: set[str] | None = None,
        parameters: dict[str, list[str]] | None = None,
        methods: dict[str, tuple[int, str | None]] | None = None,
        imports: dict[str, tuple[str, str]] | None = None,
        stars: list[str] | None = None,
        variables: set[str] | None = None,
    ) -> None:
        self.functions = functions
        self.others = others
        self.has_star_import = has_star_import
        self.exported = exported
        self.parameters = parameters if parameters is not None else {}
        self.methods = methods if methods is not None else {}
        self.imports = imports if imports is not None else {}
        self.stars = stars if stars is not None else []
        self.variables = variables if variables is not None else set()

    def is_public(self, name: str) -> bool:
        """Whether `name` is one that the module shows."""
        return not name.startswith("_") and (self.exported is None or name in self.exported)

    def public_functions(self, only: Iterable[str] | None = None) -> list[str]:
        """The names of the functions that are remote, in the order of the source.

        Args:
            only: The names that the plan narrows the module to, or None.
        """
        wanted = None if only is None else set(only)
        return [
            name
            for name, (_, stays_local) in self.functions.items()
            if self.is_public(name) and stays_local is None and (wanted is None or name in wanted)
        ]

    def remote_functions(self, remote: RemotePlan) -> list[str]:
        """The names that are remote under a plan: of functions, and of methods as `Class.name`.

        A function `main` of the main script is the program itself: it is remote only if it is
        named. What a variable holds that `only` names shows when the module is imported.
        """
        names = self.public_functions(remote.only)
        if remote.is_program and remote.only is None:
            names = [name for name in names if name != "main"]
        assigned = [name for name in remote.only or () if name in self.variables]
        methods = [name for name in remote.methods if self.methods.get(name, _NO)[1] != COROUTINE]
        return list(dict.fromkeys([*names, *assigned, *methods, *remote.homes]))

    def awaited_functions(self, remote: RemotePlan) -> list[str]:
        """The names of the coroutine functions that are remote under a plan, and of methods."""
        wanted = self.functions if remote.only is None else set(remote.only)
        public = [name for name in self.functions if self.is_public(name) and name in wanted]
        known = {**self.functions, **self.methods}
        return [
            name
            for name in [*public, *remote.methods]
            if known.get(name, _NO)[1] == COROUTINE
            and not remote.is_program
            and remote.function(name).effects == "pure"
        ]

    def parts(self) -> tuple[Any, ...]:
        """The arguments that make an equal outline."""
        return (
            self.functions,
            self.others,
            self.has_star_import,
            self.exported,
            self.parameters,
            self.methods,
            self.imports,
            self.stars,
            self.variables,
        )


class Outlines:
    """What the plan asks of the source of modules, kept from one run of a program to the next.

    Attributes:
        kept: Where it is kept.
        read: A hash of what is in each file whose outline was asked for; None if it was not read.

    Args:
        program: Path of the program's main file; "" to keep none.
    """

    def __init__(self, program: str) -> None:
        self.kept = Kept(program)
        self.read: dict[str, bytes | None] = {}

    def of(self, path: str) -> Outline:
        """The outline of a file.

        Raises:
            OSError: It cannot be read.
            SyntaxError: It is not Python.
            ValueError: Likewise.
        """
        self.read[path] = None
        read = _read(path)
        self.read[path] = read[1]

        def find(tree: Module) -> tuple[Any, ...]:
            from cord.plan.public import outline_of

            return outline_of(tree).parts()

        return Outline(*self._found(("outline", path), path, read, find))

    def needed(self, path: str, functions: list[str]) -> list[str]:
        """The modules that functions of a script need: see `modules_behind`.

        Raises:
            OSError: The script cannot be read.
            SyntaxError: It is not Python.
            ValueError: Likewise.
        """

        def find(tree: Module) -> tuple[str, ...]:
            from cord.plan.needs import modules_behind

            return tuple(modules_behind(tree, functions))

        question = ("needed", path, tuple(functions))
        return list(self._found(question, path, _read(path), find))

    def _found(
        self,
        question: tuple[Any, ...],
        path: str,
        read: tuple[bytes, bytes],
        find: Callable[[Module], _Answer],
    ) -> _Answer:
        """What is kept of a file as it is now, or else found in its tree, and kept."""
        source, content = read
        if question in self.kept:
            known, kept = self.kept[question]
            if known == content:
                answer: _Answer = kept
                return answer
        from cord.stdlib import ast

        with silence():
            answer = find(ast.parse(source, path))
        self.kept[question] = (content, answer)
        return answer

    def may_import(self, program: Program, name: str) -> bool:
        """Whether a program may import a module, itself or through the modules in its folder.

        Raises:
            OSError: The program cannot be read.
            SyntaxError: It is not Python.
            ValueError: Likewise.
        """
        source, content = _read(program.path)
        question = ("import", name)
        if question in self.kept:
            known, files = self.kept[question]
            if known == content and all(_is_as(*one) for one in files):
                return True
        from cord.plan.imports import Imports
        from cord.stdlib import ast

        with silence():
            imports = Imports(program, ast.parse(source))
        found = imports.may_import(name)
        if found:  # else the run ends here
            self.kept[question] = (content, imports.files)
        return found

    def save(self) -> None:
        """Keep what was found out."""
        self.kept.save()


def _read(path: str) -> tuple[bytes, bytes]:
    """What is in a file, and a hash of it."""
    with open(path, "rb") as file:
        source = file.read()
    return source, source_hash(source)


def _is_as(path: str, known: bytes) -> bool:
    try:
        return _read(path)[1] == known
    except OSError:
        return False
