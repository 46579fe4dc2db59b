"""`%load_ext cord`: the magics `%cord` and `%%cord` of IPython and of notebooks."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from IPython import get_ipython
from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_cell_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring

from cord._core import end_copy
from cord.errors import CordError
from cord.plan.problems import did_you_mean
from cord.tools.library.cells import VALUE, Part, parts_of
from cord.tools.library.session import OpenSession, current


@magics_class
class CordMagics(Magics):
    """The magics of one shell."""

    @magic_arguments()
    @argument(
        "plan",
        nargs="?",
        help="path of the plan, or a variable that holds it as a dict; cord.toml if left out",
    )
    @argument("-v", "--variant", help="the variant of the plan")
    @argument("--close", action="store_true", help="%%cord: close the session that is open")
    @line_cell_magic
    def cord(self, line: str, cell: str | None = None) -> OpenSession | None:
        """Let remote functions run in replicas, and the loops of cells run ahead.

        %cord [PLAN] opens a session that stays open for the cells that follow. Without PLAN it
        shows the one that is open, or opens one with cord.toml.

        %%cord [PLAN] runs a cell whose own loops make their remote calls ahead: in the session that
        is open, or in one for this cell alone.
        """
        __tracebackhide__ = True
        if line.split() in (["-h"], ["--help"]):
            print(self.cord.__doc__)
            return None
        words = parse_argstring(self.cord, line)
        if cell is not None:
            with self._session(words) as session:
                self._run(session, cell)
            return None
        if words.close:
            opened = current()
            if opened is not None:
                opened.close()
            return None
        named = words.plan is not None or words.variant is not None
        opened = None if named else current()
        if opened is None:
            opened = self._open(words)
            opened.rebind_names(self.shell.user_ns)
        return opened

    def _open(self, words: Any) -> OpenSession:
        """A session with the plan that the words name; a `UsageError` if there can be none."""
        given = words.plan if words.plan is not None else "cord.toml"
        value = self.shell.user_ns.get(given)
        try:
            return OpenSession(value if isinstance(value, dict) else given, (), words.variant)
        except CordError as error:
            if not (isinstance(value, dict) or os.path.exists(given)):
                error.hint = self._no_plan(given)
            raise _usage(error) from None

    def _no_plan(self, given: str) -> str:
        plans = [
            name
            for name, value in self.shell.user_ns.items()
            if isinstance(value, dict) and "remote" in value
        ]
        hint = did_you_mean(given, plans)
        return hint or "a plan can be a dict, too: %%cord PLAN with the name that it is bound to"

    @contextmanager
    def _session(self, words: Any) -> Iterator[OpenSession]:
        """The session of a cell: the open one, unless the words name a plan."""
        session = current()
        if session is not None and words.plan is None and words.variant is None:
            yield session
            return
        with self._open(words) as session:
            yield session

    def _run(self, session: OpenSession, cell: str) -> None:
        __tracebackhide__ = "__ipython_bottom__"  # of an error in the cell, the cell is shown
        shell = self.shell
        code = shell.transform_cell(cell)
        number = shell.displayhook.prompt_count
        path = shell.compile.cache(f"# %%cord\n{code}", number, raw_code=cell)
        for part in _parts(code, path, shell.ast_node_interactivity):
            made = session.compiled(part.text, path, shell.user_ns)
            try:
                exec(made, shell.user_ns)
            finally:
                end_copy()  # a copy of the kernel has nothing to do outside of the cell
            if VALUE in shell.user_ns:
                value = shell.user_ns.pop(VALUE)
                if part.shows:
                    sys.displayhook(value)


def _parts(code: str, path: str, interactivity: str) -> list[Part]:
    try:
        return parts_of(code, path, interactivity)
    except SyntaxError as error:
        raise _NotPython(error) from None
    except CordError as error:
        raise _usage(error) from None


class _NotPython(Exception):
    """A `SyntaxError` of a cell, shown as that of any other cell: no frame stands above it.

    IPython shows all frames of those that code under way raises, its own too.
    """

    def __init__(self, error: SyntaxError) -> None:
        super().__init__(str(error))
        self._error = error

    def _render_traceback_(self) -> list[str]:
        shown: list[str] = get_ipython().SyntaxTB.structured_traceback(SyntaxError, self._error, [])
        return shown


_NotPython.__name__ = _NotPython.__qualname__ = "SyntaxError"


def _usage(error: CordError) -> UsageError:
    """The same as IPython shows it: in a line or two, without a traceback."""
    hint = f"\nhint: {error.hint}" if error.hint else ""
    return UsageError(f"{error.message}{hint}")
