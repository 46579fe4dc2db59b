"""Functions of libraries that leave something for the rest of the process: a table."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

# By module and name, as they say of themselves. Nobody sees afterwards what they have done.
_UNSEEN: Final = {
    "_sqlite3": "register_adapter register_converter enable_callback_tracebacks",
    "_tracemalloc": "start stop",
    "_thread": "stack_size",
    "signal": "pthread_sigmask",
    "_signal": "getitimer",  # it tells of a timer of the process's, which no replica has
    "atexit": "register unregister",
    "faulthandler": "enable disable register unregister dump_traceback_later",
    "gc": "freeze unfreeze set_debug",
    "logging": "basicConfig captureWarnings",
    "logging.config": "dictConfig fileConfig listen",
    "mimetypes": "add_type init",
    "numpy": "seterrcall",
    "posix": "putenv unsetenv",
    "multiprocessing.context": "set_start_method set_executable set_forkserver_preload",
    "sys": "addaudithook set_asyncgen_hooks set_coroutine_origin_tracking_depth",
    "yaml": "add_constructor add_representer add_implicit_resolver add_multi_constructor"
    " add_multi_representer add_path_resolver",
}
# What these do is seen, and some of it comes home; a function of the program's does not.
_SEEN: Final = {
    "_codecs": "register unregister register_error",
    "signal": "signal",
    "_signal": "signal set_wakeup_fd alarm setitimer",
    "sys": "setprofile settrace",
}
# What functions of libraries are called that do nothing else, or begin with.
_SAYS_SO: Final = ("register", "unregister", "install", "uninstall")
MUTATING: Final = frozenset(
    "append insert extend remove pop popitem clear update setdefault add discard sort reverse"
    " __setitem__ __delitem__ difference_update intersection_update".split()
)


def is_listed(function: Any, everything: bool) -> bool:
    """Whether a function is in the table.

    Args:
        function: The function, or a method.
        everything: Those count, too, of which is seen what they have done.
    """
    home, name = getattr(function, "__module__", None), getattr(function, "__name__", "")
    tables = (_UNSEEN, _SEEN) if everything else (_UNSEEN,)
    return any(name in table.get(home, "").split() for table in tables if isinstance(home, str))


def says_so(function: Any) -> bool:
    """Whether a library's function says by its name that it registers something."""
    name = str(getattr(function, "__name__", ""))
    return name.startswith(_SAYS_SO) and name.partition("_")[0] in _SAYS_SO
