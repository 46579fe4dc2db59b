"""Lowering of calls that call a function for each element: `map`, `sorted(key=)` and the like.

Such a call is a loop. A `map` or `filter` that is read by a loop or by a call becomes one loop with
its reader, so that what a turn does stays together; what is read elsewhere is unknown.
"""

from __future__ import annotations

import ast
import builtins
from types import MethodDescriptorType

from cord.knowledge.methods import method_runs_ahead
from cord.source.records import dataclass, field
from cord.source.scope import target_names
from cord.translate.sites.applied import Applied

from .tree import Assign, Exit, For, If, Mutate, Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .expressions import Expressions


@dataclass(slots=True)
class Step:
    """A function that is called for each element; `func` is its expression, lowered."""

    applied: Applied
    func: ast.expr | None


@dataclass(slots=True)
class Source:
    """What a loop walks, lowered, and what is done with each element before the loop's body."""

    number: int
    walked: ast.expr
    width: int
    made: list[Node]  # the nodes that compute it
    steps: list[Step | ast.GeneratorExp] = field(default_factory=list)


def is_lazy(low: Expressions, node: ast.expr) -> bool:
    """Whether this is a `map` or the like, or a variable that holds one to be read once."""
    if isinstance(node, ast.Name):
        return node.id in low.lazies
    applied = low.found.applied_of.get(node) if isinstance(node, ast.Call) else None
    return applied is not None and applied.lazy


def source(low: Expressions, node: ast.expr) -> Source | None:
    """What a loop over `node` walks, where `node` is lazy."""
    if isinstance(node, ast.GeneratorExp):
        return _generated(low, node)
    if not is_lazy(low, node):
        return None
    call = low.lazies.pop(node.id) if isinstance(node, ast.Name) else node
    assert isinstance(call, ast.Call)
    applied = low.found.applied_of[call]
    func = None if applied.inlined is not None else low.callee(applied.function)
    walked = call.args[applied.walked]
    found = source(low, walked[0]) if len(walked) == 1 else None
    if found is None:
        found = plain(low, low.loop_number(call), walked)
    found.steps.append(Step(applied, func))
    return found


def _generated(low: Expressions, node: ast.GeneratorExp) -> Source | None:
    """What a loop over a generator expression walks, where that is a part of the loop."""
    if not low.found.is_inlined(node):
        return None
    first = node.generators[0]
    found = source(low, first.iter) or plain(low, low.found.loop_of.get(first, -1), [first.iter])
    found.steps.append(node)
    return found


def plain(low: Expressions, number: int, walked: list[ast.expr]) -> Source:
    """What is walked as it is, several together."""
    saved, low.out = low.out, []
    lowered = [low.expr(one) for one in walked]
    made, low.out = low.out, [*saved, *low.out]
    value = lowered[0]
    if len(lowered) > 1:
        zipped = ast.Call(ast.Name("zip", ast.Load()), lowered, [])
        value = ast.copy_location(zipped, walked[0])
    return Source(number, value, len(lowered), made)


def whole(low: Expressions, node: ast.expr) -> Source:
    """What a generator expression walks: given to it from outside, made there."""
    saved, low.out = low.out, []
    value = low.argument(node)
    made, low.out = low.out, [*saved, *low.out]
    return Source(-1, value, 1, made)


def walk(
    low: Expressions, found: Source, target: ast.expr, body: list[Node], orelse: list[Node]
) -> None:
    """`for target in found: body`."""
    items = [low.temporary(target) for _ in range(found.width)]
    saved, low.out = low.out, []
    loads: list[ast.expr] = [ast.Name(item.id, ast.Load()) for item in items]
    _steps(low, found.steps, loads, target, body)
    inside, low.out = low.out, saved
    bound: ast.expr = items[0] if len(items) == 1 else ast.Tuple(list(items), ast.Store())
    line = target.lineno
    low.out.append(For(line, found.number, bound, found.walked, inside, orelse, found.made))


