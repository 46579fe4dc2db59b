"""What a callee speaks of, seen from the function that calls it."""

from __future__ import annotations

from cord.source.definitions import decorator_names

from .values import ALLOC, CONST, FREE, FUNC, GLOBAL, ITEM, NOTHING, PARAM, Obj, Value, one

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast

    from cord.source.definitions import Function

    from .frame import Frame
    from .summary import Summary

_CACHES = frozenset({"lru_cache", "cache", "cached_property"})


class Translation:
    """What a callee's variables are in the frame that calls it."""

    def __init__(
        self,
        frame: Frame,
        function: Function,
        bound: dict[str, Value],
        node: ast.AST,
        closure: Obj | None,
    ) -> None:
        self._closure = closure
        self._frame = frame
        self.function = function
        self._bound = bound
        self._node = node

    def given(self) -> Value:
        """All that was passed, and its items."""
        given = frozenset().union(*self._bound.values()) if self._bound else NOTHING
        return given | self._frame.load(given, ITEM)

    def translate(self, obj: Obj, path: tuple[str, ...] = ()) -> Value:
        """An object of the callee's, seen from here; `path` tells what it made apart."""
        if obj.kind == PARAM:
            return self._frame.follow(self._bound.get(obj.name, NOTHING), obj.path)
        if obj.kind == FREE:
            scope = self.scope_of(obj)
            if scope == "here":
                return self._frame.follow(self._frame.lookup(obj.name, self._node), obj.path)
            if scope == "made" and self._closure is not None:
                captured = self._frame.heap.get(self._closure, {}).get(f"${obj.name}", ())
                return self._frame.follow(frozenset(captured), obj.path)
            return one(obj) if scope == "around" else one(self.cell(obj))
        if obj.kind == FUNC:
            return one(self._closure_of(obj))
        if obj.kind == ALLOC:
            return one(self._frame.alloc(self._node, obj.name, path))
        return one(obj)

    def scope_of(self, obj: Obj) -> str:
        """Where a variable around the callee lives.

        Returns:
            "here", in this function; "around" this function too; "made", in a closure that this
            function got from a call; or "kept", in a closure that lives on.
        """
        here: Function | None = self._frame.function
        if here is not None and here.id == (self.function.id[0], obj.owner):
            return "here"
        while here is not None and here.parent is not None:
            here = here.parent
            if here.id == (self.function.id[0], obj.owner):
                return "around"
        return "made" if self._closure is not None else "kept"

    def _closure_of(self, obj: Obj) -> Obj:
        """A function that the callee made, with the variables that it has from there."""
        made = self._frame.world.functions.get((obj.owner, obj.name))
        if made is None or made.parent is not self.function or self._frame.is_body:
            return obj
        closure = Obj(FUNC, obj.owner, obj.name, ("made",))
        for name, value in self._bound.items():
            self._frame.put(closure, f"${name}", value)
        return closure

    def cell(self, obj: Obj) -> Obj:
        """A variable that lives on in a closure."""
        return Obj(GLOBAL, self.function.id[0], f"{obj.owner}.{obj.name}")

    def result(self, summary: Summary, function: Function) -> Value:
        """What the call returns."""
        if _CACHES & set(decorator_names(function.node)):
            return self._cached(summary, function)
        made: dict[tuple[str, ...], set[Obj]] = {}
        for path, obj in sorted(summary.returns, key=lambda item: (len(item[0]), item)):
            value = self.translate(obj, ("returned", *path))
            made.setdefault(path, set()).update(value)
            if path:
                for parent in made.get(path[:-1], ()):
                    if parent.kind == ALLOC:
                        self._frame.put(parent, path[-1], value)
        return frozenset(made.get((), ()))

    def _cached(self, summary: Summary, function: Function) -> Value:
        """What a cache keeps is shared by all callers, if it can change."""
        found: set[Obj] = set()
        for path, obj in summary.returns:
            if not path and obj.kind == CONST:
                found.add(obj)
            elif not path:
                found.add(Obj(GLOBAL, function.id[0], f"{function.id[1]}.<cache>"))
        return frozenset(found)
