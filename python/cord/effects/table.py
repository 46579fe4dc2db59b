"""What builtins and library functions do: names to effects.

A name that stands nowhere here is unknown: nothing is assumed of it.
"""

from __future__ import annotations

from typing import NamedTuple

PRINTS = "prints"  # carried with the reply, so no effect in the sense of rule 2
CLOCK = "clock"
RANDOM = "random"
ENVIRONMENT = "environment"
READS_FILES = "reads files"
WRITES_FILES = "writes files"
NETWORK = "network"
STDIN = "stdin"
PROCESS = "process"
SETTINGS = "settings"  # reads a setting of a library: logging, decimal, locale, ...
SETS = "sets"  # changes one

WORDS = {
    PRINTS: "prints",
    CLOCK: "reads the clock",
    RANDOM: "uses random numbers",
    ENVIRONMENT: "reads the environment",
    READS_FILES: "reads files",
    WRITES_FILES: "writes files",
    NETWORK: "uses the network",
    STDIN: "reads standard input",
    PROCESS: "depends on its process",
    SETTINGS: "depends on the settings of",
    SETS: "changes the settings of",
}


class Entry(NamedTuple):
    """What a library function does.

    Attributes:
        kinds: Its effects.
        result: What it returns: "const", "fresh" (made of its arguments), "pairs" (an iterator
            over tuples of their items), "item" (one of their items), "same" (an argument, or a
            window on it), "deep" (shares nothing with them), "sum" (their items put
            together), "maker" (something that makes what it is called with), or a type.
        changes: The arguments that it changes, by position.
    """

    kinds: tuple[str, ...] = ()
    result: str = "fresh"
    changes: tuple[int, ...] = ()


_CONST = Entry(result="const")
_ENTRIES: dict[str, Entry] = {}


def _names(prefix: str, names: str, entry: Entry) -> None:
    for name in names.split():
        _ENTRIES[f"{prefix}.{name}"] = entry


_names(
    "builtins",
    """abs all any ascii bin bool bytes callable chr complex divmod float format hasattr hash hex id
    int isinstance issubclass len oct ord pow range repr round str slice property staticmethod
    classmethod object type frozenset NotImplemented Ellipsis __build_class__ super""",
    _CONST,
)
_names("builtins", "list tuple set dict", Entry())
for _type in ("list", "tuple", "set", "dict", "bytearray", "frozenset"):
    _ENTRIES[f"builtins.{_type}"] = Entry(result=_type)
_names("builtins", "sorted", Entry(result="list"))
_names("builtins", "reversed filter map iter aiter", Entry(result="iterator"))
_names("builtins", "zip enumerate", Entry(result="pairs"))
_names("builtins", "max min getattr", Entry(result="item"))
_names("builtins", "sum", Entry(result="sum"))
_names("builtins", "next anext", Entry(result="item", changes=(0,)))
_names("builtins", "memoryview", Entry(result="same"))
_names("builtins", "setattr delattr", Entry(changes=(0,)))
_names("builtins", "print", Entry((PRINTS,), "const"))
_names("builtins", "input", Entry((STDIN,), "const"))
_names("builtins", "open", Entry((READS_FILES,), "file"))
_names("builtins", "exit quit", _CONST)

# Whole modules of which only what stands elsewhere in this file has an effect.
_PURE_MODULES = """
math cmath itertools operator functools collections re string textwrap
unicodedata struct binascii base64 zlib bz2 lzma hashlib hmac json bisect heapq copy difflib
keyword html
urllib.parse ast calendar decimal fractions statistics numbers enum dataclasses typing types abc
array datetime zoneinfo uuid pprint reprlib graphlib ipaddress shlex fnmatch posixpath os.path
contextlib csv io traceback weakref inspect colorsys stringprep quopri codecs collections.abc
threading.Lock threading.RLock threading.local queue pathlib.PurePath pathlib.PurePosixPath
pathlib.Path os.fspath os.fsencode os.fsdecode sys.getsizeof sys.intern sys.exc_info sys.exit
sys.maxsize sys.version_info sys.getrecursionlimit sys.float_info sys.byteorder sys.platform
random.Random marshal.dumps marshal.loads pickle.dumps pickle.loads time.sleep time.struct_time
time.strptime time.gmtime time.mktime time.strftime mimetypes tokenize token dis opcode xml.etree
configparser argparse email.message html.parser numpy scipy.special scipy.linalg scipy.fft
warnings.catch_warnings __future__ _thread.allocate_lock os.linesep os.sep os.name os.SEEK_SET
typing_extensions""".split()

