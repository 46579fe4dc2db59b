"""Functions with effects whose state the program's own text reads: the program makes their calls.

A replica keeps what such functions leave in globals, which is right while only they look at it.
Where the program names a global, an attribute of a class or a function that they change, it is to
find there what plain Python has. Texts tell: it is decided once, before the first call.
"""

from __future__ import annotations

import functools
import sys
from gc import get_referents
from itertools import pairwise
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType

from cord._core import RemoteFunction, original_of
from cord.runtime.client.parts import CACHED
from cord.runtime.objects.closures import held_by_function
from cord.runtime.objects.keeping import keeps, kept_by
from cord.runtime.objects.leaving import (
    LOOK_AT_FLAGS,
    holds_stream,
    left_in_libraries,
    replaces_streams,
    sets_flags,
)
from cord.runtime.objects.operations import operations
from cord.runtime.objects.reach import (
    MAIN,
    class_names,
    code_names,
    is_of_project,
    modules_of_project,
    names_of,
    reach_of,
    unnamed_methods,
)
from cord.runtime.objects.texts import (
    files_by_stem,
    kept,
    named_in,
    texts_from,
    texts_of_program,
    words_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping
    from typing import Any

    from cord.plan.model import RemotePlan
    from cord.runtime.objects.reach import Reach

# Text with these may name anything of the modules that it names.
_ANYTHING = {b"getattr", b"vars", b"globals", b"__dict__", b"eval", b"exec", b"attrgetter"}
_STORES = {f"{how}_{what}" for how in ("STORE", "DELETE") for what in ("GLOBAL", "ATTR")}
_GLOBALS = {"LOAD_GLOBAL", "LOAD_NAME"}
_ATTRIBUTES = {"LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR", "DELETE_ATTR"}
_CODE = (FunctionType, BuiltinFunctionType, RemoteFunction, type, ModuleType, property)
_FIXED = (int, float, complex, bool, str, bytes, type(None), frozenset, *_CODE)
# What binds names by their texts.
_BY_TEXT = frozenset({"setattr", "globals", "vars", "__dict__", "exec"})
# The modules of weak containers.
_WEAK = frozenset({"weakref", "_weakrefset"})
# Shared random numbers: who draws from them is the program's, if it draws, too.
_DRAWN = ("random", "numpy.random")


def is_exposed(functions: Iterable[Any], module: str, remote: Iterable[str]) -> bool:
    """Whether the program's text names what functions may change of modules and random numbers.

    Args:
        functions: The functions of a remote module that depend on one another.
        module: The module.
        remote: All remote modules. What calls of another one change there is changed in its
            replicas.
    """
    reach = _reach_of(functions, own_classes())
    if _leaves(reach) or any(type(_plain(one)) is CACHED for one in functions):
        return True  # what a cache gives again is to be the object that the program has got
    if any(_asks_for_main(one.__code__) for one in reach.functions):
        return True
    if any(class_names(type(one)).get("__module__") in _WEAK for one in reach.objects):
        return True  # what they hold lives as long as the program's own objects
    others = {one for one in remote if one != module}
    changed = _changed(reach, others)
    changed |= _other_names(reach, changed)
    if any(_reaches_into(one, others) for one in reach.functions):
        return texts_of_program(module) is not None
    drawn = _drawn(reach)
    sets = sets_flags(reach)
    counting = _counting(reach)
    if not (changed or drawn or sets or counting):
        return False
    if changed and _acts_at_the_end(module):
        return True
    texts = texts_of_program(module)
    if texts is None:
        return False
    words = words_of(texts)
    if sets and words.issuperset(LOOK_AT_FLAGS):
        return True
    if not (changed | counting).isdisjoint(_read_by_rest(module, functions, words)):
        return True
    if any(name.rpartition(".")[2].encode() in words for name in drawn):
        return True
    if changed and not words.isdisjoint(_ANYTHING):
        return True
    return not words.isdisjoint(name.encode() for name in changed)


def is_seen(function: Any, module: str, functions: Iterable[Any]) -> bool:
    """Whether the program's text names what an independent function changes, or draws from.

    No other call depends on its calls, so it is left to the program only where that is plain: its
    text has a global of the module that the function changes as an attribute, or imports it; or
    code of the module reads it that the program runs by itself.

    Args:
        function: The function.
        module: Its module.
        functions: All functions of the module that are remote.
    """
    reach = _reach_of([function], own_classes())
    if _leaves(reach):
        return True
    drawn = _drawn(reach)
    changed = _changed(reach, ()) - _of_libraries(reach)
    changed |= _other_names(reach, changed)
    if changed and _acts_at_the_end(module):
        return True
    kept_in = changed | _counting(reach)
    texts = texts_of_program(module) if kept_in or drawn else None
    if kept_in and not kept_in.isdisjoint(_read_by_rest(module, functions, words_of(texts or ()))):
        return True
    if not _seeds([*(texts or ()), kept(sys.modules[module].__file__ or "") or b""]):
        drawn = ()  # nobody can tell who has drawn
    named = named_in(texts or [])
    return any(name.rpartition(".")[2].encode() in named for name in (*drawn, *changed))


def is_the_scripts(function: Any) -> bool:
    """Whether an independent function of the main script leaves what does not come home.

    It draws random numbers that a seed has made known, say.
    """
    reach = _reach_of([function])
    if left_in_libraries(reach.functions, everything=True) is not None:
        return True
    return bool(_drawn(reach)) and _seeds(texts_of_program(MAIN) or [])


def _counting(reach: Reach) -> set[str]:
    """The names of functions that keep something in variables around them, or in defaults."""
    ids = {id(one) for one in reach.functions if _counts(one)}
    spaces = [names_of(sys.modules[one]) for one in reach.names if one in sys.modules]
    return {name for space in spaces if ids for name, one in space.items() if id(one) in ids}


def _counts(function: FunctionType) -> bool:
    code = function.__code__
    bound = {name for what, name, _ in operations(code) if what == "STORE_DEREF"}
    defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    return not bound.isdisjoint(code.co_freevars) or any(map(_can_change, defaults))


def _drawn(reach: Reach) -> Iterable[str]:
    """The modules from whose shared random numbers functions draw."""
    return [name for name in _DRAWN if _draws(name, reach.bindings.get(name, set()))]


class Keeper:
    """Tells of a call's arguments whether a function may keep one that can change.

    It is asked until a replica has state, and looks at the function when it is first asked.

    Args:
        function: The function.
        module: Its remote module.
        remote: All remote modules, and what the plan says of them.
    """

    __slots__ = ("_function", "_is_known", "_kept", "_module", "_remote")

    def __init__(self, function: Any, module: str, remote: Mapping[str, RemotePlan]) -> None:
        self._function = _plain(function)
        self._module = module
        self._remote = remote
        self._is_known = False
        self._kept: frozenset[str] | None = None

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any] | None) -> bool:
        """Whether this call may."""
        if not self._is_known:
            self._kept, self._is_known = self._find(), True
        if self._kept is not None and not self._kept:
            return False
        return keeps(self._kept, self._function.__code__, args, kwargs or {})

    def _find(self) -> frozenset[str] | None:
        """The parameters that it may keep; None if it may be any.

        What it keeps is in globals that can change, in defaults or in closures.
        """
        reach = _reach_of([self._function])
        held = [one for each in reach.functions for one in held_by_function(each)]
        has_state = _changed(reach, ()) or any(map(_can_change, held))
        is_alone = (
            hasattr(self._function, "__code__") and callers(self._module, self._remote) == set()
        )
        return kept_by(self._function, reach.functions) if has_state and is_alone else frozenset()


