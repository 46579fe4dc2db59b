"""What a call has left behind in its replica, where native code finds that something has.

Native code (`cord-py/src/replica/leftovers.rs`) looks after each call, at what is noted here of its
function. What it finds to be other than before is judged here. What counts makes the reply of a
pure call one that is not used, and the program makes the call itself, as plain Python does. Of
other calls, what they have changed of settings and random numbers goes home with the reply.

Two things do not count. A resource of the process: something that cannot be pickled (a connection,
a lock, a compiled model) where there was nothing or None; each replica has its own. And what a
function keeps of its results (`functools.lru_cache`), as long as no text of the project looks at
such a cache.
"""

from __future__ import annotations

import os
import sys
from _pickle import dumps  # a replica that starts loads no more than it needs
from types import FunctionType, MethodType, ModuleType

from cord._core import Leftovers, Own, SettingsSeen, Snapshot, Watched
from cord.runtime.objects.leaving import BY_TEXTS
from cord.runtime.objects.loggers import Handlers
from cord.runtime.objects.reach import (
    code_names,
    is_of_project,
    modules_of_project,
    names_of,
    reach_of,
)
from cord.runtime.objects.texts import any_beside
from cord.runtime.replica import bound, draws
from cord.runtime.replica.reached import Lock, Reached, Setters, import_what_it_names, shown
from cord.runtime.travel import settings, world
from cord.runtime.travel.pieces import before_reply
from cord.runtime.travel.settings import home, randoms
from cord.runtime.travel.watched import pass_gates_by

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Any, Final

    from cord.runtime.objects.reach import Reach
    from cord.runtime.travel.paths import Places
    from cord.runtime.travel.settings.randoms import Randoms

    # Settings, threads and processes as they were before a call.
    Aside = tuple[settings.Snapshot | None, set[object], set[str]]
    Changed = list[tuple[int, tuple[object, object] | None]]

# What Python itself, and Cord, note in namespaces and classes.
_PYTHONS: Final = frozenset(
    {
        *("__annotations__", "__annotations_cache__", "__annotate__", "__annotate_func__"),
        *("__builtins__", "__cached__", "__slotnames__", "__warningregistry__"),
    }
)
# What the program's code is made of: it does not belong to a process.
_CODE: Final = FunctionType, MethodType, type, property, classmethod, staticmethod
# What texts have in them that look at caches.
_LOOK_AT_CACHES: Final = (b"cache_info", b"cache_clear", b"cache_parameters")


class Apart(Exception):
    """Something of a result lies in the memory of something else, and cannot be told so."""


# What code names that may write.
_WRITING = frozenset("print write writelines warn log debug info warning error exception".split())


def _may_write(function: FunctionType) -> bool:
    return not _WRITING.isdisjoint(code_names(function.__code__))


class Filled:
    """A cache that nobody looks at: it counts that it is filled while something is written.

    For the program's own cache is not, which would let that be written once more.
    """

    def __init__(self, cache: Any, has_written: Callable[[], bool]) -> None:
        self._cache, self._has_written = cache, has_written
        self._misses = cache.cache_info().misses
        self._times = 0

    def cache_info(self) -> int:
        """How often that was so."""
        misses = self._cache.cache_info().misses
        if misses != self._misses and self._has_written():
            self._times += 1
        self._misses = misses
        return self._times


