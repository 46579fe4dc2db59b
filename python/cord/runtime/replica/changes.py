"""What an impure call changes in the main script's own globals comes home with its outcome.

A replica notes what the mirror held before the call. What differs afterwards is sent back in front
of the reply, and the client makes the same changes to its own objects, in place where they are.
"""

from __future__ import annotations

import pickle
import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cached_property
from io import BytesIO
from itertools import zip_longest
from operator import is_
from types import FunctionType, GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any

from cord._core import State, Watch, is_made_by_statement
from cord.runtime.travel.byvalue import MAIN, ByValue

_PROTOCOL = 5
_SCALARS = (int, float, complex, bool, str, bytes, type(None))
_FIXED = (
    *_SCALARS,
    type,
    FunctionType,
    ModuleType,
    property,
    classmethod,
    staticmethod,
    cached_property,
    MemberDescriptorType,
    GetSetDescriptorType,
)
_NOTHING = object()

# How to change: `name` is bound to another value, is unbound, or its value is another now; `name`
# is a class or function, an attribute of which is.
Change = tuple[str, str, str, Any]


class Before:
    """What there was before a call.

    Attributes:
        names: The names that the call may use.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)
        main = vars(sys.modules[MAIN])
        self._names = {name: _Noted(main.get(name, _NOTHING)) for name in self.names}
        self._attributes = {
            name: {key: _Noted(value) for key, value in _attributes(noted.value).items()}
            for name, noted in self._names.items()
        }

        noted = [*self._names.values()]
        noted += [each for attributes in self._attributes.values() for each in attributes.values()]
        self._state = self._note_state() if all(each.is_plain for each in noted) else None

    def _note_state(self) -> State:
        """What the names stand for, and all of that."""
        bound = {name: noted.value for name, noted in self._names.items()}
        unbound = [name for name, value in bound.items() if value is _NOTHING]
        bound = {name: value for name, value in bound.items() if value is not _NOTHING}
        own = [value for value in bound.values() if _is_own(value)]
        functions = [value for value in own if isinstance(value, FunctionType)]
        classes = [value for value in own if isinstance(value, type)]
        watch = Watch([*bound.values()], functions, classes)
        return State(bound, unbound, {}, watch, ([], set(), False))

    def changes(self) -> list[Change]:
        """What differs now."""
        if self._state is not None and self._state.is_current():
            return []
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
        if not found and self._state is not None:  # others stand for the same
            self._state = self._note_state()
        return found


class _Noted:
    """A value, and what it looked like."""

    __slots__ = ("is_plain", "printed", "value")

    def __init__(self, value: object) -> None:
        self.value = value
        self.is_plain = True
        self.printed: bytes | None = None
        if isinstance(value, _FIXED) or value is _NOTHING:
            return
        try:
            self.printed = pickle.dumps(value, _PROTOCOL)
        except Exception:
            self.printed = _print(value)
            self.is_plain = self.printed is None

    def change(self, now: object) -> str | None:
        if now is not self.value:
            return "unbind" if now is _NOTHING else "bind"
        return None if self.printed == _print(now) else "update"


def _is_own(holder: object) -> bool:
    """Whether a class or function is the main script's, or a function made it: it came with it."""
    if not isinstance(holder, (type, FunctionType)):
        return False
    return holder.__module__ == MAIN or "<" in holder.__qualname__


def _attributes(holder: object) -> dict[str, Any]:
    """What a call may change of a class or function of the main script's, or that came with it.

    Attributes by their names, and what a function's cells hold by their numbers: `[0]`.
    """
    if not _is_own(holder):
        return {}
    found = {
        name: value
        for name, value in vars(holder).items()
        if not (name.startswith("__") and name.endswith("__"))
    }
    for number, cell in enumerate(getattr(holder, "__closure__", None) or ()):
        with suppress(ValueError):  # nothing is bound yet
            found[f"[{number}]"] = cell.cell_contents
    return found


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
    changes: list[Change] = pickle.loads(encoded)
    merging = Merging()
    for how, name, key, new in changes:
        if how == "update":
            merging.pair_same(_attributes(main[name]).get(key) if key else main.get(name), new)
    for how, name, key, new in changes:
        value = merging.merged(new)
        if key and key[0] == "[":
            main[name].__closure__[int(key[1:-1])].cell_contents = value
        elif key and how == "unbind":
            delattr(main[name], key)
        elif key:
            setattr(main[name], key, value)
        elif how == "unbind":
            main.pop(name, None)
        else:
            main[name] = value


