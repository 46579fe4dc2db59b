"""One function under analysis: its variables, what it allocated, and what it was seen to do."""

from __future__ import annotations

import ast

from cord.knowledge.outside import READ_AS_NAME
from cord.knowledge.rows import SETS
from cord.source.definitions import BODY, Function

from . import summary as kinds
from .summary import Effect, Summary
from .values import (
    ALLOC,
    CLASS,
    CONST,
    FREE,
    FUNC,
    GLOBAL,
    ITEM,
    LIB,
    MODULE,
    OUTSIDE,
    PARAM,
    SLICE,
    UNKNOWN,
    Obj,
    Value,
    const,
    one,
    ordered,
    outward,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .analysis import Analysis

Env = dict[str, Value]
_SHOWN = 48
_ITERATORS = frozenset({"iterator", "file"})
_STORED_DEPTH = 2
_MOST_TOLD_APART = 16
MOST_STORED = 30  # what one place may hold
MOST_NOTED = 150  # stores and results noted of one function
MOST_WORK = 100_000  # spent on one function: objects looked at, nodes and effects


class TooMuchError(Exception):
    """A function takes more work than it may."""


class Frame:
    """The state in which a function's statements are followed.

    Attributes:
        env: What each local variable may be here; None where the code cannot be reached.
        heap: What was stored into an object under a step (an attribute or an item).
        summary: What is known of the function so far.
        types: The types of parameters, where they are known.
        inner: The types of what is in them, and in that, and so on.
        sequences: Parameters that are used as no iterator can be.
        doubtful: Effects are noted as depending on a guess.
        unsure: What is changed is perhaps another object.
        dropped: Expressions whose values nobody uses.
        spent: The work that following it has taken by now. It is counted and not timed, so that
            what is said of a program does not depend on the machine.
    """

    def __init__(self, analysis: Analysis, function: Function) -> None:
        self.analysis = analysis
        self.world = analysis.world
        self.function = function
        self.module = function.id[0]
        self.env: Env | None = {}
        self.heap: dict[Obj, dict[str, set[Obj]]] = {}
        self.summary = Summary()
        self.types: dict[str, str] = {}
        self.containers: set[str] = set()
        self.sequences: set[str] = set()
        self.inner: dict[str, tuple[str, ...]] = {}
        self.arrays: set[str] = set()
        self.doubtful = False
        self.unsure = False
        self.dropped: set[ast.AST] = set()
        self.spent = 0

    def spend(self, work: int) -> None:
        """Count work done.

        Raises:
            TooMuchError: It is more than a function may take.
        """
        self.spent += work
        if self.spent > MOST_WORK:
            raise TooMuchError

    @property
    def is_body(self) -> bool:
        """Whether this is a module's own code."""
        return self.function.id[1] == BODY

    # ---- objects -------------------------------------------------------------------------------

    def alloc(self, node: ast.AST, type_name: str, path: tuple[str, ...] = ()) -> Obj:
        """What the code at `node` makes; a path tells several things of one place apart."""
        place = f"{getattr(node, 'lineno', 0)}:{getattr(node, 'col_offset', 0)}"
        return Obj(ALLOC, place, type_name, path)

    def put(self, obj: Obj, step: str, value: Value) -> None:
        """Remembers that `value` may be found at a step from `obj`."""
        if not value:
            return
        self.spend(len(value))
        known = self.heap.setdefault(obj, {}).setdefault(step, set())
        if len(known) > MOST_STORED and not value <= known:
            self.summary.overflow = True
            return
        known.update(value)

    def load(self, value: Value, step: str) -> Value:
        """What may be found at a step from `value`."""
        found: set[Obj] = set()
        self.spend(len(value))
        for obj in value:
            stored = self.heap.get(obj)
            if stored is not None:
                found |= stored.get(step, set())
                if step[0] == ".":
                    found |= stored.get(".*", set())
            if obj.kind == GLOBAL:
                found |= self.analysis.expand(obj.reach(step), self.function.id)
            elif obj.kind in OUTSIDE:
                found.add(obj.reach(step))
            elif obj.kind in (CONST, UNKNOWN):
                found.add(const() if obj.kind == CONST else obj)
        return frozenset(found) if len(found) <= _MOST_TOLD_APART else _blurred(found)

    def follow(self, value: Value, path: tuple[str, ...]) -> Value:
        """What may be found along a path from `value`."""
        for step in path:
            value = self.load(value, step)
        return value

    def within(self, value: Value) -> set[Obj]:
        """The objects themselves and all that was stored in them here."""
        seen: set[Obj] = set()
        waiting = list(value)
        while waiting:
            obj = waiting.pop()
            if obj in seen:
                continue
            seen.add(obj)
            for stored in self.heap.get(obj, {}).values():
                waiting += stored
        return seen

    def type_names(self, obj: Obj) -> set[str]:
        """The types that an object may have, where they are known."""
        if obj.kind in (ALLOC, CONST):
            return {obj.name} if obj.name else set()
        if obj.kind == PARAM:
            if not obj.path:
                known = self.types.get(obj.name)
                return {known} if known else set()
            inner = self.inner.get(obj.name, ())
            if len(obj.path) <= len(inner) and all(step == ITEM for step in obj.path):
                known = inner[len(obj.path) - 1]
                return {known} if known else set()
            owner = self.types.get(obj.name, "")
            if ":" in owner and len(obj.path) == 1:
                return self.analysis.field_types(owner, obj.path[0], self.function.id)
        if obj.kind == GLOBAL:
            return self.analysis.global_types(obj, self.function.id)
        return set()

    # ---- effects -------------------------------------------------------------------------------

    def effect(
        self,
        kind: str,
        subject: Obj,
        node: ast.AST,
        via: tuple[tuple[str, str, int], ...] = (),
        origin: Effect | None = None,
        maybe: bool = False,
    ) -> None:
        """Notes an effect.

        Args:
            kind: Its kind.
            subject: What it concerns.
            node: The code that has it, or the call that leads to it.
            via: The calls between this function and the effect.
            origin: The effect in the function called.
            maybe: Whether it depends on a type that is not known.
        """
        maybe = maybe or self.doubtful or (origin is not None and origin.maybe)
        line = origin.line if origin else getattr(node, "lineno", 0)
        module = origin.module if origin else self.module
        old = self.summary.effects.get((kind, subject))
        if old is not None and (old.maybe, len(old.via), old.line) <= (maybe, len(via), line):
            return
        how = origin.how if origin else shown(node)
        self.summary.add(Effect(kind, subject, module, line, how, via, maybe))

    def changed(
        self,
        obj: Obj,
        node: ast.AST,
        via: tuple[tuple[str, str, int], ...] = (),
        origin: Effect | None = None,
        maybe: bool = False,
    ) -> None:
        """Notes that an object is changed, if others than this function can see it."""
        if self.unsure or (SLICE in obj.path and obj.name not in self.arrays):
            maybe = True  # the slice of a list would be a list of its own
        if obj.kind in (PARAM, FREE):
            self.effect(kinds.CHANGES, obj, node, via, origin, maybe)
        elif obj.kind == GLOBAL:
            if not (self.is_body and obj.owner == self.module):
                self.effect(kinds.WRITES, obj.root, node, via, origin, maybe)
        elif obj.kind == LIB:
            self.effect(SETS, obj, node, via, origin, maybe)
        elif obj.kind == ALLOC and obj.name == "decimal.Context":
            self.effect(SETS, Obj(LIB, "", "decimal.getcontext"), node, via, origin, maybe)

    def walked(
        self,
        obj: Obj,
        node: ast.AST,
        kind: str = kinds.WALKS,
        via: tuple[tuple[str, str, int], ...] = (),
        origin: Effect | None = None,
    ) -> None:
        """Notes that an object is walked, or handed on, which changes it if it is an iterator."""
        if obj.kind not in OUTSIDE or SLICE in obj.path:
            return
        types = self.type_names(obj)
        if types & _ITERATORS:
            self.changed(obj, node, via, origin)
        elif not types and not (obj.kind == PARAM and obj.name in self.sequences and not obj.path):
            self.effect(kind, obj, node, via, origin)

    def store(self, targets: Value, step: str, value: Value, node: ast.AST) -> None:
        """Stores `value` at a step from each of `targets`; a change of each."""
        for obj in ordered(targets):
            if obj.path and obj.path[-1] == "[:]" and step != "[]":
                continue
            target = self.variable(obj, step)
            self.changed(target, node)
            if target != obj:
                continue
            self.put(obj, step, value)
            self.record_store(obj, step, value, getattr(node, "lineno", 0))

    def record_store(self, obj: Obj, step: str, value: Value, line: int) -> None:
        """Remembers for callers what was put where they can see it."""
        if obj.kind not in OUTSIDE:
            return
        if len(self.summary.stores) >= MOST_NOTED:
            self.summary.overflow = True
            return
        for item in ordered(value):
            self._add_store(obj, step, item, line)
            if item.kind != ALLOC or len(obj.path) >= _STORED_DEPTH:
                continue
            inner = obj.reach(step) if step else obj
            for field, stored in self.heap.get(item, {}).items():
                for deeper in ordered(stored):
                    self._add_store(inner, field, deeper, line)

    def _add_store(self, obj: Obj, step: str, item: Obj, line: int) -> None:
        stores = self.summary.stores
        key = (obj, step, outward(item))
        if key in stores:
            return
        if len(stores) < MOST_NOTED:
            stores[key] = line
        else:
            self.summary.overflow = True

    def variable(self, obj: Obj, step: str) -> Obj:
        """The global that an attribute of a module, class or function is; else the object."""
        name = step[1:]
        if step[0] != ".":
            return obj
        if obj.kind == MODULE:
            return Obj(GLOBAL, obj.name, name)
        if obj.kind == LIB:
            return Obj(LIB, "", f"{obj.name}.{name}")
        if obj.kind == FUNC and self._is_new(obj):
            return obj
        if obj.kind in (CLASS, FUNC):
            return Obj(GLOBAL, obj.owner, f"{obj.name}.{name}")
        return obj

    def _is_new(self, obj: Obj) -> bool:
        """Whether a function was made by this one."""
        made = self.world.functions.get((obj.owner, obj.name))
        return made is not None and made.parent is self.function

    # ---- variables -----------------------------------------------------------------------------

    def bind(self, name: str, value: Value, node: ast.AST) -> None:
        """Binds a name, local or declared `global` or `nonlocal`."""
        if name in self.function.globals:
            variable = Obj(GLOBAL, self.module, name)
            if not self.is_body:
                self.effect(kinds.WRITES, variable, node)
            self.analysis.note_global(variable, value)
            self.record_store(variable, "", value, getattr(node, "lineno", 0))
        elif name not in self.function.locals and self.owner_of(name) is not None:
            owner = self.owner_of(name)
            assert owner is not None
            self.effect(kinds.REBINDS, Obj(FREE, owner.id[1], name), node)
            self.analysis.note_variable(owner.id, name, value)
            return
        if self.env is not None:
            self.env[name] = value
        if self.is_body:
            self.analysis.note_global(Obj(GLOBAL, self.module, name), value)
        else:
            self.analysis.note_variable(self.function.id, name, value)

    def lookup(self, name: str, node: ast.AST) -> Value:
        """What a name may be here."""
        function = self.function
        if self.env is not None and name in self.env:
            return self.env[name]
        if not self.is_body and name in function.locals:
            return frozenset()
        owner = self.owner_of(name)
        if owner is not None:
            free = Obj(FREE, owner.id[1], name)
            return self.analysis.variable(owner.id, name, free, function.id)
        found: set[Obj] = set()
        for obj in ordered(self.world.global_name(self.module, name)):
            if obj.kind in (FUNC, CLASS):
                self.summary.names.add((self.module, name))
            found |= self.read_global(obj, node)
        return frozenset(found)

    def read_global(self, obj: Obj, node: ast.AST) -> Value:
        """The values of what a name means at a module's top level."""
        if obj.kind == LIB and obj.name in READ_AS_NAME and not isinstance(node, ast.ImportFrom):
            self.effect(READ_AS_NAME[obj.name], obj, node)
        if obj.kind in (FUNC, CLASS):
            self.summary.names.add((obj.owner, obj.name))
        if obj.kind != GLOBAL:
            return one(obj)
        if not (self.is_body and obj.owner == self.module):
            self.effect(kinds.READS, obj, node)
        return self.analysis.expand(obj, self.function.id)

    def owner_of(self, name: str) -> Function | None:
        """The function around this one that binds the name."""
        if name in self.function.globals:
            return None
        outer = self.function.parent
        while outer is not None:
            if name in outer.locals:
                return outer
            outer = outer.parent
        return None


def _blurred(found: set[Obj]) -> Value:
    """Too many to tell apart: what is reached from one variable counts as that variable."""
    return frozenset(obj.root if obj.kind in OUTSIDE else obj for obj in found)


def shown(node: ast.AST) -> str:
    """The code, short enough for a message."""
    if isinstance(node, (ast.For, ast.AsyncFor, ast.With, ast.AsyncWith)):
        return ""
    try:
        text = " ".join(ast.unparse(node).split())
    except RecursionError:
        return ""
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def join(first: Env | None, second: Env | None) -> Env | None:
    """The variables where two paths meet."""
    if first is None or second is None:
        return dict(second) if first is None and second is not None else first
    if first is second:
        return dict(first)
    joined = dict(first)
    for name, value in second.items():
        old = joined.get(name)
        if old is None:
            joined[name] = value
        elif old is not value:
            joined[name] = old | value
    return joined
