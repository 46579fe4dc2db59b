"""Running a program under a plan, as `python program.py` would run it."""

from __future__ import annotations

import atexit
import builtins
import io
import os
import sys
import warnings
from importlib.machinery import SourceFileLoader
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from cord.plan.model import Plan



def run_program(plan: Plan, program: str, args: list[str]) -> int:
    """Run `program`; what it raises, SystemExit too, is raised here as the interpreter expects it.

    Args:
        plan: The plan.
        program: Path of the main script.
        args: The program's own arguments.

    Returns:
        0, when the program runs to its end.

    Raises:
        PlanError: The plan does not fit the program.
        BaseException: Whatever the program raises.
    """
    from cord.engines.local import zygote
    from cord.plan.modules import program_folder

    sys.argv = [program, *args]
    if not sys.flags.safe_path:
        sys.path[0] = program_folder(program)
    names = list(plan.remote)
    started = zygote.start([zygote.ReplicaSpec(name) for name in names])
    try:
        return _run(plan, program, started.control)
    except BaseException as error:
        _end_as_python_does(error)


def _run(plan: Plan, program: str, control: int) -> int:
    from cord.runtime import harmless
    from cord.runtime.births import Births
    from cord.runtime.importing import Finder
    from cord.runtime.session import Session, remote_names
    from cord.runtime.translated import compile_module
    from cord.translate.project import MAIN, Project

    session = Session(plan, control)
    atexit.register(session.close)  # first of all, so that it is done after the program's own
    path = os.path.abspath(program)
    with io.open_code(path) as file:
        source = file.read()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # compiling the program will give them
            project = Project(path, remote_names(plan, program), plan.assume_pure)
    except (SyntaxError, ValueError):
        compile(source, path, "exec", dont_inherit=True)
        raise
    harmless.assume(plan.assume_pure)
    births = Births(project, {name: remote.replicas for name, remote in plan.remote.items()})
    Finder(births, session.serve).install()
    module = _main_module(path)
    code = compile_module(births, MAIN, source, path)
    del project, births, session, source
    exec(code, module.__dict__)
    return 0


def _main_module(path: str) -> ModuleType:
    """A fresh `__main__`, as the interpreter makes it for a script."""
    module = ModuleType("__main__")
    module.__dict__.update(
        __builtins__=builtins,
        __file__=path,
        __cached__=None,
        __loader__=SourceFileLoader("__main__", path),
        __annotations__={},
    )
    sys.modules["__main__"] = module
    return module


def _end_as_python_does(error: BaseException) -> NoReturn:
    """Let the interpreter end with `error`, Cord's own frames left out of what it shows."""
    hook = sys.excepthook

    def show(
        kind: type[BaseException], value: BaseException, traceback: TracebackType | None
    ) -> Any:
        return hook(kind, value.with_traceback(_own(traceback)), _own(traceback))

    sys.excepthook = show
    raise error.with_traceback(_own(error.__traceback__))


def _own(traceback: TracebackType | None) -> TracebackType | None:
    """The part of a traceback that begins with the program's own code."""
    part = traceback
    while part is not None and part.tb_frame.f_globals.get("__name__") != "__main__":
        part = part.tb_next
    own = sys.modules["__main__"].__dict__
    while part is not None and part.tb_frame.f_globals is not own:
        part = part.tb_next
    return part
