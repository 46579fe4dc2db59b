"""What a scout may call: builtins, library functions and methods that have no effect.

These are names for the analysis. At run time the guards check again that the object is the very
one meant here and that the arguments' types cannot bring user code in.
"""

from __future__ import annotations

BUILTINS = frozenset(
    """abs all any ascii bin bool bytes bytearray chr complex dict divmod enumerate float format
    frozenset getattr hash hex int isinstance issubclass len list max min oct ord pow range repr
    reversed round set slice sorted str sum super tuple type zip""".split()
)

# Builtins that have effects of their own but never change the arguments they are given.
HARMLESS_TO_ARGUMENTS = BUILTINS | frozenset("print input open id callable getattr hasattr".split())

_MATH = """acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist erf
erfc exp exp2 expm1 fabs factorial floor fmod frexp fsum gamma gcd hypot isclose isfinite isinf
isnan isqrt lcm ldexp lgamma log log10 log1p log2 modf nextafter perm pow prod radians remainder
sin sinh sqrt tan tanh trunc ulp"""

# Functions of NumPy that compute something from arrays and numbers, or make arrays of them.
_NUMPY = """abs absolute add all allclose amax amin any append arange arccos arcsin arctan arctan2
argmax argmin argsort argwhere around array array_equal array_split asarray atleast_1d atleast_2d
average bincount broadcast_to ceil clip column_stack concatenate convolve corrcoef cos cosh cov
cross cumprod cumsum deg2rad diag diff digitize divide dot dstack exp expand_dims eye fft.fft
fft.fftfreq fft.ifft fft.irfft fft.rfft flip float32 float64 floor full full_like geomspace
gradient histogram hsplit hstack hypot identity inner int32 int64 interp isclose isfinite isinf
isnan kron linalg.det linalg.eigvals linalg.inv linalg.norm linalg.solve linspace log log10 log1p
log2 logical_and logical_not logical_or logspace matmul max maximum mean median meshgrid min
minimum mod multiply nanmax nanmean nanmin nansum nonzero ones ones_like outer pad percentile
polyfit polyval power prod ptp quantile rad2deg ravel repeat reshape roll rot90 round searchsorted
sign sin sinh sort split sqrt square squeeze stack std subtract sum swapaxes take tan tanh tile
trace transpose trapz tril triu unique vander var vsplit vstack where zeros zeros_like"""

# Class methods that only make something of their arguments.
CLASS_METHODS: dict[str, frozenset[str]] = {
    "str": frozenset({"maketrans"}),
    "int": frozenset({"from_bytes"}),
    "float": frozenset({"fromhex"}),
    "bytes": frozenset({"fromhex"}),
    "dict": frozenset({"fromkeys"}),
    "itertools.chain": frozenset({"from_iterable"}),
    "datetime.datetime": frozenset({"fromisoformat", "fromordinal", "strptime"}),
    "datetime.date": frozenset({"fromisoformat", "fromordinal"}),
}

LIBRARY = frozenset(
    [f"math.{name}" for name in _MATH.split()]
    + [f"cmath.{name}" for name in "exp log log10 phase polar rect sqrt sin cos tan".split()]
    + [f"re.{name}" for name in "compile escape findall fullmatch match search split sub".split()]
    + [
        f"{module}.{name}"  # the same functions, by either name
        for module in ("os.path", "posixpath")
        for name in "join basename dirname split splitext normpath isabs".split()
    ]
    + [
        f"itertools.{name}"
        for name in """chain combinations combinations_with_replacement count cycle islice
        pairwise permutations product repeat zip_longest""".split()
    ]
    + [f"{owner}.{name}" for owner, names in CLASS_METHODS.items() for name in names]
    + [f"collections.{name}" for name in "Counter OrderedDict defaultdict deque".split()]
    + [f"datetime.{name}" for name in "date datetime time timedelta".split()]
    + ["decimal.Decimal", "fractions.Fraction", "pathlib.Path", "pathlib.PurePath"]
    + ["array.array", "uuid.UUID", "operator.add", "operator.mul", "operator.sub"]
    + [f"bisect.{name}" for name in "bisect bisect_left bisect_right".split()]
    + [f"textwrap.{name}" for name in "dedent indent wrap fill shorten".split()]
    + [f"json.{name}" for name in "dumps loads".split()]
    + ["copy.copy", "copy.deepcopy", "functools.partial", "string.capwords"]
    + [f"dataclasses.{name}" for name in "asdict astuple".split()]
    + [f"numpy.{name}" for name in _NUMPY.split()]
    + ["struct.pack", "struct.unpack", "struct.calcsize"]
    + [f"zlib.{name}" for name in "crc32 adler32 compress decompress".split()]
    + ["base64.b64encode", "base64.b64decode", "binascii.hexlify", "binascii.unhexlify"]
    + [f"statistics.{name}" for name in "fmean mean median pstdev pvariance stdev variance".split()]
)

