"""The project: the program, the modules of its own that it imports, and what their names mean.

Only files beside the program (its folder and below) belong to the project; everything else is a
library. Nothing is imported or run here.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Callable

from cord.knowledge.methods import AHEAD_NAMES, CHANGER_NAMES
from cord.source import names
from cord.source.functions import DEFINED, is_getter, is_method
from cord.source.modules import Module, Modules, package_of
from cord.source.names import Found, Names
from cord.source.records import dataclass
from cord.source.scope import bound_names
from cord.source.targets import access_path
from cord.translate.results import MAIN, Remote

from .survey import Called, Function, Survey, survey

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .sites import Found as FoundSites

# what a call of a class runs
INITIALIZERS = ("__init__", "__post_init__")
_REMOTE = "remote"  # what a name may stand for, beside the kinds of `names`
# how many of a class's bases are looked through
_MOST_CLASSES = 16
# a method with such a name is not told from a builtin type's by its name
_BUILTIN_METHODS = AHEAD_NAMES | CHANGER_NAMES


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a callee's name stands for.

    Its kind is remote, project, method, property, class, value, library or builtin.

    A method is known by its name alone, and so is a property; which class's it is shows at run
    time, and of a value everything does. A function of the project has its key as name.
    """

    kind: str
    module: str
    name: str

    @property
    def dotted(self) -> str:
        return f"{self.module}.{self.name}" if self.module else self.name

    @property
    def of_library(self) -> str:
        """The same where builtins are those of the module `builtins`."""
        return f"builtins.{self.name}" if self.kind == "builtin" else self.dotted


class _ClientNames(Names):
    """Names as clients see them: of a remote module its functions, and what scouts may go into."""

    def __init__(self, modules: dict[str, Module], remote: dict[str, Remote]) -> None:
        super().__init__(modules)
        self._remote = remote

    def is_module(self, dotted: str) -> bool:
        return dotted in self.modules or dotted in self._remote

    def bound(self, module: str, name: str, depth: int) -> list[Found]:
        here = self.modules[module]
        if not here.served and name not in here.imports and self._is_remote(module, name):
            return [Found(_REMOTE, module, name)]
        return super().bound(module, name, depth)

    def inside(self, module: str, name: str, depth: int) -> list[Found]:
        if self._is_remote(module, name):
            return [Found(_REMOTE, module, name)]
        found = super().inside(module, name, depth)
        served = module in self.modules and self.modules[module].served
        if served and found and not self._is_code(found[0]):
            return [Found(names.UNSEEN, module, name)]
        return found

    def _is_remote(self, module: str, name: str) -> bool:
        return module in self._remote and name in self._remote[module].functions

    def _is_code(self, found: Found) -> bool:
        """Whether this is a function or a class of the project that scouts may go into."""
        if found.kind not in (names.DEFINED, names.VARIABLE):
            return False
        here = self.modules[found.module]
        return any(found.name in one for one in (here.functions, here.lambdas, here.classes))


def read_file(path: str) -> bytes:
    """What is in a file."""
    with open(path, "rb") as file:
        return file.read()