class Merging:
    """Gives the program's objects the contents of others, and those inside that correspond."""

    def __init__(self) -> None:
        self._targets: dict[int, Any] = {}  # by the id of the object with the contents
        self._done: set[int] = set()

    def pair(self, old: Any, new: Any) -> None:
        """Say that `new` is what `old` is to be, if it can be changed so; or what is in it."""
        if type(old) is tuple and type(new) is tuple and len(old) == len(new):
            for one, other in zip(old, new, strict=True):
                self.pair(one, other)
            return
        if type(old) is type(new) and _how_to_change(new) is not None and _is_alike(old, new):
            self._targets.setdefault(id(new), old)

    def pair_same(self, old: Any, new: Any) -> None:
        """Say that `new` is what the very object `old` has become, of any class."""
        if type(old) is not type(new) and _how_to_change(new) is not None:
            self.before_class(old)
            with suppress(TypeError):  # it is another object all the same
                object.__setattr__(old, "__class__", type(new))
        self.pair(old, new)

    def before_class(self, target: Any) -> None:
        """Called before an object is given another class."""

    def before(self, target: Any) -> None:
        """Called before an object is given another content."""

    def merged(self, new: Any, old: Any = _NOTHING) -> Any:
        """What stands for `new`: the program's own object, changed; or else itself."""
        if isinstance(new, _FIXED):
            return new
        if type(new) is tuple:
            items = [self.merged(item) for item in new]
            return new if all(map(is_, items, new)) else tuple(items)
        self.pair(old, new)
        target = self._targets.setdefault(id(new), new)
        change = _how_to_change(new)
        if change is not None and id(new) not in self._done:
            self._done.add(id(new))
            if target is not new:
                self.before(target)
            change(target, new, self)
        return target


def _is_alike(old: Any, new: Any) -> bool:
    """Whether two arrays have one shape; anything else can take another one's contents."""
    kind = ("shape", "dtype") if _how_to_change(new) is _change_array else ()
    return all(getattr(old, name) == getattr(new, name) for name in kind)


def _how_to_change(value: object) -> Callable[[Any, Any, Merging], None] | None:
    if isinstance(value, (list, deque)):
        return _change_sequence
    if isinstance(value, dict):
        return _change_dict
    if isinstance(value, (set, bytearray)):
        return _change_whole
    if type(value).__module__ == "numpy" and type(value).__name__ == "ndarray":
        return _change_array
    if hasattr(value, "__setstate__"):
        return _set_state
    is_usual = type(value).__reduce_ex__ is object.__reduce_ex__
    return _change_state if is_usual and type(value).__reduce__ is object.__reduce__ else None


def _change_sequence(old: Any, new: Any, merging: Merging) -> None:
    kind = list if isinstance(old, list) else deque  # not what the program's class makes of it
    items = [merging.merged(*pair) for pair in zip_longest(new, list(old)[: len(new)])]
    kind.clear(old)
    kind.extend(old, items)
    _change_state(old, new, merging)


def _change_dict(old: Any, new: Any, merging: Merging) -> None:
    kind = OrderedDict if isinstance(old, OrderedDict) else dict
    items = [
        (key, merging.merged(kind.__getitem__(new, key), kind.get(old, key)))
        for key in kind.keys(new)
    ]
    kind.clear(old)
    for key, value in items:
        kind.__setitem__(old, key, value)
    _change_state(old, new, merging)


def _change_whole(old: Any, new: Any, merging: Merging) -> None:
    if isinstance(old, bytearray):
        old[:] = new
    else:
        held = list(new)
        set.clear(old)
        set.update(old, held)
    _change_state(old, new, merging)


def _change_array(old: Any, new: Any, _merging: Merging) -> None:
    if old is not new:
        old[...] = new


def _set_state(old: Any, new: Any, _merging: Merging) -> None:
    if old is not new:
        old.__setstate__(new.__reduce_ex__(_PROTOCOL)[2])


def _change_state(old: Any, new: Any, merging: Merging) -> None:
    if hasattr(new, "__dict__"):
        items = {key: merging.merged(value, vars(old).get(key)) for key, value in vars(new).items()}
        vars(old).clear()
        vars(old).update(items)
    for base in type(new).__mro__:
        for member in base.__dict__.values():
            if isinstance(member, MemberDescriptorType) and is_made_by_statement(base):
                with suppress(AttributeError):  # a slot that is not set
                    value = member.__get__(new)
                    member.__set__(old, merging.merged(value, getattr(old, member.__name__, None)))
