"""What a leaf is."""

from __future__ import annotations

from cord import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn, Self

    from .nodes import Node

# What the program has pickled, for nobody but itself: a pickle that is sent shows a mark.
_pickled: list[Any] = []


def pickled(thing: Any) -> tuple[Any, tuple[str, int]]:
    """How the program's pickles take apart what stands for a value."""
    _pickled.append(thing)
    return _again, (_core.MARK, len(_pickled) - 1)


def _again(_mark: str, number: int) -> Any:
    return _pickled[number]


Unknown = _core.UnknownError


def refused(_thing: object) -> NoReturn:
    """How it is taken apart by who would send it."""
    raise Unknown


class Leaf:
    """What stands for a text or a number; its subclasses are such."""

    __slots__ = ()
    _sample: Any
    _node: Node

    def __new__(cls, sample: Any, node: Node) -> Self:
        """What stands for `node`, and is like the sample."""
        made = super().__new__(cls, sample)  # type: ignore[call-arg]  # that of the text or number
        made._sample, made._node = sample, node  # type: ignore[misc]  # slots of subclasses
        return made

    def __reduce_ex__(self, _protocol: object) -> tuple[Any, tuple[str, int]]:
        return pickled(self)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """What NumPy computes of it."""
        from .arrays import computed

        return computed(getattr(ufunc, method), inputs, options)

    def __copy__(self) -> Leaf:
        return self

    def __deepcopy__(self, _memo: object) -> Leaf:
        return self


def _unseen(_node: Node) -> type:
    return Unseen


# What tells the class of what is not known at all.
kind_of: list[Callable[[Node], type]] = [_unseen]


class Unseen(Leaf):
    """What stands for something of which no sample is known, or which is never known.

    Args:
        node: What it stands for.
        kind: Its class, if that is known.
    """

    __slots__ = ("__weakref__", "_kind", "_node")
    _kind: type

    def __new__(cls, node: Node, kind: type | None = None) -> Self:
        """What stands for `node`."""
        made = object.__new__(cls)
        object.__setattr__(made, "_node", node)
        object.__setattr__(made, "_kind", kind or cls)
        return made

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """What `isinstance` is told: where that is not known, the copy itself waits for it."""
        return self._kind if self._kind is not Unseen else kind_of[0](self._node)