def _asks_for_main(code: CodeType) -> bool:
    """Whether code may ask the main script for names that no argument mentions."""
    names = code_names(code)
    reads = not {"load", "loads", "Unpickler"}.isdisjoint(names)
    return MAIN in code.co_consts or (reads and not _PICKLERS.isdisjoint(names))


_PICKLERS = frozenset({"pickle", "dill", "joblib", "cloudpickle", "shelve", "torch"})


def _acts_at_the_end(module: str) -> bool:
    """Whether a module may have an exit function, which finds what calls have left."""
    text = kept(sys.modules[module].__file__ or "") or b""
    return b"atexit" in text or b"weakref.finalize" in text


def _plain(function: Any) -> Any:
    """What a remote function stands for; anything else is itself."""
    return original_of(function) if type(function) is RemoteFunction else function


def own_classes() -> list[type]:
    """The project's classes that are there, whose instances may come as arguments."""
    spaces = map(names_of, modules_of_project().values())
    return [one for space in spaces for one in space.values() if issubclass(type(one), type)]


def _reach_of(functions: Iterable[Any], others: Iterable[type] = ()) -> Reach:
    """What functions reach, also of the random numbers of NumPy, which it loads when named."""
    reach, numpy = reach_of(functions, others), sys.modules.get("numpy")
    if numpy is None or "numpy.random" in sys.modules:
        return reach
    if any(
        path[1] == "random" and each.__globals__.get(path[0]) is numpy
        for each in reach.functions
        for path, _ in _paths(each.__code__)
    ):
        __import__("numpy.random")
        return reach_of(functions, others)
    return reach


