"""Where calls are made again: this process, with the world that they were made in."""

from __future__ import annotations

import importlib
import marshal
import os
import sys
from typing import TYPE_CHECKING

from cord._core import PICKLE, find_function
from cord.errors import CordError
from cord.runtime.keep.prints import FORMAT, is_secret
from cord.runtime.replica import mirror, modules
from cord.runtime.travel import codec
from cord.runtime.travel.world import Surroundings, shown_environment
from cord.tools.main_module import become_module, become_script, fresh_main
from cord.tools.replay.script import Script

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from cord.tools.replay.recorded import Row

    Encoded = tuple[int, bytes, list[bytes]]
    # Its arguments, its world, what came of it, and what it has read that has changed since.
    Call = tuple[Encoded, bytes | None, tuple[int, Encoded] | None, str | None]
    # A function, its arguments, its named ones.
    Made = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


class Program:
    """The program that has made calls: what is told of it beside their world.

    Attributes:
        path: Its main file.
        module: The name after `-m`, or None.
        argv: Its arguments, its own name first.
    """

    def __init__(self, path: str, module: str | None, argv: list[str]) -> None:
        self.path = path
        self.module = None if module is None else module.removesuffix(".__main__")
        self.argv = argv


def program_of(call: Call) -> tuple[Program, tuple[Any, ...]] | None:
    """The program that has made a call, and the rest of its world; None if that is not known."""
    if call[1] is None:
        return None
    version, path, module, argv, content = marshal.loads(call[1])
    return (Program(path, module, argv), content) if version == FORMAT else None


class Stage:
    """This process, as calls find it: it becomes what the program was at each.

    Args:
        is_script: Whether a remote module is the program's main file.

    Attributes:
        lead: What is to be called for a function: itself, or what sends its calls to replicas.
    """

    def __init__(self, is_script: Callable[[str], bool]) -> None:
        self.lead: Callable[[str, str, Any], Any] = lambda _module, _name, function: function
        self._is_script = is_script
        self._surroundings = Surroundings(os.getpid(), modules.apply)
        self._place: tuple[Any, ...] | None = None
        self._program: str | None = None
        self._script: Script | None = None

    def place_of(self, row: Row, call: Call) -> tuple[Any, ...]:
        """What calls have in common that can be made at the same time."""
        defined = call[0][2][:1] if self._is_script(row.module) else []
        return call[1], *defined

    def begin(self, row: Row, call: Call) -> None:
        """Become what the program was at a call, but for the state of its modules.

        Replicas that start then have these as their import leaves them.
        """
        world = call[1]
        if world is not None:
            *told, content = marshal.loads(world)
            world = marshal.dumps((*told, (*content[:-1], b"")))
        self.enter(row, (call[0], world, *call[2:]))

    def enter(self, row: Row, call: Call) -> None:
        """Become what the program was when it made a call."""
        place = self.place_of(row, call)
        if place == self._place:
            return
        self._place = place
        mirror.forget()  # versions go by numbers, which other runs have, too
        found = program_of(call)
        if found is None:
            self._begin(Program("", None, sys.argv))
            return
        program, content = found
        folder, path, environment, changed, values, state = content
        before = shown_environment().copy()
        kept = {name: value for name, value in before.items() if is_secret(os.fsdecode(name))}
        environment = {**kept, **environment}
        there = [
            (name, environment.get(name))
            for name in before.keys() | environment.keys()
            if before.get(name) != environment.get(name)
        ]
        content = folder, path, environment, [*there, *changed], values
        self._surroundings.enter(marshal.dumps((*content, b"")))
        self._begin(program)
        if state:
            if not self._is_script(row.module):
                importlib.import_module(row.module)
            self._surroundings.enter(marshal.dumps((*content, state)))

    def _begin(self, program: Program) -> None:
        if program.path == self._program:
            return
        self._program = program.path
        sys.argv = list(program.argv)
        main = fresh_main()
        if program.module is not None:
            become_module(main, program.module)
        elif program.path:
            become_script(main, program.path)
        self._script = Script(program.path) if program.path else None

    def decode(self, row: Row, call: Call) -> Made:
        """A call's function as it is now, and its arguments, made anew.

        Raises:
            CordError: It cannot be made any more: its function is gone, or its arguments cannot be
                read.
        """
        try:
            self.enter(row, call)
            return self._decoded(row, call)
        except CordError:
            raise
        except Exception as exc:
            raise _stuck(row, f"{type(exc).__name__}: {exc}") from exc

    def _decoded(self, row: Row, call: Call) -> Made:
        number, head, buffers = call[0]
        if number != PICKLE:
            raise _stuck(row, "it is not pickled")

        def read() -> Any:
            # arrays are the call's own to write to, as in a replica
            return codec.decode((number, head, list(map(bytearray, buffers))))

        if not self._is_script(row.module):
            module = importlib.import_module(row.module)
            name, args, kwargs = read()
            try:
                function = find_function(module, name)
            except AttributeError:
                raise _stuck(row, f"there is no {name} in {row.module} any more") from None
            return self.lead(row.module, name, function), args, kwargs
        version = mirror.version()
        name, args, kwargs = read()
        if mirror.version() != version and self._script is not None:
            self._script.put_in_place()
            name, args, kwargs = read()  # objects of classes as they are now
        name = name.rpartition(":")[2]
        function = vars(sys.modules["__main__"]).get(name)
        if function is None:
            raise _stuck(row, f"there is no {name} in the main script any more")
        return self.lead(row.module, name, function), args, kwargs


def _stuck(row: Row, why: str) -> CordError:
    hint = f"if such calls are of no use any more: cord kept clear {row.function}"
    return CordError(f"{row.short_key} cannot be made again: {why}", hint)
