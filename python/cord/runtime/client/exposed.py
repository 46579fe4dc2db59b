"""Functions with effects whose state the program's own text reads: the program makes their calls.

A replica keeps what such functions leave in globals, which is right while only they look at it.
Where the program names a global, an attribute of a class or a function that they change, it is to
find there what plain Python has. Texts tell: it is decided once, before the first call.
"""

from __future__ import annotations

import functools
import os
import sys
from opcode import opmap
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType

from cord._core import RemoteFunction, original_of
from cord.runtime.objects.reach import MAIN, class_names, names_of, reach_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from cord.plan.model import RemotePlan
    from cord.runtime.objects.reach import Reach

_WORD = rb"[^\W\d]\w*"
# Text with these may name anything of the modules that it names.
_ANYTHING = {b"getattr", b"vars", b"globals", b"__dict__", b"eval", b"exec", b"attrgetter"}
_STORES = {opmap[f"{how}_{what}"] for how in ("STORE", "DELETE") for what in ("GLOBAL", "ATTR")}
_CODE = (FunctionType, BuiltinFunctionType, RemoteFunction, type, ModuleType, property)
_FIXED = (int, float, complex, bool, str, bytes, type(None), frozenset, *_CODE)
# Shared random numbers: who draws from them is the program's, if it draws, too.
_DRAWN = ("random", "numpy.random")
_MOST_FILES = 1000


def is_exposed(functions: Iterable[Any], module: str) -> bool:
    """Whether the program's text names what functions may change of modules and random numbers.

    Args:
        functions: The functions of a remote module that depend on one another.
        module: The module.
    """
    reach = reach_of(functions)
    changed = _changed(reach)
    drawn = [name for name in _DRAWN if _draws(name, reach.bindings.get(name, set()))]
    if not changed and not drawn:
        return False
    words = _words_of_program(module)
    if words is None:
        return False
    if not changed.isdisjoint(_read_by_rest(module, functions, words)):
        return True
    if any(name.rpartition(".")[2].encode() in words for name in drawn):
        return True
    if changed and not words.isdisjoint(_ANYTHING):
        return True
    return not words.isdisjoint(name.encode() for name in changed)


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
    remote = {id(original_of(one)) for one in functions}
    rest: list[object] = []
    for name, value in names_of(sys.modules[module]).items():
        if type(value) is FunctionType and id(value) not in remote and name.encode() in words:
            rest.append(value)
        elif isinstance(value, type) and class_names(value).get("__module__") == module:
            names = [name, *(one for one in class_names(value) if not _is_pythons(one))]
            if not words.isdisjoint(one.encode() for one in names):
                rest.append(value)
    found = reach_of(rest)
    return set().union(*found.names.values())


def _changed(reach: Reach) -> set[str]:
    """The names of what functions may change."""
    stored = set().union(*(_stored(one.__code__) for one in reach.functions))
    holders: list[Any] = [vars(one) for one in reach.functions]
    holders += [class_names(one) for one in reach.classes]
    found = set()
    for name, names in reach.names.items():
        module = sys.modules.get(name)
        if name == MAIN or module is None:
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
    if issubclass(type(value), _FIXED) or isinstance(value, (classmethod, staticmethod)):
        return False
    if type(value) is tuple:
        return any(map(_can_change, value))
    kind = type(value)
    return not (kind.__module__ in ("re", "typing", "_struct") or hasattr(kind, "__wrapped__"))


@functools.cache
def _stored(code: CodeType) -> frozenset[str]:
    """The names of globals and attributes that code binds or unbinds."""
    own, more, text = set(), 0, code.co_code
    for operation, last in zip(text[::2], text[1::2], strict=True):
        number = more | last
        more = number << 8 if operation == opmap["EXTENDED_ARG"] else 0
        if operation in _STORES:
            own.add(code.co_names[number])
    inside = [_stored(one) for one in code.co_consts if isinstance(one, CodeType)]
    return frozenset(own).union(*inside)


def _draws(module: str, names: set[str]) -> bool:
    """Whether one of these names of a module of random numbers is of those that are shared."""
    known = sys.modules.get(module)
    shared = getattr(known, "_inst", None) or getattr(known, "mtrand", None)
    shared = getattr(shared, "_rand", shared)
    return shared is not None and any(
        getattr(getattr(known, name, None), "__self__", None) is shared for name in names
    )


def _words_of_program(module: str) -> set[bytes] | None:
    """All words in the texts of the main script and of what it may import.

    Args:
        module: The remote module, whose own text does not count.

    Returns:
        The words; None if the script has no text.
    """
    main = getattr(sys.modules.get(MAIN), "__file__", None)
    text = _read(main) if isinstance(main, str) else None
    if text is None:
        return None
    assert main is not None
    words, waiting = set[bytes](), [text]
    files: dict[str, str] = {}
    for file in _files_beside(main):
        stem = os.path.basename(file).rpartition(".")[0]
        files.setdefault(
            os.path.basename(os.path.dirname(file)) if stem == "__init__" else stem, file
        )
    own = getattr(sys.modules[module], "__file__", None)
    import re  # few programs come so far

    while waiting:
        new = set(re.findall(_WORD, waiting.pop())) - words
        words |= new
        for stem in [stem for stem in files if stem.encode() in new]:
            file = files.pop(stem)
            if file != own:
                waiting.append(_read(file) or b"")
    return words


def _read(file: str) -> bytes | None:
    try:
        with open(file, "rb") as text:
            return text.read()
    except OSError:
        return None


def _files_beside(main: str) -> Iterator[str]:
    """The texts in the folder of the main script, and below."""
    found = 0
    for above, inside, names in os.walk(os.path.dirname(os.path.abspath(main))):
        inside[:] = [one for one in inside if not one.startswith(".") and "-packages" not in one]
        for name in names:
            if name.endswith(".py"):
                found += 1
                yield os.path.join(above, name)
        if found > _MOST_FILES:
            return