def _leaves(reach: Reach) -> bool:
    """Whether functions leave what comes home in no other way, or write to a stream of old."""
    if left_in_libraries(reach.functions, everything=True) is not None:
        return True
    if holds_stream(reach) and any(map(replaces_streams, texts_of_program(MAIN) or [])):
        return True
    return _imports(reach)


_IMPORTING = {"import_module", "__import__"}


def _imports(reach: Reach) -> bool:
    """Whether functions import modules of the project that other texts of the program name, too."""
    main = getattr(sys.modules.get(MAIN), "__file__", None)
    if not isinstance(main, str):
        return False
    if any(not _IMPORTING.isdisjoint(code_names(one.__code__)) for one in reach.functions):
        return True  # by a name that they make
    files = files_by_stem(main)
    named = {
        (name.partition(".")[0], one.__globals__.get("__file__"))
        for one in reach.functions
        for what, name, _ in operations(one.__code__)
        if what == "IMPORT_NAME" and name.partition(".")[0] in files and name not in sys.modules
    }
    return any(
        name.encode() in words_of([kept(file) or b""])
        for name, own in named
        for file in (main, *files.values())
        if file not in (own, files[name])
    )


def _seeds(texts: list[bytes]) -> bool:
    """Whether texts may give random numbers a state that is known."""
    return any(word in text for text in texts for word in (b"seed", b"setstate", b"set_state"))


def _of_libraries(reach: Reach) -> set[str]:
    """The names of globals that hold what libraries have made: clients, loggers, models."""
    found = set()
    for name, names in reach.names.items():
        known = names_of(sys.modules[name]) if name in sys.modules else {}
        for one in names & known.keys():
            home = class_names(type(known[one])).get("__module__")
            if home is not None and not is_of_project(sys.modules.get(home)):
                found |= {one} if home not in ("collections", "array") else set()
    return found


def may_stay(plan: RemotePlan) -> bool:
    """Whether nothing that the plan says of a module asks for processes of its own."""
    wanted = (
        plan.resident,
        plan.names,
        plan.migration,
        plan.speed,
        plan.is_served,
        plan.is_program,
    )
    return not any(wanted) and plan.restart == "never" and plan.threads == 1


