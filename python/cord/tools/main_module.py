"""The module `__main__`, as the interpreter makes it for a script and for `-m`."""

from __future__ import annotations

import builtins
import io
import os
import sys
from importlib.machinery import SourceFileLoader
from types import CodeType, ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.machinery import ModuleSpec
    from typing import Any


def fresh_main() -> ModuleType:
    """A new, empty `__main__`, put into its place."""
    module = ModuleType("__main__")
    module.__dict__["__builtins__"] = builtins
    if sys.version_info < (3, 14):
        module.__annotations__ = {}
    sys.modules["__main__"] = module
    return module


def become_script(main: ModuleType, path: str) -> None:
    """Give `__main__` what a script's has."""
    main.__dict__.update(
        __file__=path, __cached__=None, __loader__=SourceFileLoader("__main__", path)
    )


def become_module(main: ModuleType, name: str) -> CodeType:
    """Find a module as `python -m` does, and give `__main__` what it has there.

    Args:
        main: The module `__main__`.
        name: The name after `-m`.

    Returns:
        The module's code; where it comes from stands in `__main__.__spec__`.

    Raises:
        SystemExit: There is no such module to run, in Python's own words.
        BaseException: What importing the package around it raises.
    """
    import runpy  # its own function knows all that may go wrong; debuggers and profilers use it too

    sys.argv[0] = "-m"
    try:
        _, spec, code = runpy._get_module_details(name, runpy._Error)  # type: ignore[attr-defined]
    except runpy._Error as error:  # type: ignore[attr-defined]
        sys.exit(f"{sys.executable}: {error}")
    sys.argv[0] = spec.origin
    if isinstance(spec.loader, SourceFileLoader):  # of Cord's own
        spec.loader = SourceFileLoader(spec.loader.name, spec.loader.path)
    _describe(main, spec)
    found: CodeType = code
    return found


def become_archive(main: ModuleType) -> CodeType:
    """Find the main module in the archive that is first on `sys.path`, as Python does.

    Args:
        main: The module `__main__`, which is given what it has there.

    Returns:
        Its code.

    Raises:
        SystemExit: It cannot be run, in Python's own words.
        BaseException: What compiling it raises.
    """
    import runpy

    try:
        _, spec, code = runpy._get_main_module_details(runpy._Error)  # type: ignore[attr-defined]
    except runpy._Error as error:  # type: ignore[attr-defined]
        sys.exit(f"{sys.executable}: {error}")
    _describe(main, spec)
    found: CodeType = code
    return found


def _describe(main: ModuleType, spec: ModuleSpec) -> None:
    main.__dict__.update(
        __file__=spec.origin,
        __cached__=spec.cached,
        __doc__=None,
        __loader__=spec.loader,
        __package__=spec.parent,
        __spec__=spec,
    )


def run_main(
    request: dict[str, Any],
    around: Callable[[Callable[[], None]], None] | None = None,
) -> None:
    """Run a program in this process as plain Python runs it.

    Args:
        request: Its `path`, `folder`, `module` and `args`.
        around: Is given what runs the program, to run it; None to run it at once.
    """
    sys.argv = [request["path"], *request["args"]]
    if not sys.flags.safe_path:
        sys.path[0] = request["folder"]
    main = fresh_main()
    if request["module"] is not None:
        code = become_module(main, request["module"])
    else:
        path = os.path.abspath(request["path"])
        become_script(main, path)
        with io.open_code(path) as file:
            code = compile(file.read(), path, "exec", dont_inherit=True)

    def run() -> None:
        exec(code, main.__dict__)

    run() if around is None else around(run)
