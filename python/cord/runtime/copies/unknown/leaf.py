"""What a leaf is."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn, Self

    from .nodes import Node


class Unknown(Exception):
    """A leaf cannot be sent as it is."""


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
