"""What reaches outside the program's own objects, and what is asked of it.

Only who reads effects needs this: scouts run nothing that stands here.
"""

from __future__ import annotations

from .functions import find as find_inside
from .objects import of_stream, of_type
from .rows import (
    CLOCK,
    CONST,
    ENVIRONMENT,
    NETWORK,
    PRINTS,
    PROCESS,
    PUTS,
    RANDOM,
    READS_FILES,
    SETS,
    SETTINGS,
    STDIN,
    WRITES_FILES,
    Row,
    rows,
)

_CLOCK = Row("const", effects=(CLOCK,))
_RANDOM = Row(effects=(RANDOM,))
_RANDOM_ITEM = Row("item", effects=(RANDOM,))
_SHUFFLES = Row("const", effects=(RANDOM,), changes=(0,))
_ENVIRONMENT = Row("const", effects=(ENVIRONMENT,))
_SETS = Row("const", effects=(SETS,))
_SETTINGS = Row("const", effects=(SETTINGS,))
_PROCESS = Row("const", effects=(PROCESS,))
_OF_PROCESS = Row(effects=(PROCESS,))
_READS = Row("file", effects=(READS_FILES,))
_WRITES = Row("file", effects=(WRITES_FILES,))
_NETWORK = Row(effects=(NETWORK,))
_PRINTS = Row("const", effects=(PRINTS,))

_ON_PATHS = {
    "abspath realpath expanduser expandvars relpath": _ENVIRONMENT,
    """exists isfile isdir islink ismount isjunction getsize getmtime getatime getctime samefile
    sameopenfile lexists""": _READS,
}

_ROWS: dict[str, Row] = {
    **rows(
        "time",
        {
            """time time_ns perf_counter perf_counter_ns monotonic monotonic_ns process_time
            process_time_ns thread_time localtime ctime asctime""": _CLOCK,
            "tzset": _SETS,
        },
    ),
    **rows("datetime.datetime", {"now utcnow today": _CLOCK}),
    **rows("datetime.date", {"today": _CLOCK}),
    **rows(
        "random",
        {
            """random randint randrange choices sample uniform gauss normalvariate
            betavariate expovariate gammavariate lognormvariate paretovariate triangular
            vonmisesvariate weibullvariate getrandbits randbytes binomialvariate getstate
            SystemRandom""": _RANDOM,
            "choice": _RANDOM_ITEM,
            "shuffle": _SHUFFLES,
            "seed setstate": _SETS,
        },
    ),
    **rows(
        "secrets",
        {"token_bytes token_hex token_urlsafe randbelow randbits": _RANDOM, "choice": _RANDOM_ITEM},
    ),
    **rows("uuid", {"uuid1 uuid4": Row("const", effects=(RANDOM,))}),
    **rows(
        "numpy.random",
        {
            """rand randn randint random random_sample choice permutation uniform normal
            standard_normal poisson exponential binomial beta gamma multivariate_normal bytes
            laplace random_integers lognormal geometric dirichlet multinomial
            get_state""": Row("ndarray", effects=(RANDOM,)),
            "shuffle": _SHUFFLES,
            "seed set_state": _SETS,
        },
    ),
    **rows(
        "numpy",
        {
            "load loadtxt genfromtxt fromfile memmap": Row("ndarray", effects=(READS_FILES,)),
            "save savez savez_compressed savetxt": Row("const", effects=(WRITES_FILES,)),
            "seterr set_printoptions seterrcall": _SETS,
        },
    ),
    **rows(
        "os",
        {
            "urandom getrandom": Row("const", effects=(RANDOM,)),
            "getenv getenvb getcwd getcwdb": _ENVIRONMENT,
            "putenv unsetenv chdir fchdir umask nice": _SETS,
            """getpid getppid getuid getgid getlogin uname cpu_count sched_getaffinity
            get_terminal_size times fork kill system popen execv _exit abort waitpid""": _PROCESS,
            "listdir scandir walk stat lstat access readlink open read": _READS,
            """remove unlink rename replace rmdir removedirs mkdir makedirs symlink link truncate
            chmod chown utime write fsync mkfifo""": _WRITES,
        },
    ),
    **rows("os.path", _ON_PATHS),
    **rows("posixpath", _ON_PATHS),
    **rows(
        "shutil",
        {
            "get_terminal_size": _PROCESS,
            "which disk_usage": _READS,
            """copy copy2 copyfile copyfileobj copytree move rmtree make_archive
            unpack_archive""": _WRITES,
        },
    ),
    **rows("subprocess", {"run call check_call check_output Popen getoutput": _OF_PROCESS}),
    **rows("threading", {"get_ident current_thread active_count enumerate": _OF_PROCESS}),
    **rows("multiprocessing", {"Process Pool Queue Pipe Manager": _OF_PROCESS}),
    **rows("inspect", {"getsource getsourcefile getfile stack currentframe": _OF_PROCESS}),
    **rows("glob", {"glob iglob": _READS}),
    **rows("io", {"open open_code FileIO": _READS}),
    **rows("codecs", {"open": _READS}),
    **rows("gzip", {"open": _READS}),
    **rows("bz2", {"open": _READS}),
    **rows("lzma", {"open": _READS}),
    **rows("tarfile", {"open": _READS}),
    **rows("zipfile", {"ZipFile": _READS}),
    **rows("linecache", {"getline getlines": _READS}),
    **rows("fileinput", {"input": _READS}),
    **rows("mimetypes", {"init guess_type": Row("const", effects=(READS_FILES,))}),
    **rows("pickle", {"load": Row(effects=(READS_FILES,))}),
    **rows("pickle", {"dump": Row("const", effects=(WRITES_FILES,), changes=(1,))}),
    **rows(
        "tempfile",
        {
            """mkstemp mkdtemp TemporaryFile NamedTemporaryFile TemporaryDirectory
            SpooledTemporaryFile""": _WRITES
        },
    ),
    **rows("sqlite3", {"connect": _WRITES}),
    **rows("shelve", {"open": _WRITES}),
    **rows("dbm", {"open": _WRITES}),
    **rows(
        "socket",
        {
            "socket create_connection create_server getaddrinfo gethostbyname": _NETWORK,
            "gethostname": _PROCESS,
        },
    ),
    **rows("urllib.request", {"urlopen urlretrieve Request build_opener": _NETWORK}),
    **rows("http.client", {"HTTPConnection HTTPSConnection": _NETWORK}),
    **rows("smtplib", {"SMTP SMTP_SSL": _NETWORK}),
    **rows("ftplib", {"FTP FTP_TLS": _NETWORK}),
    **rows("requests", {"get post put delete head patch request Session": _NETWORK}),
    **rows("httpx", {"get post put delete head patch request Client": _NETWORK}),
    **rows(
        "logging",
        {
            "debug info warning error exception critical log getLogger": Row(
                "logging.Logger", effects=(SETTINGS,)
            ),
            """basicConfig disable captureWarnings addLevelName config.dictConfig
            config.fileConfig""": _SETS,
        },
    ),
    **rows("warnings", {"warn warn_explicit": _SETTINGS}),
    **rows("warnings", {"simplefilter filterwarnings resetwarnings": _SETS}),
    **rows(
        "locale",
        {
            """getlocale localeconv format_string str atof currency strxfrm strcoll
            getpreferredencoding""": _SETTINGS,
            "setlocale": _SETS,
        },
    ),
    **rows(
        "decimal",
        {
            "getcontext": Row("decimal.Context", effects=(SETTINGS,)),
            "localcontext": Row(effects=(SETTINGS,)),
            "setcontext": _SETS,
        },
    ),
    **rows(
        "sys",
        {
            "setrecursionlimit settrace setprofile set_int_max_str_digits": Row(effects=(SETS,)),
            "stdout stderr __stdout__ __stderr__": Row(effects=(PRINTS,)),
        },
    ),
    **rows("gc", {"collect disable enable freeze": _SETS}),
    **rows("csv", {"field_size_limit register_dialect": _SETS}),
    **rows("contextlib", {"redirect_stdout redirect_stderr chdir": Row(effects=(SETS,))}),
    **rows("pathlib.Path", {"cwd home": Row(effects=(ENVIRONMENT,))}),
    **rows("pprint", {"pprint pp": _PRINTS}),
    **rows("traceback", {"print_exc print_exception print_stack print_tb": _PRINTS}),
}

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

