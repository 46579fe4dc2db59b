"""What is asked of methods, by the names of their types.

A method of a builtin type has no effect on anything but its object; which ones change that has to
be said. Scouts run what does not, where the arguments are plain. Of types of the library they run
what a row says, for another method of that name may be the program's own.
"""

from __future__ import annotations

from .rows import CONST, DEEP, FIRST, FRESH, GROWS, ITEM, ITERATOR, SELF, TAKES, Row, named

_BUILTIN = (str, bytes, int, float, complex, list, tuple, dict, set, frozenset, bytearray, range)
_GROWS_LEFT = Row("const", changes=SELF, ahead=False)
_CONST_AHEAD, _DEEP_AHEAD = Row("const", ahead=True), Row("deep", ahead=True)
_MADE_AHEAD, _MADE = Row("ndarray", ahead=True), Row("ndarray")
_WINDOW_AHEAD, _WINDOW = Row("same", ahead=True), Row("same")
_DEQUE, _ITERATOR_AHEAD = Row("collections.deque"), Row("iterator", ahead=True)


def _of_builtin(cls: type, changing: dict[str, Row]) -> dict[str, Row]:
    """The methods of a builtin type, which compute something if it is not said otherwise."""
    public = [name for name in vars(cls) if name[0] != "_" and callable(getattr(cls, name))]
    return {**dict.fromkeys(public, CONST), **named(changing)}


_EXTENDS = Row("const", changes=SELF, walks=FIRST)
_PARTS = {
    "partition rpartition rsplit split splitlines": DEEP,
    "join": Row("const", walks=FIRST),
}
_SET = {
    "update": _EXTENDS,
    "add clear discard remove": GROWS,
    "difference_update intersection_update symmetric_difference_update": GROWS,
    "pop": TAKES,
}
_SETS = "copy difference intersection symmetric_difference union"
_DAY = "isoformat isoweekday replace strftime toordinal weekday fromisoformat fromordinal"
_PATH = {
    """as_posix is_absolute is_relative_to joinpath relative_to with_name with_stem
    with_suffix""": _CONST_AHEAD
}

_DICT = _of_builtin(
    dict,
    {
        "update": _EXTENDS,
        "clear __setitem__ __delitem__": GROWS,
        "pop setdefault": TAKES,
        "popitem": Row("pairs", changes=SELF),
        "items": Row("pairs"),
        "keys values": ITERATOR,
        "get __getitem__": ITEM,
        "copy fromkeys": Row("dict"),
    },
)

TYPES: dict[str, dict[str, Row]] = {
    "str": _of_builtin(str, _PARTS),
    "bytes": _of_builtin(bytes, _PARTS),
    "int": _of_builtin(int, {}),
    "float": _of_builtin(float, {}),
    "complex": _of_builtin(complex, {}),
    "list": _of_builtin(
        list,
        {
            "extend": _EXTENDS,
            "append clear insert remove reverse __setitem__ __delitem__": GROWS,
            "sort": Row("const", changes=SELF, calls="key"),
            "pop": TAKES,
            "copy": Row("list"),
            "__len__ __contains__": CONST,
        },
    ),
    "tuple": _of_builtin(tuple, {}),
    "range": _of_builtin(range, {}),
    "dict": _DICT,
    "set": _of_builtin(set, {**_SET, _SETS: Row("set")}),
    "frozenset": _of_builtin(frozenset, {_SETS: Row("frozenset")}),
    "bytearray": _of_builtin(
        bytearray,
        {
            **_PARTS,
            "extend": _EXTENDS,
            "append clear insert remove reverse __setitem__ __delitem__": GROWS,
            "pop": TAKES,
        },
    ),
    "collections.deque": named(
        {
            "extend": _EXTENDS,
            "append appendleft clear extendleft insert remove reverse": GROWS,
            "rotate": _GROWS_LEFT,
            "pop popleft": TAKES,
            "count index": _CONST_AHEAD,
            "copy": Row("collections.deque", ahead=True),
        }
    ),
    "collections.defaultdict": _DICT,
    "collections.OrderedDict": {**_DICT, "move_to_end": GROWS},
    "collections.ChainMap": {**_DICT, "new_child": FRESH},
    "collections.Counter": {
        **_DICT,
        "most_common": Row("pairs"),
        "elements": Row("iterator", ahead=False),
        "fromkeys": Row(ahead=False),
        "subtract": GROWS,
        "total": Row("const", ahead=False),
    },
    "collections.namedtuple": named({"_asdict _make _replace": Row(ahead=True)}),
    "itertools.chain": named({"from_iterable": Row("iterator", shallow=True, ahead=True)}),
    "re.Pattern": named(
        {
            "fullmatch match search": Row("re.Match", ahead=True),
            "findall split sub subn": _DEEP_AHEAD,
            "finditer": _ITERATOR_AHEAD,
        }
    ),
    "re.Match": named({"end expand group groupdict groups span start": _DEEP_AHEAD}),
    "numpy.ndarray": named(
        {
            "fill itemset partition put resize setfield setflags sort": GROWS,
            "ravel reshape squeeze swapaxes transpose": _WINDOW_AHEAD,
            "view diagonal T flat real imag base __array__": _WINDOW,
            """all any argmax argmin argsort astype clip copy cumsum dot flatten max mean min
            nonzero prod repeat round std sum take trace var""": _MADE_AHEAD,
            "argpartition choose compress conj cumprod ptp searchsorted byteswap": _MADE,
            "tobytes tolist": _CONST_AHEAD,
            "item dumps shape ndim size dtype nbytes itemsize strides": CONST,
        }
    ),
    "datetime.datetime": named({f"{_DAY} date timestamp strptime": _CONST_AHEAD}),
    "datetime.date": named({_DAY: _CONST_AHEAD}),
    "datetime.time": named({"isoformat replace strftime": _CONST_AHEAD}),
    "datetime.timedelta": named({"total_seconds": _CONST_AHEAD}),
    "fractions.Fraction": named({"as_integer_ratio limit_denominator": _CONST_AHEAD}),
    "pathlib.PosixPath": named(_PATH),
    "pathlib.PurePosixPath": named(_PATH),
}


# The containers that a scout makes copies of, to change them.
CHANGEABLE = ("list", "dict", "set", "bytearray", "collections.deque")
_BY_RULE = frozenset(cls.__name__ for cls in _BUILTIN) | {
    *("collections.defaultdict", "collections.OrderedDict", "collections.Counter")
}


def _ahead(type_name: str, name: str, row: Row) -> bool:
    by_rule = type_name in _BY_RULE and not name.startswith("__")
    return row.harmless and (by_rule if row.ahead is None else row.ahead)


def ahead_of(type_name: str) -> frozenset[str]:
    """The methods of a type that scouts run: they only read."""
    known = TYPES.get(type_name, {})
    return frozenset(name for name, row in known.items() if _ahead(type_name, name, row))


def method_runs_ahead(type_name: str, name: str) -> bool:
    """Whether scouts run a method."""
    return name in ahead_of(type_name)


def changers_of(type_name: str) -> frozenset[str]:
    """The methods by which a scout changes its copy of a container: they change nothing else."""
    known = TYPES[type_name] if type_name in CHANGEABLE else {}
    return frozenset(name for name, row in known.items() if row.changes and row.ahead is not False)


AHEAD_NAMES = frozenset().union(*map(ahead_of, TYPES))
CHANGER_NAMES = frozenset().union(*map(changers_of, CHANGEABLE))
# Methods that take items from what they are given, and do nothing else with it.
WALKER_NAMES = frozenset(
    name for known in TYPES.values() for name, row in known.items() if row.walks is not None
)