def _read_by_rest(module: str, functions: Iterable[Any], words: set[bytes]) -> set[str]:
    """The names that code of the module reads which the program runs by itself."""
    remote = {id(_plain(one)) for one in functions}
    rest: list[object] = []
    for name, value in names_of(sys.modules[module]).items():
        is_named = name.encode() in words or name == "__getattr__"
        if type(value) is FunctionType and id(value) not in remote and is_named:
            rest.append(value)
        elif isinstance(value, type) and class_names(value).get("__module__") == module:
            names = [name, *(one for one in class_names(value) if not _is_pythons(one))]
            is_named = not words.isdisjoint(one.encode() for one in names)
            rest += [value] if is_named else unnamed_methods(value)
    found = reach_of(rest)
    given = [names for one in functions for names in _names_given(_plain(one))]
    return set().union(*found.names.values(), *given)


def _names_given(function: Any) -> Iterator[frozenset[str]]:
    """Names in code of functions that a function makes and returns: who gets them, runs them."""
    code = getattr(function, "__code__", None)
    if code is None:
        return
    done = [(what, name) for what, name, _ in operations(code)]
    returned = {
        name for (what, name), (then, _) in pairwise(done) if then == _RETURNS and what in _OWN
    }
    returns_new = any(
        what in _MAKES and then == _RETURNS for (what, _), (then, _) in pairwise(done)
    )
    for one in code.co_consts:
        if isinstance(one, CodeType) and (returns_new or one.co_name in returned):
            yield code_names(one)


_RETURNS = "RETURN_VALUE"
_OWN = {"LOAD_FAST", "LOAD_DEREF", "LOAD_CLOSURE"}
_MAKES = {"MAKE_FUNCTION", "SET_FUNCTION_ATTRIBUTE"}


def _other_names(reach: Reach, changed: set[str]) -> set[str]:
    """More names for what is changed, in modules of the project: of it, or of what has it inside.

    Args:
        reach: What the functions reach that change it.
        changed: Its names.
    """
    spaces = [names_of(sys.modules[one]) for one in reach.names if one in sys.modules]
    held = [space[one] for space in spaces for one in changed & space.keys()]
    ids = {id(one) for one in held if _can_change(one)}
    return {
        name
        for module in (modules_of_project().values() if ids else ())
        for name, value in names_of(module).items()
        if not _is_pythons(name) and _leads_to(value, ids)
    }


def _leads_to(value: Any, ids: set[int]) -> bool:
    """Whether an object is one of these, or has one of them in it: in some hundred objects."""
    waiting, seen = [value], set[int]()
    while waiting and len(seen) < _MOST_OBJECTS:
        one = waiting.pop()
        if id(one) in seen or not _can_change(one):
            continue
        seen.add(id(one))
        if id(one) in ids:
            return True
        waiting += get_referents(one)
    return False


_MOST_OBJECTS = 500


def _changed(reach: Reach, apart: Container[str]) -> set[str]:
    """The names of what functions may change, but for what is in modules that run apart."""
    functions = [one for one in reach.functions if one.__globals__.get("__name__") not in apart]
    classes = [one for one in reach.classes if class_names(one).get("__module__") not in apart]
    stored = set().union(*(_stored(one.__code__) for one in functions))
    added = set().union(*map(_added, functions))
    holders: list[Any] = [*map(vars, functions), *map(class_names, classes)]
    found = added
    for name, names in reach.names.items():
        module = sys.modules.get(name)
        if name == MAIN or name in apart or module is None:
            continue
        known = names_of(module)
        found |= {one for one in names & known.keys() if _can_change(known[one])}
        found |= stored & names
    for holder in holders:
        found |= stored & holder.keys()
        found |= {one for one in holder if not _is_pythons(one) and _can_change(holder[one])}
    return {one for one in found if not _is_pythons(one)}


