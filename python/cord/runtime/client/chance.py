"""What modules draw, ask of the clock, or make for themselves when they are imported.

`RUN = uuid.uuid4()` is another one in each process that imports the module. The program's is the
one that counts, so it goes to replicas as if the program had bound it after the import.
"""

from __future__ import annotations

from cord.runtime.objects.reach import names_of
from cord.runtime.objects.texts import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Final

_SOURCES: Final = (
    "random randint randrange choice uniform gauss getrandbits randbytes urandom token_hex"
    " token_bytes token_urlsafe uuid1 uuid4 mkdtemp mkstemp mktemp getpid time time_ns now utcnow"
    " today strftime monotonic monotonic_ns perf_counter perf_counter_ns"
).split()
_DRAWS: Final = rf"\b(?:{'|'.join(_SOURCES)})\s*\(".encode()
_BINDS: Final = rb"(?m)^([A-Za-z_]\w*)[ \t]*(?::[^=\n]+)?=(?!=)([^\n]*)"
_WORDS: Final = rb"[A-Za-z_]\w*"
_VALUES: Final = frozenset(
    "builtins.float builtins.str builtins.bytes builtins.int uuid.UUID datetime.datetime"
    " datetime.date pathlib.PosixPath".split()
)
_SMALL: Final = range(-5, 257)  # one object each for the whole process
_found: list[Any] = []  # those values, by which other modules' names for them are known


def names_by_chance(module: ModuleType) -> list[str]:
    """The names of a module that stand for something else in each process.

    Args:
        module: The module, as its import left it.
    """
    known = names_of(module)
    text = text_of(module) or b""
    drawn = _drawn(text) if any(_is_called(one.encode(), text) for one in _SOURCES) else set()
    names = [name.decode() for name in sorted(drawn) if _is_value(known.get(name.decode()))]
    shared = {id(one) for one in _found}
    names += [name for name, value in known.items() if id(value) in shared and name not in names]
    _found.extend(known[name] for name in names if id(known[name]) not in shared)
    return names


def _is_called(name: bytes, text: bytes) -> bool:
    """Whether a text calls what has this name, or ends so: `time.sleep()` calls no `time`."""
    return name in text and any(one.lstrip()[:1] == b"(" for one in text.split(name)[1:])


def _drawn(text: bytes) -> set[bytes]:
    """The names that a module's text binds to what is drawn, or made of that."""
    import re  # few modules call one of these

    drawn: set[bytes] = set()
    for name, made in re.findall(_BINDS, text) if re.search(_DRAWS, text) else ():
        if re.search(_DRAWS, made) or not drawn.isdisjoint(re.findall(_WORDS, made)):
            drawn.add(name)
    return drawn


def forget() -> None:
    """The program has ended."""
    _found.clear()


def _is_value(value: Any) -> bool:
    kind = type(value)
    if kind is int and value in _SMALL:
        return False
    return f"{kind.__module__}.{kind.__qualname__}" in _VALUES