def _steps(
    low: Expressions,
    steps: list[Step | ast.GeneratorExp],
    values: list[ast.expr],
    target: ast.expr,
    body: list[Node],
) -> None:
    if not steps:
        low.store(target, values[0], target.lineno)
        low.out.extend(body)
        return
    step = steps[0]
    if isinstance(step, ast.GeneratorExp):
        _generate(low, step, steps[1:], values[0], target, body)
        return
    result = _apply(low, step, values)
    if not step.applied.chooses:
        _steps(low, steps[1:], [result], target, body)
        return
    saved, low.out = low.out, []
    _steps(low, steps[1:], values, target, body)
    chosen, low.out = low.out, saved
    others: list[Node] = []
    if step.applied.kind == "takewhile":
        others = [Exit(target.lineno, "break")]
    elif step.applied.kind == "filterfalse":
        chosen, others = others, chosen
    low.out.append(If(target.lineno, result, chosen, others))


def _generate(
    low: Expressions,
    node: ast.GeneratorExp,
    steps: list[Step | ast.GeneratorExp],
    value: ast.expr,
    target: ast.expr,
    body: list[Node],
) -> None:
    """One turn of a generator expression with one `for`, and what is done with its element."""
    outer, first = low.renamed, node.generators[0]
    low.renamed = dict(outer)
    for name in target_names(first.target):
        low.fresh_name(name)
    low.store(first.target, value, first.target.lineno)

    def nested(tests: list[ast.expr]) -> None:
        if not tests:
            element = low.expr(node.elt)
            low.renamed = outer
            _steps(low, steps, [element], target, body)
            return
        test = low.expr(tests[0])
        saved, low.out = low.out, []
        nested(tests[1:])
        inside, low.out = low.out, saved
        low.out.append(If(tests[0].lineno, test, inside, []))

    nested(first.ifs)


def _apply(low: Expressions, step: Step, values: list[ast.expr]) -> ast.expr:
    """The call of the function for one element; its result."""
    applied = step.applied
    node = applied.node
    spread = applied.kind == "starmap"
    if applied.inlined is not None:
        return _inline(low, applied.inlined, values, spread)
    assert step.func is not None
    if applied.by_truth:
        return values[0]
    args: list[ast.expr] = [ast.Starred(values[0], ast.Load())] if spread else values
    site = low.found.site_of.get(node)
    if site is not None:
        return low.site_call(site, step.func, args, [])
    function = applied.function
    if isinstance(function, ast.Attribute) and _is_method_of_builtin(function) and len(args) == 1:
        method = ast.Attribute(args[0], function.attr, ast.Load())
        return ast.copy_location(ast.Call(method, [], []), node)
    return low.applied_function(node, function, step.func, args)


def _inline(
    low: Expressions, function: ast.Lambda, values: list[ast.expr], spread: bool
) -> ast.expr:
    saved = dict(low.renamed)
    targets: list[ast.expr] = []
    for argument in function.args.args:
        name = low.fresh_name(argument.arg)
        targets.append(ast.copy_location(ast.Name(name, ast.Store()), argument))
    if spread:
        both = ast.copy_location(ast.Tuple(targets, ast.Store()), function)
        low.out.append(Assign(function.lineno, both, values[0]))
    else:
        for target, value in zip(targets, values, strict=True):
            low.out.append(Assign(function.lineno, target, value))
    result = low.expr(function.body)
    low.renamed = saved
    return result


def _is_method_of_builtin(function: ast.Attribute) -> bool:
    if not isinstance(function.value, ast.Name):
        return False
    name = function.value.id
    method = getattr(getattr(builtins, name, None), function.attr, None)
    return isinstance(method, MethodDescriptorType) and method_runs_ahead(name, function.attr)


# ---- calls as expressions ------------------------------------------------------------------------


def collected(low: Expressions, node: ast.expr) -> ast.expr:
    """All values of a `map` or `filter`, as a list."""
    found = source(low, node)
    assert found is not None
    result, item = _empty_list(low, node), low.temporary(node)
    append = Mutate(node.lineno, result.id, "append", [ast.Name(item.id, ast.Load())], None)
    walk(low, found, item, [append], [])
    return ast.copy_location(ast.Name(result.id, ast.Load()), node)


