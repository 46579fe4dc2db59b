"""Running a program under a plan, as `python program.py` would run it."""

from __future__ import annotations

import atexit
import builtins
import io
import os
import sys
import warnings
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from types import CodeType, ModuleType, TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from cord.plan.model import Plan
    from cord.runtime.births import Births


class Prepared:
    """A program that is ready to run: its replicas are starting.

    Args:
        plan: The plan.
        program: Path of the main script.
        args: The program's own arguments.

    Raises:
        CordError: The run cannot begin.
        OSError: The system has no room for the replicas' processes.
    """

    def __init__(self, plan: Plan, program: str, args: list[str]) -> None:
        from cord.engines.local import zygote
        from cord.engines.local.libraries import threads_of
        from cord.plan.modules import program_folder

        self.plan = plan
        self.path = os.path.abspath(program)
        sys.argv = [program, *args]
        if not sys.flags.safe_path:
            sys.path[0] = program_folder(program)
        specs = [
            zygote.ReplicaSpec(
                one.module, threads_of(one.blas_threads, one.replicas), one.is_program
            )
            for one in plan.remote.values()
        ]
        self.control = zygote.start(specs).control
        self._births: Births | None = None

    def run(self) -> int:
        """Run the program.

        Returns:
            0, when the program runs to its end.

        Raises:
            BaseException: What the program raises, for the interpreter to end with.
        """
        module = _main_module(self.path)
        try:
            exec(self._code(), module.__dict__)
        except BaseException as error:
            _end_as_python_does(error, module)
        finally:
            if self._births is not None:
                self._births.close()
        return 0

    def _code(self) -> CodeType:
        from cord import _core
        from cord.runtime import harmless
        from cord.runtime.births import Births
        from cord.runtime.importing import Finder
        from cord.runtime.session import Session
        from cord.runtime.translated import compile_module
        from cord.tools.names import assumed_names, module_of, remote_names
        from cord.translate.project import MAIN, Project

        _hush_fork_warning()
        session = Session(self.plan, self.control)
        # before the program's own, and so done after them
        atexit.register(session.close)
        atexit.register(_core.program_ends)
        with io.open_code(self.path) as file:
            source = file.read()
        remote = self.plan.remote.values()
        names = remote_names(self.plan, self.path)
        assumed = assumed_names(self.plan, self.path)
        project = None
        with warnings.catch_warnings(), suppress(SyntaxError, ValueError, RecursionError):
            warnings.simplefilter("ignore")  # compiling the program will give them
            project = Project(self.path, names, assumed)
        if project is None:  # this raises what the plain program would
            return compile(source, self.path, "exec", dont_inherit=True)
        harmless.assume(assumed)
        births = Births(project, {module_of(one): one.replicas for one in remote})
        Finder(births, session).install()
        self._births = births
        return compile_module(births, MAIN, source, self.path, session.own)


def _hush_fork_warning() -> None:
    """Forking is as safe as without Cord, whose thread holds no lock of the interpreter's."""
    if sys.version_info >= (3, 12):
        warnings.filterwarnings(
            "ignore", r"This process \(pid=\d+\) is multi-threaded", DeprecationWarning
        )


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


def _end_as_python_does(error: BaseException, module: ModuleType) -> NoReturn:
    """Let the interpreter end with `error`, Cord's own frames left out of what it shows."""
    hook = sys.excepthook
    own = error.__traceback__
    while own is not None and own.tb_frame.f_globals is not module.__dict__:
        own = own.tb_next

    def show(
        kind: type[BaseException], value: BaseException, _traceback: TracebackType | None
    ) -> Any:
        nonlocal own
        sys.excepthook = hook
        shown, own = own, None  # what the traceback keeps alive ends when the interpreter drops it
        return hook(kind, value.with_traceback(shown), shown)

    sys.excepthook = show
    raise error
