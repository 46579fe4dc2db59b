"""The state of the project's modules, as the program has it, for replicas to have the same.

When a module of the project has been imported, it is noted what its names, its functions and its
classes hold. What remote functions reach of that is looked at by native code at each call
(`cord-py/src/client/module_state.rs`). Where it has moved, `look` finds what differs from what the
import left, and encodes it; it goes with calls as part of their world.
"""

from __future__ import annotations

import marshal
import sys
from types import FunctionType

from cord._core import (
    Reached,
    RemoteFunction,
    Watch,
    cleared_caches,
    hear_of_cleared_caches,
    mark_module_state,
    module_state_moved,
    move_module_state,
    original_of,
)
from cord.runtime.client import chance, foreign, told_apart
from cord.runtime.client.parts import (
    CACHED,
    Holder,
    Noted,
    addresses_inside,
    attributes_beside,
    holders_of,
    is_opaque,
    names_of_hidden,
    parts_within,
)
from cord.runtime.client.readable import modules_readable_by
from cord.runtime.objects import identity, texts
from cord.runtime.objects.classes import attributes_of_members
from cord.runtime.objects.leaving import holds_stream
from cord.runtime.objects.reach import Reach, code_names, is_of_project, names_of, reach_of
from cord.runtime.travel import loaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping
    from types import ModuleType
    from typing import Any

    from cord.runtime.client.parts import Key


class _Item:
    """What differs, in one place.

    Attributes:
        serial: Tells replicas whether it is what they have already. Places that share objects have
            one, which is another one as soon as one of them has changed, come or gone.
        group: Those places.
        noted: What it was when it was encoded.
        how: As `Noted.change` has it, or "clear" of a cache.
        print: Of its encoding.
        ids: The objects that it leads to.
    """

    __slots__ = ("group", "how", "ids", "noted", "print", "serial")

    def __init__(self, key: Key, how: str, value: Any) -> None:
        from cord.runtime.client.encoding import encode_item

        self.serial = 0
        self.group: frozenset[Key] = frozenset()
        self.how = how
        self.noted = Noted(value, is_named=True)
        self.print, self.ids = encode_item(key, how, value)

    def is_same(self, how: str, value: Any) -> bool:
        """Whether this is still what differs."""
        return self.how == how and self.noted.is_same(value)


