"""What the main script defines, as its remote calls need it: encoded once for each version.

A call that mentions something of the main script's takes along everything that it leads to: the
functions and classes by value, and the globals that these read. They are encoded in one piece, so
that what is one object in the program is one in the replica too.
"""

from __future__ import annotations

import io
import itertools
import os
import pickle
import sys
import types
from collections import ChainMap, deque
from collections.abc import Iterator
from operator import is_
from typing import Any

from cord._core import Definitions, RemoteFunction, end_copy
from cord.runtime import mirror
from cord.runtime.byvalue import MAIN, ByValue, contents_of
from cord.runtime.sources import served
from cord.runtime.watch import Watch

# Versions that are remembered, for as many groups of names.
_MOST = 16
_PROTOCOL = 5
_NOTHING = object()


def definitions(names: list[str], function: Any, pure: bool, ahead: bool) -> Definitions:
    """The definitions behind the names that a call mentions, as they are now.

    Args:
        names: Names of the main script, as pickle has them: `Point`, `Outer.Inner`.
        function: The remote function that is called.
        pure: Whether it is pure; if not, what it changes of them comes home with its outcome.
        ahead: Whether a scout asks: for it they are as the program's last call had them, and a
            call that guesses wrong is never taken.

    Returns:
        What goes before the call's arguments.

    Raises:
        EncodeError: Something that they need cannot travel.
        LookupError: A scout must not encode them.
    """
    roots = tuple(dict.fromkeys([name.partition(".")[0] for name in names]))
    key = (roots, pure)
    version = _versions.get(key)
    if version is not None and (ahead or version.is_current()):
        return version.native
    if ahead and not _are_plain(roots):
        raise LookupError(roots)
    version = _Version(roots, function, pure)
    _versions.pop(key, None)
    _versions[key] = version
    if len(_versions) > _MOST:
        del _versions[next(iter(_versions))]
    return version.native


def _are_plain(roots: tuple[str, ...]) -> bool:
    from cord.runtime.encodable import has_plain_encoding

    known = _known()
    return all(has_plain_encoding(known[root], defining=True) for root in roots if root in known)


def _known() -> ChainMap[str, object]:
    """What names stand for: the main script's own, and those by which its functions are called."""
    return ChainMap(vars(sys.modules[MAIN]), served)


def encode_by_value(
    name: str, args: tuple[Any, ...], kwargs: dict[str, Any] | None, methods: bool = False
) -> tuple[bytes, list[pickle.PickleBuffer], list[str]] | None:
    """Encode a call that a plain pickler refused: functions and classes by value.

    Args:
        name: Name of the remote function that is called.
        args: Its arguments.
        kwargs: Its keyword arguments.
        methods: Pickle has accepted it, but sends bound methods by the names of their functions.

    Returns:
        The encoding, its large buffers, and the names of the main script that it needs; None if
        something else cannot travel, or with `methods`, if all of them have names.
    """
    stream = io.BytesIO()
    buffers: list[pickle.PickleBuffer] = []
    pickler = ByValue(stream, buffers.append)
    try:
        pickler.dump((name, args, kwargs or {}))
    except Exception:
        return None
    if methods and not pickler.binds:
        return None
    return stream.getvalue(), buffers, list(pickler.names)


