"""A piece of pickle in front of a reply: it does something when the reply is read."""

from __future__ import annotations

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable


def before_reply(head: bytes, do: Callable[[bytes], object], encoded: bytes) -> bytes:
    """Let a reply call a function when it is read.

    Args:
        head: The value or exception, pickled.
        do: The function, by whose name it is found there.
        encoded: What it is given.
    """
    named = b"".join(
        b"\x8c" + bytes([len(text)]) + text.encode() for text in (do.__module__, do.__name__)
    )
    # with nothing that would be counted among what the pickle remembers: STACK_GLOBAL, BINBYTES8,
    # TUPLE1, REDUCE, POP
    given = b"\x93\x8e" + len(encoded).to_bytes(8, "little") + encoded + b"\x85R0"
    return head[:2] + named + given + head[2:]
