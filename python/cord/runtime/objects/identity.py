"""Whether code compares objects by their identity."""

from __future__ import annotations

import functools
import sys
from opcode import opmap
from types import CodeType, FunctionType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_IS, _CONSTANT = opmap["IS_OP"], opmap["LOAD_CONST"]
_SINGLE = (None, True, False, ..., NotImplemented)


def compares(functions: Iterable[Any]) -> bool:
    """Whether some functions compare by `is`, not with `None` or such, or ask for `id`."""
    return any(_compares(one.__code__) for one in functions if type(one) is FunctionType)


@functools.lru_cache(maxsize=4096)
def _compares(code: CodeType) -> bool:
    steps = code.co_code
    for at in range(2, len(steps), 2):
        if steps[at] == _IS and not _is_single(code, steps[at - 2], steps[at - 1]):
            return True
    inner = (one for one in code.co_consts if type(one) is CodeType)
    return "id" in code.co_names or any(map(_compares, inner))


def _is_single(code: CodeType, before: int, argument: int) -> bool:
    if before != _CONSTANT or argument >= len(code.co_consts):
        return False
    return any(code.co_consts[argument] is one for one in _SINGLE)


def loggers() -> set[int]:
    """The addresses of loggers: replicas have them by their names."""
    if (logging := sys.modules.get("logging")) is None:
        return set()
    return {id(logging.root), *map(id, logging.Logger.manager.loggerDict.values())}
