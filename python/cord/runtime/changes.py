"""What an impure call changes in the main script's own globals comes home with its outcome.

A replica notes what the mirror held before the call. What differs afterwards is sent back in front
of the reply, and the client makes the same changes to its own objects, in place where they are.
"""

from __future__ import annotations

import pickle
import sys
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from io import BytesIO
from types import FunctionType, MemberDescriptorType, ModuleType
from typing import Any

from cord.runtime.byvalue import MAIN, ByValue

_PROTOCOL = 5
_SCALARS = (int, float, complex, bool, str, bytes, type(None))
_FIXED = (*_SCALARS, type, FunctionType, ModuleType)
_NOTHING = object()
_HEAP_TYPE = 1 << 9  # flag of classes that Python code defines

# How to change: `name` is bound to another value, is unbound, or its value is another now; `name`
# is a class or function, an attribute of which is.
Change = tuple[str, str, str, Any]


class Before:
    """What there was before a call.

    Args:
        names: The names that the call may use.
    """

    def __init__(self, names: Iterable[str]) -> None:
        main = vars(sys.modules[MAIN])
        self._names = {name: _Noted(main.get(name, _NOTHING)) for name in names}
        self._attributes = {
            name: {key: _Noted(value) for key, value in _attributes(noted.value).items()}
            for name, noted in self._names.items()
        }

    def changes(self) -> list[Change]:
        """What differs now."""
        main = vars(sys.modules[MAIN])
        found: list[Change] = []
        for name, noted in self._names.items():
            how = noted.change(main.get(name, _NOTHING))
            if how is not None:
                found.append((how, name, "", main.get(name)))
            now = _attributes(noted.value)
            before = self._attributes[name]
            for key in dict.fromkeys([*before, *now]):
                how = before.get(key, _Noted(_NOTHING)).change(now.get(key, _NOTHING))
                if how is not None:
                    found.append((how, name, key, now.get(key)))
        return found


class _Noted:
    """A value, and what it looked like."""

    __slots__ = ("printed", "value")

    def __init__(self, value: object) -> None:
        self.value = value
        self.printed = _print(value)

    def change(self, now: object) -> str | None:
        if now is not self.value:
            return "unbind" if now is _NOTHING else "bind"
        return None if self.printed == _print(now) else "update"


def _attributes(holder: object) -> dict[str, Any]:
    """The attributes of a class or function of the main script's that a call may change."""
    if getattr(holder, "__module__", None) != MAIN or not isinstance(holder, (type, FunctionType)):
        return {}
    return {
        name: value
        for name, value in vars(holder).items()
        if not (name.startswith("__") and name.endswith("__"))
    }


def _print(value: object) -> bytes | None:
    if isinstance(value, _FIXED) or value is _NOTHING:
        return None
    try:
        return _dumps(value)
    except Exception:
        return None  # not even a definition: it cannot have come here, nor go home


def _dumps(value: object) -> bytes:
    try:
        return pickle.dumps(value, _PROTOCOL)
    except Exception:
        stream = BytesIO()
        ByValue(stream, homeward=True).dump(value)
        return stream.getvalue()


def before_reply(head: bytes, changes: list[Change]) -> bytes:
    """A reply that makes the changes when it is read.

    Args:
        head: The encoded value or exception.
        changes: What the call has changed.

    Raises:
        Exception: One of them cannot be encoded.
    """
    encoded = _dumps(changes)
    module, name = come_home.__module__.encode(), come_home.__name__.encode()
    prefix = b"".join(
        (
            pickle.SHORT_BINUNICODE + bytes([len(module)]) + module,
            pickle.SHORT_BINUNICODE + bytes([len(name)]) + name,
            pickle.STACK_GLOBAL,
            pickle.BINBYTES8 + len(encoded).to_bytes(8, "little") + encoded,
            pickle.TUPLE1 + pickle.REDUCE + pickle.POP,
        )
    )
    return head[:2] + prefix + head[2:]


# ---- in the client -------------------------------------------------------------------------------


def come_home(encoded: bytes) -> None:
    """Make the changes of a call to the main script's own objects."""
    main = vars(sys.modules[MAIN])
    merged: dict[int, Any] = {}
    for how, name, key, new in pickle.loads(encoded):
        value = new
        if how == "update":
            old = main.get(name) if not key else vars(main[name]).get(key)
            value = merge(old, new, merged)
        if key and how == "unbind":
            delattr(main[name], key)
        elif key:
            setattr(main[name], key, value)
        elif how == "unbind":
            main.pop(name, None)
        else:
            main[name] = value


def merge(old: Any, new: Any, merged: dict[int, Any]) -> Any:
    """Give an object the contents of another, and the objects inside it that correspond.

    Args:
        old: The program's own object.
        new: What it is to be.
        merged: What became of the objects seen so far.

    Returns:
        `old`, changed; `new` where that cannot be done.
    """
    if isinstance(new, _FIXED) or type(old) is not type(new):
        return new
    if id(new) in merged:
        return merged[id(new)]
    change = _how_to_change(new)
    if change is None:
        return new
    merged[id(new)] = old
    change(old, new, merged)
    return old


def _how_to_change(value: object) -> Callable[[Any, Any, dict[int, Any]], None] | None:
    if isinstance(value, (list, deque)):
        return _change_sequence
    if isinstance(value, dict):
        return _change_dict
    if isinstance(value, (set, bytearray)):
        return _change_whole
    if type(value).__module__ == "numpy" and type(value).__name__ == "ndarray":
        return _change_array
    return _change_state if hasattr(value, "__dict__") else None


def _change_sequence(old: Any, new: Any, merged: dict[int, Any]) -> None:
    items = [merge(*pair, merged) for pair in zip(old, new, strict=False)]
    items += list(new)[len(items) :]
    old.clear()
    old.extend(items)
    _change_state(old, new, merged)


def _change_dict(old: Any, new: Any, merged: dict[int, Any]) -> None:
    items = [(key, merge(old.get(key), value, merged)) for key, value in new.items()]
    old.clear()
    old.update(items)
    _change_state(old, new, merged)


def _change_whole(old: Any, new: Any, merged: dict[int, Any]) -> None:
    old.clear()
    (old.extend if isinstance(old, bytearray) else old.update)(new)
    _change_state(old, new, merged)


def _change_array(old: Any, new: Any, _merged: dict[int, Any]) -> None:
    old[...] = new


def _change_state(old: Any, new: Any, merged: dict[int, Any]) -> None:
    if hasattr(new, "__dict__"):
        items = {key: merge(vars(old).get(key), value, merged) for key, value in vars(new).items()}
        vars(old).clear()
        vars(old).update(items)
    for base in type(new).__mro__:
        for member in base.__dict__.values():
            if isinstance(member, MemberDescriptorType) and base.__flags__ & _HEAP_TYPE:
                with suppress(AttributeError):  # a slot that is not set
                    value = member.__get__(new)
                    member.__set__(old, merge(getattr(old, member.__name__, None), value, merged))
