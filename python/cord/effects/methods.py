"""What methods of builtin and library types do, by type and, where it is not known, by name."""

from __future__ import annotations

from .table import (
    PRINTS,
    PROCESS,
    READS_FILES,
    SETS,
    SETTINGS,
    WRITES_FILES,
    Entry,
)

SELF = (-1,)  # `changes` of a method counts from its object: -1 is the object itself

_CONST = Entry(result="const")
_FRESH = Entry()
_ITEM = Entry(result="item")
_SAME = Entry(result="same")
_GROWS = Entry((), "const", SELF)
_TAKES = Entry((), "item", SELF)

_STR = """capitalize casefold center count encode endswith expandtabs find format format_map index
isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle
isupper join ljust lower lstrip maketrans removeprefix removesuffix replace rfind rindex rjust
rstrip startswith strip swapcase title translate upper zfill decode hex fromhex"""
_STR_PARTS = "partition rpartition rsplit split splitlines"

_TYPES: dict[str, dict[str, Entry]] = {}


def _type(name: str, entry: Entry, methods: str) -> None:
    table = _TYPES.setdefault(name, {})
    table.update((method, entry) for method in methods.split())


for _name in ("str", "bytes"):
    _type(_name, _CONST, _STR)
    _type(_name, Entry(result="deep"), _STR_PARTS)
_type("number", _CONST, "bit_length bit_count to_bytes from_bytes conjugate as_integer_ratio hex")
_type("number", _CONST, "is_integer real imag numerator denominator")

_type("list", _GROWS, "append clear extend insert remove reverse sort __setitem__ __delitem__")
_type("list", _TAKES, "pop")
_type("list", _CONST, "count index __len__ __contains__")
_type("list", Entry(result="list"), "copy")
_type("tuple", _CONST, "count index")
_type("dict", _GROWS, "clear update __setitem__ __delitem__")
_type("dict", _TAKES, "pop setdefault")
_type("dict", Entry((), "pairs", SELF), "popitem")
_type("dict", Entry(result="pairs"), "items")
_type("dict", Entry(result="iterator"), "keys values")
_type("dict", _ITEM, "get __getitem__")
_type("dict", Entry(result="dict"), "copy")
_type("dict", Entry(result="dict"), "fromkeys")
_type("set", _GROWS, "add clear discard remove update difference_update intersection_update")
_type("set", _GROWS, "symmetric_difference_update")
_type("set", _TAKES, "pop")
_type("set", Entry(result="set"), "copy difference intersection symmetric_difference union")
_type("set", _CONST, "isdisjoint issubset issuperset")
_type("bytearray", _GROWS, "append extend clear insert remove reverse __setitem__")
_type("bytearray", _TAKES, "pop")
_type("bytearray", _CONST, _STR + " copy")
_type("deque", _GROWS, "append appendleft clear extend extendleft insert remove reverse rotate")
_type("deque", _TAKES, "pop popleft")
_type("deque", _CONST, "count index")
_type("deque", Entry(result="collections.deque"), "copy")
_type("Counter", Entry(result="pairs"), "most_common")
_type("Counter", Entry(result="iterator"), "elements")
_type("Counter", _GROWS, "subtract update")
_type("Counter", _CONST, "total")
_type("OrderedDict", _GROWS, "move_to_end")
_type("ChainMap", _FRESH, "new_child")
_type("iterator", _TAKES, "__next__ send throw")
_type("iterator", _SAME, "__iter__")
_type("iterator", _GROWS, "close")
_type("array.array", _GROWS, "append extend insert byteswap fromlist frombytes remove reverse")
_type("array.array", _TAKES, "pop")
_type("array.array", _CONST, "tobytes count index buffer_info")
_type("array.array", Entry(result="deep"), "tolist")
_type("re.Pattern", Entry(result="re.Match"), "fullmatch match search")
_type("re.Pattern", Entry(result="deep"), "findall split sub subn")
_type("re.Pattern", Entry(result="iterator"), "finditer")
_type("re.Match", Entry(result="deep"), "end expand group groupdict groups span start")
_type("ndarray", _GROWS, "fill itemset partition put resize setfield setflags sort")
_type(
    "ndarray",
    _SAME,
    "reshape view ravel transpose squeeze swapaxes diagonal T flat real imag base __array__",
)
_type(
    "ndarray",
    Entry(result="ndarray"),
    """astype copy flatten all any argmax argmin argpartition argsort choose clip compress conj
    cumprod cumsum dot max mean min nonzero prod ptp repeat round searchsorted std sum take trace
    var byteswap""",
)
_type("ndarray", _CONST, "item tobytes tolist dumps shape ndim size dtype nbytes itemsize strides")
_type("file", Entry((READS_FILES,), "const", SELF), "read readline readinto readable")
_type("file", Entry((READS_FILES,), "list", SELF), "readlines")
_type(
    "file",
    Entry((WRITES_FILES,), "const", SELF),
    "write writelines flush truncate writerow writerows",
)
_type("file", Entry((), "const", SELF), "close seek tell fileno")
_type("io.Buffer", _GROWS, "write writelines close seek truncate flush")
_type("io.Buffer", _CONST, "getvalue tell")
_type("io.Buffer", Entry((), "const", SELF), "read readline readlines")
_type("hashlib.hash", _GROWS, "update")
_type("hashlib.hash", _CONST, "digest hexdigest")
_type("hashlib.hash", Entry(result="hashlib.hash"), "copy")
_type("random.Random", _GROWS, "seed setstate shuffle")
_type(
    "random.Random",
    Entry((), "item", SELF),
    """random randint randrange choice choices sample uniform gauss normalvariate betavariate
    expovariate getrandbits randbytes triangular""",
)
_type(
    "numpy.Generator",
    Entry((), "ndarray", SELF),
    """random integers choice normal uniform standard_normal permutation poisson exponential
    binomial rand randn randint shuffle permuted""",
)
_type("logging.Logger", Entry((SETTINGS,), "const"), "debug info warning warn error exception")
_type("logging.Logger", Entry((SETTINGS,), "const"), "critical log isEnabledFor getEffectiveLevel")
_type("logging.Logger", Entry((SETS,), "const"), "setLevel addHandler removeHandler addFilter")
_type("decimal.Context", _CONST, "create_decimal divide sqrt power quantize copy")
_type("threading.Lock", _CONST, "acquire release locked __enter__ __exit__")
_type(
    "number",
    _CONST,
    """quantize normalize to_integral_value is_nan is_zero is_signed is_infinite is_finite adjusted
    as_tuple scaleb ln log10 limit_denominator isoformat strftime timestamp total_seconds weekday
    isoweekday isocalendar toordinal date time timetuple astimezone utcoffset""",
)
_type("exception", _FRESH, "with_traceback split derive subgroup")
_type("exception", _GROWS, "add_note")
_type(
    "path",
    Entry((READS_FILES,), "const"),
    "read_text read_bytes exists is_file is_dir iterdir glob rglob stat open resolve samefile",
)
_type(
    "path",
    Entry((WRITES_FILES,), "const"),
    "write_text write_bytes mkdir unlink rmdir touch rename symlink_to",
)
_type("path", _CONST, "joinpath with_name with_suffix as_posix relative_to is_absolute with_stem")
_type("function", Entry(result="fresh"), "__call__")

