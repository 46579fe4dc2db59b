"""What a function has made by itself: containers that nobody else can look at.

A variable is *made here* if all that is ever bound to it is. Then to change it is no effect.
"""

from __future__ import annotations

import ast

from cord.knowledge.functions import find, runs_ahead
from cord.knowledge.methods import AHEAD_NAMES, CHANGER_NAMES, PUTTING_IN, PUTTING_IN_ITEMS
from cord.source.scope import own_nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.source.modules import Module
    from cord.translate.sites.project import Meaning, Project

# What is given that shares no container with the arguments but what is in them.
_NEW = frozenset("const list tuple set frozenset dict bytearray sum".split())
MADE = (
    *(ast.Constant, ast.BinOp, ast.UnaryOp, ast.Compare, ast.JoinedStr, ast.List, ast.Tuple),
    *(ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp),
)
_LIGHT_METHODS = (AHEAD_NAMES | CHANGER_NAMES) - {"sort", "translate", "most_common"}


def light(node: ast.Call, meaning: Meaning | None) -> bool:
    """Whether a call takes next to no time."""
    if meaning is None:
        return isinstance(node.func, ast.Attribute) and node.func.attr in _LIGHT_METHODS
    if meaning.kind == "library":
        return meaning.dotted.startswith("math.")
    row = find(meaning.of_library) if meaning.kind == "builtin" else None
    if row is None or not runs_ahead(meaning.of_library):
        return False
    return meaning.name in ("min", "max") or (row.gives == "const" and row.walks is None)


class Owned:
    """What the variables of one function hold.

    Args:
        project: The project.
        module: The module of the function.
        node: The function.
        local: The names that are bound in it and around it.
    """

    def __init__(
        self,
        project: Project,
        module: Module,
        node: ast.FunctionDef | ast.Module,
        local: dict[str, str | None],
    ) -> None:
        self._project, self._module, self._local = project, module, local
        self._bound: dict[str, list[ast.expr | None]] = {}
        self._stored: dict[str, list[ast.expr | None]] = {}  # in the container of that name
        self._asked: set[str] = set()
        self._given: set[str] = set()
        if isinstance(node, ast.FunctionDef):
            spec = node.args
            extra = [one for one in (spec.vararg, spec.kwarg) if one is not None]
            for parameter in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *extra]:
                self._bound[parameter.arg] = [None]
                self._given.add(parameter.arg)
        for inner in own_nodes(node, comprehensions=False):
            self._note(inner)

    def makes(self, name: str) -> bool:
        """Whether all that is bound to a variable is made here."""
        if name in self._asked:
            return True  # by way of itself
        self._asked.add(name)
        known = self._bound.get(name, [None])
        found = all(value is not None and self._made(value) for value in known)
        self._asked.discard(name)
        return found

    def is_alone(self, name: str) -> bool:
        """Whether a variable holds what it was given, or what is made where it is bound.

        It never gets what another variable holds, or what is in a container. Of a variable of the
        code around, which is bound elsewhere, nothing is known.
        """
        known = self._bound.get(name)
        if not known:
            return False
        if name in self._given and len(known) == 1:
            return True
        return all(
            value is not None and not isinstance(value, ast.Name) and self._made(value)
            for value in known
        )

    def makes_inside(self, owner: ast.expr) -> bool:
        """Whether `name[index]` is made here: all that is in it, too."""
        if not isinstance(owner, ast.Subscript) or not isinstance(owner.value, ast.Name):
            return False
        name = owner.value.id
        stored = self._stored.get(name, [])
        return all(
            value is not None and self._made_deep(value) for value in self._bound.get(name, [None])
        ) and all(value is not None and self._made(value) for value in stored)

    def _note(self, node: ast.AST) -> None:
        match node:
            case ast.Assign():
                for target in node.targets:
                    self._bind(target, node.value)
            case ast.AnnAssign(value=value) if value is not None:
                self._bind(node.target, value)
            case ast.NamedExpr():
                self._bind(node.target, node.value)
            case ast.For():
                counts = isinstance(node.iter, ast.Call) and self._is_range(node.iter)
                self._bind(node.target, ast.Constant(0) if counts else None)
            case ast.AugAssign(target=ast.Name(id=name)):
                self._stored.setdefault(name, []).append(None)
            case ast.ExceptHandler(name=name) if name is not None:
                self._bound.setdefault(name, []).append(None)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method), args=args):
                if method in PUTTING_IN_ITEMS:
                    self._stored.setdefault(name, []).append(None)
                elif method in PUTTING_IN:
                    self._stored.setdefault(name, []).append(args[-1] if args else None)
            case _:
                pass

    def _bind(self, target: ast.expr, value: ast.expr | None) -> None:
        match target:
            case ast.Name(id=name):
                self._bound.setdefault(name, []).append(value)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                values: list[ast.expr | None] = [None] * len(parts)
                if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(parts):
                    values = list(value.elts)
                for part, one in zip(parts, values, strict=True):
                    self._bind(part, one)
            case ast.Starred(value=inner):
                self._bind(inner, None)
            case ast.Subscript(value=ast.Name(id=name)):
                self._stored.setdefault(name, []).append(value)
            case _:
                pass

    def _is_range(self, node: ast.Call) -> bool:
        meaning = self._project.meaning(self._module, node.func, self._local)
        return meaning is not None and (meaning.kind, meaning.name) == ("builtin", "range")

    def _made(self, value: ast.expr) -> bool:
        match value:
            case ast.Name(id=name):
                return self.makes(name)
            case ast.IfExp():
                return self._made(value.body) and self._made(value.orelse)
            case ast.BoolOp():
                return all(self._made(one) for one in value.values)
            case ast.NamedExpr():
                return self._made(value.value)
            case ast.Call():
                meaning = self._project.meaning(self._module, value.func, self._local)
                if meaning is None:
                    return False
                row = find(meaning.of_library)
                if row is None or meaning.kind not in ("builtin", "library"):
                    return False
                if row.gives == "sum" and len(value.args) > 1:
                    return False  # it may give what it starts with
                return row.gives in _NEW or row.gives.startswith("collections.")
        made = ast.Constant | ast.BinOp | ast.UnaryOp | ast.Compare | ast.JoinedStr
        shown = (
            ast.List | ast.Tuple | ast.Dict | ast.Set | ast.ListComp | ast.SetComp | ast.DictComp
        )
        return isinstance(value, made | shown)

    def _made_deep(self, value: ast.expr) -> bool:
        match value:
            case ast.Constant():
                return True
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                return all(self._made(part) for part in parts)
            case ast.ListComp(elt=part) | ast.DictComp(value=part):
                return self._made(part)
            case ast.Dict(values=parts):
                return all(self._made(part) for part in parts)
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                sides = [one for one in (left, right) if isinstance(one, (ast.List, ast.Tuple))]
                return len(sides) == 1 and self._made_deep(sides[0])
        return False