class _Modules:
    """What is known of the project's modules in this process.

    Attributes:
        holders: Modules, functions and classes as their import left them, by what they are.
        encoded: What differs now, encoded.
        stuck: The places where something differs that cannot travel.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Know nothing."""
        self.holders: dict[int, Holder] = {}
        self.modules: dict[str, Holder] = {}
        self.encoded = b""
        self.stuck: set[Key] = set()
        self.main: Any = None
        self._items: dict[Key, _Item] = {}
        self._serials: dict[Key, int] = {}
        self.others = Reach()
        self._known: set[Any] = set()
        self._names: dict[str, set[str]] = {}
        self._ids: dict[int, None] = {}

    def note(self, module: ModuleType) -> None:
        """A module is as its import left it."""
        name = names_of(module)["__name__"]
        for holder in holders_of(module):
            self.holders[id(holder.value)] = holder
        self.modules[name] = self.holders[id(module)]
        self.modules[name].count_as_bound(chance.names_by_chance(module))
        foreign.note(module)
        move_module_state(name)

    def is_new(self, value: Any) -> bool:
        """Whether what this reaches has not been asked for before."""
        value = original_of(value) if type(value) is RemoteFunction else value
        number = value.__code__ if type(value) is FunctionType else id(value)
        if number in self._known:
            return False
        self._known.add(number)
        return True

    def widen(self, reach: Reach) -> None:
        """A function is called that reaches this."""
        for name, names in reach.names.items():
            self._names.setdefault(name, set()).update(names)
        self._ids.update((id(one), None) for one in (*reach.functions, *reach.classes))
        foreign.widen(reach)

    def refresh(self, whole: Container[str] = ()) -> None:
        """Find what differs, and encode it if it is not what is encoded.

        Args:
            whole: Modules of which all counts, not only what is reached: one that is imported may
                read it.
        """
        found = dict(self._differences(whole))
        found.update(foreign.differences())
        self._number(found)
        shared = self._shared(whole)
        if shared:
            found.update(shared)
            self._number(found)
        self._encode(found)

    def _differences(self, whole: Container[str]) -> list[tuple[Key, tuple[str, Any]]]:
        found = [
            each for holder, names in self._looked_at(whole) for each in holder.differences(names)
        ]
        for one, times in cleared_caches().items():
            if (cache := self.holders.get(one)) is not None:
                found.append(((cache.path, "()"), ("clear", times)))
        return found

    def _looked_at(self, whole: Container[str]) -> Iterator[tuple[Holder, set[str] | None]]:
        """The holders of which something counts, and which of their slots; None for all."""
        for holder in list(self.holders.values()):
            if holder.path[0] in whole:
                yield holder, None
        for name, names in self._names.items():
            if (module := self.modules.get(name)) is not None:
                yield module, names
        for one in self._ids:
            if (part := self.holders.get(one)) is not None:
                yield part, None

    def _shared(self, whole: Container[str]) -> dict[Key, tuple[str, Any]]:
        """Places where nothing has changed, but what they hold has been put into others, too."""
        led_to = frozenset().union(*(item.ids for item in self._items.values()))
        if not led_to:
            return {}
        return {
            key: ("update", value)
            for holder, names in self._looked_at(whole)
            for key, value in holder.there(names)
            if key not in self._items
            and not led_to.isdisjoint((id(value), *addresses_inside(value)))
        }

    def _number(self, found: dict[Key, tuple[str, Any]]) -> None:
        before = self._items
        self._items = {
            key: item
            if (item := before.get(key)) is not None and item.is_same(how, value)
            else _Item(key, how, value)
            for key, (how, value) in found.items()
        }
        if not self._items:
            return
        from cord.runtime.client.encoding import groups

        for group in groups({key: item.ids for key, item in self._items.items()}):
            members = [self._items[key] for key in group]
            keys = frozenset(group)
            if any(item.group != keys for item in members):
                self._renumber(sorted(group), keys)

    def _renumber(self, group: list[Key], keys: frozenset[Key]) -> None:
        """A number for what is in some places now, made of that and of all that was there before.

        A count would not do: a copy of the program counts by itself from some moment on, and one
        number would stand for two contents.
        """
        items = [self._items[key] for key in group]
        was = [self._serials.get(key, 0) for key in group]
        now = [(key, item.how, item.print) for key, item in zip(group, items, strict=True)]
        serial = hash((tuple(was), tuple(now)))
        for key, item in zip(group, items, strict=True):
            item.serial = self._serials[key] = serial
            item.group = keys

    def _encode(self, found: dict[Key, tuple[str, Any]]) -> None:
        counted = {name: loaded.times(name) for name in self.modules}
        again = {name: times for name, times in counted.items() if times > 1}
        self.stuck = set()
        if not found and not again:
            self._settle(b"", None)
            return
        from cord.runtime.client.encoding import encode_items

        items = [(key, how, value) for key, (how, value) in found.items()]
        encoded, definitions, self.stuck, main = encode_items(items)
        serials = {key: self._items[key].serial for key in found if key not in self.stuck}
        self._settle(marshal.dumps((again, definitions, serials, encoded)), main)

    def _settle(self, encoded: bytes, main: Any) -> None:
        self.main = main
        mark_module_state(True if encoded != self.encoded else None, main)
        self.encoded = encoded

    def stuck_in(self, reach: Reach) -> str | None:
        """What a function reaches that differs and cannot travel, if there is any."""
        if not self.stuck:
            return None
        ids = set(map(id, (*reach.functions, *reach.classes)))
        for path, slot in self.stuck:
            name = slot.removeprefix("@")
            names = {*reach.names.get(path[0], ()), *reach.bindings.get(path[0], ())}
            holder = next((one for one in self.holders.values() if one.path == path), None)
            is_held = holder is not None and id(holder.value) in ids
            if is_held or (len(path) == 1 and name in names):
                return ".".join((*path, name))
        return None

    def known_in(self, reach: Reach) -> tuple[list[Any], set[int], bool]:
        """How a function knows objects of what it reaches, as `Reached` is told."""
        named = identity.loggers()
        for name, names in reach.names.items():
            changed = {slot.removeprefix("@") for path, slot in self._items if path == (name,)}
            module = sys.modules.get(name)
            known = names_of(module) if name in self.modules and module is not None else {}
            there = [known[one] for one in names & known.keys() - changed]
            named.update(id(one) for one in there if type(one) not in _CONTAINERS)
        return [*reach.functions, *reach.classes], named, identity.compares(reach.functions)


# What asks for the event loop that runs, or starts something in it.
_OF_LOOPS = frozenset(
    "get_running_loop get_event_loop current_task all_tasks create_task ensure_future"
    " run_coroutine_threadsafe current_async_library".split()
)
_OF_COROUTINES = 0x80 | 0x200
# They never travel by a name.
_CONTAINERS = (list, dict, set, bytearray)
# Whether replicas are forked from the midst of the program, with its objects: what of these are
# standard streams leads nowhere there.
_midway: list[bool] = []
# What the plan says of the remote modules.
plans: dict[str, Any] = {}
hear_of_cleared_caches(vars(CACHED)["cache_clear"])
_modules = _Modules()


def note(module: ModuleType) -> None:
    """A module has been imported, or executed again: note what that has left.

    Args:
        module: The module; one that is not the project's is passed over.
    """
    if is_of_project(module) and names_of(module)["__name__"] != "__main__":
        _modules.note(module)


