"""Encoding of what differs in the project's modules, with what it needs of the main script."""

from __future__ import annotations

from io import BytesIO
from sys import getrefcount
from types import CodeType, FunctionType

from cord.runtime.client.definitions import Encoding
from cord.runtime.travel.byvalue import ByValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cord.runtime.client.parts import Key

    Item = tuple[Key, str, Any]


def encode_items(items: list[Item]) -> tuple[bytes, bytes, set[Key], Any]:
    """Encode what differs.

    Args:
        items: The places, kinds of changes, and values.

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


def encode_item(key: Key, how: str, value: Any) -> tuple[int, frozenset[int]]:
    """Encode what differs in one place, to tell it from other contents.

    Args:
        key: The place.
        how: The kind of change.
        value: What is there now.

    Returns:
        A hash of the encoding, and the addresses of the objects in it that other places may lead
        to; 0 and none if it cannot travel.
    """
    stream = BytesIO()
    pickler = _pickler(stream, [(key, how)])
    try:
        pickler.dump((how, value))
    except Exception:
        return 0, frozenset()
    return hash(stream.getvalue()), _addresses(pickler)


# Objects of these classes are the same wherever they are, or lead to others that tell.
_WITHOUT_IDENTITY = (str, bytes, int, float, tuple, frozenset, type, FunctionType, CodeType)
# The pickler holds what it has seen, and so do a copy of its memo, a name and the question.
_HELD_BY_US = 4


def _addresses(pickler: Any) -> frozenset[int]:
    """Where the objects are that a pickler has seen, but for those that were made for it."""
    found = set()
    for _, one in pickler.memo.copy().values():
        if getrefcount(one) > _HELD_BY_US and not isinstance(one, _WITHOUT_IDENTITY):
            found.add(id(one))
    return frozenset(found)


def groups(places: dict[Key, frozenset[int]]) -> list[list[Key]]:
    """Put places together that lead to the same objects.

    Args:
        places: The addresses of the objects that each leads to.

    Returns:
        The groups; each place is in one.
    """
    found: list[tuple[list[Key], frozenset[int]]] = []
    for key, ids in places.items():
        beside = [one for one in found if not one[1].isdisjoint(ids)]
        found = [one for one in found if one[1].isdisjoint(ids)]
        members = [member for one in beside for member in one[0]]
        found.append(([*members, key], ids.union(*(one[1] for one in beside))))
    return [members for members, _ in found]


def _whole(items: list[Item]) -> tuple[bytes | None, list[str]]:
    stream = BytesIO()
    pickler = _pickler(stream, [(key, how) for key, how, _ in items])
    try:
        pickler.dump(items)
    except Exception:
        return None, []
    return stream.getvalue(), list(pickler.names)


def _pickler(stream: BytesIO, places: list[tuple[Key, str]]) -> ByValue:
    keys = [key for key, how in places if how == "bind"]
    bound = {(path[0], ".".join((*path[1:], slot))) for path, slot in keys}
    return ByValue(stream, bound=bound)
