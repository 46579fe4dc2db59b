"""What the program has changed in modules after their import, made the same in a replica.

Each change has a place and a serial number, which places that share objects have in common. One
that the replica has made already is left alone, with what calls have made of it since; one that is
gone is undone.
"""

from __future__ import annotations

import importlib
import pickle
import sys
from collections import Counter, deque
from contextlib import suppress
from operator import is_
from types import CellType, FunctionType, ModuleType
from typing import Any

from cord._core import forget_first, keep_first
from cord.runtime.replica import mirror
from cord.runtime.replica.changes import Merging
from cord.runtime.travel import loaded
from cord.runtime.travel.arrivals import Made

_NOTHING = object()
# Where a change is: the path of what holds it, and the slot; and how to undo it.
Key = tuple[tuple[str, ...], str]
Undo = list[tuple[Any, ...]]


class Patches:
    """The changes that are in place."""

    def __init__(self) -> None:
        self._made: dict[Any, tuple[int, Undo]] = {}
        self._definitions = b""

    def become(
        self,
        executed: dict[str, int],
        definitions: bytes,
        serials: dict[Key, int],
        encoded: bytes,
    ) -> None:
        """Have these changes in place and no others.

        Args:
            executed: How often the program has executed modules that it executed more than once.
            definitions: What they need of the main script, for `mirror.Version`.
            serials: The serial numbers of the changes, by their places.
            encoded: The changes, pickled: place, kind and value of each.
        """
        if definitions and definitions != self._definitions:
            mirror.overlay(definitions)
        self._definitions = definitions
        for name, times in executed.items():
            if name in sys.modules and loaded.executed.get(name, times) < times:
                self._reload(name)
        for key, (serial, undo) in list(self._made.items())[::-1]:
            if serials.get(key) != serial:
                _undo(undo)
                del self._made[key]
        # what has one of these names in the program is not what has it here
        Made.apart = frozenset((path[0], slot) for path, slot in serials if len(path) == 1)
        try:
            items = pickle.loads(encoded) if encoded else []
        finally:
            Made.apart = frozenset()
        new = [item for item in items if item[0] not in self._made]
        merging = _Noting()
        for key, how, value in new:
            if how == "update":
                with suppress(LookupError, AttributeError):
                    merging.noted = []
                    merging.pair_same(_read(_resolve(key[0]), key[1]), value)
                    merging.classes[id(value)] = merging.noted
        count = Counter(serials[key] for key, _, _ in new)
        for key, how, value in new:
            is_shared = count[serials[key]] > 1
            undo = _apply(key, how, value, merging, is_shared=is_shared)
            self._made[key] = serials[key], undo

    def _reload(self, name: str) -> None:
        """Execute a module once more, from the text that the program has executed."""
        for key, (_, undo) in list(self._made.items())[::-1]:
            if key[0][0] == name:
                _undo(undo)
        self.forget(name)
        with suppress(Exception):  # as far as it comes, as in the program
            importlib.reload(sys.modules[name])

    def forget(self, name: str) -> None:
        """A module was executed once more."""
        for key in [key for key in self._made if key[0][0] == name]:
            del self._made[key]
        forget_first(name)


def _apply(key: Key, how: str, value: Any, merging: _Noting, *, is_shared: bool) -> Undo:
    path, slot = key
    try:
        holder = _resolve(path)
    except (LookupError, AttributeError, ImportError):
        return []  # there is nothing of the kind here
    if how == "clear":
        holder.cache_clear()
        return []
    merging.noted = []
    is_merged = how == "update" or (how == "bind" and is_shared)
    there = merging.merged(value) if is_merged else value  # what others have stays what it is
    there = _NOTHING if how == "unbind" else there
    noted = [*merging.classes.pop(id(value), ()), *merging.noted]
    before = _read(holder, slot, _NOTHING)
    is_beside = how == "update" and slot[0] == "@"  # attributes of what has another name
    if before is not there and not is_beside:
        if before is not _NOTHING:
            keep_first(path[0], ".".join((*path[1:], slot)), before)
        _write(holder, slot, there)
        noted.append(("slot", holder, slot, before))
    _settle(path)
    return [("settle", path), *noted]


def _settle(path: tuple[str, ...]) -> None:
    """What `singledispatch` has remembered of its registry holds no longer."""
    for end in range(2, len(path) + 1):
        with suppress(LookupError, AttributeError, ImportError):
            holder = _resolve(path[:end])
            if type(holder) is FunctionType and "_clear_cache" in vars(holder):
                vars(holder)["_clear_cache"]()


def _resolve(path: tuple[str, ...]) -> Any:
    name, *steps = path
    found: Any = sys.modules.get(name)
    if found is None:
        found = importlib.import_module(name)
    for step in steps:
        found = _read(found, step)
    return found


