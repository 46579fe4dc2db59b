"""What code asks for that is another thing at each call: clocks, random numbers, the user."""

from __future__ import annotations

import builtins
import dis
import os
import sys
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType

from cord.plan.modules import is_of_python
from cord.runtime.objects.reach import chains, code_names, is_of_project, names_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

_CLOCK = "reads the clock"
_RANDOM = "draws random numbers of the system's"
# By module, what its functions tell.
_ASKS: dict[str, tuple[str, frozenset[str]]] = {
    "time": (
        _CLOCK,
        frozenset(
            "time time_ns localtime gmtime ctime asctime strftime monotonic monotonic_ns"
            " perf_counter perf_counter_ns process_time process_time_ns thread_time thread_time_ns"
            " clock_gettime clock_gettime_ns".split()
        ),
    ),
    "datetime": (_CLOCK, frozenset({"now", "utcnow", "today"})),
    "pandas": (_CLOCK, frozenset({"now", "today", "utcnow"})),
    "pandas._libs.tslibs.timestamps": (_CLOCK, frozenset({"now", "today", "utcnow"})),
    "timeit": (_CLOCK, frozenset({"default_timer"})),
    "os": (_RANDOM, frozenset({"urandom", "getrandom"})),
    "uuid": (_RANDOM, frozenset({"uuid1", "uuid4"})),
    "secrets": (
        _RANDOM,
        frozenset("token_bytes token_hex token_urlsafe choice randbelow randbits".split()),
    ),
    "random": (_RANDOM, frozenset({"SystemRandom"})),
    "importlib": ("asks which modules there are", frozenset({"find_spec"})),
    "importlib.util": ("asks which modules there are", frozenset({"find_spec"})),
    "linecache": ("reads a file that is remembered", frozenset({"getline", "getlines"})),
}
_OF_PROCESS = frozenset({"getpid", "getppid", "getloadavg", "get_ident", "get_native_id"})
# Made without an argument they begin with random numbers of the system's.
_SEEDED = frozenset({"Random", "default_rng", "RandomState", "SeedSequence", "PCG64", "MT19937"})
# Code that names one of these may run any code of the project.
DYNAMIC = frozenset(
    "import_module __import__ exec eval compile globals run_path run_module exec_module"
    " load_module entry_points iter_modules walk_packages spec_from_file_location __subclasses__"
    " execfile resolve_name".split()
)
# Where code asks where it stands, lines count.
OF_LINES = frozenset(
    "_getframe currentframe getsource getsourcelines findsource f_lineno co_firstlineno tb_lineno"
    " lineno extract_stack format_exc print_exc format_exception print_stack stack getsourcefile"
    " co_positions f_back walk_stack".split()
)
OF_TERMINAL = frozenset({"get_terminal_size", "isatty"})
OF_MACHINE = frozenset("gethostname uname node cpu_count getfqdn platform processor".split())


def why_not(function: FunctionType, assumed: Iterable[str]) -> str | None:
    """Why nothing that a function gives can be kept, as far as its own code tells.

    Args:
        function: A function of the project.
        assumed: What the user vouches for, such as `time.time`.
    """
    code, known = function.__code__, function.__globals__
    names = code_names(code)
    for what, asked in _asked(code, known):
        if asked not in assumed:
            return f"{what} ({asked} in {_place(code)})"
    if not names.isdisjoint(_OF_PROCESS) and _names_module(names, known, ("os", "threading")):
        return f"asks which process or thread it is in ({_place(code)})"
    if "stdin" in names and "sys" in names:
        return f"reads standard input ({_place(code)})"
    if "input" in names and known.get("input", builtins.input) is builtins.input:
        return f"reads standard input (input in {_place(code)})"
    if not names.isdisjoint(_SEEDED) and (made := _unseeded(code)):
        return f"{_RANDOM} ({made}() without a seed in {_place(code)})"
    return None


