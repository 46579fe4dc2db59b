"""A program that is run without a plan: as Python runs it, until something is worth a replica."""

from __future__ import annotations

import atexit
import gc
import os
import sys

from cord import _core
from cord.plan.program import Program
from cord.runtime.client.session import find_hooks
from cord.runtime.travel import settings
from cord.tools.run import (
    collecting_nothing,
    end_as_python_does,
    source_of_script,
    to_execute,
)
from cord.tools.unplanned.remembered import kept_of
from cord.tools.unplanned.seeker import Seeker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType


class Unplanned:
    """A program that is ready to run.

    Args:
        program: The program.
        args: Its own arguments.
        stats: The file for a table of its calls, True to tell that on stderr; None for none.
        collects: Whether garbage is collected in it.
        seeks: Whether functions are looked for that are worth a replica.
        feeds: Whether pools of processes that the program has are fed by Cord.

    Raises:
        CordError: Nothing can be written to that file.
    """

    def __init__(
        self,
        program: Program,
        args: list[str],
        stats: str | bool | None = None,
        *,
        collects: bool = True,
        seeks: bool = True,
        feeds: bool = False,
    ) -> None:
        if isinstance(stats, str):
            from cord.tools.report.stats import writable

            stats = writable(stats)
        self._collects, self._seeks, self._feeds = collects, seeks, feeds
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
                script = self._script()
                settings.begin()
                find_hooks()
                if self._feeds:
                    from cord.engines.pools import patched

                    patched.begin()
                if self._seeks:
                    seeker.begin()
            _core.call_apart(exec, *to_execute(self.program, script))
            seeker.has_succeeded = True
        except BaseException as error:
            _core.end_copy(error)
            end_as_python_does(error)
        finally:
            _core.end_copy()
            atexit.register(seeker.wait_for_threads)  # before the program's exit functions
        return 0

    def _script(self) -> CodeType | None:
        """The code of a script; None for other programs."""
        found = source_of_script(self.program)
        return None if found is None else compile(*found, "exec", dont_inherit=True)