_CLOCKS = {
    "time": "time time_ns perf_counter perf_counter_ns monotonic monotonic_ns process_time "
    "process_time_ns thread_time localtime ctime asctime",
    "datetime.datetime": "now utcnow today",
    "datetime.date": "today",
    "datetime": "now utcnow",
}
for _module, _functions in _CLOCKS.items():
    _names(_module, _functions, Entry((CLOCK,), "const"))

_RANDOMS = """random randint randrange choice choices sample uniform gauss normalvariate
betavariate expovariate gammavariate lognormvariate paretovariate triangular vonmisesvariate
weibullvariate getrandbits randbytes binomialvariate getstate"""
_names("random", _RANDOMS, Entry((RANDOM,)))
_names("random", "choice", Entry((RANDOM,), "item"))
_names("random", "shuffle", Entry((RANDOM,), "const", (0,)))
_names("random", "seed setstate", Entry((SETS,), "const"))
_names("random", "SystemRandom", Entry((RANDOM,)))
_names("secrets", "token_bytes token_hex token_urlsafe randbelow randbits", Entry((RANDOM,)))
_names("secrets", "choice", Entry((RANDOM,), "item"))
_names("uuid", "uuid1 uuid4", Entry((RANDOM,), "const"))
_names("os", "urandom getrandom", Entry((RANDOM,), "const"))

_NUMPY_RANDOMS = """rand randn randint random random_sample choice permutation uniform normal
standard_normal poisson exponential binomial beta gamma multivariate_normal bytes laplace
random_integers lognormal geometric dirichlet multinomial get_state"""
_names("numpy.random", _NUMPY_RANDOMS, Entry((RANDOM,), "ndarray"))
_names("numpy.random", "shuffle", Entry((RANDOM,), "const", (0,)))
_names("numpy.random", "seed set_state", Entry((SETS,), "const"))
_names("numpy.random", "default_rng RandomState Generator PCG64", Entry((), "numpy.Generator"))
_names("numpy", "load loadtxt genfromtxt fromfile memmap", Entry((READS_FILES,), "ndarray"))
_names("numpy", "save savez savez_compressed savetxt", Entry((WRITES_FILES,), "const"))
_names("numpy", "seterr set_printoptions seterrcall", Entry((SETS,), "const"))
_names("numpy", "copyto put place putmask fill_diagonal put_along_axis", Entry((), "const", (0,)))
_names(
    "numpy",
    """asarray asanyarray ascontiguousarray asfortranarray ravel reshape transpose squeeze
    broadcast_to broadcast_arrays atleast_1d atleast_2d atleast_3d expand_dims swapaxes moveaxis
    rollaxis split array_split hsplit vsplit diagonal diag real imag flip fliplr flipud rot90
    nan_to_num frombuffer require rec""",
    Entry(result="same"),
)
_names(
    "numpy",
    """array zeros ones empty full eye identity arange linspace logspace zeros_like ones_like
    empty_like full_like copy sort concatenate stack vstack hstack where add subtract multiply
    divide dot matmul outer einsum tensordot cumsum cumprod unique roll tile repeat clip sqrt exp
    log sin cos abs absolute minimum maximum sum mean std var argsort histogram meshgrid pad
    append delete insert interp convolve fft.fft fft.ifft linalg.inv linalg.solve""",
    Entry(result="ndarray"),
)

_names("os", "getenv getenvb", Entry((ENVIRONMENT,), "const"))
_names("os", "getcwd getcwdb", Entry((ENVIRONMENT,), "const"))
_names("os.path", "abspath realpath expanduser expandvars relpath", Entry((ENVIRONMENT,), "const"))
_names("os", "putenv unsetenv chdir fchdir umask nice", Entry((SETS,), "const"))
_names("os", "getpid getppid getuid getgid getlogin gettid uname", Entry((PROCESS,), "const"))
_names("os", "cpu_count sched_getaffinity get_terminal_size times", Entry((PROCESS,), "const"))
_names("shutil", "get_terminal_size", Entry((PROCESS,), "const"))
_names("os", "fork kill system popen execv _exit abort waitpid", Entry((PROCESS,), "const"))
_names("subprocess", "run call check_call check_output Popen getoutput", Entry((PROCESS,)))
_names("threading", "get_ident current_thread active_count enumerate", Entry((PROCESS,)))
_names("multiprocessing", "Process Pool Queue Pipe Manager", Entry((PROCESS,)))
_names("socket", "gethostname", Entry((PROCESS,), "const"))

_FILE_READERS = {
    "os": "listdir scandir walk stat lstat access readlink open read",
    "os.path": "exists isfile isdir islink getsize getmtime getatime getctime samefile lexists",
    "glob": "glob iglob",
    "io": "open open_code FileIO",
    "codecs": "open",
    "gzip": "open",
    "bz2": "open",
    "lzma": "open",
    "tarfile": "open",
    "zipfile": "ZipFile",
    "linecache": "getline getlines",
    "fileinput": "input",
    "shutil": "which disk_usage",
    "json": "",
}
for _module, _functions in _FILE_READERS.items():
    _names(_module, _functions, Entry((READS_FILES,), "file"))