class _Version:
    """The definitions behind some names at one time, and how to tell that they have changed."""

    def __init__(self, roots: tuple[str, ...], function: Any, pure: bool) -> None:
        known = _known()
        stream = io.BytesIO()
        pickler = ByValue(stream, defining=True)
        self.bound: dict[str, object] = {}
        unbound: list[str] = []
        waiting = _Waiting(pickler.names, roots)
        for name in waiting:
            if name not in known:
                unbound.append(name)
                continue
            self.bound[name] = known[name]
            pickler.dump(name)
            _dump(pickler, name, known[name], function)
        pickler.dump(None)
        pickler.dump(tuple(unbound))
        self.unbound = tuple(unbound)
        remote = [value for value in self.bound.values() if type(value) is RemoteFunction]
        parts = [*pickler.functions, *pickler.classes, *remote]
        self.parts = [(part, _contents(part)) for part in parts]
        held = [*self.bound.values(), *(item for part, _ in self.parts for item in _held_by(part))]
        self.data = Watch(held)
        self.native = _native(stream.getvalue(), pure)

    def is_current(self) -> bool:
        """Whether all is as it was when this was encoded."""
        main = vars(sys.modules[MAIN])
        now: list[object] = [
            main[name] if name in main else served.get(name, _NOTHING) for name in self.bound
        ]
        if not all(map(is_, now, self.bound.values())) or not main.keys().isdisjoint(self.unbound):
            return False
        for part, before in self.parts:
            now = _contents(part)
            if len(now) != len(before) or not all(map(is_, now, before)):
                return False
        return self.data.is_unchanged()


_versions: dict[tuple[tuple[str, ...], bool], _Version] = {}
_natives: dict[tuple[bytes, bool], Definitions] = {}


def forget() -> None:
    """The program has ended: let go of its definitions."""
    _versions.clear()


# replicas make versions too, for calls of other replicas: no two processes' numbers are the same
_numbers = itertools.count(os.getpid() << 32 | 1)


class _Waiting:
    """Names still to be encoded; grows meanwhile. Code goes before data that may need it."""

    def __init__(self, names: dict[str, None], roots: tuple[str, ...]) -> None:
        self._names = names
        self._seen: set[str] = set()
        self._code = deque[str]()
        self._data = deque[str]()
        names.update(dict.fromkeys(roots))

    def __iter__(self) -> Iterator[str]:
        known = _known()
        while True:
            for name in self._names:
                if name not in self._seen:
                    self._seen.add(name)
                    is_code = isinstance(
                        known.get(name), (type, types.FunctionType, RemoteFunction)
                    )
                    (self._code if is_code else self._data).append(name)
            if not self._code and not self._data:
                return
            yield (self._code or self._data).popleft()


def _dump(pickler: ByValue, name: str, value: object, function: Any) -> None:
    try:
        pickler.dump(value)
    except Exception as error:
        from cord.runtime.failures import definition_error

        raise definition_error(error, name, value, function) from error


def _contents(part: Any) -> list[object]:
    """What a function or class consists of, to be compared by identity."""
    if isinstance(part, type):
        return [*part.__bases__, *vars(part), *vars(part).values()]
    if type(part) is RemoteFunction:
        return list(vars(part).values())
    return [part.__code__, part.__defaults__, *contents_of(part)]


def _held_by(part: Any) -> Iterator[object]:
    """The values in a function or class that may change by themselves."""
    if not isinstance(part, type):
        yield from _contents(part)
        return
    for name, value in vars(part).items():
        if not (name.startswith("_") and name.endswith("_")):  # what Python keeps there
            yield value


def _native(encoded: bytes, pure: bool) -> Definitions:
    """The same version for the same definitions, also when they were others in between."""
    key = encoded, pure
    native = _natives.pop(key, None)
    if native is None:
        end_copy()  # its numbers would be those of the program
        native = Definitions(_prefix(next(_numbers), pure), encoded)
    _natives[key] = native
    if len(_natives) > _MOST:
        del _natives[next(iter(_natives))]
    return native


def _prefix(number: int, pure: bool) -> bytes:
    """A piece of pickle: `mirror.define(number, the next buffer)`, the result thrown away."""
    called = mirror.define if pure else mirror.lend
    module, name = called.__module__.encode(), called.__name__.encode()
    return b"".join(
        (
            pickle.SHORT_BINUNICODE + bytes([len(module)]) + module,
            pickle.SHORT_BINUNICODE + bytes([len(name)]) + name,
            pickle.STACK_GLOBAL,
            pickle.LONG1 + b"\x08" + number.to_bytes(8, "little"),
            pickle.NEXT_BUFFER,
            pickle.TUPLE2 + pickle.REDUCE + pickle.POP,
        )
    )
