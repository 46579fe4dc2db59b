"""Finding a module as the program would import it, without importing anything."""

from __future__ import annotations

import os
import sys
from importlib.machinery import PathFinder

from cord.fixed import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.machinery import ModuleSpec

    from cord.plan.program import Program


class FoundModule(Value):
    """Where a module is.

    Attributes:
        name: Its dotted name.
        source: The path of its source text, or None where it has none that can be read
            (built in, compiled, inside an archive, a folder without `__init__.py`).
        is_namespace: Whether it is such a folder, and so defines nothing.
    """

    name: str
    source: str | None
    is_namespace: bool = False


MAIN = "__main__"


def search_path(program: Program) -> list[str]:
    """What `sys.path` is when Python itself runs `program`."""
    if sys.flags.safe_path or program.runs:
        return sys.path
    # The first entry is the folder of whatever was started, here Cord's own.
    return [program.folder, *sys.path[1:]]


def find_module(name: str, path: list[str]) -> FoundModule | None:
    """Finds the module with the dotted name `name`, or gives None.

    Args:
        name: The dotted name.
        path: Where to look for the first part of the name, as `search_path` gives it.
    """
    found = _locate(name, path)
    if found is None:
        return None
    spec, _ = found
    if spec is None:
        return FoundModule(name, None, is_namespace=True)
    return FoundModule(name, _source_of(spec), is_namespace=spec.loader is None)


def places_of(package: str, path: list[str]) -> list[str] | None:
    """The folders in which a package has its modules; None where there is no such package."""
    found = _locate(package, path)
    return None if found is None or found[1] is None else list(found[1])


def _locate(name: str, path: list[str]) -> tuple[ModuleSpec | None, Iterable[str] | None] | None:
    """A module's spec, None for a folder that has none, and where its own modules are."""
    places: Iterable[str] | None = path
    spec: ModuleSpec | None = None
    parts = name.split(".")
    for depth in range(1, len(parts) + 1):
        if places is None:
            return None
        full = ".".join(parts[:depth])
        try:
            spec = _find_one(full, list(places), top_level=depth == 1)
        except KeyError:
            # A namespace package inside a package that is not imported: Python's own finder
            # wants the parent in sys.modules. It is the folders of that name.
            places = _folders(parts[depth - 1], list(places))
            spec = None
            continue
        if spec is None:
            return None
        places = spec.submodule_search_locations
    return spec, places


def _find_one(full: str, places: list[str], *, top_level: bool) -> ModuleSpec | None:
    for finder in sys.meta_path:
        if finder is PathFinder:
            spec = PathFinder.find_spec(full, places)
        else:
            # Finders of editable installs among others; to them, a path means a parent's.
            spec = finder.find_spec(full, None if top_level else places)
        if spec is not None:
            return spec
    return None


def _folders(part: str, places: list[str]) -> list[str] | None:
    folders = [os.path.join(place, part) for place in places]
    return [folder for folder in folders if os.path.isdir(folder)] or None


def _source_of(spec: ModuleSpec) -> str | None:
    origin = spec.origin
    if spec.has_location and origin and origin.endswith(".py") and os.path.isfile(origin):
        return origin
    return None


def modules_beside(program: Program, parent: str) -> list[str]:
    """The modules in the program's folder, or in the package `parent` there, by dotted name."""
    folder = program.folder
    own = os.path.join(folder, os.path.basename(os.path.realpath(program.path)))
    if parent:
        folder = os.path.join(folder, *parent.split("."))
    try:
        paths = [os.path.join(folder, entry) for entry in os.listdir(folder)]
    except OSError:
        return []
    names = [
        os.path.basename(path).removesuffix(".py")
        for path in paths
        if (path.endswith(".py") and path != own)
        or os.path.isfile(os.path.join(path, "__init__.py"))
    ]
    prefix = f"{parent}." if parent else ""
    return sorted(prefix + name for name in names if name.isidentifier())


def is_pattern(name: str) -> bool:
    """Whether a name in the plan stands for several modules."""
    return any(sign in name for sign in "*?[")


def stem_of(program: Program) -> str:
    """The name by which the program goes in the plan; with `-m`, the module's."""
    stem = os.path.splitext(os.path.basename(program.path))[0]
    return f"{program.package}.{stem}" if program.package else stem


def is_program(module: FoundModule | None, name: str, program: Program) -> bool:
    """Whether `name` is the program itself, which goes by its file's stem, or by `__main__`."""
    if name == MAIN:
        return True
    if module is None or module.source is None:
        return name == stem_of(program)
    return os.path.realpath(module.source) == os.path.realpath(program.path)


def is_of_python(source: str) -> bool:
    """Whether a file lies in Python's own folders, or where packages are installed."""
    return source.startswith(_LIBRARY) or is_installed(source)


def is_installed(source: str) -> bool:
    """Whether a file or folder lies where packages are installed, or is that place."""
    return not INSTALLED.isdisjoint(source.split(os.sep))


INSTALLED = frozenset({"site-packages", "dist-packages"})
_LIBRARY = os.path.dirname(os.__file__) + os.sep
