"""Running a program under a plan, as `python program.py` would run it."""

from __future__ import annotations

import atexit
import gc
import io
import os
import sys
import time
from contextlib import contextmanager, suppress
from types import CodeType, ModuleType, TracebackType

from cord import own
from cord.tools.main_module import become_archive, become_module, become_script, fresh_main

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, NoReturn

    from cord.errors import PlanError
    from cord.plan.model import Plan
    from cord.plan.program import Program
    from cord.runtime.births.births import Births
    from cord.runtime.client.answers import Answers
    from cord.runtime.client.session import Session
    from cord.tools.explain.told import Report
    from cord.tools.judging import Judgement

# Runs that take fewer seconds say nothing of themselves, unless a replica was lost.
_SHORT = 2.0
# Tracebacks are shown without the frames of files here.
OWN_FRAMES = os.path.dirname(os.path.dirname(__file__)) + os.sep


def is_said_elsewhere(error: PlanError) -> bool:
    """Whether another rank of the same job, which reads the plan too, says what is wrong there."""
    from cord.engines.nodes.launchers.ranks import is_above_first

    return is_above_first(error.engine)


@contextmanager
def without_collections(collects: bool) -> Iterator[None]:
    """No collections meanwhile.

    Args:
        collects: Whether there are any in the program.
    """
    from cord._core import enable_collections

    gc.disable()
    try:
        yield
    finally:
        if collects:
            enable_collections()


@contextmanager
def collecting_nothing(collects: bool) -> Iterator[None]:
    """No collections meanwhile, nor of what is there at the end: it is Cord's, and there to stay.

    So the program's collections find its own garbage, as many objects as in plain Python.

    Args:
        collects: Whether there are any in the program.
    """
    with without_collections(collects):
        yield
        gc.freeze()


def source_of_script(program: Program) -> tuple[bytes, str] | None:
    """What is in a script's file, and where that is; None for others, which are imported."""
    if program.module is not None or program.is_archive:
        return None
    path = os.path.abspath(program.path)
    with io.open_code(path) as file:
        return file.read(), path


def to_execute(program: Program, script: CodeType | None) -> tuple[CodeType, dict[str, Any]]:
    """A program's code, and the names of its `__main__`, which is made here.

    No frame that was there before may have it as a local: what Cord's own exceptions keep of
    frames stays for good, and the module is to go at the end as that of a plain run does.

    Args:
        program: The program.
        script: The code of a script; None for other programs.
    """
    main = fresh_main()
    return _code(main, program, script), main.__dict__


def _code(main: ModuleType, program: Program, script: CodeType | None) -> CodeType:
    """The code of the program's main file; `main` becomes its module."""
    if program.module is not None:
        return become_module(main, program.module)  # an import hook may have translated it
    if script is None:
        return become_archive(main)
    become_script(main, os.path.abspath(program.path))
    main.__file__ = script.co_filename  # one string, as in plain Python: picklers tell
    return script


