"""Values whose every special method tells that it was called: user code, as a scout may meet it."""

from __future__ import annotations

from typing import Any

told: list[str] = []


def telling(base: type, name: str, *methods: str, **members: Any) -> type:
    """A subclass of ``base`` whose ``methods`` tell, and then do what the base's do."""

    def method(called: str) -> Any:
        def tell(self: Any, *args: Any, **kwargs: Any) -> Any:
            told.append(f"{name}.{called}")
            plain = getattr(base, called, None)
            return plain(self, *args, **kwargs) if plain is not None else NotImplemented

        return tell

    return type(name, (base,), {**{called: method(called) for called in methods}, **members})


List = telling(list, "List", "__getitem__", "__iter__", "__len__", "__add__", "__contains__")
Str = telling(str, "Str", "__add__", "__len__", "__eq__", "__hash__", "__format__", "__str__")
Dict = telling(dict, "Dict", "__missing__", "__getitem__", "__iter__", "get", "items")
Int = telling(int, "Int", "__add__", "__radd__", "__eq__", "__bool__", "__index__", "__lt__")
Tuple = telling(tuple, "Tuple", "__iter__", "__getitem__", "__len__")
Any_ = telling(object, "Any_", "__eq__", "__hash__", "__bool__", "__len__", "__iter__", "__call__")


class Equal:
    """Equal to nothing, and tells when it is asked; its hash is that of 1."""

    def __eq__(self, other: object) -> bool:
        told.append("Equal.__eq__")
        return False

    def __hash__(self) -> int:
        told.append("Equal.__hash__")
        return 1


class Index:
    """Stands for the number 1."""

    def __index__(self) -> int:
        told.append("Index.__index__")
        return 1


class Made:
    """Tells when one is made."""

    def __init__(self, *_: Any) -> None:
        told.append("Made.__init__")

    def __lt__(self, other: object) -> bool:
        told.append("Made.__lt__")
        return False


class Printed:
    def __format__(self, spec: str) -> str:
        told.append("Printed.__format__")
        return "printed"

    def __str__(self) -> str:
        told.append("Printed.__str__")
        return "printed"

    __repr__ = __str__


class Lazy:
    """Attributes that are computed."""

    plain = 1

    def __init__(self) -> None:
        self.own = 2

    @property
    def computed(self) -> int:
        told.append("Lazy.computed")
        return 3


class Slotted:
    __slots__ = ("own",)

    def __init__(self) -> None:
        self.own = 2


class AnyName:
    def __init__(self) -> None:
        self.own = 2

    def __getattr__(self, name: str) -> int:
        told.append(f"AnyName.{name}")
        return 4


class EveryName:
    def __getattribute__(self, name: str) -> Any:
        told.append(f"EveryName.{name}")
        return object.__getattribute__(self, name)


class Reduced:
    def __reduce__(self) -> tuple[type, tuple[()]]:
        told.append("Reduced.__reduce__")
        return Reduced, ()


class Stateful:
    def __getstate__(self) -> dict[str, int]:
        told.append("Stateful.__getstate__")
        return {}


class Walker:
    """An iterator of the program's."""

    left = 3

    def __iter__(self) -> Walker:
        told.append("Walker.__iter__")
        return self

    def __next__(self) -> int:
        told.append("Walker.__next__")
        self.left -= 1
        if self.left < 0:
            raise StopIteration
        return 1