def _read(holder: Any, slot: str, *default: Any) -> Any:
    """What is in a slot, as `parts.slots_of` names it in the program."""
    try:
        return _read_or_fail(holder, slot)
    except (LookupError, AttributeError, ValueError):
        if default:
            return default[0]
        raise LookupError(slot) from None


def _read_or_fail(holder: Any, slot: str) -> Any:
    if type(holder) is FunctionType:
        if slot[0] == "[":
            return _cell(holder, slot).cell_contents
        if slot[0] == ".":
            return vars(holder)[slot[1:]]
        return getattr(holder, slot)
    if isinstance(holder, type) and slot[0] == "@":
        return vars(vars(holder)["_member_map_"][slot[1:]])
    if isinstance(holder, ModuleType) and slot[0] == "@":
        return vars(vars(holder)[slot[1:]])
    if isinstance(holder, (type, ModuleType)) and slot != "__bases__":
        return vars(holder)[slot]
    return getattr(holder, slot)


def _cell(function: FunctionType, slot: str) -> CellType:
    return (function.__closure__ or ())[int(slot[1:-1])]


def _write(holder: Any, slot: str, value: Any) -> None:
    """Bind a slot; or unbind it, if there is nothing."""
    is_bound = value is not _NOTHING
    if type(holder) is FunctionType and slot[0] == "[":
        cell = _cell(holder, slot)
        if is_bound:
            cell.cell_contents = value
        else:
            del cell.cell_contents
        return
    if type(holder) is FunctionType and slot[0] == ".":
        holder, slot = vars(holder), slot[1:]
    elif isinstance(holder, ModuleType):
        holder = vars(holder)
    if isinstance(holder, dict):
        if is_bound:
            holder[slot] = value
        else:
            holder.pop(slot, None)
    elif not is_bound:
        with suppress(AttributeError):
            type.__delattr__(holder, slot) if isinstance(holder, type) else delattr(holder, slot)
    elif isinstance(holder, type):
        type.__setattr__(holder, slot, value)
    else:
        setattr(holder, slot, value)


class _Noting(Merging):
    """Notes what objects held before they are changed.

    What is in an object is what the program has there now. It need not be what was there before,
    which others may hold still: only what a place leads to by itself is changed.
    """

    def __init__(self) -> None:
        super().__init__()
        self.noted: Undo = []
        self.classes: dict[int, Undo] = {}  # by the new content of an object that gets another one
        self._tuples: dict[int, Any] = {}

    def pair_same(self, old: Any, new: Any) -> None:
        """Say that `new` is what `old` has become; of tuples, what is in them."""
        super().pair_same(old, new)
        if type(old) is tuple and type(new) is tuple:
            self._tuples[id(new)] = old

    def merged(self, new: Any, old: Any = _NOTHING) -> Any:
        """What stands for `new`: the replica's own object, changed; or else itself."""
        found = super().merged(new)
        if type(new) is not tuple:
            return found
        old = self._tuples.setdefault(id(new), found)
        if len(old) != len(found) or not all(map(is_, old, found)):
            old = self._tuples[id(new)] = found
        return old

    def before_class(self, target: Any) -> None:
        """An object is about to be given another class."""
        self.noted.append(("class", target, type(target)))

    def before(self, target: Any) -> None:
        """An object is about to be given another content."""
        held = getattr(target, "__dict__", None)
        self.noted.append(("content", target, _copy(target), None if held is None else dict(held)))


def _copy(target: Any) -> Any:
    if isinstance(target, dict):
        return list(dict.items(target))
    kind: Any
    for kind in (list, set, bytearray, deque):
        if isinstance(target, kind):
            return list(kind.__iter__(target))
    if type(target).__name__ == "ndarray":
        return target.copy()
    return _State(target) if hasattr(target, "__setstate__") else None


class _State:
    """What pickle has of an object that can be given such again."""

    def __init__(self, target: Any) -> None:
        self._encoded = pickle.dumps(target.__reduce_ex__(5)[2], 5)

    def give(self, target: Any) -> None:
        """Let the object be as it was."""
        target.__setstate__(pickle.loads(self._encoded))


def _undo(undo: Undo) -> None:
    for kind, target, *rest in reversed(undo):
        with suppress(Exception):
            if kind == "slot":
                _write(target, *rest)
            elif kind == "settle":
                _settle(target)
            elif kind == "class":
                object.__setattr__(target, "__class__", *rest)
            else:
                _restore(target, *rest)


def _restore(target: Any, content: Any, held: dict[str, Any] | None) -> None:
    if isinstance(target, dict):
        dict.clear(target)
        for key, value in content:
            dict.__setitem__(target, key, value)
    elif isinstance(target, (list, bytearray)):
        target[:] = content
    elif isinstance(target, deque):
        deque.clear(target)
        deque.extend(target, content)
    elif isinstance(target, set):
        set.clear(target)
        set.update(target, content)
    elif type(content) is _State:
        content.give(target)
        return
    elif content is not None:
        target[...] = content
    if held is not None:
        vars(target).clear()
        vars(target).update(held)
