"""Making scouts at run time: a take asks for one, and gets it from the program's frames."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Generator
from sys import getrefcount
from types import CodeType, FrameType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any

from cord import _core
from cord.runtime.harmless import copy_iterator
from cord.translate.code import compile_scout, patch
from cord.translate.emit import Scout
from cord.translate.project import Project
from cord.translate.scouts import Scouts

if TYPE_CHECKING:
    from cord._core import Activation, Future, Run, Site

CO_OPTIMIZED = 1
UNBOUND = ...  # what scouts are given for a name without a value
_COPIED = (list, dict, set, bytearray, deque)
_DEEPEST = 12


# a scout's generator, whose frame it covers, and the future of what the frame returns
Level = tuple[Generator[None, None, object], "Activation", "Future | None"]


class Births:
    """Everything that scouts of one project need at run time.

    Args:
        project: The project.
        replicas: The number of replicas by remote module.
    """

    def __init__(self, project: Project, replicas: dict[str, int]) -> None:
        self.project = project
        self.scouts = Scouts(project)
        self.replicas = replicas
        self.guard = _core.Guard(self.go)
        self.loops = _core.Loops()
        self.sites: list[tuple[str, int]] = []
        self.patience: dict[tuple[str, int], _core.Patience] = {}
        self.codes: dict[tuple[str, int], CodeType] = {}
        self.standing: list[Activation] = []  # of modules' own code, which last as long as the run
        self._native: dict[str, dict[int, Site]] = {}
        self._compiled: dict[int, CodeType] = {}
        self._functions: dict[tuple[str, int], tuple[str, str]] | None = None
        self._known_codes: dict[CodeType, tuple[str, str] | None] = {}

    # ---- native objects ------------------------------------------------------------------------

    def site(self, module: str, index: int) -> Site:
        """The native object of a call site; one for the program and all scouts."""
        known = self._native.setdefault(module, {})
        if index not in known:
            uid = len(self.sites)
            self.sites.append((module, index))
            birth = self._birth_at(module, index)
            site = self.scouts.found(module).sites[index]
            width = self.replicas.get(site.meaning.module) or max(self.replicas.values())
            region = (module, site.region.index if site.region is not None else -1)
            patience = self.patience.setdefault(region, _core.Patience())
            known[index] = _core.Site(uid, birth, self.go, width, patience)
        return known[index]

    def native(self, module: str) -> Callable[[str], object]:
        """What stands for the marks in scouts' code of a module."""

        def find(mark: str) -> object:
            kind, _, number = mark.partition(":")
            match kind:
                case "site":
                    return self.site(module, int(number))
                case "guard":
                    return self.guard
                case "loops":
                    return self.loops
                case "end":
                    # what must pass through a scout's own handlers
                    return (_core.ScoutEnd, GeneratorExit, KeyboardInterrupt)
            raise AssertionError(mark)

        return find

    def project_grew(self) -> None:
        """Modules were added to the project."""
        self._functions = None
        self._known_codes.clear()

    def close(self) -> None:
        """The program has ended: let go of all of its objects."""
        for activation in self.standing:
            activation.close()

    # ---- births --------------------------------------------------------------------------------

    def _birth_at(self, module: str, index: int) -> Callable[[Run, Activation, Future], list[Any]]:
        def birth(run: Run, activation: Activation, result: Future) -> list[Any]:
            return self.birth(run, activation, result, module, index, sys._getframe(1))

        return birth

    def birth(
        self,
        run: Run,
        activation: Activation,
        result: Future,
        module: str,
        index: int,
        frame: FrameType | None,
    ) -> list[Level]:
        """Make the generators of a scout, for the frame of the take and the frames that called it.

        Args:
            run: The run that they will be part of.
            activation: The activation of the take.
            result: The value that the take will give.
            module: Module of the take's site.
            index: Number of the take's site.
            frame: The innermost Python frame of the take.

        Returns:
            Generators with the activations they belong to and the futures of what they return,
            innermost first.
        """
        try:
            return self._levels(run, activation, result, module, index, frame)
        except Exception:
            # whatever keeps a scout from being made (frames or source nested too deep, a dict that
            # changed under its iterator) is no concern of the program's
            return []

    def _levels(
        self,
        run: Run,
        activation: Activation,
        result: Any,
        module: str,
        index: int,
        frame: FrameType | None,
    ) -> list[Level]:
        covered: list[tuple[str, int, Activation, FrameType, dict[str, Any]]] = []
        while True:
            found = self._frame(activation, frame)
            if found is None or self.scouts.after(module, index) is None:
                break
            frame, values = found
            covered.append((module, index, activation, frame, values))
            caller = activation.caller
            if caller is None or frame.f_back is None:
                break
            activation, uid = caller
            module, index = self.sites[uid]
            frame = frame.f_back
        return self._begin(run, result, covered)

    def _begin(
        self,
        run: Run,
        result: Any,
        covered: list[tuple[str, int, Activation, FrameType, dict[str, Any]]],
    ) -> list[Level]:
        """Start the scouts of these frames; each gives the next its result, if that needs it."""
        levels: list[Level] = []
        for depth, (module, index, activation, frame, values) in enumerate(covered):
            around = covered[depth + 1 : depth + 2]
            wanted = any(self._reads_result(outer[0], outer[1]) for outer in around)
            scout = self.scouts.after(module, index, wanted)
            assert scout is not None
            values[f":r{index}"] = result
            generator = self._start(scout, module, run, activation, frame, values)
            future = _core.Future() if scout.returns else None
            levels.append((generator, activation, future))
            result = UNBOUND if future is None else future
        return levels

    def _reads_result(self, module: str, index: int) -> bool:
        scout = self.scouts.after(module, index)
        return scout is not None and f":r{index}" in scout.names

    def _frame(
        self, activation: Activation, frame: FrameType | None
    ) -> tuple[FrameType, dict[str, Any]] | None:
        """The activation's own frame, and the variables seen there.

        Those of comprehensions that the frame is in come under names that end in a colon.
        """
        code = self.codes.get(activation.region)
        values: dict[str, Any] = {}
        for _ in range(_DEEPEST):
            if frame is None:
                return None
            there = _variables(frame)
            inside = {f"{name}:": value for name, value in there.items()}
            if frame.f_code is code:
                values = {**there, **inside, **values}
                return frame, values
            values = {**inside, **values}
            frame = frame.f_back
        return None

    def _start(
        self,
        scout: Scout,
        module: str,
        run: Run,
        activation: Activation,
        frame: FrameType,
        values: dict[str, Any],
    ) -> Generator[None, None, object]:
        self._pass_by(scout, module, run)
        copies: dict[int, object] = {}
        for name in scout.copied:
            value = _value_of(name, values)
            copies[id(value)] = value.copy() if type(value) in _COPIED else UNBOUND
        arguments = []
        for name in scout.names:
            value = _value_of(name, values)
            arguments.append(copies.get(id(value), value))
        for number in scout.loops:
            iterator = activation.iterator(number)
            shown = activation.count(number) if iterator is None else copy_iterator(iterator)
            arguments.append(shown)
        function = FunctionType(self._code(scout, module), frame.f_globals)
        generator: Generator[None, None, object] = function(run, *arguments)
        return generator

    def go(
        self, run: Run, callee: object, args: tuple[Any, ...], kwargs: dict[str, Any] | None
    ) -> Generator[None, None, object]:
        """The scout of a function of the project that is called with these arguments.

        Raises:
            ScoutEnd: It is not a function whose source the project knows.
        """
        if type(callee) is MethodType:
            args, callee = (callee.__self__, *args), callee.__func__
        name = self._name(callee) if type(callee) is FunctionType else None
        if name is None:
            raise _core.ScoutEnd
        assert isinstance(callee, FunctionType)
        module = name[0]
        scout = self.scouts.entered(*name)
        self._pass_by(scout, module, run)
        code = self._code(scout, module)
        function = FunctionType(code, callee.__globals__, callee.__name__, callee.__defaults__)
        function.__kwdefaults__ = callee.__kwdefaults__
        generator: Generator[None, None, object] = function(run, *args, **(kwargs or {}))
        return generator

    def _name(self, callee: FunctionType) -> tuple[str, str] | None:
        """The project's function whose code this is: its module, and its name there."""
        code = callee.__code__
        if code not in self._known_codes:
            if self._functions is None:
                self._functions = {
                    (module.path, node.lineno): (module.name, name)
                    for module in self.project.modules.values()
                    for name, node in [*module.functions.items(), *module.methods.items()]
                }
            name = self._functions.get((code.co_filename, code.co_firstlineno))
            self._known_codes[code] = name if callee.__closure__ is None else None
        return self._known_codes[code]

    def _pass_by(self, scout: Scout, module: str, run: Run) -> None:
        if scout.passed:
            run.pass_by([self.site(module, index).uid for index in scout.passed])

    def _code(self, scout: Scout, module: str) -> CodeType:
        if id(scout) not in self._compiled:
            code = compile_scout(scout, self.project.modules[module].path)
            self._compiled[id(scout)] = patch(code, self.native(module))
        return self._compiled[id(scout)]


def _value_of(name: str, values: dict[str, Any]) -> Any:
    """The program's value of a scout's variable; `x:3` is a comprehension's `x`."""
    if name.startswith(":"):
        return values.get(name, UNBOUND)
    plain, colon, _ = name.partition(":")
    return values.get(plain + colon, UNBOUND)


def _variables(frame: FrameType) -> dict[str, Any]:
    """The variables of a frame. No snapshot stays behind that would keep their objects alive."""
    there = frame.f_locals
    found = dict(there)
    # before Python 3.13 a function's frame keeps the dict; leave it where the program has it too
    if frame.f_code.co_flags & CO_OPTIMIZED and type(there) is dict and getrefcount(there) <= 3:
        there.clear()
    return found
