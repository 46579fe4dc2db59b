"""What the main script defines, as its remote calls need it: encoded once for each version.

A call that mentions something of the main script's takes along everything that it leads to: the
functions and classes by value, and the globals that these read. They are encoded in one piece, so
that what is one object in the program is one in the replica too.
"""

from __future__ import annotations

import _thread
import io
import itertools
import os
import pickle
import sys
import types
from collections import ChainMap, deque
from collections.abc import Iterator
from typing import Any

from cord._core import (
    Definitions,
    RemoteFunction,
    State,
    Watch,
    end_copy,
    forget_definitions,
    original_of,
    remember_definitions,
)
from cord.runtime.client import modules
from cord.runtime.client.parts import CACHED
from cord.runtime.objects import identity
from cord.runtime.objects.classes import attributes_of_members
from cord.runtime.objects.sources import served
from cord.runtime.objects.texts import named_elsewhere
from cord.runtime.replica import mirror
from cord.runtime.travel.arrivals import own
from cord.runtime.travel.byvalue import MAIN, ByValue, parts_of
from cord.runtime.travel.holders import own_name

# Encodings that are remembered.
_MOST = 16
# So often what other threads change meanwhile is encoded once more.
_TRIES = 3


def encode_definitions(roots: list[str], function: Any, pure: bool, ahead: bool) -> Definitions:
    """Encode the definitions behind the names that a call mentions, as they are now.

    Args:
        roots: Names of the main script's.
        function: The remote function that is called.
        pure: Whether it is pure; if not, what it changes of them comes home with its outcome.
        ahead: Whether a scout asks.

    Returns:
        What goes before the call's arguments. Later calls find it while nothing has changed.

    Raises:
        EncodeError: Something that they need cannot travel.
        LookupError: A scout must not encode them.
    """
    if ahead and not _are_plain(roots):
        raise LookupError(roots)
    made = Encoding(roots, function)
    if pure:
        _refuse_counted(made.bound, function)
    state = made.state()
    is_settled = not _thread._count()
    for _ in range(_TRIES):
        if is_settled:
            break
        again = Encoding(roots, function)
        is_settled = again.encoded == made.encoded and state.is_current()
        if not is_settled:
            made, state = again, again.state()
    modules.also([*made.functions, *made.classes])
    native = _native(made.encoded, pure)
    if is_settled:
        remember_definitions(roots, pure, state, native)
    return native


def _refuse_counted(bound: dict[str, object], function: Any) -> None:
    """Have the program make calls that a cache counts, if its text asks how many there were."""
    for name, value in bound.items():
        if type(value) is CACHED and b"cache_info" in named_elsewhere():
            from cord.runtime.travel.failures import definition_error

            error = pickle.PicklingError("the program looks at what it counts")
            raise definition_error(error, name, value, function)


def _are_plain(roots: list[str]) -> bool:
    from cord.runtime.travel.encodable import has_plain_encoding

    known = _known()
    return all(has_plain_encoding(known[root], defining=True) for root in roots if root in known)


def _known() -> ChainMap[str, object]:
    """What names stand for: the main script's own, and those by which its functions are called."""
    return ChainMap(vars(sys.modules[MAIN]), served)


def encode_by_value(
    name: str,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    methods: bool = False,
    shared: list[str] | None = None,
) -> tuple[bytes, list[pickle.PickleBuffer], list[str]] | None:
    """Encode a call that a plain pickler refused: functions and classes by value.

    Args:
        name: Name of the remote function that is called.
        args: Its arguments.
        kwargs: Its keyword arguments.
        methods: Pickle has accepted it, but sends bound methods by the names of their functions.
        shared: Names of what travels with the definitions only.

    Returns:
        The encoding, its large buffers, and the names of the main script that it needs; None if
        something else cannot travel, or with `methods`, if all of them have names.
    """
    stream = io.BytesIO()
    buffers: list[pickle.PickleBuffer] = []
    pickler = ByValue(stream, buffers.append)
    if shared:
        pickler = _Sharing(stream, buffers.append, shared)
    try:
        pickler.dump((name, args, kwargs or {}))
    except Exception:
        return None
    if methods and not pickler.binds:
        return None
    modules.also([*pickler.functions, *pickler.classes])
    return stream.getvalue(), buffers, list(pickler.names)


