"""What a call's outcome depends on besides its arguments, as one digest: its function's print.

It holds the code of the project that the function reaches, what that reads of modules, and the
versions of the libraries that it uses. It is found from the objects that the program has, not from
files: what the program has changed counts, and comments do not. A function that is given to a call,
or an object with methods, counts with the call's arguments.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType

from cord._core import passes
from cord.runtime.keep import asks, canonical, versions
from cord.runtime.keep.canonical import Canon, Unpinned, code_print
from cord.runtime.objects.reach import (
    MAIN,
    code_names,
    is_of_project,
    is_the_programs,
    modules_of_project,
    names_of,
    reach_of,
)
from cord.runtime.travel.world import shown_environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from cord.runtime.objects.reach import Reach
    from cord.runtime.travel.world import Content

    Print = tuple[bytes, int]
    Differences = Callable[[], list[tuple[Any, tuple[str, Any]]]]

# What all keys depend on.
FORMAT = 2
_SECRET = "KEY TOKEN SECRET PASS PWD CREDENTIAL AUTH COOKIE SESSION PRIVATE DSN".split()


class _Prints:
    """What is known of functions in this process.

    Attributes:
        parts: By function, of what its print is made; nothing of one of which no call is kept.
        world: The same of the last world.
        assumed: What the user vouches for.
    """

    def __init__(self) -> None:
        self.parts: dict[str, dict[str, str]] = {}
        self.world: dict[str, str] = {}
        self.assumed: frozenset[str] = frozenset()
        self.met: dict[tuple[int, ...], tuple[Any, Print | str]] = {}
        self.differences: Differences = list
        self.start: dict[bytes, bytes] = {}
        self.folder = ""
        self.path: list[str] = []
        self.served: dict[int, str] = {}


_prints = _Prints()


def begin(assumed: Iterable[str], differences: Differences) -> None:
    """A session begins, in this environment.

    Args:
        assumed: What the user vouches for, by dotted names.
        differences: Gives what the program has bound in libraries, by its place.
    """
    _prints.differences = differences
    _prints.assumed = frozenset(assumed)
    _prints.start = shown_environment().copy()
    _prints.folder, _prints.path = os.getcwd(), sys.path[:]


def is_served_by(function: Any, name: str) -> None:
    """Calls of a function are served by another one of its module: that counts, too."""
    _prints.served[id(function)] = name


def parts() -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """By function, of what its print is made, with digests; and of what the last world was."""
    return _prints.parts, _prints.world


def forget() -> None:
    """Let go of the program's objects."""
    _prints.met.clear()
    canonical.forget()


def print_of(function: Any) -> Print | str:
    """The print of a remote function.

    Args:
        function: What it stands for.

    Returns:
        The digest, and one of where its code stands; or why no call of it can be kept.
    """
    _prints.met.clear()  # something has changed
    others = [_prints.served[id(function)]] if id(function) in _prints.served else []
    found = [vars(sys.modules[function.__module__]).get(name) for name in others]
    return _print_of(
        [function, *filter(None, found)], f"{function.__module__}.{function.__qualname__}"
    )


def print_of_arguments(args: tuple[Any, ...], kwargs: dict[str, Any] | None) -> Print | str:
    """What tells the arguments of a call from others, with the code that comes with them.

    Returns:
        The digest, and one of where that code stands; or why the call cannot be kept.
    """
    canon = Canon(_prints.assumed)
    try:
        own = canon.of((args, kwargs or {}))
    except Unpinned as exc:
        return f"an argument is or holds {exc}"
    if canon.modules:  # who knows what is read of it
        return f"an argument is or holds {canon.modules[0]}, a module of the project"
    tops = "".join(f"{top}:{versions.version_of(top)}\n" for top in sorted(canon.tops))
    lines = canon.lines.digest()
    met = tuple(map(id, canon.met))
    if not met:
        return hashlib.blake2b(own + tops.encode(), digest_size=16).digest(), _number(lines)
    known = _prints.met.get(met)
    if known is None:
        known = _prints.met[met] = canon.met, _print_of(canon.met)
    if isinstance(known[1], str):
        return known[1]
    digest, behind = known[1]
    whole = hashlib.blake2b(own + tops.encode() + digest, digest_size=16).digest()
    return whole, _number(lines) ^ behind


def _number(digest: bytes) -> int:
    return int.from_bytes(digest[:8], "little") | 1


def _print_of(functions: list[Any], label: str = "") -> Print | str:
    canon = Canon(_prints.assumed)
    try:
        found = _parts_of(functions, reach_of(functions, is_close=True), canon)
    except Unpinned as exc:
        return str(exc)
    if label:
        short = {name: _digest(one).hex()[:12] for name, one in found.items()}
        _prints.parts[label] = short
    whole = hashlib.blake2b(digest_size=16)
    for name, one in sorted(found.items()):
        whole.update(name.encode("utf-8", "surrogatepass") + b"\0" + one)
    return whole.digest(), _number(canon.lines.digest())


