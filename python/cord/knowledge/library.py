"""Python's library, but for what reaches outside the program: see `outside`."""

from __future__ import annotations

from .rows import (
    CONST,
    DEEP,
    EVERY,
    FIRST,
    FRESH,
    ITEM,
    ITERATOR,
    LIST,
    MAKER,
    PUTS,
    READS_FILES,
    SECOND,
    WRITES_FILES,
    Row,
    rows,
)

_AHEAD = Row(ahead=True)
_CONST_AHEAD = Row("const", ahead=True)
_CHANGES_AND_GIVES = Row("same", changes=(0,))
_TAKES_FIRST = Row("item", changes=(0,))
_CHAIN = Row("iterator", walks=FIRST, shallow=True)
_PAIRS = Row("pairs", walks=FIRST, shallow=True)
_CHOICE = Row("iterator", walks=SECOND, calls=0, ahead=False)
_ITERATOR_LEFT = Row("iterator", ahead=False)  # where the program is in it cannot be seen
_DIGEST = Row("hashlib.hash")

# Whole modules: what holds for all that has no row. Scouts run the functions of the first ones:
# with plain arguments they run no code but the library's.
AHEAD = {
    **dict.fromkeys(("math", "cmath", "unicodedata", "colorsys", "textwrap", "statistics"), CONST),
    **dict.fromkeys(
        "base64 binascii bisect html itertools json operator re struct zlib".split(), FRESH
    ),
}
MODULES = {
    **AHEAD,
    **dict.fromkeys(("os.path", "posixpath"), CONST),
    **dict.fromkeys(
        """functools collections string bz2 lzma hashlib hmac heapq copy difflib keyword
        urllib.parse ast calendar decimal fractions numbers enum dataclasses typing types abc
        array datetime zoneinfo uuid pprint reprlib graphlib ipaddress shlex fnmatch contextlib csv
        io traceback weakref inspect stringprep quopri codecs collections.abc threading.Lock
        threading.RLock threading.local queue pathlib.PurePath pathlib.PurePosixPath pathlib.Path
        os.fspath os.fsencode os.fsdecode sys.getsizeof sys.intern sys.exc_info sys.exit
        sys.maxsize sys.version_info sys.getrecursionlimit sys.float_info sys.byteorder
        sys.platform random.Random marshal.dumps marshal.loads pickle.dumps pickle.loads time.sleep
        time.struct_time time.strptime time.gmtime time.mktime time.strftime mimetypes tokenize
        token dis opcode xml.etree configparser argparse email.message html.parser numpy
        scipy.special scipy.linalg scipy.fft warnings.catch_warnings __future__
        _thread.allocate_lock os.linesep os.sep os.name os.SEEK_SET typing_extensions""".split(),
        FRESH,
    ),
}

_PATHS = {
    """join basename dirname split splitext normpath isabs commonpath normcase
    splitdrive""": _CONST_AHEAD,
    "commonprefix": _AHEAD,  # of any sequences
}

