"""What a leaf is."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn, Self

    from .nodes import Node


class Unknown(Exception):
    """A leaf cannot be sent as it is."""


class Unseen:
    """What stands for something of which no sample is known, or which is never known.

    Args:
        node: What it stands for.
        kind: Its class, if that is known.
    """

    __slots__ = ("__weakref__", "_kind", "_node")
    _node: Node
    _kind: type

    def __init__(self, node: Node, kind: type | None = None) -> None:
        object.__setattr__(self, "_node", node)
        object.__setattr__(self, "_kind", kind or Unseen)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """What `isinstance` is told."""
        return self._kind

    def __reduce_ex__(self, _protocol: object) -> NoReturn:
        raise Unknown

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memo: object) -> Self:
        return self


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

    def __reduce_ex__(self, _protocol: object) -> NoReturn:
        raise Unknown

    def __copy__(self) -> Leaf:
        return self

    def __deepcopy__(self, _memo: object) -> Leaf:
        return self
