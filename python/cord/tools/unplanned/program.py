"""A program that is run without a plan: as Python runs it, until something is worth a replica."""

from __future__ import annotations

import atexit
import gc
import io
import os
import sys

from cord import _core
from cord.plan.program import Program
from cord.runtime.client.session import find_hooks
from cord.runtime.travel import settings
from cord.tools.main_module import become_archive, become_module, become_script, fresh_main
from cord.tools.run import collecting_nothing, end_as_python_does
from cord.tools.unplanned.remembered import kept_of
from cord.tools.unplanned.seeker import Seeker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any


class Unplanned:
    """A program that is ready to run.

    Args:
        program: The program.
        args: Its own arguments.
        stats: The file for a table of its calls, True to tell that on stderr; None for none.
        collects: Whether garbage is collected in it.
    """

    def __init__(
        self,
        program: Program,
        args: list[str],
        stats: str | bool | None = None,
        *,
        collects: bool = True,
    ) -> None:
        self._collects = collects
        self.program = program
        sys.argv = [program.path or program.name, *args]
        if not sys.flags.safe_path:
            sys.path[0] = program.folder
        # as it runs, wherever its folder will be
        path = os.path.abspath(program.path) if program.path else ""
        named = program.name, path, program.folder, program.plan_folder
        as_it_runs = Program(*named, module=program.module, package=program.package, runs=True)
        self._seeker = Seeker(as_it_runs, kept_of(program), stats)
        if collects:
            gc.freeze()
            gc.enable()

    def run(self) -> int:
        """Run the program.

        Returns:
            0, when the program runs to its end.

        Raises:
            BaseException: What the program raises, for the interpreter to end with.
        """
        seeker = self._seeker
        try:
            with collecting_nothing(self._collects):
                from cord import own

                atexit.register(seeker.close)
                sys.meta_path[:] = [one for one in sys.meta_path if one is not own.Finder]
                settings.begin()
                find_hooks()
                seeker.begin()
            _core.call_apart(exec, *self._to_execute())
            seeker.has_succeeded = True
        except BaseException as error:
            _core.end_copy(error)
            end_as_python_does(error)
        finally:
            _core.end_copy()
            atexit.register(seeker.wait_for_threads)  # before the program's exit functions
        return 0

    def _to_execute(self) -> tuple[CodeType, dict[str, Any]]:
        """The program's code, and the names of its `__main__`, which is made here."""
        program = self.program
        if program.module is None and not program.is_archive:
            path = os.path.abspath(program.path)
            with io.open_code(path) as file:  # before there is a new `__main__`, as in plain Python
                code = compile(file.read(), path, "exec", dont_inherit=True)
            main = fresh_main()
            become_script(main, path)
            main.__file__ = code.co_filename
            return code, main.__dict__
        main = fresh_main()
        if program.module is not None:
            return become_module(main, program.module), main.__dict__
        return become_archive(main), main.__dict__