def _parts_of(functions: list[Any], reach: Reach, canon: Canon) -> dict[str, bytes]:
    """All that counts, by names that people know."""
    own = [one for one in reach.functions if _is_the_projects(one)]
    for one in own:
        if why := asks.why_not(one, _prints.assumed):
            raise Unpinned(why)
    found: dict[str, bytes] = {}
    for one in (*functions, *reach.functions, *reach.classes):
        name = f"{one.__module__}.{one.__qualname__}"
        try:
            _add(found, name, canon.of(one))
        except Unpinned as exc:
            raise Unpinned(canonical.inside(name, exc)) from None
    held: dict[str, Any] = {}
    for module, names in reach.names.items():
        known = names_of(sys.modules[module]) if module in sys.modules else {}
        for name in sorted(names & known.keys()):
            place = f"{module}.{name}"
            held[place] = known[name]
            try:
                _add(found, place, canon.of(known[name]))
            except Unpinned as exc:
                text = str(exc) if " holds " in str(exc) else f"{place} is {exc}"
                raise Unpinned(f"reads what differs from run to run: {text}") from None
    for place, first in canonical.aliases(held):
        _add(found, place, _digest(first.encode()))
    for module, names in reach.bindings.items():
        known = names_of(sys.modules[module]) if module in sys.modules else {}
        canon.tops.add(module.partition(".")[0])
        for name in sorted(names & known.keys() - _LARGE):
            value = known[name]
            if type(value) in _PLAIN or (callable(value) and name not in _STREAMS):
                _add(found, f"{module}.{name}", _bound(canon, value))
    for place, (how, value) in _prints.differences():
        _add(found, f"{place} of a library", how.encode() + canon.of(value))
    all_names = frozenset[str]().union(*(code_names(one.__code__) for one in own), ())
    modules = [name for name in reach.names if name in sys.modules and name != MAIN]
    _add_of_names(found, own, all_names, modules, canon)
    for top in sorted(canon.tops):
        if version := versions.version_of(top):
            _add(found, f"the version of {top}", version.encode())
    return found


# Of library's own things only these are looked at: the others are what their version says.
_PLAIN = frozenset({int, float, bool, str, bytes, type(None), tuple, list, dict, set, frozenset})
_METHODS = (MethodType, BuiltinFunctionType)
_LARGE = frozenset({"modules", "environ", "path_importer_cache", "meta_path", "path_hooks", "path"})
_STREAMS = frozenset({"stdin", "stdout", "stderr", "displayhook", "excepthook"})


def _bound(canon: Canon, value: Any) -> bytes:
    own = getattr(value, "__self__", None) if type(value) in _METHODS else None
    if own is not None and not isinstance(own, (ModuleType, type)) and not is_the_programs(own):
        # what the library's object holds, such as the state of `random`, is another in each run
        return canon.of((type(own), value.__name__))
    try:
        return canon.of(value)
    except Unpinned:
        return b"a library's own"


def _is_the_projects(function: Any) -> bool:
    if type(function) is not FunctionType:
        return False
    module = sys.modules.get(function.__globals__.get("__name__", ""))
    return module is None or is_of_project(module)


def _add(found: dict[str, bytes], name: str, digest: bytes) -> None:
    """Of several things that have one name, all count."""
    before = found.get(name)
    if before is None:
        found[name] = digest
    elif digest not in (before[at : at + 16] for at in range(0, len(before), 16)):
        found[name] = before + digest


def _add_of_names(
    found: dict[str, bytes],
    own: list[FunctionType],
    names: frozenset[str],
    modules: list[str],
    canon: Canon,
) -> None:
    """What follows from names that stand in code."""
    if not names.isdisjoint(asks.OF_LINES):
        _add(found, "where code stands", canon.lines.digest())
    if not names.isdisjoint(asks.OF_MACHINE):
        _add(found, "the machine", repr((os.uname(), os.cpu_count())).encode())
    if not names.isdisjoint(asks.OF_TERMINAL):
        _add(found, "the terminal", repr(list(map(_terminal, range(3)))).encode())
    texts = _Texts()
    for module in modules:
        if "__getattr__" in names_of(sys.modules[module]):  # any name may lead anywhere
            texts.add(module)
    if not names.isdisjoint(asks.DYNAMIC) or {"sys", "modules"} <= names:
        texts.add_project()
    for one in own:
        package = one.__globals__.get("__package__") or ""
        for name in asks.imports_inside(one.__code__, package) if _imports(one.__code__) else ():
            texts.add(name)
    for path, digest in texts.found.items():
        _add(found, f"the text of {path}", digest)
    about = FORMAT, sys.version_info[:2], sys.implementation.name, sys.flags.optimize, sys.platform
    _add(found, "Python", repr((about, sys.flags.utf8_mode, sys.flags.dev_mode)).encode())


