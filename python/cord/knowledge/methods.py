"""What is asked of methods, by the names of their types.

A method of a builtin type has no effect on anything but its object; which ones change that has to
be said. Scouts run what does not, where the arguments are plain. Of types of the library they run
what a row says, for another method of that name may be the program's own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache

from .library import EXPRESSED
from .rows import BLIND, CONST, FIRST, FRESH, GROWS, SELF, Row, by_type

BUILTIN = (str, bytes, int, float, complex, list, tuple, dict, set, frozenset, bytearray, range)
_APPENDS = Row("const", changes=SELF, looks="nothing", puts="last", end="back")
_EXTENDS = Row("const", changes=SELF, walks=FIRST, looks="items", puts="items", end="back")
_BY_KEY = Row("const", changes=SELF, looks="key", puts="last")
UPDATES = Row("const", changes=SELF, walks=FIRST, looks="pairs", puts="items")
TAKES_BY_KEY = Row("item", changes=SELF, looks="key")
_ITEM_BY_KEY = Row("item", looks="key")
_JOINS = Row("const", changes=SELF, puts="items")
_CONST_AHEAD, _DEEP_AHEAD = Row("const", ahead=True), Row("deep", ahead=True)
_IN_PARTS, _IN_PARTS_AHEAD = Row("deep", again=True), Row("deep", ahead=True, again=True)
_VIEW = Row("iterator", again=True)
_PARTS = "partition rpartition rsplit split splitlines"
_SETS = "copy difference intersection symmetric_difference union"
_DAY = "isoformat isoweekday replace strftime toordinal weekday fromisoformat fromordinal"
_PATH = "as_posix is_absolute is_relative_to joinpath relative_to with_name with_stem with_suffix"

_ROWS = by_type(
    {
        f"str: {_PARTS} bytes: {_PARTS} bytearray: {_PARTS}": _IN_PARTS,
        "str: join bytes: join bytearray: join": Row("const", walks=FIRST),
        "list: append collections.deque: append": _APPENDS,
        "list: clear reverse": BLIND,
        "list: remove __delitem__": GROWS,
        "list: __setitem__ insert dict: __setitem__ collections.deque: insert": _BY_KEY,
        "list: extend": _EXTENDS,
        "list: sort": Row("const", changes=SELF, calls="key", looks="own"),
        "list: pop dict: pop set: pop bytearray: pop": TAKES_BY_KEY,
        "dict: setdefault": Row("item", changes=SELF, looks="key", puts="last"),
        "list: copy": Row("list"),
        "list: __len__ __contains__": CONST,
        "dict: clear set: clear": BLIND,
        "dict: __delitem__": GROWS,
        "dict: update": UPDATES,
        "dict: popitem": Row("pairs", changes=SELF, looks="nothing"),
        "dict: items": Row("pairs", again=True),
        "dict: keys values": _VIEW,
        "dict: get __getitem__": _ITEM_BY_KEY,
        "dict: copy fromkeys": Row("dict"),
        "set: add": Row("const", changes=SELF, puts="last"),
        "set: update": Row("const", changes=SELF, walks=FIRST, puts="items"),
        "set: intersection_update symmetric_difference_update": _JOINS,
        "set: discard remove difference_update": GROWS,
        f"set: {_SETS}": Row("set"),
        f"frozenset: {_SETS}": Row("frozenset"),
        "bytearray: clear reverse": BLIND,
        "bytearray: append insert extend remove __setitem__ __delitem__": GROWS,
        "collections.deque: extend": _EXTENDS,
        "collections.deque: appendleft": Row(
            "const", changes=SELF, looks="nothing", puts="last", end="front"
        ),
        "collections.deque: extendleft": Row("const", changes=SELF, puts="items", end="front"),
        "collections.deque: clear reverse": BLIND,
        "collections.deque: remove": GROWS,
        "collections.deque: rotate": Row("const", changes=SELF, ahead=False),
        "collections.deque: pop": TAKES_BY_KEY,
        "collections.deque: popleft": Row("item", changes=SELF, looks="key", end="front"),
        "collections.deque: count index": _CONST_AHEAD,
        "collections.deque: copy": Row("collections.deque", ahead=True),
        "collections.OrderedDict: move_to_end": GROWS,
        "collections.ChainMap: new_child": FRESH,
        "collections.Counter: most_common": Row("pairs"),
        "collections.Counter: elements": Row("iterator", ahead=False),
        "collections.Counter: fromkeys": Row(ahead=False),
        "collections.Counter: subtract": GROWS,
        "collections.Counter: total": Row("const", ahead=False),
        "collections.namedtuple: _asdict _make _replace": Row(ahead=True),
        "itertools.chain: from_iterable": Row("iterator", shallow=True, ahead=True),
        "re.Pattern: fullmatch match search": Row("re.Match", ahead=True),
        "re.Pattern: findall split subn": _IN_PARTS_AHEAD,
        "re.Pattern: sub": _DEEP_AHEAD,
        "re.Pattern: finditer": Row("iterator", ahead=True),
        "re.Match: groupdict groups span": _IN_PARTS_AHEAD,
        "re.Match: end expand group start": _DEEP_AHEAD,
        "pydantic_core._pydantic_core.SchemaValidator: validate_json validate_strings": FRESH,
        "_hashlib.HASH: copy digest hexdigest": CONST,
        "numpy.ndarray: fill itemset partition put resize setfield setflags sort": GROWS,
        "numpy.ndarray: ravel reshape squeeze swapaxes transpose": Row("same", ahead=True),
        "numpy.ndarray: view diagonal T flat real imag base __array__": Row("same"),
        "numpy.ndarray: argsort astype copy flatten nonzero repeat": Row("ndarray", ahead=True),
        "numpy.ndarray: all any argmax argmin dot max min round": Row(
            "ndarray", ahead=True, reads=1
        ),
        "numpy.ndarray: clip cumsum mean prod std sum take var": Row(
            "ndarray", ahead=True, reads=2
        ),
        "numpy.ndarray: trace": Row("ndarray", ahead=True, reads=4),
        """numpy.ndarray: argpartition choose compress conj cumprod ptp searchsorted
        byteswap""": Row("ndarray"),
        "numpy.ndarray: tobytes tolist": _CONST_AHEAD,
        "numpy.ndarray: item dumps shape ndim size dtype nbytes itemsize strides": CONST,
        f"datetime.datetime: {_DAY} date timestamp strptime": _CONST_AHEAD,
        f"datetime.date: {_DAY} datetime.time: isoformat replace strftime": _CONST_AHEAD,
        "datetime.timedelta: total_seconds": _CONST_AHEAD,
        "fractions.Fraction: as_integer_ratio limit_denominator": _CONST_AHEAD,
        f"pathlib.PosixPath: {_PATH} pathlib.PurePosixPath: {_PATH}": _CONST_AHEAD,
    }
)


def _of_builtin(cls: type) -> dict[str, Row]:
    """The methods of a builtin type, which compute something if it is not said otherwise."""
    public = [name for name in vars(cls) if name[0] != "_" and callable(getattr(cls, name))]
    return {**dict.fromkeys(public, CONST), **_ROWS.get(cls.__name__, {})}


_KINDS_OF_DICTS = tuple(
    f"collections.{name}" for name in ("defaultdict", "OrderedDict", "ChainMap", "Counter")
)
_BUILTIN_TYPES = {cls.__name__: _of_builtin(cls) for cls in BUILTIN}
TYPES = {
    **_BUILTIN_TYPES,
    **{name: methods for name, methods in _ROWS.items() if name not in _BUILTIN_TYPES},
    **{name: {**_BUILTIN_TYPES["dict"], **_ROWS.get(name, {})} for name in _KINDS_OF_DICTS},
}
# The containers that a scout makes copies of, to change them.
CHANGEABLE = ("list", "dict", "set", "bytearray", "collections.deque")
_BY_RULE = _BUILTIN_TYPES.keys() | set(_KINDS_OF_DICTS) - {"collections.ChainMap"}


def _ahead(type_name: str, name: str, row: Row) -> bool:
    by_rule = type_name in _BY_RULE and not name.startswith("__")
    return row.harmless and (by_rule if row.ahead is None else row.ahead)


@cache
def ahead_of(type_name: str) -> frozenset[str]:
    """The methods of a type that scouts run: they only read."""
    known = TYPES.get(type_name, {})
    return frozenset(name for name, row in known.items() if _ahead(type_name, name, row))


def expressed_of(type_name: str) -> frozenset[str]:
    """The methods of a type that give an expression for what is not known yet, in copies."""
    if type_name not in EXPRESSED:
        return ahead_of(type_name)
    return frozenset(name for name, row in TYPES[type_name].items() if row.harmless)


def method_runs_ahead(type_name: str, name: str) -> bool:
    """Whether scouts run a method."""
    return name in ahead_of(type_name)


def may_fill(name: str, positional: int, keywords: Collection[str | None]) -> bool:
    """Whether a method, called so, may put its result into an argument: some of arrays do."""
    row = TYPES["numpy.ndarray"].get(name)
    reads = row.reads if row is not None else None
    return "out" in keywords or (reads is not None and positional > reads)


def changers_of(type_name: str) -> dict[str, str]:
    """The methods by which a scout changes its copy of a container, and what they look at."""
    known = TYPES[type_name] if type_name in CHANGEABLE else {}
    changing = {name: row for name, row in known.items() if row.changes}
    return {name: row.looks for name, row in changing.items() if row.ahead is not False}


def _named(tells: Callable[[Row], object]) -> frozenset[str]:
    """The names of which some method is so."""
    return frozenset(name for known in TYPES.values() for name, row in known.items() if tells(row))


AHEAD_NAMES = frozenset().union(*map(ahead_of, TYPES))
CHANGER_NAMES = frozenset().union(*map(changers_of, CHANGEABLE))
# Methods that take items from what they are given, and do nothing else with it.
WALKER_NAMES = _named(lambda row: row.walks is not None)
# Methods that put their last argument into the object and do not look at it, nor give anything.
KEEPER_NAMES = _named(
    lambda row: row.puts == "last" and row.looks in ("nothing", "key") and row.gives == "const"
)
# Methods that put what they are given into the object, or what is in it.
PUTTING_IN, PUTTING_IN_ITEMS = (
    _named(lambda row: row.puts == "last"),
    _named(lambda row: row.puts == "items"),
)
# Methods that add to the end of a container, and those that are the same whatever is at its end.
GROWER_NAMES = _named(lambda row: row.end == "back")
FRONT_NAMES = _named(lambda row: row.end is not None)
# Methods that give views: what is in the object, as it is asked for, as often as it is.
VIEW_NAMES = _named(lambda row: row.again and row.lazy)