class Prepared:
    """A program that is ready to run: its replicas are starting.

    Args:
        plan: The plan.
        program: The program.
        args: Its own arguments.
        words: The arguments with which `cord check` checks it under this plan.
        reports: What is to be told of the run when it has ended.
        live: Whether it is to tell how far it is while it runs.
        collects: Whether garbage is collected in it.

    Raises:
        CordError: The run cannot begin.
        OSError: The system has no room for the replicas' processes.
    """

    def __init__(
        self,
        plan: Plan,
        program: Program,
        args: list[str],
        words: list[str],
        reports: tuple[Report, ...] = (),
        *,
        live: bool = False,
        collects: bool = True,
    ) -> None:
        from cord.engines import engine_of

        if not plan.engine.is_local:
            from cord.engines.nodes.anew import start_anew
            from cord.engines.nodes.launchers.ranks import serve_unless_first

            serve_unless_first(plan.engine)
            start_anew(plan.engine.cpu)
        if live:
            from cord._core import share_terminal

            share_terminal()
        self._live = live
        self._collects = collects
        import_what_all_need(plan)
        engine = engine_of(plan)
        self.program = program
        sys.argv = [program.path or program.name, *args]
        path = sys.path[:] if sys.flags.safe_path else [program.folder, *sys.path[1:]]
        remote = list(plan.remote.values())
        self.plan = plan
        if collects:
            gc.freeze()  # or all of it would be looked at now
            gc.enable()  # as replicas are to have it
        self._replicas = engine.start(remote, path, self._judge)
        self.control = self._replicas.control
        if not plan.engine.is_local:
            self.plan = plan.on_cores(engine.cores())
        sys.path[:] = path
        self._words = words
        self._reports = reports
        self._births: Births | None = None
        self._judgement: Judgement | None = None

    def run(self) -> int:
        """Run the program.

        Returns:
            0, when the program runs to its end.

        Raises:
            BaseException: What the program raises, for the interpreter to end with.
        """
        from cord._core import call_apart, end_copy

        try:
            with collecting_nothing(self._collects):
                self._start_session()
                script = self._script()
                if self.plan.pools:
                    from cord.engines.pools import patched

                    patched.begin()
            call_apart(exec, *to_execute(self.program, script))
        except BaseException as error:
            end_copy(error)
            if self._judgement is not None and not _is_silent(error):
                self._judgement.leave(at_once=isinstance(error, KeyboardInterrupt))
            end_as_python_does(error)
        finally:
            end_copy()
            atexit.register(self._replicas.wait_for_threads)  # before the program's exit functions
            if self._births is not None:
                self._births.close()
        return 0

    def _script(self) -> CodeType | None:
        """The code of a script, translated; None for other programs, of which imports do that."""
        found = source_of_script(self.program)
        if found is None:
            return None
        source, path = found
        if self._births is None:  # this raises what the plain program would
            return compile(source, path, "exec", dont_inherit=True)
        from cord.runtime.client.translated import compile_script

        return compile_script(self._births, source, path)

    def _start_session(self) -> None:
        from cord.runtime.client.session import Session
        from cord.tools.answering import find_answers

        zygote = os.dup(self.control)
        answers = keep = None
        with suppress(SyntaxError, ValueError, RecursionError):
            answers, self._judgement, keep = find_answers(self.plan, self.program)
        had = answers.had if answers is not None else None
        traces = [report.trace for report in self._reports if report.trace is not None]
        session = Session(self.plan, self.control, had, *traces)
        # replicas start from here on, while the client gets ready
        from cord import _core
        from cord.runtime.births.births import Births
        from cord.runtime.client.importing import Finder
        from cord.tools.names import assumed_ahead, module_of

        # before the program's own, and so done after them
        if keep is not None and self._judgement is not None:
            atexit.register(keep, session.had)
            if self.plan.warn:
                self._judgement.begin(zygote, self._words)
                atexit.register(self._judgement.end)
            if not self._reports and self.plan.warn:
                atexit.register(self._warn, session, self._judgement, time.monotonic())
        os.close(zygote)
        for report in self._reports:
            atexit.register(report.tell)
            report.follow(session, None)
        if self._live:
            atexit.register(
                session.look_on(
                    os.path.basename(self.program.path) or self.program.name, self.program.folder
                ).close
            )
        atexit.register(session.close)
        atexit.register(_core.program_ends)
        if answers is None:
            return
        assumed = assumed_ahead(self.plan, self.program)
        if assumed:
            from cord.runtime.guards import harmless  # with the first guard, else

            harmless.assume(assumed)
        remote = self.plan.remote.values()
        session.inlined = answers.inlined
        answers.foreseen.tell(session)
        births = Births(answers, {module_of(one): one.places for one in remote}, session.own)
        births.shows_places = self._live
        begins = self._preloads(session, answers)
        sys.meta_path[:] = [one for one in sys.meta_path if one is not own.Finder]
        Finder(births, session.serving, self.program.main_module, begins).install()
        self._births = births
        for report in self._reports:
            report.follow(session, births)

    def _warn(self, session: Session, judgement: Judgement, began: float) -> None:
        """When the run has ended: say in a line if Cord was of no good to it."""
        seconds = time.monotonic() - began
        fallen = session.at_end[1]
        miscounted = self._miscounted(session)
        is_short = seconds < _SHORT and not fallen and not miscounted
        if is_short or session.inlined is None or not judgement.may_tell:
            return
        from cord.tools.report.warning import told

        shipped = session.inlined.shipped()
        line = told(self.plan, self._words, seconds, shipped, fallen, sys.modules)
        line = miscounted or line
        if line:
            os.write(2, f"cord: {line}\n".encode(errors="backslashreplace"))

    def _miscounted(self, session: Session) -> str:
        """What is to be said of functions that were to serve several calls; empty for nothing."""
        gathers = [
            (name, own.name, own.gather)
            for name, one in self.plan.remote.items()
            for own in one.functions.values()
            if own.gather is not None
        ]
        tended = session.tended if gathers else {}
        for module, name, many in gathers:
            if module in tended and tended[module].miscounted:
                return (
                    f"{module}.{many}() has not given a list with one result for each argument, as "
                    f"gather says of {name}; these calls were made one by one"
                )
        return ""

    def _preloads(self, session: Session, answers: Answers) -> Callable[[str], None] | None:
        """What is told of imports, so that replicas of the main script begin them, too."""
        (remote, *more) = self.plan.remote.values()
        if more or not remote.is_program or not remote.is_pure:
            return None
        if answers.had.get(remote.module) == 0:
            return None
        outlines, path = self.program.outlines, self.program.path
        with suppress(OSError, SyntaxError, ValueError, RecursionError):
            functions = outlines.of(path).remote_functions(remote)
            needed = outlines.needed(path, functions)
            own = {name.partition(".")[0] for name in answers.modules()} | sys.stdlib_module_names
            names = [name for name in needed if name.partition(".")[0] not in own]
            if names:
                from cord.runtime.client.preloads import Preloads

                return Preloads(names, session.issue_preload).begins
        return None

    def _judge(self, about: bytes) -> None:
        if not sys.flags.safe_path:
            sys.path[0] = os.path.dirname(
                OWN_FRAMES.rstrip(os.sep)
            )  # no module of the program's is run
        from cord.tools.judging import judge

        judge(self.plan, self.program, about)


def import_what_all_need(plan: Plan) -> None:
    """Import what the program and its replicas need: once, before these are forked."""
    from cord.runtime.objects import classes, frames, reach  # noqa: F401
    from cord.runtime.travel import executed, settings  # noqa: F401

    if any(remote.keeps_any for remote in plan.remote.values()):
        from cord.runtime.client import kept  # noqa: F401
    if not all(remote.is_pure for remote in plan.remote.values()):
        from cord.runtime.objects import leaving  # noqa: F401


def _is_silent(error: BaseException) -> bool:
    """Whether Python ends with it without a word on stderr."""
    return isinstance(error, SystemExit) and (error.code is None or isinstance(error.code, int))


def end_as_python_does(error: BaseException) -> NoReturn:
    """Let the interpreter end with `error`, Cord's own frames left out of what it shows."""
    if isinstance(error, SystemExit):
        raise error  # of this no traceback is shown, so that nothing keeps the program's frames
    hook = sys.excepthook
    own = error.__traceback__
    while own is not None and own.tb_frame.f_code.co_filename.startswith(OWN_FRAMES):
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