def _asked(code: CodeType, known: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What of the table's code asks for, and the name of what it asks."""
    names = code_names(code)
    held = [known.get(name, sys.modules.get(name)) for name in names]
    if not any(map(_may_ask, held)):
        return
    for first, *rest in chains(code):
        value: Any = known.get(first, sys.modules.get(first) if first in _ASKS else None)
        if not _may_ask(value):
            continue
        if isinstance(value, ModuleType):
            home = names_of(value)["__name__"]
            used = set(rest) or names  # where the module itself is handed on, any name counts
        else:
            home = value.__module__
            used = {value.__name__} | (set(rest) or names if isinstance(value, type) else set())
        what, of = _ASKS[home]
        for one in sorted(of & used):
            yield what, f"{home}.{one}"


def asked_by(value: Any, assumed: Iterable[str]) -> str | None:
    """What a function of a library's asks for that is another thing at each call, if it is one."""
    own = getattr(value, "__self__", None)
    home = own.__module__ if isinstance(own, type) else value.__module__
    what, of = _ASKS.get(str(home), ("", frozenset[str]()))
    name = f"{home}.{value.__name__}"
    return f"{name}, which {what}" if value.__name__ in of and name not in assumed else None


def _may_ask(value: Any) -> bool:
    if isinstance(value, ModuleType):
        return names_of(value).get("__name__") in _ASKS
    is_callable = isinstance(value, (type, FunctionType, BuiltinFunctionType))
    return is_callable and value.__module__ in _ASKS


def _names_module(names: Iterable[str], known: dict[str, Any], modules: tuple[str, ...]) -> bool:
    for name in names:
        value = known.get(name)
        if isinstance(value, ModuleType) and names_of(value).get("__name__") in modules:
            return True
        if getattr(value, "__name__", None) in _OF_PROCESS:
            return True
    return False


def _unseeded(code: CodeType) -> str | None:
    """What is made in code without a seed, though it takes one."""
    last = None
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_ATTR", "LOAD_METHOD", "LOAD_NAME", "LOAD_DEREF"):
            last = step.argval
        elif step.opname in ("PRECALL", "PUSH_NULL", "CACHE", "NOP") or (
            step.opname == "LOAD_CONST" and step.argval is None and last in _SEEDED
        ):
            continue
        elif step.opname == "CALL" and step.argval <= 1 and last in _SEEDED:
            return str(last)
        else:
            last = None
    inner = (one for one in code.co_consts if isinstance(one, CodeType))
    return next(filter(None, map(_unseeded, inner)), None)


def _place(code: CodeType) -> str:
    return f"{os.path.basename(code.co_filename)}:{code.co_firstlineno}"


def imports_inside(code: CodeType, package: str) -> Iterator[str]:
    """The absolute names of modules that code imports when it runs."""
    constants: list[Any] = []
    last = ""
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_CONST", "LOAD_SMALL_INT"):
            constants.append(step.argval)
        elif step.opname == "IMPORT_NAME":
            level = constants[-2] if len(constants) > 1 else 0
            last = _absolute(step.argval, level if isinstance(level, int) else 0, package)
            yield last
        elif step.opname == "IMPORT_FROM" and last:
            yield f"{last}.{step.argval}"
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from imports_inside(one, package)


def _absolute(name: str, level: int, package: str) -> str:
    if level == 0:
        return name
    base = package.rsplit(".", level - 1)[0] if level > 1 else package
    return f"{base}.{name}" if name else base


def file_of(name: str) -> str | None:
    """The file of a module of the project that is not loaded; None if there is none."""
    module = sys.modules.get(name)
    if module is not None:
        path = getattr(module, "__file__", None)
        return path if is_of_project(module) and isinstance(path, str) else None
    inner = name.replace(".", os.sep)
    for entry in sys.path:
        if not isinstance(entry, str):
            continue
        for end in (f"{inner}.py", os.path.join(inner, "__init__.py")):
            path = os.path.join(entry or os.getcwd(), end)
            if os.path.isfile(path):
                return None if is_of_python(path) else path
    return None