class Project:
    """All source of the program that Cord reads, with name resolution over it.

    Args:
        program: Path of the main file; None if there is none to read.
        remote: The remote modules by name.
        assume_pure: Dotted names that the user declares free of effects.
        root: The folder of the project's modules; None for that of the main file.
        package: The package that relative imports in the main file start from.
        read: Reads a file. Every file that may belong to the project is asked for.

    Raises:
        SyntaxError: The program itself cannot be parsed (modules it imports that cannot are left
            out: their import fails where the program performs it).
    """

    def __init__(
        self,
        program: str | None,
        remote: dict[str, Remote],
        assume_pure: frozenset[str],
        root: str | None = None,
        package: str = "",
        read: Callable[[str], bytes] = read_file,
    ) -> None:
        self._read = read
        self.root = root if root is not None else os.path.dirname(os.path.realpath(program or ""))
        self.remote = remote
        self.has_independent = any(one.has_independent for one in remote.values())
        self.assume_pure = assume_pure
        self._modules = Modules(self._find)
        self.modules = self._modules.named
        self._names = _ClientNames(self.modules, remote)
        self.found: dict[str, FoundSites] = {}  # see `sites_of`
        self._reaching: set[tuple[str, str]] = set()
        self._methods: dict[str, list[tuple[str, str]]] = {}
        self._method_names: set[str] = set()
        self._properties: dict[str, list[tuple[str, str]]] = {}
        self._stored: set[str] = set()
        methods = [name.rpartition(".")[2] for one in remote.values() for name in one.methods]
        self._remote_methods = frozenset(methods)
        self._valued = bool(methods)
        self.surveys: dict[str, Survey] = {}
        main: list[Module] = []
        if program is not None:
            main.append(_parsed(MAIN, os.path.abspath(program), read(program), package))
        self.add(main)

    def add(self, modules: list[Module]) -> None:
        """Add modules, and those that they import."""
        self._modules.add(modules)
        self._names.forget()
        for module in self.modules.values():
            module.served = module.name in self.remote and module.name != MAIN
            self._note_attributes(module)
        self._find_reaching()

    # ---- loading -------------------------------------------------------------------------------

    def _find(self, name: str) -> Module | None:
        """A module beside the program."""
        stem = os.path.join(self.root, *name.split("."))
        for path in (os.path.join(stem, "__init__.py"), stem + ".py"):
            try:
                return _parsed(name, path, self._read(path), package_of(name, path))
            except (OSError, SyntaxError, ValueError):
                continue
        return None

    def _note_attributes(self, module: Module) -> None:
        """Note which names are methods somewhere, and which may be attributes of any value."""
        self._stored |= module.stored
        for cls in module.all_classes:
            for inner in cls.body:
                if isinstance(inner, ast.FunctionDef):
                    (self._method_names if is_method(inner) else self._stored).add(inner.name)
                    if is_getter(inner):
                        self._properties.setdefault(inner.name, [])
            values = [one for one in cls.body if isinstance(one, (ast.Assign, ast.AnnAssign))]
            self._stored |= bound_names(ast.Module(list(values), []))

    def assumes(self, meaning: Meaning) -> bool:
        """Whether the user declares this free of effects."""
        return meaning.of_library in self.assume_pure

    def assumes_method(self, name: str) -> bool:
        """Whether the user declares a method of this name free of effects."""
        return any(known.endswith(f".{name}") for known in self.assume_pure)

    def is_remote(self, module: Module, name: str) -> bool:
        """Whether a name at the top level of a module is a remote function of its own."""
        return (
            not module.served
            and module.name in self.remote
            and name in self.remote[module.name].functions
        )

    def may_be_given(self, meaning: Meaning) -> bool:
        """Whether a remote function may be given results that the client does not see."""
        remote = self.remote.get(meaning.module)
        return remote is not None and meaning.name in remote.given

    def may_change(self, meaning: Meaning) -> bool:
        """Whether a remote function may change its arguments, as far as the plan says."""
        remote = self.remote.get(meaning.module)
        return (
            remote is None or meaning.name not in remote.ahead or meaning.name in remote.independent
        )

    # ---- what names mean -----------------------------------------------------------------------

    def meaning(
        self, module: Module, func: ast.expr, local: dict[str, str | None]
    ) -> Meaning | None:
        """What the callee `func` stands for, or None where that is not known from the text.

        Args:
            module: The module in which the expression stands.
            func: The callee's expression.
            local: Names bound in the functions around: to a dotted name by an import, else None.
        """
        found = self._meaning(module, func, local)
        if found is None or found.kind == "value":
            return self._assumed(module, func, local) if self.assume_pure else None
        return found

    def _assumed(
        self, module: Module, func: ast.expr, local: dict[str, str | None]
    ) -> Meaning | None:
        """What the user declares free of effects, and has no other meaning."""
        if any(isinstance(part, (ast.Subscript, ast.Call)) for part in ast.walk(func)):
            return None
        name, _, rest = (access_path(func) or "").partition(".")
        bound = local[name] if name in local else module.names.get(name)
        if bound is None and name not in local and name in module.defined:
            bound = f"{module.name}.{name}"
        dotted = f"{bound}.{rest}" if rest else bound
        if dotted is None or dotted not in self.assume_pure:
            return None
        owner, _, last = dotted.rpartition(".")
        return Meaning("library", owner, last)

    def may_be_any(self, module: Module, func: ast.expr, local: dict[str, str | None]) -> bool:
        """Whether a callee without a meaning may be a function that was kept or passed on."""
        if isinstance(func, ast.Name) and func.id in local:
            return local[func.id] is None
        if isinstance(func, (ast.Name, ast.Attribute)):
            found = self._meaning(module, func, local)
            if found is not None:
                return found.kind == "value"
            return isinstance(func, ast.Attribute) and self._may_keep(func.attr)
        return isinstance(func, (ast.Subscript, ast.Call, ast.IfExp, ast.BoolOp, ast.NamedExpr))

    def _may_keep(self, attribute: str) -> bool:
        if attribute in self._remote_methods:
            return True
        return attribute in self._stored and attribute not in _BUILTIN_METHODS

    def _meaning(
        self, module: Module, func: ast.expr, local: dict[str, str | None]
    ) -> Meaning | None:
        parts: list[str] = []
        while isinstance(func, ast.Attribute):
            parts.append(func.attr)
            func = func.value
        if not isinstance(func, ast.Name):
            return None
        if func.id not in local:
            found = self._names.of(module.name, func.id)
            if not found or found[0].kind == names.BUILTIN:
                return None if parts or module.stars else Meaning("builtin", "", func.id)
        else:
            bound = local[func.id]
            if bound is None:
                return None
            if bound.startswith(DEFINED):
                return None if parts else self.defined(module, bound.removeprefix(DEFINED))
            found = self._names.dotted(bound)
        whole = [*reversed(parts)]
        for number, part in enumerate(whole, 1):
            if found and self._is_method(found[0], whole[number - 1 :]):
                return Meaning("value", found[0].module, ".".join((found[0].name, part)))
            found = self._names.member(found[0], part) if found else []
        return self._meant(found[0]) if found else None

    def _is_method(self, found: Found, rest: list[str]) -> bool:
        """Whether the rest of a path leads from a class to a method of its that is remote."""
        remote = self.remote.get(found.module)
        return remote is not None and ".".join((found.name, *rest)) in remote.methods

    def _meant(self, found: Found) -> Meaning | None:
        kind, module, name = found.kind, found.module, found.name
        if kind == _REMOTE:
            return Meaning("remote", module, name)
        if kind == names.LIBRARY:
            module, _, name = name.rpartition(".")
            return Meaning("library", module, name) if module else None
        if kind not in (names.DEFINED, names.VARIABLE):
            return None
        here = self.modules[module]
        if name in here.functions:
            return Meaning("project", module, name)
        if name in here.lambdas:
            return self.defined(here, here.lambdas[name])
        return Meaning("class" if name in here.classes else "value", module, name)

    def defined(self, module: Module, key: str) -> Meaning:
        """The meaning of a function of the project."""
        return Meaning("project", module.name, key)

    def is_stored(self, attribute: str) -> bool:
        """Whether the project ever assigns an attribute of this name."""
        return attribute in self._stored

    # ---- which functions of the project lead to remote calls -----------------------------------

    def reaches_remote(self, meaning: Meaning | None) -> bool:
        """Whether a call of this leads, directly or through helpers, to a remote call."""
        if meaning is None:
            return False
        return any(candidate in self._reaching for candidate in self.candidates(meaning))

    def candidates(self, meaning: Meaning) -> list[tuple[str, str]]:
        """The functions of the project that a call of this may run, as (module, name in it)."""
        if meaning.kind == "project":
            return [(meaning.module, meaning.name)]
        if meaning.kind == "method":
            return self._methods.get(meaning.name, [])
        if meaning.kind == "property":
            return self._properties.get(meaning.name, [])
        if meaning.kind == "class" and meaning.dotted not in self.assume_pure:
            found = (self._inherited(meaning, name, 0) for name in INITIALIZERS)
            return [one for one in found if one is not None]
        return []

    def _inherited(self, cls: Meaning, method: str, depth: int) -> tuple[str, str] | None:
        """The method of a class of the project, or of the first class above that has it."""
        module = self.modules[cls.module]
        key = f"{cls.name}.{method}"
        if key in module.methods:
            return (cls.module, key) if key in self.surveys[cls.module].functions else None
        if depth > _MOST_CLASSES:
            return None
        for base in module.classes[cls.name].bases:
            above = self.meaning(module, base, {})
            if above is not None and above.kind == "class":
                found = self._inherited(above, method, depth + 1)
                if found is not None:
                    return found
        return None

    def generates(self, meaning: Meaning) -> bool | None:
        """Whether calls of this give generators; None where some do and some do not."""
        kinds = {self.function(*found).generates for found in self.candidates(meaning)}
        return None if len(kinds) > 1 else True in kinds

    def function(self, module: str, key: str) -> Function:
        """One of the `candidates`."""
        return self.surveys[module].functions[key]

    def method(self, func: ast.expr) -> Meaning | None:
        """The meaning of `x.name` where classes of the project have a method `name`."""
        if not isinstance(func, ast.Attribute):
            return None
        return Meaning("method", "", func.attr) if func.attr in self._method_names else None

    def property(self, name: str) -> Meaning | None:
        """The meaning of reading `x.name` where classes of the project have a property `name`."""
        return Meaning("property", "", name) if name in self._properties else None

    def reflected(self) -> list[str]:
        """The names of methods that may be called where a name is computed."""
        reflects = any(found.reflects for found in self.surveys.values())
        return list(self._methods) if reflects else []

    def has_builtin_name(self, name: str) -> bool:
        """Whether a method of this name may well be a builtin type's."""
        return name in _BUILTIN_METHODS

    def leads_to(self, called: Called) -> Meaning | None:
        """What makes a call a site, None if it is none."""
        meaning = called.meaning
        if called.served:
            return None
        if meaning is not None and (meaning.kind == "remote" or self.reaches_remote(meaning)):
            return meaning
        if called.dynamic and self._valued and called.region.scouted:
            return Meaning("value", "", ast.unparse(called.func))
        return None

    def _find_reaching(self) -> None:
        self._methods.clear()
        for known in self._properties.values():
            known.clear()
        for module in self.modules.values():
            self.surveys[module.name] = survey(self, module, module.tree)
        for name, found in self.surveys.items():
            for function in found.functions.values():
                if function.method not in (None, "__new__"):  # no scout makes such an instance
                    self._methods.setdefault(function.method, []).append((name, function.key))
                if function.getter is not None:
                    self._properties[function.getter].append((name, function.key))
        changed = True
        while changed:
            changed = not self._valued and self._has_values()
            self._valued = self._valued or changed
            for name, found in self.surveys.items():
                for called in found.calls:
                    key = called.region.key
                    if key is None or (name, key) in self._reaching:
                        continue
                    if self.leads_to(called) is not None:
                        self._reaching.add((name, key))
                        changed = True

    def _has_values(self) -> bool:
        """Whether something that leads to remote calls is ever used as a value."""
        called = [Meaning("method", "", name) for name in ("__call__", *INITIALIZERS)]
        called += [Meaning("method", "", name) for name in self.reflected()]
        return any(self.reaches_remote(one) for one in called) or any(
            value.kind == "remote" or self.reaches_remote(value)
            for found in self.surveys.values()
            for value in found.values
        )


def _parsed(name: str, path: str, source: bytes, package: str) -> Module:
    return Module(name, path, ast.parse(source, path), package, source)