ROWS: dict[str, Row] = {
    **rows("os.path", _PATHS),
    **rows("posixpath", _PATHS),
    **rows("statistics", {"mode median median_low median_high": ITEM, "multimode quantiles": LIST}),
    **rows("unicodedata", {"decimal digit name numeric": ITEM}),
    **rows("textwrap", {"wrap": DEEP}),
    **rows("string", {"capwords": _CONST_AHEAD}),
    **rows(
        "re",
        {
            "compile": Row("re.Pattern"),
            "match search fullmatch": Row("re.Match"),
            "sub escape": CONST,
            "findall split subn": DEEP,
            "finditer": _ITERATOR_LEFT,
        },
    ),
    **rows(
        "json",
        {
            "dumps": CONST,
            "loads": DEEP,
            "load": Row("deep", effects=(READS_FILES,)),
            "dump": Row("const", effects=(WRITES_FILES,), changes=(1,)),
        },
    ),
    **rows("base64", {"encode decode main test": Row(effects=(READS_FILES, WRITES_FILES))}),
    **rows(
        "struct",
        {
            "pack calcsize": CONST,
            "unpack unpack_from": DEEP,
            "iter_unpack": Row("deep", ahead=False),
            "pack_into": Row("const", changes=(1,)),
        },
    ),
    **rows("zlib", {"compressobj decompressobj": Row(ahead=False)}),
    **rows(
        "itertools",
        {
            "chain": Row("iterator", walks=EVERY, shallow=True),
            "islice cycle": _CHAIN,
            "repeat count": Row("iterator", shallow=True),
            "zip_longest product": Row("pairs", walks=EVERY, shallow=True),
            "combinations permutations combinations_with_replacement pairwise batched": _PAIRS,
            "compress": Row("iterator", walks=EVERY),
            "accumulate": Row("iterator", walks=FIRST, calls=1),
            "starmap takewhile dropwhile filterfalse": _CHOICE,
            "groupby": Row("pairs", walks=FIRST, calls=1, ahead=False),  # left to copies
            "tee": Row("pairs", walks=FIRST, ahead=False),
        },
    ),
    **rows(
        "operator",
        {
            "getitem": ITEM,
            "setitem delitem": PUTS,
            "iadd iand iconcat ifloordiv ilshift imatmul imod imul ior ipow irshift isub itruediv"
            " ixor": _CHANGES_AND_GIVES,
            "itemgetter attrgetter methodcaller": MAKER,
            "call": Row(calls=0, ahead=False),
        },
    ),
    **rows(
        "functools",
        {
            "reduce": Row("item", walks=SECOND, calls=0),
            "partial": Row("partial", ahead=True),
            "partialmethod": Row("partial"),
            "cmp_to_key": MAKER,
            "update_wrapper": _CHANGES_AND_GIVES,
        },
    ),
    **rows(
        "bisect",
        {"bisect bisect_left bisect_right": CONST, "insort insort_left insort_right": PUTS},
    ),
    **rows(
        "heapq",
        {
            "heappush heapify _heapify_max": PUTS,
            "heappop heapreplace heappushpop _heappop_max _heapreplace_max": _TAKES_FIRST,
            "nlargest nsmallest": Row("list", walks=SECOND, calls="key", ahead=True),
        },
    ),
    **rows("copy", {"copy": _AHEAD, "deepcopy": Row("deep", ahead=True, reads=1)}),
    **rows("dataclasses", {"asdict astuple": _AHEAD}),
    **rows(
        "collections",
        {
            "namedtuple": MAKER,
            "deque": Row("collections.deque", walks=FIRST, ahead=True),
            "Counter": Row("collections.Counter", walks=FIRST, ahead=True),
            "defaultdict": Row("collections.defaultdict", ahead=True),
            "OrderedDict": Row("collections.OrderedDict", ahead=True),
            "ChainMap": Row("collections.ChainMap"),
        },
    ),
    **rows("typing", {"NamedTuple NewType TypeVar TypedDict": MAKER}),
    **rows(
        "datetime",
        {"date datetime time timedelta timezone": _CONST_AHEAD},
    ),
    **rows("decimal", {"Decimal": _CONST_AHEAD}),
    **rows("fractions", {"Fraction": _CONST_AHEAD}),
    **rows("uuid", {"UUID": _AHEAD}),
    **rows("array", {"array": Row("array.array", ahead=True)}),
    **rows("pathlib", {"Path PurePath PosixPath": Row("pathlib.Path", ahead=True)}),
    **rows("zoneinfo", {"ZoneInfo available_timezones": CONST}),
    **rows("sys", {"getrefcount getdefaultencoding getfilesystemencoding": CONST}),
    **rows("random", {"Random": Row("random.Random")}),
    **rows("csv", {"reader DictReader": ITERATOR}),
    **rows("csv", {"writer DictWriter": _CHANGES_AND_GIVES}),
    **rows("io", {"StringIO BytesIO": Row("io.Buffer")}),
    **rows(
        "hashlib", {"md5 sha1 sha224 sha256 sha384 sha512 blake2b blake2s new sha3_256": _DIGEST}
    ),
}
