"""Encoding of what differs in the project's modules, with what it needs of the main script."""

from __future__ import annotations

from io import BytesIO

from cord.runtime.client.definitions import Encoding
from cord.runtime.travel.byvalue import ByValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cord.runtime.client.parts import Key

    Item = tuple[Key, int, str, Any]


def encode_items(items: list[Item]) -> tuple[bytes, bytes, set[Key], Any]:
    """Encode what differs.

    Args:
        items: The places, serial numbers, kinds of changes, and values.

    Returns:
        The encoding, that of the main script's definitions which it needs, the places of what
        cannot travel, and what tells whether those definitions are still the same (None if there
        are none).
    """
    stuck: set[Key] = set()
    encoded, names = _whole(items)
    if encoded is None:
        stuck = {item[0] for item in items if _whole([item])[0] is None}
        encoded, names = _whole([item for item in items if item[0] not in stuck])
    if encoded is None:  # alone each can travel, together they cannot
        stuck = {item[0] for item in items}
        encoded, names = _whole([])
    assert encoded is not None
    if not names:
        return encoded, b"", stuck, None
    try:
        made = Encoding(names, None)
    except Exception:
        return _whole([])[0] or b"", b"", {item[0] for item in items}, None
    return encoded, made.encoded, stuck, made.state()


def encode_item(key: Key, how: str, value: Any) -> bytes | None:
    """Encode what differs in one place, to tell it from other contents.

    Args:
        key: The place.
        how: The kind of change.
        value: What is there now.

    Returns:
        The encoding; None if it cannot travel.
    """
    return _whole([(key, 0, how, value)])[0]


def _whole(items: list[Item]) -> tuple[bytes | None, list[str]]:
    stream = BytesIO()
    places = [(path, slot) for (path, slot), _, how, _ in items if how == "bind"]
    bound = {(path[0], ".".join((*path[1:], slot))) for path, slot in places}
    pickler = ByValue(stream, bound=bound)
    try:
        pickler.dump(items)
    except Exception:
        return None, []
    return stream.getvalue(), list(pickler.names)