class Judge:
    """Says what counts of what calls leave behind.

    Attributes:
        leftovers: What looks after each call.

    Args:
        is_pure: Tells by a function's name whether its calls are declared pure.
        has_written: Tells whether Python code has written anything that was not sent.
        threads: Where other calls run at once, the threads that calls have started which are looked
            at here; None elsewhere, for all.
    """

    def __init__(
        self,
        is_pure: Callable[[str], bool],
        has_written: Callable[[], bool],
        threads: Collection[object] | None = None,
    ) -> None:
        self._is_pure = is_pure
        self._has_written = has_written
        self._threads = threads
        if threads is not None:
            pass_gates_by()
        self._watched: dict[str, Watched] = {}
        self._modules = 0
        self.leftovers = Leftovers(self, threads is not None)
        self._home = b""
        self._functions: dict[int, tuple[str, object]] = {}  # by the id of what watches it
        self._met: dict[int, dict[int, object]] = {}
        self._told: dict[int, tuple[Reached, list[dict[str, Any]]]] = {}
        self._caches: dict[int, tuple[list[str], list[Any], list[Any]]] = {}
        self._draws: list[str] = []
        self._own: dict[str, ModuleType] = {}
        self._spaces: Own | None = None
        self._looks_at_caches: bool | None = None
        self._texts: dict[str, bool] = {}  # whether they say so
        self._known_threads: set[object] = set()
        self._sets = Setters()
        self._settings: settings.Snapshot | None = None
        self._randoms: Randoms = {}
        self._known_children: set[str] = set()

    def watched(self, name: str, function: object) -> Watched:
        """How a function is watched."""
        watched = self._watched.get(name)
        if watched is None:
            watched = self._watched[name] = Watched(self.is_pure(name))
            self._functions[id(watched)] = name, function
        return watched

    def is_pure(self, name: str) -> bool:
        """Whether calls of a function are declared pure."""
        return self._is_pure(name.rpartition(":")[2])

    def watched_if_pure(self, name: str) -> Watched | None:
        """How a function is watched whose calls are declared pure; None if that is another one."""
        return self._watched.get(name) if self.is_pure(name) else None

    def places_of(self, name: str) -> Places | None:
        """Where the state is that a function reaches; None if it reaches nothing."""
        watched = self._watched.get(name)
        told = None if watched is None else self._told.get(id(watched))
        return None if told is None else told[0].places()

    def refresh(self) -> None:
        """Modules were loaded, by no call: there may be more to look at."""
        self._known_children = set(_children())
        self._refresh()

    def _refresh(self) -> None:
        own = modules_of_project()
        if self._spaces is None or own != self._own:
            self._own = own
            self._spaces = Own(set(own), [names_of(module) for module in own.values()])
        if "numpy" in sys.modules and any(map(_names_random, own.values())):
            # as late as in a call, nobody could tell what that has seeded
            __import__("numpy.random")
        places = [*draws.state_of_random(), *draws.state_of_numpy()]
        self._draws = [name for name, _ in places]
        self._randoms = randoms.read_random() if places else {}
        threading = sys.modules.get("threading")
        active = None if threading is None else getattr(threading, "_active", None)
        self._known_threads = self._active()
        self._modules = len(sys.modules)
        self._sets.note_modules()
        self.leftovers.have(self._spaces, [place for _, place in places], active)

    def reach(self, watched: Watched, name: str, function: object, met: list[object]) -> str | None:
        """Note the state that a function reaches, as it is now.

        Args:
            watched: How it is watched.
            name: Its name.
            function: The function.
            met: Functions and classes that arguments have led to, besides those that are known.

        Returns:
            Why its call cannot be told to leave nothing; None if it can.
        """
        known = self._met.setdefault(id(watched), {})
        known.update((id(one), one) for one in met)
        found = reach_of([function, *known.values()])
        self._sets.note(found)
        spoke = self._import_what_is_named(found)
        if spoke is not None:
            found = reach_of([function, *known.values()])
        if len(sys.modules) != self._modules:
            self._refresh()
        reached = Reached(found, self._own, name.rpartition(":")[2], function)
        assert self._spaces is not None
        snapshot = Snapshot(self._spaces, reached.spaces, reached.values)
        caches = reached.caches
        if caches:
            looks = self._is_cache_looked_at()
            alone = self._threads is None  # else other calls may hold a lock now
            says = looks or (alone and any(map(_may_write, found.functions)))
            counts = {True: alone, False: says}
            caches = {of: one for of, one in caches.items() if counts[isinstance(one, Lock)]}
            if not looks:
                caches = {of: self._filled(one) for of, one in caches.items()}
        if reached.handles:
            caches = {**caches, "handlers of loggers": Handlers}
        infos = [cache.cache_info() for cache in caches.values()]
        self._told[id(watched)] = reached, [dict(space) for space in reached.spaces]
        self._caches[id(watched)] = list(caches), list(caches.values()), infos
        is_empty = not reached.spaces and not reached.values
        seen = [*known.values(), *found.functions, *found.classes]
        watched.have(None if is_empty else snapshot, seen, bool(caches))
        if spoke:
            return "imports a module that prints"
        return reached.beyond() or self._told_by_texts(found)

    def _filled(self, cache: Any) -> Any:
        return cache if isinstance(cache, Lock) else Filled(cache, self._has_written)

    def _import_what_is_named(self, found: Reach) -> bool | None:
        """Import those of the project's modules that functions import when they are called.

        So it is seen what a call changes in them. The program may have imported them by now.

        Returns:
            Whether one of them has printed something; None if there was none.
        """
        before = len(sys.modules)
        for function in found.functions:
            import_what_it_names(function)
        return None if len(sys.modules) == before else self._has_written()

    def _told_by_texts(self, found: Reach) -> str | None:
        """What functions do that shows in their own texts, and may count for what others say."""
        for does, holds, told in BY_TEXTS:
            if does(found):
                if told not in self._texts:
                    self._texts[told] = holds is None or any_beside(self._own, holds)
                if self._texts[told]:
                    return told
        return None

    def caches_changed(self, watched: Watched) -> str | None:
        """What caches have noted in the last call, where somebody looks at them."""
        labels, caches, infos = self._caches[id(watched)]
        for at, (label, cache) in enumerate(zip(labels, caches, strict=True)):
            now = cache.cache_info()
            if now != infos[at]:
                infos[at] = now
                return f"changes {label}"
        return None

    def state_changed(self, watched: Watched, changed: Changed) -> str | None:
        """What has changed in the state that a function reaches."""
        reached, before = self._told[id(watched)]
        for root, added in changed:
            if added is not None:
                key, value = added
                if key in _PYTHONS or _is_resource(value):
                    continue
            if root >= len(before):
                return f"changes {reached.label_of(root - len(before))}"
            name = _differing(before[root], reached.spaces[root])
            return f"changes {shown(reached.modules[root], name)}"
        return None

    def bound(self, names: list[Any]) -> str | None:
        """What names a call has bound in modules and classes of libraries."""
        return bound.changed(names)

    def argument_changed(
        self, watched: Watched, number: int, args: tuple[Any, ...], kwargs: dict[str, Any] | None
    ) -> str:
        """Which argument has changed."""
        if number >= len(args):
            return f"changes its argument {[*(kwargs or {})][number - len(args)]}"
        function = self._functions[id(watched)][1]
        code = getattr(getattr(function, "__wrapped__", function), "__code__", None)
        names = () if code is None else code.co_varnames[: code.co_argcount]
        shown = names[number] if number < len(names) else f"number {number + 1}"
        return f"changes its argument {shown}"

    def note_settings(self) -> SettingsSeen:
        """Settings are as they are now before the next call."""
        self._settings = settings.Snapshot(self._threads is not None)
        return self._settings.seen

    def changes(self) -> list[settings.Change]:
        """The settings that the call at hand has changed so far."""
        return [] if self._settings is None else self._settings.changed()

    def put_aside(self, has_started: bool) -> Aside:
        """Another call is made on top of the one at hand, which is told of nothing of this one's.

        Args:
            has_started: Whether processes may have been started.
        """
        aside = self._settings, self._known_threads, self._known_children
        self._known_threads = self._known_threads | self._active()
        if has_started:
            self._known_children = self._known_children.union(_children())
        return aside

    def go_on(self, aside: Aside) -> None:
        """Go on with the call below."""
        self._settings, self._known_threads, self._known_children = aside

    def _active(self) -> set[object]:
        threading = sys.modules.get("threading")
        return set() if threading is None else set(list(threading._active.values()))

    def settings_changed(self, has_loaded: bool) -> str | None:
        """Which setting a pure call has changed; modules may have been loaded in it.

        Returns:
            What it does, as a sentence about its function goes on; None if all is as before.
        """
        assert self._settings is not None
        for row, before, now in self._settings.changed():
            if not (has_loaded and row.comes_with_modules) or self._sets.names(row.name):
                return row.told(before, now)
        return None

    def go_home(self, drawn: bool, names: list[Any]) -> bool:
        """Encode what another call has changed of settings, and set of random numbers.

        Args:
            drawn: Whether random numbers are others.
            names: What it has bound in modules and classes of libraries.

        Returns:
            Whether there is anything.
        """
        seeded = self._seeded() if drawn else {}
        self._home = home.encoded(self.changes(), seeded, bound.encoded(names), world.as_clients)
        return bool(self._home)

    def before_reply(self, head: bytes) -> bytes:
        """Let a reply take that home.

        Args:
            head: The value or exception, pickled.
        """
        return before_reply(head, home.come_home, self._home)

    def _seeded(self) -> Randoms:
        """The states of those random numbers that the last call has not only drawn from."""
        before, self._randoms = self._randoms, randoms.read_random()
        return randoms.seeded(before, self._randoms)

    def drawn(self, number: int) -> str:
        """Random numbers that the program shares were drawn."""
        return f"draws from the shared random numbers of {self._draws[number]}"

    def loaded(self) -> str | None:
        """Modules were loaded in a call: they are there, and what they have drawn is left."""
        before = set(self._draws)
        fresh = {name: place for name, place in [*draws.state_of_random(), *draws.state_of_numpy()]}
        for name in fresh:
            if name not in before and not draws.is_fresh(name):
                return f"draws from the shared random numbers of {name}"
        own = self._own
        self._refresh()
        new = next((name for name in self._own if name not in own), None)
        return None if new is None else f"imports {new}, which the program may import, too"

    def running(self) -> str | None:
        """What a call has left running."""
        threading = sys.modules.get("threading")
        if threading is not None:
            pools = sys.modules.get("concurrent.futures.thread")
            workers = () if pools is None else tuple(pools._threads_queues)
            for thread in list(threading._active.values()):
                is_new = thread not in self._known_threads and thread not in workers
                if is_new and not thread.daemon and self._is_looked_at(thread):
                    return "leaves a thread running"
            self._refresh()
        if self._threads is not None:  # nobody knows which call that runs has started a process
            return None
        started = [one for one in _children() if one not in self._known_children]
        if any(map(_is_running, started)):
            return "leaves a process running"
        return None

    def _is_looked_at(self, thread: object) -> bool:
        return self._threads is None or thread in self._threads

    def _is_cache_looked_at(self) -> bool:
        if self._looks_at_caches is None:
            self._looks_at_caches = any_beside(
                self._own, lambda text: any(word in text for word in _LOOK_AT_CACHES)
            )
        return self._looks_at_caches


