"""Types of Python and what JSON has of them."""

from __future__ import annotations

from typing import Any

import msgspec

# One value of each kind that JSON has.
_VALUES: tuple[Any, ...] = (None, True, 1, 0.5, "", [], {})


class _Foreign(Exception):
    def __init__(self, kind: type) -> None:
        super().__init__()
        self.kind = kind


def any_of_json(kind: type) -> dict[str, Any]:
    """The schema of a type that msgspec does not know, such as `object`.

    Raises:
        Exception: Nothing of JSON is of that type: all that is sent would be refused.
    """
    if any(isinstance(value, kind) for value in _VALUES):
        return {}
    raise _Foreign(kind)


def foreign_in(hint: Any) -> type | None:
    """A type in a hint of which nothing that JSON has is; None where there is none."""
    try:
        msgspec.json.schema(hint, schema_hook=any_of_json)
    except _Foreign as found:
        return found.kind
    except (TypeError, ValueError, RuntimeError):
        return None  # whether it can be decoded is told elsewhere
    return None
