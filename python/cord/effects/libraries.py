"""Calls of builtins, of library functions and of what is not known."""

from __future__ import annotations

import ast
from collections.abc import Callable

from cord.knowledge import outside, unseen
from cord.knowledge.rows import FRESH, PRINTS, RANDOM, WRITES_FILES, Row

from . import summary as kinds
from .arguments import Arguments
from .values import (
    ALLOC,
    BOUND,
    CLASS,
    CONST,
    FUNC,
    GLOBAL,
    ITEM,
    LIB,
    NOTHING,
    SCALAR,
    UNKNOWN,
    Obj,
    Value,
    one,
    ordered,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .frame import Frame

_CALLABLE = frozenset({FUNC, BOUND})
_OF_PROPERTIES = frozenset({"setter", "getter", "deleter", "register"})
_MAKERS = frozenset({"maker", "partial"})


class Libraries:
    """Applies such calls to a frame.

    Args:
        frame: The frame.
        passed_on: Calls a function of the project that a library was given.
    """

    def __init__(
        self, frame: Frame, passed_on: Callable[[Obj, Arguments, ast.AST, str], None]
    ) -> None:
        self._frame = frame
        self._passed_on = passed_on

    def unknown(self, text: str, arguments: Arguments, node: ast.AST) -> Value:
        """A call of which nothing is known."""
        self._frame.effect(kinds.UNKNOWN_CALL, Obj(LIB, "", text), node)
        for obj in ordered(arguments.all()):
            if obj.kind == GLOBAL:
                self._frame.changed(obj, node, maybe=True)
        self.call_given(arguments, node)
        return one(Obj(UNKNOWN, "", text))

    def call(self, dotted: str, arguments: Arguments, node: ast.AST) -> Value:
        """A call of a library's function, by its dotted name."""
        if dotted.endswith(".__new__") and arguments.positional:
            made = [o for o in ordered(arguments.positional[0]) if o.kind == CLASS]
            if made:
                return one(self._frame.alloc(node, f"{made[0].owner}:{made[0].name}"))
        row = FRESH if dotted in self._frame.analysis.assumed else outside.of_call(dotted)
        if row is None:
            return self.unknown(dotted.removeprefix("builtins."), arguments, node)
        if dotted in ("builtins.open", "io.open") and _writes(node):
            row = Row("file", effects=(WRITES_FILES,))
        if dotted == "os.write" and _prints(node):
            row = Row("const", effects=(PRINTS,))
        if dotted == "numpy.random.default_rng" and not arguments.all():
            self._frame.effect(RANDOM, Obj(LIB, "", dotted), node)
        if dotted == "random.Random" and not (arguments.positional or arguments.keywords):
            self._frame.effect(RANDOM, Obj(LIB, "", dotted), node)
        for obj in arguments.keywords.get("out", ()):
            self._frame.changed(obj, node)
        return self.row(dotted, row, arguments, node, None)

    def decorate(self, decorator: ast.expr) -> None:
        """Notes a decorator of the function at hand, if what it makes of it is not known."""
        maker = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(maker, ast.Attribute) and maker.attr in _OF_PROPERTIES:
            return
        frame = self._frame
        found = frame.world.resolve(frame.module, maker)
        if not found or any(self._may_wrap(obj) for obj in found):
            text = f"its decorator {ast.unparse(maker)}"
            frame.effect(kinds.UNKNOWN_CALL, Obj(LIB, "", text), decorator)

    def _may_wrap(self, decorator: Obj) -> bool:
        """Whether it is not known what a decorator makes of a function."""
        if decorator.kind == GLOBAL:
            held = self._frame.analysis.expand(decorator, self._frame.function.id)
            made = self._frame.type_names(decorator)
            return not (made & _MAKERS or all(obj.kind in (FUNC, CLASS) for obj in held))
        if decorator.kind == LIB:
            is_assumed = decorator.name in self._frame.analysis.assumed
            return not is_assumed and outside.of_call(decorator.name) is None
        return decorator.kind not in (FUNC, CLASS)

    def row(
        self, dotted: str, row: Row, arguments: Arguments, node: ast.AST, receiver: Obj | None
    ) -> Value:
        """A call of something of which a row tells."""
        frame = self._frame
        target: Value = one(receiver) if receiver is not None else NOTHING
        for kind in row.effects:
            frame.effect(kind, Obj(LIB, "", dotted), node)
        for position in row.changes:
            changed = target
            if position >= 0:
                changed = (arguments.positional[position : position + 1] or [NOTHING])[0]
            added = self._added(row, arguments, changed)
            for obj in ordered(changed):
                frame.changed(obj, node)
                frame.put(obj, ITEM, added)
                frame.record_store(obj, ITEM, added, getattr(node, "lineno", 0))
        self.call_given(arguments, node)
        self._hand_over(dotted, row, arguments, node, receiver)
        return self.result(dotted, row, arguments, target, node)

    def _hand_over(
        self, dotted: str, row: Row, arguments: Arguments, node: ast.AST, receiver: Obj | None
    ) -> None:
        """What is not known may be walked, or called, by a library that it is given to."""
        frame = self._frame
        if dotted in frame.analysis.assumed or row.gives == "exception":
            return
        if not kinds.CARRIED.isdisjoint(row.effects):
            return
        is_method = receiver is not None
        walked: set[Obj] = set()
        if row.walks is not None and not (row.calls == "key" and arguments.positional[1:]):
            walked |= frozenset().union(*arguments.positional[row.walks])  # max(a, b) walks neither
        if row.puts == "items" or (is_method and row.gives in ("set", "frozenset")):
            walked |= frozenset().union(*arguments.positional, arguments.rest)
        for obj in ordered(walked):
            frame.walked(obj, node)
        named = [value for name, value in arguments.keywords.items() if name != "file"]
        handed = frozenset().union(*named)
        called = self._called(row, arguments)
        if called:
            handed |= called
            if any(o.kind == LIB and not unseen.takes_values(o.name) for o in called):
                handed |= frame.load(frozenset(walked), ITEM)
        elif not is_method and row.walks is None and row.changes != (0,):
            handed |= NOTHING if unseen.takes_values(dotted) else arguments.all()
        elif is_method and dotted.startswith("re.Pattern."):
            handed |= arguments.all()
        for obj in ordered(handed):
            frame.walked(obj, node, kinds.HANDS)

    def _called(self, row: Row, arguments: Arguments) -> Value:
        """The argument that a function calls for what it walks."""
        if isinstance(row.calls, int):
            return frozenset().union(*arguments.positional[row.calls : row.calls + 1])
        return arguments.keywords.get(row.calls or "", NOTHING)

    def _added(self, row: Row, arguments: Arguments, changed: Value) -> Value:
        """What a method or function that changes an object puts into it."""
        if row.looks == "key":
            return frozenset().union(*arguments.positional[1:], arguments.rest)
        added = arguments.all() - changed
        return self._frame.load(added, ITEM) if row.puts == "items" else added

    def result(
        self, dotted: str, row: Row, arguments: Arguments, target: Value, node: ast.AST
    ) -> Value:
        """What a call gives: see `Row`."""
        frame, result = self._frame, row.gives
        if result == "const":
            return SCALAR
        given = arguments.all()
        source = target or given
        if result == "same":
            return source | one(frame.alloc(node, "ndarray"))
        items = frame.load(source, ITEM)
        if result == "item":
            return self._one_item(dotted, row, arguments, target, items)
        if result == "partial":
            return self._make_partial(arguments, node)
        if result in ("deep", "ndarray"):
            made = frame.alloc(node, "ndarray" if result == "ndarray" else "")
            frame.put(made, ITEM, SCALAR)
        elif result == "pairs":
            pair = frame.alloc(node, "tuple", ("pair",))
            frame.put(pair, ITEM, items)
            made = frame.alloc(node, "iterator")
            frame.put(made, ITEM, one(pair))
        elif result == "sum":
            if all(obj.kind == CONST for obj in items):
                return SCALAR
            made = frame.alloc(node, "")
            frame.put(made, ITEM, frame.load(items, ITEM))
        else:
            made = frame.alloc(node, "" if result == "fresh" else result)
            frame.put(made, ITEM, items | (given if result == "fresh" else NOTHING))
        return one(made)

    def _one_item(
        self, dotted: str, row: Row, arguments: Arguments, target: Value, items: Value
    ) -> Value:
        name = dotted.rpartition(".")[2]
        if target:
            default = arguments.positional[1:] if row.looks == "key" else []
            return items.union(SCALAR, *default)
        if name in ("max", "min") and len(arguments.positional) == 1:
            return items.union(SCALAR, arguments.keywords.get("default", NOTHING))
        if name == "next":
            return items.union(SCALAR, *arguments.positional[1:])
        return items | arguments.all() | SCALAR

    def _make_partial(self, arguments: Arguments, node: ast.AST) -> Value:
        made = self._frame.alloc(node, "partial")
        given = arguments.all()
        called = arguments.positional[0] if arguments.positional else NOTHING
        self._frame.put(made, "$function", called)
        self._frame.put(made, ITEM, given - called)
        return one(made)

    def call_given(self, arguments: Arguments, node: ast.AST) -> None:
        """Whoever is given a function may call it, with what it was given besides."""
        given = ordered(arguments.all())
        called = [obj for obj in given if obj.kind in _CALLABLE]
        partial = [obj for obj in given if obj.kind == ALLOC and obj.name == "partial"]
        if not called and not partial:
            return
        others = frozenset(o for o in given if o.kind not in _CALLABLE)
        inside = Arguments(rest=self._frame.load(others, ITEM))
        for obj in [*called, *partial]:
            self._passed_on(obj, inside, node, obj.name)


def callee_text(node: ast.AST) -> str:
    """How the callee of a call is written."""
    if isinstance(node, ast.Call):
        text = " ".join(ast.unparse(node.func).split())
        return text if len(text) < 40 else ""
    return ""


def write_of(node: ast.AST) -> ast.AST:
    """For messages: the call of `write` that a call like `print(..., file=stream)` makes."""
    for keyword in node.keywords if isinstance(node, ast.Call) else ():
        if keyword.arg == "file":
            func = ast.Attribute(keyword.value, "write", ast.Load())
            return ast.copy_location(ast.Call(func, [], []), node)
    return node


def _prints(node: ast.AST) -> bool:
    """Whether a call of `os.write` writes to stdout or stderr."""
    first = node.args[0] if isinstance(node, ast.Call) and node.args else None
    return isinstance(first, ast.Constant) and first.value in (1, 2)


def _writes(node: ast.AST) -> bool:
    """Whether a call of `open` opens for writing; a mode that is not constant counts as so."""
    if not isinstance(node, ast.Call):
        return False
    mode = node.args[1] if len(node.args) > 1 else None
    for keyword in node.keywords:
        if keyword.arg == "mode":
            mode = keyword.value
    if mode is None:
        return False
    if not (isinstance(mode, ast.Constant) and isinstance(mode.value, str)):
        return True
    return any(letter in mode.value for letter in "wax+")