def _is_pythons(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _can_change(value: object) -> bool:
    if isinstance(value, (staticmethod, classmethod)):
        return type(value.__func__) is CACHED
    if issubclass(type(value), _FIXED):
        return False
    if type(value) is tuple:
        return any(map(_can_change, value))
    kind = type(value)
    return not (kind.__module__ in ("re", "typing", "_struct") or hasattr(kind, "__wrapped__"))


@functools.cache
def _stored(code: CodeType) -> frozenset[str]:
    """The names of globals and attributes that code binds or unbinds."""
    own = {name for what, name, _ in operations(code) if what in _STORES}
    inside = [_stored(one) for one in code.co_consts if isinstance(one, CodeType)]
    return frozenset(own).union(*inside)


def _added(function: FunctionType) -> set[str]:
    """The names of attributes that a function sets of functions, classes and modules.

    They need not have them yet. To have one bound by `setattr`, or by way of what gives a
    namespace, counts, whatever it is of.
    """
    known, code = function.__globals__, function.__code__
    found = {p[-1] for p, binds in _paths(code) if binds and not _can_change(known.get(p[0]))}
    if not _BY_TEXT.isdisjoint(code.co_names):
        found |= {one for one in code.co_consts if type(one) is str and one.isidentifier()}
    return found


@functools.cache
def _paths(code: CodeType) -> frozenset[tuple[tuple[str, ...], bool]]:
    """The attributes of globals that code names, and whether it binds or unbinds the last."""
    found: set[tuple[tuple[str, ...], bool]] = set()
    path: tuple[str, ...] = ()
    for what, name, _ in operations(code):
        is_of_path = what in _ATTRIBUTES and bool(path)
        path = (name,) if what in _GLOBALS else (*path, name) if is_of_path else ()
        if is_of_path:
            found.add((path, what in _STORES))
            path = path if what not in _STORES else ()
    inside = [_paths(one) for one in code.co_consts if isinstance(one, CodeType)]
    return frozenset(found).union(*inside)


def _reaches_into(function: FunctionType, others: Container[str]) -> bool:
    """Whether a function itself may change what another remote module has: `other.x[1] = 2`.

    What it patches may be anything.
    """
    known = function.__globals__
    if known.get("__name__") in others:
        return False
    if any(_is_mock(known.get(name)) for name in function.__code__.co_names):
        return True
    return any(
        binds or _can_change(names_of(module).get(path[1]))
        for path, binds in _paths(function.__code__)
        if isinstance(module := known.get(path[0]), ModuleType)
        and names_of(module).get("__name__") in others
    )


def _is_mock(value: object) -> bool:
    if isinstance(value, ModuleType):
        return bool(names_of(value).get("__name__") == "unittest.mock")
    return type(value) is FunctionType and value.__module__ == "unittest.mock"


def _draws(module: str, names: set[str]) -> bool:
    """Whether one of these names of a module of random numbers is of those that are shared."""
    known = sys.modules.get(module)
    shared = getattr(known, "_inst", None) or getattr(known, "mtrand", None)
    shared = getattr(shared, "_rand", shared)
    return shared is not None and any(
        getattr(getattr(known, name, None), "__self__", None) is shared for name in names
    )


def callers(module: str, remote: Mapping[str, RemotePlan]) -> set[str] | None:
    """The remote modules with functions that are not pure and may call those of one.

    Args:
        module: The one.
        remote: All remote modules, and what the plan says of them.

    Returns:
        Their dotted names, with what may call those in turn; None if texts do not tell.
    """
    main = getattr(sys.modules.get(MAIN), "__file__", None)
    others = [name for name, plan in remote.items() if name != module and not plan.is_pure]
    if not isinstance(main, str):
        return None if others else set()
    files, words = files_by_stem(main), {}
    for name in others:
        text = kept(files.get(name.rpartition(".")[2], ""))
        if text is None:
            return None
        words[name] = words_of(texts_from(text, files.copy()))
    found = {module}
    for _ in others:  # no way is longer
        stems = {name.rpartition(".")[2].encode() for name in found}
        found |= {name for name in others if not stems.isdisjoint(words[name])}
    return found - {module}
