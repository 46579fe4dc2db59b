"""Results that a scout looks at: decoded without running code of the program."""

from __future__ import annotations

import io
import pickle
import pickletools
import sys

from cord._core import decode_natively
from cord.runtime.objects.classes import is_enumeration, is_trusted_type
from cord.runtime.travel.encodable import rebuilds_plainly

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Opcodes that name something outside the pickle, and those that call what was named.
_NAMES = frozenset({"GLOBAL", "STACK_GLOBAL", "INST", "EXT1", "EXT2", "EXT4"})
_CALLS = frozenset({"REDUCE", "OBJ", "INST"})
_STACK_GLOBAL = b"\x93"
# Longer pickles that name things are left to the program: looking through them takes time.
_LONGEST = 1 << 20

_BUILDERS = frozenset(
    {
        ("builtins", "bytearray"),
        ("builtins", "complex"),
        ("builtins", "frozenset"),
        ("builtins", "range"),
        ("builtins", "set"),
        ("builtins", "slice"),
        ("cord._core", "set_from_places"),
        ("collections", "OrderedDict"),
        ("collections", "deque"),
        ("_codecs", "encode"),
        ("numpy", "dtype"),
        ("numpy", "ndarray"),
        ("numpy.core.multiarray", "_reconstruct"),
        ("numpy.core.multiarray", "scalar"),
        ("numpy.core.numeric", "_frombuffer"),
        ("numpy._core.multiarray", "_reconstruct"),
        ("numpy._core.multiarray", "scalar"),
        ("numpy._core.numeric", "_frombuffer"),
    }
)


class NotPlain(Exception):
    """Decoding this might run code of the program."""


class _Reader(pickle.Unpickler):
    """Names only what is known to be harmless."""

    def __init__(self, head: bytes, buffers: list[Any], calls: bool) -> None:
        super().__init__(io.BytesIO(head), buffers=buffers)
        self._calls = calls

    def persistent_load(self, pid: Any) -> Any:
        return pid  # a set with its order (see `ordered`)

    def find_class(self, module_name: str, name: str) -> Any:
        if (module_name, name) in _BUILDERS:
            return super().find_class(module_name, name)
        found: Any = sys.modules.get(module_name)
        for part in name.split("."):
            found = getattr(found, part, None)
        if not isinstance(found, type):
            raise NotPlain(name)
        if is_trusted_type(found) or is_enumeration(found):
            return found
        if self._calls or not rebuilds_plainly(found):
            raise NotPlain(name)
        return found


def decode(head: bytes, buffers: list[Any]) -> Any:
    """Decode a result for a scout.

    Args:
        head: The pickle.
        buffers: Its out-of-band buffers.

    Raises:
        NotPlain: It holds objects whose classes take a hand in their making.
    """
    made = decode_natively(head, buffers)
    if made is not None:
        return made
    if _STACK_GLOBAL not in head:
        return pickle.loads(head, buffers=buffers)
    if len(head) > _LONGEST:
        raise NotPlain("it is too long")
    codes = {opcode.name for opcode, _, _ in pickletools.genops(head)}
    if not codes & _NAMES:
        return pickle.loads(head, buffers=buffers)
    return _Reader(head, buffers, bool(codes & _CALLS)).load()
