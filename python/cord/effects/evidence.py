"""What a function's text says of the types of its parameters."""

from __future__ import annotations

import ast

from cord.knowledge import objects
from cord.knowledge.classes import ATOMS, NUMBERS
from cord.knowledge.functions import TAKING_CONTAINERS
from cord.source.records import dataclass, field
from cord.source.scope import own_nodes

from .arguments import default_of
from .values import CLASS, LIB, ordered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.source.definitions import Function

    from .world import World

IMMUTABLE = ATOMS | {"number"}


@dataclass(slots=True)
class Evidence:
    """Types of parameters by name.

    `containers` are those used as something with items, `arrays` those used as arrays, `sequences`
    those used as no iterator can be; `inner` has the types of what is in them.
    """

    types: dict[str, str] = field(default_factory=dict)
    containers: set[str] = field(default_factory=set)
    arrays: set[str] = field(default_factory=set)
    sequences: set[str] = field(default_factory=set)
    inner: dict[str, tuple[str, ...]] = field(default_factory=dict)


def evidence(world: World, function: Function) -> Evidence:
    """Reads annotations, defaults, and how the parameters are used."""
    found = Evidence()
    if isinstance(function.node, ast.Module):
        return found
    spec = function.node.args
    names = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]
    _look_at_uses(function.node, found)
    for argument in names:
        default = default_of(spec, argument.arg)
        if isinstance(default, ast.Constant) and default.value is not None:
            name = type(default.value).__name__
            if name in IMMUTABLE and argument.arg not in found.containers:
                found.types[argument.arg] = name
        if argument.annotation is not None:
            name = annotated(world, function.id[0], argument.annotation)
            if name:
                found.types[argument.arg] = name
                inner = _inside(world, function.id[0], argument.annotation)
                found.inner[argument.arg] = inner
    for extra, name in ((spec.vararg, "tuple"), (spec.kwarg, "dict")):
        if extra is not None:
            found.types[extra.arg] = name
    if function.is_method and function.cls is not None and names:
        found.types[names[0].arg] = f"{function.cls.id[0]}:{function.cls.id[1]}"
    return found


def annotated(world: World, module: str, annotation: ast.expr) -> str:
    """The type that an annotation names, as the analysis calls it, or ""."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return ""
    if isinstance(annotation, ast.Subscript):
        annotation = annotation.value
    if isinstance(annotation, ast.BinOp):
        left = annotated(world, module, annotation.left)
        right = annotation.right
        return left if isinstance(right, ast.Constant) and right.value is None else ""
    for obj in ordered(world.resolve(module, annotation)):
        if obj.kind == CLASS:
            return f"{obj.owner}:{obj.name}"
        if obj.kind == LIB:
            name = obj.name.removeprefix("builtins.")
            if name in NUMBERS:
                return "number"
            if name == "numpy.ndarray":
                return "ndarray"
            if objects.knows(name):
                return name
    return ""


def _inside(world: World, module: str, annotation: ast.expr) -> tuple[str, ...]:
    """The types of what `list[list[str]]` and the like say to be inside: ("list", "str")."""
    found: list[str] = []
    while isinstance(annotation, ast.Subscript):
        part = annotation.slice
        parts = part.elts if isinstance(part, ast.Tuple) else [part]
        parts = [one for one in parts if not _is_ellipsis(one)]
        types = {annotated(world, module, one) for one in parts}
        if len(types) != 1:
            found.append("number" if types and types <= IMMUTABLE else "")
            break
        found += types
        annotation = parts[0]
    return tuple(found)


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def _look_at_uses(node: ast.AST, found: Evidence) -> None:
    for inner in own_nodes(node):
        if isinstance(inner, (ast.Subscript, ast.Starred)):
            _container(inner.value, found)
        elif isinstance(inner, (ast.For, ast.comprehension)):
            _container(inner.iter, found)
        elif isinstance(inner, ast.Call):
            _look_at_call(inner, found)
        elif isinstance(inner, (ast.If, ast.While, ast.IfExp, ast.Assert)):
            _look_at_test(inner.test, found)
        if isinstance(inner, (ast.Subscript, ast.Attribute)):
            _look_at_part(inner, found)


def _look_at_part(node: ast.Subscript | ast.Attribute, found: Evidence) -> None:
    """Attributes and indices that only containers, or only arrays, have."""
    if not isinstance(node.value, ast.Name):
        return
    if isinstance(node, ast.Subscript):
        found.sequences.add(node.value.id)
    if isinstance(node, ast.Attribute):
        if node.attr in objects.CONTAINER_ONLY:
            found.containers.add(node.value.id)
            found.sequences.add(node.value.id)
        if node.attr in objects.ARRAY_ONLY:
            found.arrays.add(node.value.id)
    elif _has_axes(node):
        found.arrays.add(node.value.id)


def _has_axes(node: ast.Subscript) -> bool:
    """`a[1:2, :]`: only arrays have several axes."""
    if not isinstance(node.slice, ast.Tuple):
        return False
    return any(isinstance(element, ast.Slice) for element in node.slice.elts)


def _look_at_call(call: ast.Call, found: Evidence) -> None:
    if not isinstance(call.func, ast.Name):
        return
    for argument in call.args:
        if call.func.id in ("len", "reversed") and isinstance(argument, ast.Name):
            found.sequences.add(argument.id)
        if call.func.id in TAKING_CONTAINERS:
            _container(argument, found)
        elif call.func.id in ("range", "chr"):
            _scalar(argument, found)


def _look_at_test(test: ast.expr, found: Evidence) -> None:
    """Who is compared with a number where the outcome decides is no array, and no list."""
    for inner in ast.walk(test):
        if not isinstance(inner, ast.Compare):
            continue
        sides = [inner.left, *inner.comparators]
        if any(_is_number(side) for side in sides):
            for side in sides:
                _scalar(side, found)


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand)
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float, str))


def _scalar(node: ast.expr, found: Evidence) -> None:
    if isinstance(node, ast.Name):
        found.types.setdefault(node.id, "number")
    elif isinstance(node, ast.BinOp):
        _scalar(node.left, found)
        _scalar(node.right, found)
    elif isinstance(node, ast.UnaryOp):
        _scalar(node.operand, found)


def _container(node: ast.expr, found: Evidence) -> None:
    if isinstance(node, ast.Name):
        found.containers.add(node.id)