def shared_names(
    names: list[str], args: tuple[Any, ...], kwargs: dict[str, Any] | None
) -> tuple[list[str], bool] | None:
    """What a call is given that functions of the main script know by a name, too.

    A replica would have it twice, and each of the two would change by itself.

    Args:
        names: The names that the call mentions.
        args: Its arguments.
        kwargs: Its keyword arguments.

    Returns:
        Their names in the main script, and whether there is more of the kind that has none there;
        None if there is nothing.
    """
    from cord.runtime.travel.reach import Reach

    roots = (*args, *(kwargs or {}).values())
    given = Reach(roots)
    wanted = set(map(id, given.objects[: given.direct]))
    shared = wanted & _known_by(names) if wanted else set[int]()
    if not shared:
        return None
    main = vars(sys.modules[MAIN])
    named = {id(value): name for name, value in main.items() if id(value) in shared}
    rest = Reach(roots, without=named)
    others = shared & set(map(id, rest.objects[: rest.direct]))
    return list(named.values()), bool(others)


def _known_by(names: list[str]) -> set[int]:
    """The objects that names of the main script lead to, by way of its functions, too."""
    from cord.runtime.travel.reach import Reach

    known, found, seen = _known(), set[int](), set[int]()
    waiting: list[Any] = [known[name] for name in names if name in known]
    while waiting:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if isinstance(part, (type, types.FunctionType, RemoteFunction)):
            is_own = getattr(part, "__module__", None) == MAIN
            waiting.extend(parts_of(part, defining=True) if is_own else ())
        else:
            found.update(map(id, Reach([part]).objects))
    return found


class _Own:
    """Pickles as what the main script has under a name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return own, (self._name,)


class _Sharing(ByValue):
    """A pickler that leaves to the definitions what the main script has under some names."""

    def __init__(self, file: Any, buffers: Any, shared: list[str]) -> None:
        super().__init__(file, buffers)
        known = _known()
        self._shared = {id(known[name]): _Own(name) for name in shared}
        self.names.update(dict.fromkeys(shared))

    def persistent_id(self, obj: Any) -> _Own | None:
        return self._shared.get(id(obj))


class Encoding:
    """The definitions behind some names, encoded.

    Attributes:
        bound: What the names stand for, and those that they lead to.
        unbound: Names among these that stand for nothing.
        encoded: The encoding.
        functions: The functions in it.
        classes: The classes in it.
    """

    def __init__(self, roots: list[str], function: Any) -> None:
        known = _known()
        stream = io.BytesIO()
        pickler = ByValue(stream, defining=True)
        self.bound: dict[str, object] = {}
        self.unbound: list[str] = []
        for name in _Waiting(pickler.names, roots):
            if name not in known:
                self.unbound.append(name)
                continue
            self.bound[name] = known[name]
            pickler.dump(name)
            _dump(pickler, name, known[name], function)
        pickler.dump(None)
        pickler.dump(tuple(self.unbound))
        self.encoded = stream.getvalue()
        self.functions, self.classes = pickler.functions, pickler.classes

    def state(self) -> State:
        """Note what all that was encoded holds."""
        remote = [value for value in self.bound.values() if type(value) is RemoteFunction]
        attributes = [vars(function) for function in remote]
        for cls in self.classes:
            attributes += attributes_of_members(cls).values()
        watch = Watch([*self.bound.values(), *attributes], self.functions, self.classes)
        named = identity.loggers()
        named |= {id(one) for one in self.bound.values() if own_name(one) is not None}
        functions = [*self.functions, *map(original_of, remote)]
        known = ([*functions, *self.classes], named, identity.compares(functions))
        return State(self.bound, self.unbound, served, watch, known)


_natives: dict[tuple[bytes, bool], Definitions] = {}


def forget() -> None:
    """The program has ended: let go of its definitions."""
    forget_definitions()


# replicas make versions too, for calls of other replicas: no two processes' numbers are the same
_numbers = itertools.count(os.getpid() << 32 | 1)


class _Waiting:
    """Names still to be encoded; grows meanwhile. Code goes before data that may need it."""

    def __init__(self, names: dict[str, None], roots: list[str]) -> None:
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
        from cord.runtime.travel.failures import definition_error

        raise definition_error(error, name, value, function) from error


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
