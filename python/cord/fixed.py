"""Plain objects that do not change, written as `dataclasses` has them.

Not made by it, for its import alone takes longer than reading a plan.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import field
    from typing import Any, ClassVar, Self, dataclass_transform
else:

    class field:
        """A field whose value is made anew for each object."""

        def __init__(self, default_factory: Callable[[], Any]) -> None:
            self.made = default_factory

    def dataclass_transform(**_how: Any) -> Callable[[type], type]:
        """For type checkers."""
        return lambda cls: cls


__all__ = ["Value", "field"]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Value:
    """Has a field for each annotation of its class; compares and prints by them.

    The class's own fields come before those of the class above, which are given by their names.
    """

    if TYPE_CHECKING:
        fields: ClassVar[dict[str, Any]]
        _usual: ClassVar[dict[str, Any]]
    else:
        fields = {}

    def __init_subclass__(cls, *, kw_only: bool = False) -> None:
        own = vars(cls).get("__annotations__", {})
        cls.fields = {**{name: vars(cls).get(name, field) for name in own}, **cls.fields}
        cls._usual = {name: one for name, one in cls.fields.items() if one is not field}

    def __init__(self, *args: Any, **named: Any) -> None:
        mine = vars(self)
        mine.update(self._usual)
        mine.update(zip(self.fields, args, strict=False))
        mine.update(named)
        if mine.keys() != self.fields.keys() or len(args) > len(mine):
            raise TypeError(f"fields that are missing or unknown: {mine.keys() ^ self.fields}")
        for name, value in mine.items():
            if type(value) is field:
                mine[name] = value.made()

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.fields}

    def __setstate__(self, fields: dict[str, Any]) -> None:
        vars(self).update(fields)

    def but(self, **fields: Any) -> Self:
        """The same with other fields."""
        return type(self)(**{**self.__getstate__(), **fields})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} does not change: {name}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.__getstate__() == other.__getstate__()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self.__getstate__().items())
        return f"{type(self).__name__}({fields})"