def look(function: Any) -> Reached:
    """Look at all that a remote function reaches, and have calls carry what has changed of it.

    Args:
        function: What the remote function stands for.

    Returns:
        What tells whether any of it has moved since.
    """
    moved = module_state_moved()
    reach = reach_of([function])
    reach.add(_modules.others)
    home = getattr(function, "__module__", None) or ""
    stays = min(told_apart.libraries(home, reach), default=None)
    _modules.widen(reach)
    _modules.refresh()
    if _midway and holds_stream(reach):
        stays = stays or "a standard stream"
    return _reached(reach, moved, stays, asks=not _has_own_loop(function))


def _has_own_loop(function: Any) -> bool:
    """Whether a function runs in an event loop in replicas, too."""
    return bool(getattr(getattr(function, "__code__", None), "co_flags", 0) & _OF_COROUTINES)


def _reached(reach: Reach, moved: int, stays: str | None, *, asks: bool) -> Reached:
    dicts: list[tuple[dict[str, Any], list[str]]] = []
    values: list[Any] = []
    is_hidden = False
    for name, names in reach.names.items():
        module = sys.modules.get(name)
        if module is None or name == "__main__":
            continue
        known = names_of(module)
        reached = {one: known[one] for one in names & known.keys()}
        is_hidden = is_hidden or bool(names_of_hidden(reached))
        dicts.append((known, sorted(names)))
        values += [known[one] for one in sorted(names & known.keys())]
    for name, names in reach.bindings.items():
        if (module := sys.modules.get(name)) is not None:
            dicts.append((names_of(module), sorted(names)))
    values += [own for one in values if (own := attributes_beside(one)) is not None]
    held = [value for value in values if is_opaque(value)]
    for value in held:
        values += parts_within(value)
    classes = [*reach.classes, *reach.attributes]
    for cls in classes:
        values += attributes_of_members(cls).values()
    watch = Watch(values, reach.functions, classes, is_hidden)
    stays = stays or _modules.stuck_in(reach)
    asks = asks and not _OF_LOOPS.isdisjoint(_names_in(reach))
    return Reached(dicts, watch, held, stays, asks, moved, _modules.known_in(reach))


def _names_in(reach: Reach) -> set[str]:
    codes = [one.__code__ for one in reach.functions if type(one) is FunctionType]
    return set[str]().union(*map(code_names, codes))


def mention(names: list[tuple[str, str]], asking: Any = None) -> bool:
    """Arguments mention something of the project's modules, which the function may call.

    Args:
        names: Modules, and names in them.
        asking: The function, if what its calls change stays where they are made.

    Returns:
        Whether the program is to make its calls.
    """
    found = []
    for module, name in names:
        value: Any = sys.modules.get(module)
        for part in name.split("."):
            value = getattr(value, part, None)
        if value is not None:
            found.append(value)
            if asking is not None and _is_exposed(value, module, asking):
                return True
    also(found)
    return False


def meet(classes: list[type]) -> bool:
    """Arguments are of these classes: look for what the program has put into libraries' ones.

    Args:
        classes: Each for the first time, or changed since.

    Returns:
        Whether there is something that calls may not have carried yet.
    """
    if not any([foreign.meet(cls) for cls in classes]):
        return False
    _modules.refresh()
    move_module_state()
    return True


def _is_exposed(value: Any, module: str, function: Any) -> bool:
    """Whether the program's text names what an argument's code may change."""
    from cord.runtime.client import exposed

    plan = plans.get(getattr(function, "__module__", ""))
    if plan is None or module in plans or not exposed.may_stay(plan):
        return False
    return exposed.is_exposed([value], module, plans)


def also(values: list[Any]) -> None:
    """Functions and classes travel, which the functions that they are given to may call."""
    new = [value for value in values if _modules.is_new(value)]
    if new:
        reach = reach_of(new)
        _modules.widen(reach)
        _modules.others.add(reach)
        _modules.refresh()
        move_module_state()


def begin_midway() -> None:
    """Replicas are forked from the midst of the program."""
    _midway.append(True)


def is_served(name: str, plan: Mapping[str, Any]) -> None:
    """A remote module is there.

    Args:
        name: Its name.
        plan: What the plan says of all of them.
    """
    plans.update(plan)
    told_apart.note(name, {home for home, _ in plan[name].homes.values()} if name in plan else ())


def prepare_import(module: ModuleType) -> None:
    """A remote module is about to be executed, by its replicas too.

    Args:
        module: The module, before that.
    """
    readable = modules_readable_by(module)
    _modules.refresh(_modules.modules if readable is None else readable)


def state() -> bytes:
    """Encode what differs from what the modules' import has left.

    Returns:
        What `cord.runtime.replica.modules.apply` makes the same of; nothing where nothing differs.
    """
    if _modules.main is not None and not _modules.main.is_current():
        _modules.refresh()
    mark_module_state(False, _modules.main)
    return _modules.encoded


def forget() -> None:
    """The program has ended: let go of what its modules hold."""
    _midway.clear()
    _modules.forget()
    plans.clear()
    told_apart.forget()
    chance.forget()
    texts.forget()
    foreign.forget()