_SPECIFIC = {
    "int": "number",
    "float": "number",
    "bool": "number",
    "complex": "number",
    "frozenset": "set",
    "collections.deque": "deque",
    "collections.Counter": "Counter",
    "collections.OrderedDict": "OrderedDict",
    "collections.defaultdict": "dict",
    "collections.ChainMap": "ChainMap",
    "threading.RLock": "threading.Lock",
    "pathlib.Path": "path",
}
_DICTS = frozenset({"Counter", "OrderedDict", "ChainMap"})

_STREAMS = {"write": PRINTS, "writelines": PRINTS, "flush": PRINTS, "fileno": PROCESS}

_BY_NAME: dict[str, Entry] = {}
_NEVER_GUESSED = frozenset({"file", "io.Buffer", "path", "logging.Logger", "decimal.Context"})
_NEVER_GUESSED |= {"numpy.Generator", "random.Random", "threading.Lock", "function"}
for _name, _methods in _TYPES.items():
    if _name in _NEVER_GUESSED:
        continue
    for _method, _entry in _methods.items():
        _old = _BY_NAME.get(_method)
        # What changes its object goes first; of results, what shares more.
        if _old is None or (not _old.changes and _entry.changes):
            _BY_NAME[_method] = _entry
_BY_NAME["copy"] = _FRESH
_BY_NAME["pop"] = _TAKES
_BY_NAME["update"] = _GROWS
for _method in ("count", "index", "date", "time", "real", "imag", "size", "shape"):
    _BY_NAME.setdefault(_method, _CONST)

# Methods that lists have and arrays do not: they show what an object is not.
LIST_ONLY = frozenset("append extend insert remove pop clear reverse".split())


def of_type(type_name: str, method: str) -> Entry | None:
    """What a method of a known type does, or None."""
    name = _SPECIFIC.get(type_name, type_name)
    entry = _TYPES.get(name, {}).get(method)
    if entry is None and name in _DICTS:
        entry = _TYPES["dict"].get(method)
    return entry


def knows(type_name: str) -> bool:
    """Whether the methods of the type are in the table."""
    return _SPECIFIC.get(type_name, type_name) in _TYPES


def by_name(method: str) -> Entry | None:
    """What a method of that name does, whichever builtin type has it."""
    return _BY_NAME.get(method)


def of_stream(method: str) -> Entry:
    """What a method of `sys.stdout` or `sys.stderr` does."""
    return Entry((_STREAMS.get(method, PRINTS),), "const")
