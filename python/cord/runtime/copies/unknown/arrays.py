"""Arrays that a copy does not know yet."""

from __future__ import annotations

import sys
from functools import cache

from cord.runtime.travel.faithful import reducers

from .leaf import Leaf
from .nodes import LOST, Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@cache
def _array_class() -> type:
    ndarray = sys.modules["numpy"].ndarray

    class UnknownArray(Leaf, ndarray):  # type: ignore[misc, valid-type]
        """An array. What is computed from it has the sample's numbers, and is never sent."""

        _node: Node

        def __array_finalize__(self, _source: object) -> None:
            self._node = LOST

        @property
        def _sample(self) -> Any:
            return self.view(ndarray)

    reducers.refuse({UnknownArray})
    return UnknownArray


def is_array(sample: object) -> bool:
    """Whether something is an array of numbers."""
    numpy = sys.modules.get("numpy")
    return (
        numpy is not None
        and type(sample) is getattr(numpy, "ndarray", None)
        and not sample.dtype.hasobject  # type: ignore[attr-defined]
    )


def stand_in_array(sample: Any, node: Node) -> Any:
    """What stands for an array."""
    made = sample.view(_array_class())
    made._node = node
    return made
