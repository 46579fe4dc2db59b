"""Plain objects that do not change.

Written by hand rather than with `dataclasses`, whose import alone takes longer than reading a plan.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self


class Value:
    """Compares and prints by its slots, which are set once."""

    __slots__: tuple[str, ...] = ()

    def _set(self, **fields: object) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def __getstate__(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self.__slots__}

    def __setstate__(self, fields: dict[str, object]) -> None:
        self._set(**fields)

    def _but(self, **fields: object) -> Self:
        """The same with other fields."""
        made = type(self).__new__(type(self))
        made._set(**{**self.__getstate__(), **fields})
        return made

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a plan does not change: {name}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({fields})"
