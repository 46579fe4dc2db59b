"""All functions of a project, to a fixed point: whatever one learns, its callers learn."""

from __future__ import annotations

import ast
from functools import cached_property

from cord.source.definitions import BODY, FunctionId

from .flow import Flow
from .frame import TooMuchError
from .summary import Summary
from .values import (
    ALLOC,
    BOUND,
    CLASS,
    CONST,
    FUNC,
    GLOBAL,
    LIB,
    MODULE,
    PARAM,
    UNKNOWN,
    Obj,
    Value,
    one,
    plain,
)
from .world import World

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_NAMED = frozenset({FUNC, BOUND, CLASS, LIB, MODULE})
_DEEPEST = 10
_MOST_TURNS = 6
MOST_WORK = 1_500_000  # spent on all functions together
Key = tuple[str, str, str]


class Analysis:
    """What every function of the project does.

    Args:
        world: The project.
        assumed: Dotted names that the user declares free of effects.
        wanted: The functions that matter most: they are followed first, as there may be more to
            follow than is followed.
        work: How much work may be spent.

    Attributes:
        looked: The functions of which others look at what a decorator keeps, and where.
    """

    def __init__(
        self,
        world: World,
        assumed: frozenset[str] = frozenset(),
        wanted: Iterable[FunctionId] = (),
        work: int = MOST_WORK,
    ) -> None:
        self.world = world
        self.assumed = assumed
        self.looked: dict[FunctionId, tuple[str, int]] = {}
        self.decorated: set[tuple[FunctionId, str]] = set()
        self._flows: dict[FunctionId, Flow] = {}
        self._readers: dict[Key, dict[FunctionId, None]] = {}
        self._globals: dict[tuple[str, str], set[Obj]] = {}
        self._variables: dict[tuple[FunctionId, str], set[Obj]] = {}
        self._fields: dict[tuple[str, str], set[Obj]] = {}
        self._dirty: dict[FunctionId, None] = {}
        self._turns: dict[FunctionId, int] = {}
        self._running: list[FunctionId] = []
        self._heaps: dict[FunctionId, int] = {}
        self._work = work
        bodies = [(module, BODY) for module in world.modules]
        for functions in (_with_bodies(wanted), bodies, list(world.functions)):
            for function in functions:
                self._ensure(function)
            self._settle()

    def summary(self, module: str, function: str) -> Summary:
        """What is known of a function, by its qualified name."""
        flow = self._flows.get((module, function))
        return flow.frame.summary if flow is not None else Summary(overflow=True)

    def parameter_types(self, function: FunctionId) -> list[str]:
        """The types of a function's parameters; "" for one that is not known."""
        flow, node = self._flows.get(function), self.world.functions[function].node
        if flow is None or isinstance(node, ast.Module):
            return [""]
        spec = node.args
        names = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg]
        return [flow.frame.types.get(one.arg, "") for one in names if one is not None]

    @property
    def is_whole(self) -> bool:
        """Whether all of the project was followed."""
        return self.world.is_whole and self._work > 0

    def is_known(self, module: str, function: str) -> bool:
        """Whether nothing could be added to a function's summary by following more."""
        return (module, function) in self._flows and (module, function) not in self._unfinished

    @cached_property
    def _unfinished(self) -> set[FunctionId]:
        """The functions of which not all is known, and those that lead to one; at the end."""
        callers: dict[FunctionId, list[FunctionId]] = {}
        waiting: list[FunctionId] = []
        for here, flow in self._flows.items():
            for called in flow.frame.summary.calls:
                callers.setdefault(called, []).append(here)
                if called not in self._flows:
                    waiting.append(called)
            if flow.frame.summary.overflow or here in self._dirty:
                waiting.append(here)
        found: set[FunctionId] = set()
        while waiting:
            here = waiting.pop()
            if here not in found:
                found.add(here)
                waiting += callers.get(here, ())
        return found

    # ---- the fixed point -----------------------------------------------------------------------

    def _ensure(self, function: FunctionId) -> None:
        if function not in self._flows and self._work > 0:
            self._flows[function] = Flow(self, self.world.functions[function])
            self._run(function)

    def _run(self, function: FunctionId) -> None:
        flow = self._flows[function]
        self._dirty.pop(function, None)
        self._turns[function] = self._turns.get(function, 0) + 1
        before, spent = flow.frame.summary.size(), flow.frame.spent
        self._running.append(function)
        try:
            flow.run()
        except (RecursionError, TooMuchError):  # expressions nested too deeply, or too much of them
            flow.frame.summary.overflow = True
            self._turns[function] = _MOST_TURNS
        finally:
            self._running.pop()
            self._work -= flow.frame.spent - spent
        self._note_fields(function, flow)
        if flow.frame.summary.size() != before:
            self._changed(("summary", *function))
        if function[1] == BODY:
            heap = sum(len(v) for steps in flow.frame.heap.values() for v in steps.values())
            if self._heaps.get(function) != heap:
                self._heaps[function] = heap
                self._changed(("module", function[0], ""))

    def _settle(self) -> None:
        while self._dirty and self._work > 0:
            function = next(iter(self._dirty))
            if self._turns[function] < _MOST_TURNS:
                self._run(function)
                continue
            self._dirty.pop(function)
            known = self._flows[function].frame.summary
            if not known.overflow:
                known.overflow = True
                self._changed(("summary", *function))

    def _changed(self, key: Key) -> None:
        for reader in self._readers.get(key, ()):
            self._dirty[reader] = None

    def _reads(self, key: Key, reader: FunctionId) -> None:
        self._readers.setdefault(key, {})[reader] = None

    # ---- what functions ask --------------------------------------------------------------------

    def summary_for(self, function: FunctionId, reader: FunctionId) -> Summary:
        """What is known so far of a function that `reader` calls."""
        self._reads(("summary", *function), reader)
        if function not in self._flows and len(self._running) < _DEEPEST:
            self._ensure(function)
        flow = self._flows.get(function)
        if flow is None and self._work <= 0:
            return Summary(overflow=True)
        return flow.frame.summary if flow is not None else Summary()

    def note_global(self, variable: Obj, value: Value) -> None:
        """A global may be this."""
        value = frozenset(plain(obj) for obj in value)
        known = self._globals.setdefault((variable.owner, variable.name), set())
        if not value <= known:
            known |= value
            self._changed(("global", variable.owner, variable.name))

    def expand(self, variable: Obj, reader: FunctionId) -> Value:
        """What a global, or what is reached from one, may be: functions, constants, or itself."""
        self._reads(("global", variable.owner, variable.name), reader)
        self._reads(("module", variable.owner, ""), reader)
        found = self._inside(variable)
        named = frozenset(obj for obj in found if obj.kind in _NAMED)
        constants = frozenset(obj for obj in found if obj.kind == CONST)
        if found and len(named) + len(constants) == len(found):
            return named | constants
        return named | one(variable)

    def made_of(self, function: FunctionId) -> Value:
        """What decorators of the project have made of a function, for itself."""
        variable = Obj(GLOBAL, *function)
        self._reads(("global", variable.owner, variable.name), function)
        found = self._inside(variable) - {Obj(FUNC, *function)}
        return frozenset(obj for obj in found if obj.kind in (FUNC, BOUND, ALLOC))

    def has_unknown(self, variable: Obj) -> bool:
        """Whether a global, or what is reached from one, may come of a call that is not known."""
        return any(obj.kind == UNKNOWN for obj in self._inside(variable))

    def global_types(self, variable: Obj, reader: FunctionId) -> set[str]:
        """The types that a global may have."""
        self._reads(("global", variable.owner, variable.name), reader)
        self._reads(("module", variable.owner, ""), reader)
        found = self._inside(variable)
        return {obj.name for obj in found if obj.kind in (ALLOC, CONST) and obj.name}

    def _inside(self, variable: Obj) -> Value:
        found = frozenset(self._globals.get((variable.owner, variable.name), ()))
        flow = self._flows.get((variable.owner, BODY))
        if flow is None:
            return found
        for step in variable.path:
            reached: set[Obj] = set()
            for obj in found:
                reached |= flow.frame.heap.get(obj, {}).get(step, set())
                if obj.kind == CONST:
                    reached.add(obj)
            found = frozenset(reached)
        return found

    def note_variable(self, function: FunctionId, name: str, value: Value) -> None:
        """A function's variable may be this: what the functions inside it see."""
        known = self._variables.setdefault((function, name), set())
        if not value <= known:
            known |= value
            self._changed(("variable", f"{function[0]}:{function[1]}", name))

    def variable(self, owner: FunctionId, name: str, free: Obj, reader: FunctionId) -> Value:
        """What a variable of a function around may be: functions and constants, or itself."""
        self._reads(("variable", f"{owner[0]}:{owner[1]}", name), reader)
        known = self._variables.get((owner, name), set())
        named = frozenset(obj for obj in known if obj.kind in _NAMED)
        parameter = Obj(PARAM, "", name)
        others = {obj for obj in known if obj.kind not in _NAMED and obj != parameter}
        if named and not others:
            return named
        if others and all(obj.kind == CONST for obj in others) and parameter not in known:
            return named | frozenset(others)
        return named | one(free)

    # ---- attributes of objects -----------------------------------------------------------------

    def _note_fields(self, function: FunctionId, flow: Flow) -> None:
        """What methods store in their objects is what other methods find there."""
        owner = self.world.functions[function]
        if owner.cls is None or isinstance(owner.node, ast.Module):
            return
        spec = owner.node.args
        first = [argument.arg for argument in [*spec.posonlyargs, *spec.args]][:1]
        type_name = f"{owner.cls.id[0]}:{owner.cls.id[1]}"
        for obj, step, stored in flow.frame.summary.stores:
            if obj.kind == PARAM and not obj.path and [obj.name] == first and step[:1] == ".":
                known = self._fields.setdefault((type_name, step), set())
                if stored not in known:
                    known.add(stored)
                    self._changed(("field", type_name, step))

    def field_values(self, type_name: str, step: str, reader: FunctionId) -> Value:
        """What methods of a class, or of its ancestors, store under an attribute."""
        module, _, name = type_name.partition(":")
        cls = self.world.classes.get((module, name))
        found: set[Obj] = set()
        for here in cls.lineage() if cls is not None else ():
            key = f"{here.id[0]}:{here.id[1]}"
            self._reads(("field", key, step), reader)
            found |= self._fields.get((key, step), set())
        return frozenset(found)

    def field_types(self, type_name: str, step: str, reader: FunctionId) -> set[str]:
        """The types of an attribute, as far as all that is stored there has a known one."""
        values = self.field_values(type_name, step, reader)
        if any(obj.kind not in (ALLOC, CONST) or not obj.name for obj in values):
            return {obj.name for obj in values if obj.kind == ALLOC and ":" in obj.name}
        return {obj.name for obj in values if obj.name != "NoneType"}


def _with_bodies(functions: Iterable[FunctionId]) -> list[FunctionId]:
    """The functions, after the code of their modules."""
    wanted = list(functions)
    return [*dict.fromkeys((module, BODY) for module, _ in wanted), *wanted]
