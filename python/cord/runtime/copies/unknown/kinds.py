"""What `type` says in copies of what stands for a value: what it will say of the value.

Programs ask whether a value is exactly a text or a number. What stands for one is of a class of its
own.
"""

from __future__ import annotations

import builtins
import sys

from cord.runtime.copies.placeholders import Placeholder, value_of

from .leaf import Leaf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

_type: Final = type


class _Type:
    """Stands for `type` where the program looks up that name."""

    __slots__ = ()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        found = _type(*args, **kwargs)
        if len(args) == 1 and found is Placeholder:
            found = _type(value_of(args[0]))
        elif len(args) == 1 and issubclass(found, Leaf):
            found = found.__mro__[2]  # behind the leaf's own class and `Leaf`
        return self if found is _type else found

    def __getattribute__(self, name: str) -> Any:
        return getattr(_type, name)

    def __mro_entries__(self, _bases: object) -> tuple[type]:
        return (_type,)

    def __instancecheck__(self, thing: object) -> bool:
        return isinstance(thing, _type)

    def __subclasscheck__(self, thing: type) -> bool:
        return issubclass(thing, _type)

    def __eq__(self, other: object) -> bool:
        return other is self or other is _type

    def __hash__(self) -> int:
        return hash(_type)

    def __or__(self, other: Any) -> Any:
        return _type | other

    def __ror__(self, other: Any) -> Any:
        return other | _type

    def __getitem__(self, item: Any) -> Any:
        return _type[item]

    def __repr__(self) -> str:
        return repr(_type)


def watch() -> None:
    """Have the program ask this, in a copy; Cord's own modules look at what is there."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "cord":
            vars(module).setdefault("type", _type)
    builtins.type = _Type()  # type: ignore[assignment,misc]