_FILE_WRITERS = {
    "os": "remove unlink rename replace rmdir removedirs mkdir makedirs symlink link truncate chmod"
    " chown utime write fsync mkfifo",
    "shutil": "copy copy2 copyfile copyfileobj copytree move rmtree make_archive unpack_archive",
    "tempfile": "mkstemp mkdtemp TemporaryFile NamedTemporaryFile TemporaryDirectory "
    "SpooledTemporaryFile",
    "sqlite3": "connect",
    "shelve": "open",
    "dbm": "open",
}
for _module, _functions in _FILE_WRITERS.items():
    _names(_module, _functions, Entry((WRITES_FILES,), "file"))

_NETWORKS = {
    "socket": "socket create_connection create_server getaddrinfo gethostbyname",
    "urllib.request": "urlopen urlretrieve Request build_opener",
    "http.client": "HTTPConnection HTTPSConnection",
    "smtplib": "SMTP SMTP_SSL",
    "ftplib": "FTP FTP_TLS",
    "requests": "get post put delete head patch request Session",
    "httpx": "get post put delete head patch request Client",
}
for _module, _functions in _NETWORKS.items():
    _names(_module, _functions, Entry((NETWORK,)))

_LOGS = "debug info warning error exception critical log getLogger"
_names("logging", _LOGS, Entry((SETTINGS,), "logging.Logger"))
_names(
    "logging",
    "basicConfig disable captureWarnings addLevelName config.dictConfig config.fileConfig",
    Entry((SETS,), "const"),
)
_names("warnings", "warn warn_explicit", Entry((SETTINGS,), "const"))
_names("warnings", "simplefilter filterwarnings resetwarnings", Entry((SETS,), "const"))
_names("locale", "getlocale localeconv format_string str atof currency strxfrm strcoll getpreferred"
       "encoding", Entry((SETTINGS,), "const"))  # fmt: skip
_names("locale", "setlocale", Entry((SETS,), "const"))
_names("decimal", "getcontext", Entry((SETTINGS,), "decimal.Context"))
_names("decimal", "localcontext", Entry((SETTINGS,)))
_names("decimal", "setcontext", Entry((SETS,), "const"))
_names("sys", "setrecursionlimit settrace setprofile set_int_max_str_digits", Entry((SETS,)))
_names("time", "tzset", Entry((SETS,), "const"))
_names("gc", "collect disable enable freeze", Entry((SETS,), "const"))

_names("sys", "getrefcount getdefaultencoding getfilesystemencoding", _CONST)

_names("heapq", "heappush", Entry((), "const", (0,)))
_names("heapq", "heapify _heapify_max", Entry((), "const", (0,)))
_names(
    "heapq",
    "heappop heapreplace heappushpop _heappop_max _heapreplace_max",
    Entry((), "item", (0,)),
)
_names("heapq", "nlargest nsmallest", Entry(result="list"))
_names("bisect", "insort insort_left insort_right", Entry((), "const", (0,)))
_names("bisect", "bisect bisect_left bisect_right", _CONST)
_names("operator", "setitem delitem", Entry((), "const", (0,)))
_names(
    "operator",
    "iadd iand iconcat ifloordiv ilshift imatmul imod imul ior ipow irshift isub itruediv ixor",
    Entry((), "same", (0,)),
)
_names("operator", "getitem", Entry(result="item"))
_names("functools", "reduce", Entry(result="item"))
_names("functools", "partial partialmethod", Entry(result="partial"))
_names("functools", "cmp_to_key", Entry(result="maker"))
_names("operator", "itemgetter attrgetter", Entry(result="maker"))
_names("collections", "namedtuple", Entry(result="maker"))
_names("typing", "NamedTuple NewType TypeVar TypedDict", Entry(result="maker"))
_names("functools", "update_wrapper", Entry((), "same", (0,)))
_names(
    "itertools",
    "zip_longest product combinations permutations combinations_with_replacement pairwise "
    "groupby batched tee",
    Entry(result="pairs"),
)
_names(
    "itertools",
    "chain islice cycle repeat count accumulate takewhile dropwhile filterfalse compress starmap",
    Entry(result="iterator"),
)
_names("itertools.chain", "from_iterable", Entry(result="iterator"))
_names("copy", "copy replace", Entry(result="fresh"))
_names("copy", "deepcopy", Entry(result="deep"))
_names("re", "compile", Entry(result="re.Pattern"))
_names("re", "match search fullmatch", Entry(result="re.Match"))
_names("re", "sub escape", _CONST)
_names("re", "findall split subn", Entry(result="deep"))
_names("re", "finditer", Entry(result="iterator"))
_names("json", "dumps", _CONST)
_names("json", "loads", Entry(result="deep"))
_names("json", "load", Entry((READS_FILES,), "deep"))
_names("json", "dump", Entry((WRITES_FILES,), "const", (1,)))
_names("pickle", "load", Entry((READS_FILES,)))
_names("pickle", "dump", Entry((WRITES_FILES,), "const", (1,)))
_names("struct", "pack_into", Entry((), "const", (1,)))
_names("struct", "unpack unpack_from iter_unpack", Entry(result="deep"))
_names("struct", "pack calcsize", _CONST)
_names("csv", "reader DictReader", Entry(result="iterator"))
_names("csv", "writer DictWriter", Entry(result="same", changes=(0,)))
_names("pprint", "pprint pp", Entry((PRINTS,), "const"))
_names("traceback", "print_exc print_exception print_stack print_tb", Entry((PRINTS,), "const"))
_names("sys", "stdout stderr __stdout__ __stderr__", Entry((PRINTS,)))
_names("inspect", "getsource getsourcefile getfile stack currentframe", Entry((PROCESS,)))
_names("dataclasses", "asdict astuple", Entry(result="fresh"))
_names("contextlib", "redirect_stdout redirect_stderr chdir", Entry((SETS,)))
_names("csv", "field_size_limit register_dialect", Entry((SETS,), "const"))
_names("mimetypes", "init guess_type", Entry((READS_FILES,), "const"))
_names("pathlib.Path", "cwd home", Entry((ENVIRONMENT,)))
_names("zoneinfo", "ZoneInfo available_timezones", Entry((), "const"))
for _type in ("deque", "Counter", "defaultdict", "OrderedDict", "ChainMap"):
    _ENTRIES[f"collections.{_type}"] = Entry(result=f"collections.{_type}")