def _names_random(module: ModuleType) -> bool:
    """Whether functions of a module may come to the random numbers of NumPy."""
    functions = [one for one in names_of(module).values() if type(one) is FunctionType]
    return any("random" in one.__code__.co_names for one in functions)


def _differing(before: dict[str, Any], now: dict[str, Any]) -> str:
    """A name that stands for something else, or is gone or new."""
    names = (name for name in (*before, *now) if name not in _PYTHONS)
    return next((one for one in names if before.get(one, before) is not now.get(one, before)), "?")


def _is_resource(value: object) -> bool:
    """Whether this is something of the process, which could not be in another one."""
    if isinstance(value, ModuleType):
        return not is_of_project(value)
    if isinstance(value, _CODE):
        return False
    try:
        dumps(value, 5)
    except Exception:
        return True
    return False


def _children() -> list[str]:
    """The processes that this one has started."""
    found: list[str] = []
    try:
        for thread in os.listdir("/proc/self/task"):
            with open(f"/proc/self/task/{thread}/children", "rb") as listed:
                found += listed.read().decode().split()
    except OSError:
        pass
    return found


def _is_running(process: str) -> bool:
    """Whether a process is neither over nor one that Python's library keeps for itself."""
    tracker = sys.modules.get("multiprocessing.resource_tracker")
    if tracker is not None and str(tracker._resource_tracker._pid) == process:
        return False
    try:
        with open(f"/proc/{process}/stat", "rb") as stat:
            return stat.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except OSError:
        return False
