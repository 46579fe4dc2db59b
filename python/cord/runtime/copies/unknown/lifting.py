"""Functions that give an expression for what is not known yet, in copies alone.

Those of `cord.knowledge` which only compute a value are put off as one: what they give stands for
what they will give once their arguments are there.
"""

from __future__ import annotations

import io
import sys
from types import BuiltinFunctionType, FunctionType, GeneratorType, MethodDescriptorType

from cord import _core
from cord.knowledge import functions
from cord.knowledge.methods import TYPES, expressed_of

from .leaf import Leaf, Unseen
from .leaves import apply
from .questions import answered, is_far, itself

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ITERATORS = (GeneratorType, map, filter, zip)
# Classes that make a value of one, and types whose methods do.
_CLASSES = (
    ("builtins", "int"),
    ("builtins", "float"),
    ("builtins", "complex"),
    ("decimal", "Decimal"),
)
# What writes texts, and would refuse what is not known to be one.
_WRITING = (io.TextIOWrapper.write, io.StringIO.write)
_BY_ITSELF = frozenset(
    {"list", "dict", "set", "tuple", "frozenset", "bytearray", "range", "numpy.ndarray"}
)


def watch() -> None:
    """In a copy: have these functions give expressions."""
    in_c: list[Any] = []
    for name in functions.EXPRESSING:
        module = sys.modules.get(name)
        for own, function in list(vars(module).items()) if module is not None else ():
            if type(function) not in (FunctionType, BuiltinFunctionType):
                continue
            if not functions.gives_expression(f"{name}.{own}"):
                continue
            if type(function) is BuiltinFunctionType:
                in_c.append(function)
            else:
                _lift(function)
    in_c += [*_methods(), *_WRITING]
    classes = [getattr(sys.modules[m], name) for m, name in _CLASSES if m in sys.modules]
    _core.lift_functions(in_c, classes, lifted, Leaf)


def _methods() -> list[Any]:
    found = []
    for name in TYPES.keys() - _BY_ITSELF:
        owner, _, own = name.rpartition(".")
        module = sys.modules.get(owner or "builtins")
        kind = vars(module).get(own) if module is not None else None
        if isinstance(kind, type):
            methods = expressed_of(name)
            found += [vars(kind)[method] for method in methods if method in vars(kind)]
    return [one for one in found if type(one) is MethodDescriptorType]


def _asking(*args: Any, **kwargs: Any) -> Any:
    asks: Any = 2_718_281_828  # in each function it is another constant
    return asks(args, kwargs)


def _lift(function: FunctionType) -> None:
    """Have a function in Python ask; who holds it holds the same as before."""
    if function.__closure__ or function.__code__.co_flags & 0x2A0:
        return
    plain = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__
    )
    plain.__kwdefaults__ = function.__kwdefaults__

    def asks(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return lifted(plain, args, kwargs)

    code = _asking.__code__
    consts = tuple(asks if one == 2_718_281_828 else one for one in code.co_consts)
    there = function.__code__
    function.__code__ = code.replace(
        co_consts=consts,
        co_name=there.co_name,
        co_filename=there.co_filename,
        co_firstlineno=there.co_firstlineno,
    )


def lifted(function: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """What a function gives, or what stands for that where an argument is not known.

    Args:
        function: As it was. None of a list: its item.
        args: What it is called with.
        options: The same, by name.
    """
    if function is None:
        return _item(*args)
    if function in _WRITING:
        file, text = args
        return function(file, str(text))
    args = tuple([list(one) if type(one) in _ITERATORS else one for one in args])
    is_keyed = function is sorted or function is min or function is max
    if is_keyed and options.get("key") is not None:
        return _by_keys(function, args, **options)
    if not (_core.is_unknown_in(args) or (options and _core.is_unknown_in(options))):
        return _by_values(function, args, **options) if is_keyed else function(*args, **options)
    if function is sorted and type(args[0]) in (list, tuple):
        return _in_order(range(len(args[0])), args[0], args[0], **options)
    if function.__name__ == "finditer":
        return iter(apply(_all, (function, *args), **options))
    return apply(function, args, **options)


def _all(function: Any, *args: Any, **options: Any) -> list[Any]:
    return list(function(*args, **options))


def _item(items: list[Any], at: Any) -> Any:
    """The item of a list whose number was not known."""
    if type(at) is int:
        return items[at]  # all that it depends on has come meanwhile
    node = at._node
    if node.is_known():
        return items[node.value()]
    if type(at) is Unseen:
        return apply(_at, (tuple(items), at))
    sample = items[at._sample]
    if isinstance(sample, Leaf) or type(sample) in (str, int, float, bytes):
        return apply(_at, (tuple(items), at))
    if is_far(node):
        return items[node.await_value()]
    answered(node, itself, at._sample)
    return items[node.value() if node.is_known() else at._sample]


def _at(items: tuple[Any, ...], at: int) -> Any:
    return items[at]


def _by_values(function: Any, args: tuple[Any, ...], *, key: None = None, **options: Any) -> Any:
    """What is first or last, or all in order: called by name, these would ask again."""
    if function is sorted:
        items = list(args[0])
        items.sort(**options)
        return items
    if len(args) == 1 and not (args := (list(args[0]),))[0] and "default" in options:
        return options["default"]
    return function(*args)


def _by_keys(function: Any, args: tuple[Any, ...], *, key: Any, **options: Any) -> Any:
    """What is first or last, or all in order, by keys some of which may not be known."""
    items = list(args[0]) if len(args) == 1 else list(args)
    if not items:
        return _by_values(function, (items,), **options)
    keys = [key(one) for one in items]
    is_known = not _core.is_unknown_in(keys)
    if function is sorted:
        if is_known:
            return [items[at] for at in _order(keys, **options)]
        return _in_order(range(len(items)), items, keys, **options)
    extreme = _lowest if function is min else _highest
    return items[extreme(keys)] if is_known else _item(items, apply(extreme, (keys,)))


def _in_order(places: range, items: Any, keys: Any, **options: Any) -> list[Any]:
    order = [apply(_place, (keys, place), **options) for place in places]
    return [_item(list(items), one) for one in order]


def _order(keys: list[Any], reverse: bool = False) -> list[int]:
    order = list(range(len(keys)))
    order.sort(key=keys.__getitem__, reverse=reverse)
    return order


def _place(keys: list[Any], place: int, reverse: bool = False) -> int:
    return _order(keys, reverse)[place]


def _lowest(keys: list[Any]) -> int:
    return _order(keys)[0]


def _highest(keys: list[Any]) -> int:
    return _order(keys, reverse=True)[0]
