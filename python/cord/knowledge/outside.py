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

_PATHS = """abspath realpath expanduser expandvars relpath"""
_ON_DISK = """exists isfile isdir islink ismount isjunction getsize getmtime getatime getctime
samefile sameopenfile lexists"""

_ROWS = rows(
    {
        """time: time time_ns perf_counter perf_counter_ns monotonic monotonic_ns process_time
        process_time_ns thread_time localtime ctime asctime datetime.datetime: now utcnow today
        datetime.date: today""": Row("const", effects=(CLOCK,)),
        """random: random randint randrange choices sample uniform gauss normalvariate
        betavariate expovariate gammavariate lognormvariate paretovariate triangular
        vonmisesvariate weibullvariate getrandbits randbytes binomialvariate getstate SystemRandom
        secrets: token_bytes token_hex token_urlsafe randbelow randbits""": Row(effects=(RANDOM,)),
        "random: choice secrets: choice": Row("item", effects=(RANDOM,)),
        "random: shuffle numpy.random: shuffle": Row("const", effects=(RANDOM,), changes=(0,)),
        "uuid: uuid1 uuid4 os: urandom getrandom": Row("const", effects=(RANDOM,)),
        """numpy.random: rand randn randint random random_sample choice permutation uniform normal
        standard_normal poisson exponential binomial beta gamma multivariate_normal bytes laplace
        random_integers lognormal geometric dirichlet multinomial get_state""": Row(
            "ndarray", effects=(RANDOM,)
        ),
        f"""os: getenv getenvb getcwd getcwdb os.path: {_PATHS} posixpath: {_PATHS}""": Row(
            "const", effects=(ENVIRONMENT,)
        ),
        "pathlib.Path: cwd home": Row(effects=(ENVIRONMENT,)),
        f"""os: listdir scandir walk stat lstat access readlink open read os.path: {_ON_DISK}
        posixpath: {_ON_DISK} shutil: which disk_usage glob: glob iglob io: open open_code FileIO
        codecs: open gzip: open bz2: open lzma: open tarfile: open zipfile: ZipFile
        linecache: getline getlines fileinput: input""": Row("file", effects=(READS_FILES,)),
        "mimetypes: init guess_type": Row("const", effects=(READS_FILES,)),
        "numpy: load loadtxt genfromtxt fromfile memmap": Row("ndarray", effects=(READS_FILES,)),
        "pickle: load": Row(effects=(READS_FILES,)),
        """os: remove unlink rename replace rmdir removedirs mkdir makedirs symlink link truncate
        chmod chown utime write fsync mkfifo shutil: copy copy2 copyfile copyfileobj copytree move
        rmtree make_archive unpack_archive tempfile: mkstemp mkdtemp TemporaryFile
        NamedTemporaryFile TemporaryDirectory SpooledTemporaryFile sqlite3: connect shelve: open
        dbm: open""": Row("file", effects=(WRITES_FILES,)),
        "numpy: save savez savez_compressed savetxt": Row("const", effects=(WRITES_FILES,)),
        "pickle: dump": Row("const", effects=(WRITES_FILES,), changes=(1,)),
        """socket: getaddrinfo gethostbyname urllib.request: urlopen urlretrieve Request
        requests: get post put delete head patch options request
        httpx: get post put delete head patch options request stream urllib3: request""": Row(
            effects=(NETWORK,)
        ),
        """socket: socket create_connection create_server urllib.request: build_opener
        http.client: HTTPConnection HTTPSConnection smtplib: SMTP SMTP_SSL ftplib: FTP FTP_TLS
        requests: Session session httpx: Client urllib3: PoolManager ProxyManager""": Row(
            "connection", effects=(NETWORK,)
        ),
        """os: getpid getppid getuid getgid getlogin uname cpu_count sched_getaffinity
        get_terminal_size times fork kill system popen execv _exit abort waitpid
        shutil: get_terminal_size socket: gethostname""": Row("const", effects=(PROCESS,)),
        """subprocess: run call check_call check_output Popen getoutput
        threading: get_ident current_thread active_count enumerate
        multiprocessing: Process Pool Queue Pipe Manager
        inspect: getsource getsourcefile getfile stack currentframe""": Row(effects=(PROCESS,)),
        "logging: debug info warning error exception critical log getLogger": Row(
            "logging.Logger", effects=(SETTINGS,)
        ),
        """warnings: warn warn_explicit locale: getlocale localeconv format_string str atof
        currency strxfrm strcoll getpreferredencoding""": Row("const", effects=(SETTINGS,)),
        "decimal: getcontext": Row("decimal.Context", effects=(SETTINGS,)),
        "decimal: localcontext": Row(effects=(SETTINGS,)),
        """random: seed setstate numpy.random: seed set_state numpy: seterr set_printoptions
        seterrcall os: putenv unsetenv chdir fchdir umask nice time: tzset
        logging: basicConfig disable captureWarnings addLevelName config.dictConfig
        config.fileConfig warnings: simplefilter filterwarnings resetwarnings locale: setlocale
        decimal: setcontext gc: collect disable enable freeze csv: field_size_limit
        register_dialect""": Row("const", effects=(SETS,)),
        """sys: setrecursionlimit settrace setprofile set_int_max_str_digits
        contextlib: redirect_stdout redirect_stderr chdir""": Row(effects=(SETS,)),
        "sys: stdout stderr __stdout__ __stderr__": Row(effects=(PRINTS,)),
        """pprint: pprint pp traceback: print_exc print_exception print_stack
        print_tb""": Row("const", effects=(PRINTS,)),
    }
)

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
