"""The text of a server's modules as it began, for replicas that start when files are others."""

from __future__ import annotations

import os
from contextlib import suppress

from cord.plan.modules import is_of_python
from cord.runtime.travel import loaded

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def pin(modules: Iterable[str], path: list[str]) -> None:
    """Keep what is in the files of modules, and of what they import of the project.

    Args:
        modules: Dotted names.
        path: Where to look, but for the library's folders and those where packages are installed.
    """
    loaded.begin()
    folders = [one for one in path if not is_of_python(os.path.join(one, ""))]
    waiting, known = list(modules), set[str]()
    while waiting:
        name = waiting.pop()
        if not name or name in known:
            continue
        known.add(name)
        waiting.append(name.rpartition(".")[0])
        file = _file_of(name, folders)
        if file is not None:
            loaded.add(name, file)
            waiting += _imported(file, name)


def _file_of(name: str, folders: list[str]) -> str | None:
    inside = name.replace(".", os.sep)
    ends = (os.path.join(inside, "__init__.py"), f"{inside}.py")
    files = (os.path.join(folder, end) for folder in folders for end in ends)
    return next(filter(os.path.isfile, files), None)


def _imported(file: str, name: str) -> Iterator[str]:
    """What may be modules of what a text imports, wherever it does."""
    import ast  # of the processes that serve, one needs it

    is_package = os.path.basename(file) == "__init__.py"
    package = name if is_package else name.rpartition(".")[0]
    with suppress(OSError, SyntaxError, ValueError), open(file, "rb") as text:
        for node in ast.walk(ast.parse(text.read())):
            if isinstance(node, ast.Import):
                yield from (one.name for one in node.names)
            elif isinstance(node, ast.ImportFrom):
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*(above if node.level else ()), *filter(None, [node.module])])
                yield base
                yield from (f"{base}.{one.name}" for one in node.names)
