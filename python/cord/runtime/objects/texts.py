"""The texts of the program: of the main script and what it may import, or beside its modules."""

from __future__ import annotations

import os
import sys

from cord.runtime.objects.reach import MAIN, names_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType
    from typing import Any, Final

# All but letters, digits and underscores parts words.
_WORDS: Final = b"_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_OTHERS: Final = bytes(range(256)).translate(None, _WORDS)
_PARTS: Final = bytes.maketrans(_OTHERS, b" " * len(_OTHERS))
_MOST_FILES: Final = 2000
# What text has as an attribute, in a line that imports, or behind `getattr`.
_NAMED: Final = rb"\.\s*[^\W\d]\w*|^[ \t]*(?:from|import)\b[^\n]*|\b(?:get|has)attr\b[^\n]*"

_kept: dict[str, bytes | None] = {}  # by file, as they were when first asked for
_of_program: dict[tuple[str, ...], list[bytes] | None] = {}  # by the modules apart
_by_stem: dict[str, dict[str, str]] = {}  # by main script
_elsewhere: list[set[bytes]] = []


def texts_of_program(*apart: str) -> list[bytes] | None:
    """The texts of the main script and of what it may import, as when they were first asked for.

    Args:
        apart: The modules whose own texts do not count: a remote one, and that of its functions.

    Returns:
        The texts; None if the script has none.
    """
    if apart not in _of_program:
        main: Any = getattr(sys.modules.get(MAIN), "__file__", None)
        text = kept(main) if isinstance(main, str) else None
        own = [getattr(sys.modules[module], "__file__", None) for module in apart]
        files = {} if text is None else files_by_stem(main)
        files = {stem: file for stem, file in files.items() if file not in own}
        _of_program[apart] = None if text is None else texts_from(text, files)
    return _of_program[apart]


def named_elsewhere() -> set[bytes]:
    """What the program's texts have as an attribute, or in a line that imports."""
    if not _elsewhere:
        _elsewhere.append(named_in(texts_of_program(MAIN) or []))
    return _elsewhere[0]


def forget() -> None:
    """The program has ended."""
    for known in (_kept, _of_program, _by_stem, _elsewhere):
        known.clear()


def words_of(texts: Iterable[bytes]) -> set[bytes]:
    """The words in texts. Numbers among them are no name's; text with other letters has parts."""
    return set().union(*(text.translate(_PARTS).split() for text in texts))


def named_in(texts: list[bytes]) -> set[bytes]:
    """What texts have as attributes, in lines that import, or behind `getattr`."""
    import re  # few programs come so far

    return words_of(one for text in texts for one in re.findall(_NAMED, text, re.MULTILINE))


def texts_from(text: bytes, files: dict[str, str]) -> list[bytes]:
    """A text, and those of the files that it names by their stems; these are taken out."""
    texts = [text]
    for each in texts:  # grows meanwhile
        new = words_of([each])
        for stem in [stem for stem in files if stem.encode() in new]:
            texts.append(kept(files.pop(stem)) or b"")
    return texts


def files_by_stem(main: str) -> dict[str, str]:
    """The texts in the folder of the main script, and below, by the names that imports have."""
    if main not in _by_stem:
        _by_stem[main] = files = dict[str, str]()
        for file in _files_in([os.path.dirname(os.path.abspath(main))]):
            above, name = os.path.split(file)
            stem = name.rpartition(".")[0]
            files.setdefault(os.path.basename(above) if stem == "__init__" else stem, file)
    return _by_stem[main].copy()


def kept(file: str) -> bytes | None:
    """What was in a file when that was first asked for; None if it could not be read."""
    if file not in _kept:
        _kept[file] = read(file)
    return _kept[file]


def read(file: str) -> bytes | None:
    """What is in a file; None if it cannot be read."""
    try:
        with open(file, "rb") as text:
            return text.read()
    except OSError:
        return None


def text_of(module: ModuleType) -> bytes | None:
    """What is in a module's file now; None if that cannot be read, or is no text of Python's."""
    file = names_of(module).get("__file__")
    return read(file) if isinstance(file, str) and file.endswith(".py") else None


def any_beside(own: dict[str, ModuleType], holds: Callable[[bytes], bool]) -> bool:
    """Whether something holds of one of the texts that lie beside modules.

    Args:
        own: The project's modules that are loaded here.
        holds: Tells of a text whether it does.
    """
    files = [getattr(module, "__file__", None) for module in own.values()]
    folders = {os.path.dirname(file) for file in files if isinstance(file, str)}
    folders.update(entry for entry in (sys.path[0] if sys.path else "",) if entry)
    return any(holds(read(file) or b"") for file in _files_in(folders))


def _files_in(folders: Iterable[str]) -> list[str]:
    """The texts in folders, and below, as far as there are not too many."""
    found: list[str] = []
    for folder in folders:
        for above, inside, names in os.walk(folder):
            inside[:] = [
                one for one in inside if not one.startswith(".") and "-packages" not in one
            ]
            found += [os.path.join(above, name) for name in names if name.endswith((".py", ".pyw"))]
            if len(found) > _MOST_FILES:
                return found
    return found