_EXCEPTION_ENDS = ("Error", "Exception", "Warning", "Interrupt", "Exit", "Iteration", "Group")
_STREAMS = ("sys.stdout.", "sys.stderr.", "sys.__stdout__.", "sys.__stderr__.")


def find(dotted: str) -> Row | None:
    """What a library's function does, or None where nothing is known."""
    found = _ROWS.get(dotted) or find_inside(dotted)
    if found is None and dotted.startswith("_") and not dotted.startswith("__"):
        return find(dotted[1:])
    return found


def owner(dotted: str) -> str:
    """The library whose state `dotted` belongs to: "random", "logging", "the environment"."""
    for prefix, name in _OWNERS.items():
        if dotted == prefix or dotted.startswith(f"{prefix}."):
            return name
    parts = dotted.split(".")[:-1]
    while len(parts) > 1 and parts[-1][0].isupper():  # a class, such as logging.Logger
        parts.pop()
    return ".".join(parts) or dotted


def of_call(dotted: str) -> Row | None:
    """What a call of this does: of a function, a class or a method, by its dotted name."""
    holder, _, name = dotted.rpartition(".")
    if dotted.startswith(_STREAMS):
        return of_stream(name)
    if dotted.startswith("sys.stdin."):
        return Row("const", effects=(STDIN,))
    if dotted.startswith("os.environ."):
        changes = name in ("update", "pop", "setdefault", "clear", "popitem")
        return Row("const", effects=(SETS,) if changes else ())
    if holder.startswith("builtins."):
        return _unbound(holder.removeprefix("builtins."), name)
    if holder in ("", "builtins") and name[0].isupper() and name.endswith(_EXCEPTION_ENDS):
        return Row("exception")
    return find(dotted)


def _unbound(type_name: str, method: str) -> Row | None:
    """`str.join`, `dict.fromkeys`, `list.append(x, 1)`: with the object as first argument."""
    row = of_type(type_name, method)
    if row is None and method.startswith("__"):
        return PUTS if method in ("__setattr__", "__setitem__") else CONST
    return Row(row.gives, changes=(0,)) if row is not None and row.changes else row


def effects_of(dotted: str) -> tuple[str, ...]:
    """The effects that a builtin or library function is known to have."""
    row = of_call(dotted) or of_call(f"builtins.{dotted}")
    return row.effects if row is not None else ()


def changes_arguments(dotted: str) -> bool:
    """Whether a builtin or library function is known to change what it is given."""
    row = of_call(dotted)
    return row is not None and bool(row.changes)