def applied_call(low: Expressions, node: ast.Call, applied: Applied) -> ast.expr:
    """A call that calls a function for each element."""
    if applied.lazy:
        for argument in [*node.args[applied.walked], applied.function]:
            if not isinstance(argument, ast.Lambda):
                low.expr(argument)
        return low.unknown(node, f"{applied.kind}() is read elsewhere")
    walked = applied.receiver or node.args[applied.walked][0]
    most = None if applied.most is None else low.expr(applied.most)
    if isinstance(walked, ast.GeneratorExp) and applied.keyed:
        found = Source(low.loop_number(node), low.comprehension(walked), 1, [])
    else:
        number = low.loop_number(node)
        found = source(low, walked) or plain(low, number, [walked])
    func = None if applied.inlined is not None else low.callee(applied.function)
    step = Step(applied, func)
    if applied.kind == "reduce":
        return _reduce(low, node, found, step)
    result = _keyed(low, node, found, step, most)
    if applied.receiver is not None:
        name = applied.receiver.id
        low.mutate(node.lineno, name, "clear", [], None)
        low.mutate(node.lineno, name, "extend", [result], None)
        return ast.copy_location(ast.Constant(None), node)
    return result


def _reduce(low: Expressions, node: ast.Call, found: Source, step: Step) -> ast.expr:
    so_far, item = low.temporary(node), low.temporary(node)
    if len(node.args) > 2:
        low.out.append(Assign(node.lineno, so_far, low.expr(node.args[2])))
    else:
        low.opaque(node, (so_far.id,), "reduce() begins with the first element")
    saved, low.out = low.out, []
    loads: list[ast.expr] = [ast.Name(name.id, ast.Load()) for name in (so_far, item)]
    low.out.append(Assign(node.lineno, so_far, _apply(low, step, loads)))
    body, low.out = low.out, saved
    walk(low, found, item, body, [])
    return ast.copy_location(ast.Name(so_far.id, ast.Load()), node)


def _keyed(
    low: Expressions, node: ast.Call, found: Source, step: Step, most: ast.expr | None
) -> ast.expr:
    """`sorted`, `min`, `nlargest` and so on with a key: the keys, then the elements in order."""
    keys, values, item = _empty_list(low, node), _empty_list(low, node), low.temporary(node)
    saved, low.out = low.out, []
    value = ast.Name(item.id, ast.Load())
    low.out.append(Mutate(node.lineno, values.id, "append", [value], None))
    key = _apply(low, step, [value])
    low.out.append(Mutate(node.lineno, keys.id, "append", [key], None))
    body, low.out = low.out, saved
    walk(low, found, item, body, [])
    backwards = step.applied.backwards
    for keyword in node.keywords:
        if keyword.arg == "reverse" and isinstance(keyword.value, ast.Constant):
            backwards = bool(keyword.value.value)
        elif keyword.arg != "key":
            low.expr(keyword.value)
            return low.unknown(node, f"{step.applied.kind}() with {keyword.arg}")
    order = low.temporary(node)
    text = f"sorted(zip(K, range({'0, -len(K), -1' if backwards else 'len(K)'})))"
    low.out.append(Assign(node.lineno, order, _expression(text, node, K=keys.id)))
    if backwards:
        text = "sorted(O, reverse=True)"
        low.out.append(Assign(node.lineno, order, _expression(text, node, O=order.id)))
    sign = "-" if backwards else ""
    if not step.applied.sorts:
        return _expression(f"V[{sign}O[0][1]]", node, V=values.id, O=order.id)
    result, pair = _empty_list(low, node), low.temporary(node)
    one = _expression(f"V[{sign}P[1]]", node, V=values.id, P=pair.id)
    append = Mutate(node.lineno, result.id, "append", [one], None)
    ordered: ast.expr = ast.Name(order.id, ast.Load())
    if most is not None:
        first = ast.Subscript(ordered, ast.Slice(None, most), ast.Load())
        ordered = ast.copy_location(first, node)
    low.out.append(For(node.lineno, -1, pair, ordered, [append], [], []))
    return ast.copy_location(ast.Name(result.id, ast.Load()), node)


def _empty_list(low: Expressions, node: ast.expr) -> ast.Name:
    name = low.temporary(node)
    empty = ast.copy_location(ast.List([], ast.Load()), node)
    low.out.append(Assign(node.lineno, name, empty))
    return name


def _expression(text: str, at: ast.expr, **names: str) -> ast.expr:
    """An expression written as text; its capital letters stand for names."""
    tree = ast.parse(text, mode="eval").body
    for part in ast.walk(tree):
        if isinstance(part, ast.Name):
            part.id = names.get(part.id, part.id)
        ast.copy_location(part, at)
    return tree