for _type in ("StringIO", "BytesIO"):
    _ENTRIES[f"io.{_type}"] = Entry(result="io.Buffer")
for _type in ("decimal.Decimal", "fractions.Fraction", "datetime.datetime", "datetime.date"):
    _ENTRIES[_type] = Entry(result="const")
_names("datetime", "time timedelta timezone", _CONST)
_names("pathlib", "Path PosixPath PurePath", Entry(result="pathlib.Path"))
_names("random", "Random", Entry((), "random.Random"))
_names("array", "array", Entry(result="array.array"))
_names("hashlib", "md5 sha1 sha224 sha256 sha384 sha512 blake2b blake2s new sha3_256",
       Entry(result="hashlib.hash"))  # fmt: skip
for _prefix in ("math", "cmath", "unicodedata", "colorsys", "textwrap", "os.path", "posixpath"):
    _ENTRIES.setdefault(f"{_prefix}.*", _CONST)
_names("textwrap", "wrap", Entry(result="deep"))

# Reading these, without a call, reads something that may change.
READ_AS_NAME = {
    "os.environ": ENVIRONMENT,
    "os.environb": ENVIRONMENT,
    "sys.stdin": STDIN,
}

# The library whose setting a function reads or sets, where that is not its module.
_OWNERS = {
    "os.environ": "the environment",
    "os.putenv": "the environment",
    "os.unsetenv": "the environment",
    "os.chdir": "the working directory",
    "contextlib.chdir": "the working directory",
    "contextlib.redirect_stdout": "sys.stdout",
    "contextlib.redirect_stderr": "sys.stderr",
    "numpy.random": "numpy.random",
}


def lookup(dotted: str) -> Entry | None:
    """What a library's function does, or None where nothing is known."""
    entry = _ENTRIES.get(dotted)
    if entry is not None:
        return entry
    prefix = dotted
    while prefix:
        prefix = prefix.rpartition(".")[0]
        if prefix in ("numpy.random", "random"):
            return None
        if f"{prefix}.*" in _ENTRIES:
            return _ENTRIES[f"{prefix}.*"]
        if prefix in _PURE:
            return Entry()
    if dotted in _PURE:
        return Entry()
    return lookup(dotted[1:]) if dotted.startswith("_") and not dotted.startswith("__") else None


_PURE = frozenset(_PURE_MODULES)


def owner(dotted: str) -> str:
    """The library whose state `dotted` belongs to: "random", "logging", "the environment"."""
    for prefix, name in _OWNERS.items():
        if dotted == prefix or dotted.startswith(f"{prefix}."):
            return name
    parts = dotted.split(".")[:-1]
    while len(parts) > 1 and parts[-1][0].isupper():  # a class, such as logging.Logger
        parts.pop()
    return ".".join(parts) or dotted
