"""The code for exits that depend on results: the native objects that know about them.

Behind a strand that may leave the code around it, the scout asks whether to wait, and whether the
exit was taken. `History` and `Exits` answer, in `crates/cord-py/src/scouts/exits.rs`.
"""

from __future__ import annotations

import ast

from cord.source.records import dataclass
from cord.translate.results import MARK

from .guarded import STATE, assign, load

# The variable for loops that are over, and may still turn out to have returned from the function.
OPEN = ":open"


@dataclass(slots=True)
class Loop:
    """A loop that is being written, or a region, for what stands in no loop.

    Attributes:
        state: The scout's variable for its conditions.
        name: Tells it from other loops of the module.
        carried: Its variables that are read behind it.
        ways: The kinds of exits that strands in it may take.
        used: There are such strands.
    """

    state: str
    name: str
    carried: tuple[str, ...] = ()
    ways: frozenset[str] = frozenset()
    used: bool = False

    @property
    def left(self) -> str:
        """The scout's variable for the exit that is taken."""
        return f"{self.state}:left"

    def ask(self, method: str, *args: ast.expr) -> ast.Call:
        """Call a method of the conditions."""
        return ast.Call(ast.Attribute(load(self.state), method, ast.Load()), list(args), [])

    def history(self, method: str, *args: ast.expr) -> ast.Call:
        """Call a method of the loop's history."""
        native = ast.Constant(f"{MARK}history:{self.name}")
        return ast.Call(ast.Attribute(native, method, ast.Load()), list(args), [])

    def begin(self, resumed: bool) -> list[ast.stmt]:
        """What stands before the loop; `resumed` if the program is in it."""
        if not self.used:
            return []
        begun = self.history("begin", load(STATE), ast.Constant(resumed))
        return [assign(self.state, begun)]

    def wait(self) -> list[ast.stmt]:
        """Wait until it is known how the loop is left."""
        return [wait(self.ask("waits", load(STATE))), *self.look()]

    def look(self) -> list[ast.stmt]:
        """Ask how the loop is left."""
        return [assign(self.left, self.ask("left"))]

    def is_left(self) -> ast.expr:
        """Whether an exit was taken, when that was asked for."""
        return _is_there(self.left)

    def part(self, name: str) -> ast.expr:
        """A part of the exit that was taken."""
        return ast.Attribute(load(self.left), name, ast.Load())


def wait(test: ast.expr) -> ast.stmt:
    """Wait as long as the test holds."""
    return ast.While(test, [ast.Expr(ast.Yield(None))], [])


def keep_open(loop: Loop) -> ast.stmt:
    """Note a loop, to ask later whether it has returned."""
    add = ast.Call(ast.Attribute(load(OPEN), "append", ast.Load()), [load(loop.state)], [])
    return ast.Expr(add)


def settle(loop: Loop, returned: ast.stmt) -> ast.stmt:
    """Wait until it is known of all loops that are open whether one of them has returned.

    Args:
        loop: Stands for each of them; its names are not in use.
        returned: What is done then.
    """
    breaks = ast.UnaryOp(ast.Not(), loop.part("breaks"))
    test = ast.BoolOp(ast.And(), [loop.is_left(), breaks])
    body = [*loop.wait(), ast.If(test, [returned], [])]
    return ast.For(ast.Name(loop.state, ast.Store()), load(OPEN), body, [])


def _is_there(name: str) -> ast.expr:
    return ast.Compare(load(name), [ast.IsNot()], [ast.Constant(None)])
