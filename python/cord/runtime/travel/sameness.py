"""Whether two pickles hold the same, whichever of their constants are one object."""

from __future__ import annotations

import pickletools

# What stands for a text, a number or bytes, and for nothing that can be changed.
_CONSTANTS = frozenset(
    "BINUNICODE SHORT_BINUNICODE BINUNICODE8 BINBYTES SHORT_BINBYTES BINBYTES8".split()
)
_KEEPS = frozenset(["MEMOIZE", "PUT", "BINPUT", "LONG_BINPUT"])
_GETS = frozenset(["GET", "BINGET", "LONG_BINGET"])

Step = tuple[str, object]


def are_alike(left: bytes, right: bytes) -> bool:
    """Whether two pickles are the same, but for constants that one of them holds several times.

    Nothing is unpickled, so no code of the program's runs.

    Args:
        left: A pickle.
        right: Another one, made in the same way.
    """
    return _steps(left) == _steps(right)


def _steps(pickle: bytes) -> list[Step]:
    """What a pickle does, with constants in place of what was kept of them."""
    steps: list[Step] = []
    kept: list[Step] = []
    objects = 0
    for operation, argument, _ in pickletools.genops(pickle):
        name = operation.name
        if name in _KEEPS:
            last = steps[-1]
            if last[0] not in _CONSTANTS:
                last = ("object", objects)
                objects += 1
            kept.append(last)
        elif name in _GETS:
            assert isinstance(argument, int)
            steps.append(kept[argument])
        elif name != "FRAME":
            steps.append((name, argument))
    return steps
