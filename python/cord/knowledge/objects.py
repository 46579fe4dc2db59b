"""What methods do, to who does not run them: by type and, where it is not known, by name."""

from __future__ import annotations

from .methods import CHANGER_NAMES, TAKES_BY_KEY, TYPES, UPDATES, VIEW_NAMES
from .rows import (
    CONST,
    DEEP,
    FRESH,
    GROWS,
    NETWORK,
    PRINTS,
    PROCESS,
    READS_FILES,
    SELF,
    SETS,
    SETTINGS,
    TAKES,
    WRITES_FILES,
    Row,
    by_type,
)

# What is told of numbers and of what behaves alike: dates, decimals.
_NUMBERS = """real imag numerator denominator quantize normalize to_integral_value is_nan is_zero
is_signed is_infinite is_finite adjusted as_tuple scaleb ln log10 limit_denominator isoformat
strftime timestamp total_seconds weekday isoweekday isocalendar toordinal date time timetuple
astimezone utcoffset"""

_TYPES = {
    "number": {**TYPES["int"], **TYPES["float"], **dict.fromkeys(_NUMBERS.split(), CONST)},
    **by_type(
        {
            "iterator: __next__ send throw": TAKES,
            "iterator: __iter__": Row("same"),
            "iterator: close": GROWS,
            """array.array: append extend insert byteswap fromlist frombytes remove
            reverse""": GROWS,
            "array.array: pop": TAKES,
            "array.array: tobytes count index buffer_info": CONST,
            "array.array: tolist": DEEP,
        }
    ),
    **TYPES,
    **by_type(
        {
            "exception: with_traceback split derive subgroup": FRESH,
            "exception: add_note hashlib.hash: update": GROWS,
            "hashlib.hash: digest hexdigest": CONST,
            "hashlib.hash: copy": Row("hashlib.hash"),
        }
    ),
}

# Types whose methods are not taken for those of an object of which nothing is known.
_NEVER_GUESSED = by_type(
    {
        """connection: get post put delete head patch options request send stream urlopen open
        sendall sendto sendfile recv recvfrom recv_into connect accept bind listen getresponse
        login sendmail send_message retrbinary retrlines storbinary storlines cwd nlst mlsd mkd rmd
        rename""": Row(effects=(NETWORK,)),
        "file: read readline readinto readable": Row("const", effects=(READS_FILES,), changes=SELF),
        "file: readlines": Row("list", effects=(READS_FILES,), changes=SELF),
        "file: write writelines flush truncate writerow writerows": Row(
            "const", effects=(WRITES_FILES,), changes=SELF
        ),
        "file: close seek tell fileno": GROWS,
        "io.Buffer: write writelines close seek truncate flush read readline readlines": GROWS,
        "io.Buffer: getvalue tell": CONST,
        "random.Random: seed setstate shuffle": GROWS,
        """random.Random: random randint randrange choice choices sample uniform gauss
        normalvariate betavariate expovariate getrandbits randbytes triangular""": TAKES,
        """numpy.Generator: random integers choice normal uniform standard_normal permutation
        poisson exponential binomial rand randn randint shuffle permuted""": Row(
            "ndarray", changes=SELF
        ),
        """logging.Logger: debug info warning warn error exception critical log isEnabledFor
        getEffectiveLevel""": Row("const", effects=(SETTINGS,)),
        "logging.Logger: setLevel addHandler removeHandler addFilter": Row(
            "const", effects=(SETS,)
        ),
        "decimal.Context: create_decimal divide sqrt power quantize copy": CONST,
        "threading.Lock: acquire release locked __enter__ __exit__": CONST,
        """pathlib.Path: read_text read_bytes exists is_file is_dir is_symlink iterdir glob rglob
        stat lstat open samefile owner group""": Row("const", effects=(READS_FILES,)),
        "pathlib.Path: resolve absolute cwd home": Row("pathlib.Path", effects=(READS_FILES,)),
        """pathlib.Path: joinpath relative_to with_name with_stem with_suffix
        expanduser""": Row("pathlib.Path"),
        """pathlib.Path: write_text write_bytes mkdir unlink rmdir touch rename replace chmod
        symlink_to hardlink_to""": Row("const", effects=(WRITES_FILES,)),
        "function: __call__": FRESH,
    }
)
_NEVER_GUESSED["pathlib.Path"] = {
    **TYPES["pathlib.PosixPath"],
    **_NEVER_GUESSED["pathlib.Path"],
}

# What arrays have, and nothing else that is known.
ARRAY_ONLY = TYPES["numpy.ndarray"].keys() - {
    name
    for type_name, known in (*_TYPES.items(), *_NEVER_GUESSED.items())
    for name in known
    if type_name != "numpy.ndarray"
}
# What containers have that are not made once and for all.
CONTAINER_ONLY = ARRAY_ONLY | VIEW_NAMES | CHANGER_NAMES
# Methods that change lists, and that arrays do not have: they show what an object is not.
LIST_ONLY = frozenset(
    name
    for name, row in TYPES["list"].items()
    if row.changes and not name.startswith("__") and name not in TYPES["numpy.ndarray"]
)

_CALLED_OTHERWISE = {
    **dict.fromkeys(("int", "float", "bool", "complex"), "number"),
    "ndarray": "numpy.ndarray",
    "threading.RLock": "threading.Lock",
}

_STREAMS = {"write": PRINTS, "writelines": PRINTS, "flush": PRINTS, "fileno": PROCESS}


def _by_names() -> dict[str, Row]:
    found: dict[str, Row] = {}
    for name, methods in _TYPES.items():
        if name.startswith(("pathlib.", "datetime.", "itertools.")) or name.endswith("namedtuple"):
            continue
        for method, row in methods.items():
            old = found.get(method)
            # What changes its object goes first; of results, what shares more.
            if old is None or (not old.changes and row.changes):
                found[method] = row
    return {**found, "copy": FRESH, "pop": TAKES_BY_KEY, "update": UPDATES}


_BY_NAME = _by_names()


# Methods that change what they belong to, or something else, in one known type at least.
EFFECT_NAMES = CHANGER_NAMES | {
    method
    for methods in (*_TYPES.values(), *_NEVER_GUESSED.values())
    for method, row in methods.items()
    if row.changes or set(row.effects) - {READS_FILES}
}


def _methods_of(type_name: str) -> dict[str, Row] | None:
    name = _CALLED_OTHERWISE.get(type_name, type_name)
    return _TYPES.get(name) or _NEVER_GUESSED.get(name)


def of_type(type_name: str, method: str) -> Row | None:
    """What a method of a known type does, or None."""
    return (_methods_of(type_name) or {}).get(method)


def knows(type_name: str) -> bool:
    """Whether the methods of the type are known."""
    return _methods_of(type_name) is not None


def by_name(method: str) -> Row | None:
    """What a method of that name does, whichever builtin type has it."""
    return _BY_NAME.get(method)


def of_stream(method: str) -> Row:
    """What a method of `sys.stdout` or `sys.stderr` does."""
    return Row("const", effects=(_STREAMS.get(method, PRINTS),))
