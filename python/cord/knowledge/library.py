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
_ITERATOR_LEFT = Row("iterator", ahead=False)  # where the program is in it cannot be seen

# Whole modules: what holds for all that has no row. Scouts run the functions of the first ones:
# with plain arguments they run no code but the library's.
AHEAD = {
    **dict.fromkeys(("math", "cmath", "unicodedata", "colorsys", "textwrap", "statistics"), CONST),
    **dict.fromkeys(
        "base64 binascii bisect html itertools json operator re struct zlib".split(), FRESH
    ),
}
# Of these, copies have functions give an expression for what is not known yet, and scouts run none.
EXPRESSED = """hashlib urllib.parse ast string difflib shlex quopri fnmatch pickle marshal yaml
pydantic_core._pydantic_core.SchemaValidator""".split()
MODULES = {
    **AHEAD,
    **dict.fromkeys(("os.path", "posixpath"), CONST),
    **dict.fromkeys(
        """functools collections string bz2 lzma hashlib hmac heapq copy difflib keyword
        urllib.parse ast calendar decimal fractions numbers enum dataclasses typing types abc
        array datetime zoneinfo uuid pprint reprlib graphlib ipaddress shlex fnmatch contextlib csv
        io traceback weakref inspect stringprep quopri codecs collections.abc threading.Lock
        threading.RLock threading.local queue pathlib.PurePath pathlib.PurePosixPath pathlib.Path
        os.fspath os.fsencode os.fsdecode posix._path_normpath posix._path_splitroot_ex
        sys.getsizeof sys.intern sys.exc_info sys.exit
        sys.maxsize sys.version_info sys.getrecursionlimit sys.float_info sys.byteorder
        sys.platform random.Random marshal.dumps marshal.loads pickle.dumps pickle.loads time.sleep
        time.struct_time time.strptime time.gmtime time.mktime time.strftime mimetypes tokenize
        token dis opcode xml.etree configparser argparse email.message html.parser numpy
        scipy.special scipy.linalg scipy.fft warnings.catch_warnings __future__
        _thread.allocate_lock os.linesep os.sep os.name os.SEEK_SET typing_extensions""".split(),
        FRESH,
    ),
}

ROWS = rows(
    {
        """os.path: join basename dirname split splitext normpath isabs commonpath normcase
        splitdrive posixpath: join basename dirname split splitext normpath isabs commonpath
        normcase splitdrive""": _CONST_AHEAD,
        "os.path: commonprefix posixpath: commonprefix": _AHEAD,  # of any sequences
        "statistics: mode median median_low median_high": ITEM,
        "statistics: multimode quantiles": LIST,
        "unicodedata: decimal digit name numeric": ITEM,
        "textwrap: wrap": DEEP,
        "string: capwords": _CONST_AHEAD,
        "re: compile": Row("re.Pattern"),
        "re: match search fullmatch": Row("re.Match"),
        "re: sub escape": CONST,
        "re: findall split subn": DEEP,
        "re: finditer": _ITERATOR_LEFT,
        "json: dumps": CONST,
        "json: loads": DEEP,
        "json: load": Row("deep", effects=(READS_FILES,)),
        "json: dump": Row("const", effects=(WRITES_FILES,), changes=(1,)),
        "yaml: safe_load load full_load": DEEP,
        "base64: encode decode main test": Row(effects=(READS_FILES, WRITES_FILES)),
        "struct: pack calcsize": CONST,
        "struct: unpack unpack_from": DEEP,
        "struct: iter_unpack": Row("deep", ahead=False),
        "struct: pack_into": Row("const", changes=(1,)),
        "zlib: compressobj decompressobj": Row(ahead=False),
        "itertools: chain": Row("iterator", walks=EVERY, shallow=True),
        "itertools: islice cycle": Row("iterator", walks=FIRST, shallow=True),
        "itertools: repeat count": Row("iterator", shallow=True),
        "itertools: zip_longest product": Row("pairs", walks=EVERY, shallow=True),
        """itertools: combinations permutations combinations_with_replacement pairwise
        batched""": Row("pairs", walks=FIRST, shallow=True),
        "itertools: compress": Row("iterator", walks=EVERY),
        "itertools: accumulate": Row("iterator", walks=FIRST, calls=1),
        "itertools: starmap takewhile dropwhile filterfalse": Row(
            "iterator", walks=SECOND, calls=0, ahead=False
        ),
        "itertools: groupby": Row("pairs", walks=FIRST, calls=1, ahead=False),  # left to copies
        "itertools: tee": Row("pairs", walks=FIRST, ahead=False),
        "operator: getitem": ITEM,
        "operator: setitem delitem": PUTS,
        """operator: iadd iand ifloordiv ilshift imatmul imod imul ipow irshift isub itruediv
        ixor""": _CHANGES_AND_GIVES,
        "operator: iconcat ior": Row("same", changes=(0,), puts="items"),
        "operator: itemgetter attrgetter methodcaller": MAKER,
        "operator: call": Row(calls=0, ahead=False),
        "functools: reduce": Row("item", walks=SECOND, calls=0),
        "functools: partial": Row("partial", ahead=True),
        "functools: partialmethod": Row("partial"),
        "functools: cmp_to_key": MAKER,
        "functools: update_wrapper": _CHANGES_AND_GIVES,
        "bisect: bisect bisect_left bisect_right": CONST,
        "bisect: insort insort_left insort_right": PUTS,
        "heapq: heappush heapify _heapify_max": PUTS,
        "heapq: heappop heapreplace heappushpop _heappop_max _heapreplace_max": Row(
            "item", changes=(0,)
        ),
        "heapq: nlargest nsmallest": Row("list", walks=SECOND, calls="key", ahead=True),
        "copy: copy": _AHEAD,
        "copy: deepcopy": Row("deep", ahead=True, reads=1),
        "dataclasses: asdict astuple": _AHEAD,
        "collections: namedtuple": MAKER,
        "collections: deque": Row("collections.deque", walks=FIRST, ahead=True),
        "collections: Counter": Row("collections.Counter", walks=FIRST, ahead=True),
        "collections: defaultdict": Row("collections.defaultdict", ahead=True),
        "collections: OrderedDict": Row("collections.OrderedDict", ahead=True),
        "collections: ChainMap": Row("collections.ChainMap"),
        "typing: NamedTuple NewType TypeVar TypedDict": MAKER,
        "datetime: date datetime time timedelta timezone": _CONST_AHEAD,
        "decimal: Decimal fractions: Fraction": _CONST_AHEAD,
        "uuid: UUID": _AHEAD,
        "array: array": Row("array.array", ahead=True),
        "pathlib: Path PurePath PosixPath": Row("pathlib.Path", ahead=True),
        "zoneinfo: ZoneInfo available_timezones": CONST,
        "sys: getrefcount getdefaultencoding getfilesystemencoding": CONST,
        "random: Random": Row("random.Random"),
        "csv: reader DictReader": ITERATOR,
        "csv: writer DictWriter": _CHANGES_AND_GIVES,
        "io: StringIO BytesIO": Row("io.Buffer"),
        "hashlib: md5 sha1 sha224 sha256 sha384 sha512 blake2b blake2s new sha3_256": Row(
            "hashlib.hash"
        ),
    }
)
