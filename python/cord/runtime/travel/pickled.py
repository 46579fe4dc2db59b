"""The first codec: pickles, with large buffers beside them."""

from __future__ import annotations

from _pickle import UnpicklingError, loads

from cord._core import (
    decode_natively,
    decode_plain,
    encode_natively,
    encode_plain,
    mentions_sets,
)

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Any


def encode(value: object, buffers: list[Any]) -> tuple[bytes, bool]:
    """Pickle a result; see `codec.Codec`."""
    plain = encode_plain(value)
    if plain is not None:
        return plain, True
    natively = encode_natively(value)
    if natively is not None:
        head, buffers[:] = natively
        return head, True
    from cord.runtime.travel.faithful import dumps  # what native code does needs it not

    try:
        head = dumps(value, buffers)
    except MemoryError:
        raise
    except Exception as refusal:
        return encode_by_value(value, buffers, refusal), False
    if mentions_sets(head):
        return _in_order(value, buffers) or head, True
    return head, True


def _in_order(value: object, buffers: list[Any]) -> bytes | None:
    from cord.runtime.travel import ordered

    return ordered.dumps(value, buffers)


def decode(head: bytes, buffers: list[Any]) -> Any:
    """What a pickle and its buffers hold."""
    made = decode_plain(head)
    if made is None:
        made = decode_natively(head, buffers)
    if made is not None:
        return made
    try:
        return loads(head, buffers=buffers)
    except UnpicklingError:
        from cord.runtime.travel import ordered

        return ordered.loads(head, buffers)


def encode_by_value(value: object, buffers: list[Any] | None, refusal: Exception) -> bytes:
    """Encode on the way home what a plain pickler refused: functions and classes by value.

    Args:
        value: The result, or a part of an exception.
        buffers: Large buffers are put here, in place of those that are there; None if they are to
            stay in the encoding.
        refusal: What the plain pickler raised; raised again if nothing helps.

    Returns:
        The encoding.
    """
    from io import BytesIO

    from cord.runtime.travel.byvalue import ByValue  # slow to import, rarely needed

    stream = BytesIO()
    if buffers is not None:
        buffers.clear()
    aside = None if buffers is None else buffers.append
    try:
        ByValue(stream, aside, homeward=True).dump(value)
    except Exception:
        raise refusal from None
    return stream.getvalue()
