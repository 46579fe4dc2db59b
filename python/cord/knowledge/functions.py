"""What is asked of functions, by their dotted names."""

from __future__ import annotations

from .arrays import NUMPY
from .builtin import BUILTINS
from .library import AHEAD, EXPRESSED, MODULES, ROWS
from .methods import CHANGEABLE, TYPES, method_runs_ahead
from .rows import EVERY, FIRST, Row

_ROWS = {**BUILTINS, **ROWS, **NUMPY}
_NO_RULE = ("numpy.random", "random")
# Functions that make a container which scouts change, by the last part of their names.
MAKER_NAMES = frozenset(
    name.rpartition(".")[2] for name, row in _ROWS.items() if row.gives in CHANGEABLE
)
# Builtins that give what is in their arguments, as it is asked for.
WRAPPERS = frozenset(
    name.removeprefix("builtins.") for name, row in BUILTINS.items() if row.lazy and row.shallow
)
# Builtins that give a new container, or something that is walked as one.
CONTAINERS = frozenset(
    name.removeprefix("builtins.") for name, row in BUILTINS.items() if row.gives_container
)
# Builtins whose arguments are all containers, or iterators.
TAKING_CONTAINERS = WRAPPERS | frozenset(
    name.removeprefix("builtins.")
    for name, row in BUILTINS.items()
    if name == "builtins.len" or (row.walks in (FIRST, EVERY) and row.harmless)
    if row.gives != "item" and row.again is False
)


def find(dotted: str) -> Row | None:
    """What a function does, by its own row or the rule for its module; None if nothing is known."""
    if dotted in _ROWS:
        return _ROWS[dotted]
    owner, _, name = dotted.rpartition(".")
    if name in TYPES.get(owner, ()):
        return TYPES[owner][name]
    prefix = dotted
    while prefix and prefix not in _NO_RULE:
        if prefix in MODULES:
            return MODULES[prefix]
        prefix = prefix.rpartition(".")[0]
    return None


def builtin(name: str) -> Row | None:
    """What a builtin does."""
    return BUILTINS.get(f"builtins.{name}")


def known_ahead() -> list[str]:
    """The functions that scouts run by their own rows."""
    return [name for name, row in _ROWS.items() if row.harmless and runs_ahead(name)]


def runs_ahead(dotted: str) -> bool:
    """Whether scouts run a function, as far as its name tells."""
    row = _ROWS.get(dotted)
    owner, _, name = dotted.rpartition(".")
    if row is None:
        # a class is known by its row alone
        return (owner in AHEAD and name[:1].islower()) or method_runs_ahead(owner, name)
    if row.ahead is None:
        return row.harmless and (owner in AHEAD or owner == "builtins")
    return row.ahead


# Whoever calls these asks for an answer, or is answered by the objects themselves.
_ANSWERING = frozenset(
    f"builtins.{name}" for name in "all any getattr isinstance issubclass next range type".split()
)
_OF_THEMSELVES = ("itertools", "operator")
# Modules among whose functions there are such that give an expression for one.
EXPRESSING = (*(AHEAD.keys() - set(_OF_THEMSELVES)), *EXPRESSED, "builtins", "numpy")


def gives_expression(dotted: str) -> bool:
    """Whether copies have a function give an expression for what is not known yet, by its name."""
    row = find(dotted)
    owner, _, name = dotted.rpartition(".")
    if row is None or dotted in _ANSWERING or owner in _OF_THEMSELVES or not name[:1].islower():
        return False
    if row.special is not None or row.lazy or not row.harmless or row.calls not in (None, "key"):
        return False
    return owner in EXPRESSED or runs_ahead(dotted)