_STR = """capitalize casefold center count encode endswith expandtabs find format index isalnum
isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper
join ljust lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust
rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill"""

_DATE = frozenset("isoformat isoweekday replace strftime toordinal weekday".split())

# Of paths: what only looks at their text.
_PATH = frozenset(
    """as_posix is_absolute is_relative_to joinpath relative_to with_name with_stem
    with_suffix""".split()
)

METHODS: dict[str, frozenset[str]] = {
    "str": frozenset(_STR.split()),
    "bytes": frozenset(_STR.split()) | {"decode", "hex"},
    "bytearray": frozenset({"decode", "hex", "find", "count", "startswith", "endswith", "copy"}),
    "list": frozenset({"copy", "count", "index"}),
    "tuple": frozenset({"count", "index"}),
    "range": frozenset({"count", "index"}),
    "dict": frozenset({"copy", "get", "items", "keys", "values"}),
    "set": frozenset(
        {"copy", "difference", "intersection", "isdisjoint", "issubset", "issuperset"}
        | {"symmetric_difference", "union"}
    ),
    "frozenset": frozenset({"difference", "intersection", "issubset", "issuperset", "union"}),
    "int": frozenset({"bit_length", "bit_count", "to_bytes", "conjugate", "as_integer_ratio"}),
    "float": frozenset({"is_integer", "hex", "as_integer_ratio", "conjugate"}),
    "complex": frozenset({"conjugate"}),
    "re.Pattern": frozenset(
        {"findall", "finditer", "fullmatch", "match", "search", "split", "sub"}
    ),
    "collections.deque": frozenset({"copy", "count", "index"}),
    "collections.defaultdict": frozenset({"copy", "get", "items", "keys", "values"}),
    "collections.OrderedDict": frozenset({"copy", "get", "items", "keys", "values"}),
    "numpy.ndarray": frozenset(
        "all any argmax argmin argsort astype clip copy cumsum dot flatten max mean min nonzero "
        "prod ravel repeat reshape round squeeze std sum swapaxes take tobytes tolist trace "
        "transpose var".split()
    ),
    "datetime.datetime": _DATE | {"date", "timestamp"},
    "datetime.date": _DATE,
    "datetime.time": frozenset({"isoformat", "replace", "strftime"}),
    "datetime.timedelta": frozenset({"total_seconds"}),
    "fractions.Fraction": frozenset({"as_integer_ratio", "limit_denominator"}),
    "pathlib.PosixPath": _PATH,
    "pathlib.PurePosixPath": _PATH,
    "collections.Counter": frozenset({"get", "items", "keys", "most_common", "values"}),
    "collections.namedtuple": frozenset({"_asdict", "_make", "_replace"}),
    "re.Match": frozenset({"end", "expand", "group", "groupdict", "groups", "span", "start"}),
}

METHOD_NAMES = frozenset().union(*METHODS.values(), *CLASS_METHODS.values())

MUTATORS: dict[str, frozenset[str]] = {
    "list": frozenset(
        "append clear extend insert pop remove reverse sort __setitem__ __delitem__".split()
    ),
    "dict": frozenset("clear pop popitem setdefault update __setitem__ __delitem__".split()),
    "set": frozenset("add clear discard pop remove update".split()),
    "collections.deque": frozenset("append appendleft clear extend pop popleft".split()),
    "bytearray": frozenset({"append", "extend", "clear", "__setitem__", "__delitem__"}),
}

MUTATOR_NAMES = frozenset().union(*MUTATORS.values())

# Builtins that read their argument at once, as far as they ever will: a generator expression given
# to one of them is a loop that runs right there.
CONSUMERS = frozenset("all any dict frozenset list max min next set sorted sum tuple bytes".split())
