"""What the program is made from, for what of it travels by value.

Code of a client module is translated. What runs in a replica is the plain code: it makes no remote
calls of the client's.
"""

from __future__ import annotations

import marshal
from functools import cache
from types import CodeType

from cord import _core
from cord.silence import silence
from cord.translate.code import nested

# The main script's remote functions by the names under which replicas know them: the program may
# bind their own names to something else.
served: dict[str, object] = {}
_sources: dict[str, bytes] = {}
_translated: dict[str, CodeType] = {}  # by module
_found: dict[int, tuple[CodeType, CodeType]] = {}  # by identity: code compares by its constants
_shown: dict[int, tuple[CodeType, CodeType]] = {}


def remember(module: str, path: str, source: bytes, code: CodeType) -> None:
    """Note what a module is translated from, and its code as it runs.

    From now on the program sees plain code where it asks functions from there for their `__code__`.
    """
    _sources[path] = source
    _translated[module] = code
    code_at.cache_clear()
    _plain_codes.cache_clear()
    _core.show_plain_code(code.co_filename)


def serve(name: str, function: object) -> None:
    """Note a remote function of the main script under a name that the program cannot write."""
    served[name] = function


def plain_code(code: CodeType) -> CodeType:
    """The code that the plain program has where this code stands; itself if it is plain.

    Args:
        code: Code of a function of the program.
    """
    if id(code) not in _found:
        _found[id(code)] = code, code if _is_plain(code) else _look_up(code)
    return _found[id(code)][1]


def shown_code(code: CodeType) -> CodeType:
    """What the program sees where it asks a function of a translated module for its `__code__`.

    All is of one compilation, also what is plain as it runs: what is equal there is one object, and
    picklers tell.

    Args:
        code: Code of a file that has such a module.
    """
    if id(code) not in _shown:
        ours = any(code is one for known in _translated.values() for one in nested(known))
        _shown[id(code)] = code, _look_up(code) if ours else code
    return _shown[id(code)][1]


@cache
def code_at(module: str, name: str, line: int, column: int) -> CodeType:
    """The code, as it runs, of a function of a translated module.

    Args:
        module: The module's name.
        name: The function's, `<lambda>` for one without.
        line: Where it begins in the source.
        column: As `ast` counts. Two lambdas may stand on one line: this one's body comes next.

    Raises:
        LookupError: There is none.
    """
    codes = nested(_translated[module])
    there = [code for code in codes if (code.co_name, code.co_firstlineno) == (name, line)]
    starts = [(_place(code)[2], number) for number, code in enumerate(there)]
    behind = [start for start in starts if start[0] > (line, column)]
    if not behind:
        raise LookupError(name)
    return there[min(behind)[1]]


def _is_plain(code: CodeType) -> bool:
    try:
        marshal.dumps(code)
    except ValueError:  # a native object is among its constants
        return False
    return True


def _look_up(code: CodeType) -> CodeType:
    wanted = _place(code)
    near = [plain for plain in _plain_codes(code.co_filename) if _place(plain)[:2] == wanted[:2]]
    for plain in near:
        if len(near) == 1 or _place(plain) == wanted:
            return plain
    return code


@cache
def _plain_codes(path: str) -> list[CodeType]:
    if path not in _sources:
        return []
    with silence():
        return list(nested(compile(_sources[path], path, "exec", dont_inherit=True)))


def _place(code: CodeType) -> tuple[str, int, tuple[int, int]]:
    """Name, line, and the leftmost column: two lambdas may stand on one line."""
    starts = [(line, column) for line, _, column, _ in code.co_positions() if line and column]
    return code.co_qualname, code.co_firstlineno, min(starts, default=(0, 0))