def _terminal(descriptor: int) -> tuple[int, ...] | None:
    try:
        return tuple(os.get_terminal_size(descriptor))
    except OSError:
        return None


def _imports(code: CodeType) -> bool:
    inner = (one for one in code.co_consts if isinstance(one, CodeType))
    return _IMPORT in code.co_code[::2] or any(map(_imports, inner))


class _Texts:
    """Modules of the project that count as a whole: what they hold is not there to be looked at."""

    def __init__(self) -> None:
        self.found: dict[str, bytes] = {}

    def add(self, name: str) -> None:
        """Add a module, the packages that it is in, and all that these import."""
        parts = name.split(".")
        for end in range(1, len(parts) + 1):
            inner = ".".join(parts[:end])
            path = asks.file_of(inner)
            if path is not None and inner != MAIN:
                self._add_file(
                    path, inner if path.endswith("__init__.py") else ".".join(parts[: end - 1])
                )

    def add_project(self) -> None:
        """Add all that there is in the project's folders."""
        folders = set()
        for name, module in modules_of_project().items():
            path = getattr(module, "__file__", None)
            if isinstance(path, str):
                up = name.count(".") + (os.path.basename(path) == "__init__.py")
                folder = os.path.dirname(os.path.abspath(path))
                for _ in range(up):
                    folder = os.path.dirname(folder)
                folders.add(folder)
        for folder in folders:
            for where, inner, files in os.walk(folder):
                inner[:] = [one for one in inner if not _is_apart(where, one)]
                for file in files:
                    if file.endswith(".py"):
                        self._add_file(os.path.join(where, file), "")

    def _add_file(self, path: str, package: str) -> None:
        if path in self.found:
            return
        self.found[path] = b"?"
        try:
            with open(path, "rb") as file:
                text = file.read()
            code = compile(text, path, "exec", dont_inherit=True)
        except (OSError, SyntaxError, ValueError, RecursionError):
            return
        self.found[path] = code_print(code)
        for name in asks.imports_inside(code, package):
            self.add(name)


def _is_apart(where: str, name: str) -> bool:
    is_hidden = name.startswith(".") or name in ("__pycache__", "node_modules", "site-packages")
    return is_hidden or os.path.exists(os.path.join(where, name, "pyvenv.cfg"))


def print_of_world(world: bytes) -> bytes:
    """What of the world counts: variables, the working folder, settings that were changed.

    Args:
        world: As it goes with calls; empty for that in which the session began.
    """
    folder, environment, changed, values = _prints.folder, _prints.start, [], {}
    if world:
        folder, _, environment, changed, values, _ = marshal.loads(world)
    variables = {**environment, **dict(changed)}
    named = sorted(
        (name, value) for name, value in variables.items() if value is not None and not passes(name)
    )
    found = {"the working folder": _digest(os.fsencode(folder))}
    for name, value in named:
        found[f"variable {os.fsdecode(name)}"] = _digest(value)
    for setting, held in values.items():
        try:
            found[f"setting {setting}"] = Canon().of(held)
        except Unpinned:
            found[f"setting {setting}"] = os.urandom(16)  # it is another one each time
    _prints.world = {name: one.hex()[:12] for name, one in found.items()}
    return _digest(repr(sorted(found.items())).encode("utf-8", "surrogatepass"))


def told_of_world(world: bytes) -> bytes:
    """All that is in the world, for who makes a call in it again: what `cord replay` reads.

    Variables whose names tell of a secret are left out.

    Args:
        world: As for `print_of_world`.
    """
    start: Content = _prints.folder, _prints.path, _prints.start, [], {}, b""
    content = marshal.loads(world) if world else start
    folder, path, environment, changed, values, modules = content
    open_to_all = {
        name: value for name, value in environment.items() if not is_secret(os.fsdecode(name))
    }
    changed = [one for one in changed if not is_secret(os.fsdecode(one[0]))]
    main = names_of(sys.modules[MAIN])
    program = str(main.get("__file__") or ""), getattr(main.get("__spec__"), "name", None)
    content = folder, path, open_to_all, changed, values, modules
    return marshal.dumps((FORMAT, *program, sys.argv, content))


def is_secret(name: str) -> bool:
    """Whether the name of a variable tells that nobody is to read it."""
    return any(part in name.upper() for part in _SECRET)


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()


def version_of_module(name: str) -> bytes | None:
    """See `versions.version_of_module`: what native code asks for is here."""
    return versions.version_of_module(name)


_IMPORT = __import__("opcode").opmap["IMPORT_NAME"]
