"""The texts of the program: of the main script, and of what it may import."""

from __future__ import annotations

import os
import sys

from cord.runtime.objects.reach import MAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# All but letters, digits and underscores parts words.
_WORDS = b"_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_OTHERS = bytes(range(256)).translate(None, _WORDS)
_PARTS = bytes.maketrans(_OTHERS, b" " * len(_OTHERS))
_MOST_FILES = 1000


_of_program: dict[str, list[bytes] | None] = {}  # by remote module


def texts_of_program(module: str) -> list[bytes] | None:
    """The texts of the main script and of what it may import, as when they were first asked for.

    Args:
        module: The remote module, whose own text does not count.

    Returns:
        The texts; None if the script has none.
    """
    if module not in _of_program:
        _of_program[module] = _read_of_program(module)
    return _of_program[module]


def _read_of_program(module: str) -> list[bytes] | None:
    main = getattr(sys.modules.get(MAIN), "__file__", None)
    text = read(main) if isinstance(main, str) else None
    if text is None:
        return None
    assert main is not None
    own = getattr(sys.modules[module], "__file__", None)
    files = files_by_stem(main)
    return texts_from(text, {stem: file for stem, file in files.items() if file != own})


_SEEN = rb"\.[ \t]*([A-Za-z_]\w*)|^[ \t]*(?:from|import)\b([^\n]*)"
_named: list[set[str]] = []


def named_elsewhere() -> set[str]:
    """What the program's texts have as an attribute, or in a line that imports."""
    if not _named:
        import re  # few programs come so far

        texts = texts_of_program(MAIN) or []
        found = [one for text in texts for one in re.findall(_SEEN, text, re.MULTILINE)]
        _named.append({word.decode() for word in words_of([b" ".join(map(b" ".join, found))])})
    return _named[0]


def forget() -> None:
    """The program has ended."""
    _named.clear()
    _of_program.clear()


def words_of(texts: list[bytes]) -> set[bytes]:
    """The words in texts. Numbers among them are no name's; text with other letters has parts."""
    return set().union(*(text.translate(_PARTS).split() for text in texts))


def texts_from(text: bytes, files: dict[str, str]) -> list[bytes]:
    """A text, and those of the files that it names by their stems; these are taken out."""
    texts = [text]
    for each in texts:  # grows meanwhile
        new = words_of([each])
        for stem in [stem for stem in files if stem.encode() in new]:
            texts.append(read(files.pop(stem)) or b"")
    return texts


def files_by_stem(main: str) -> dict[str, str]:
    """The texts in the folder of the main script, and below, by the names that imports have."""
    files: dict[str, str] = {}
    for file in _files_beside(main):
        stem = os.path.basename(file).rpartition(".")[0]
        files.setdefault(
            os.path.basename(os.path.dirname(file)) if stem == "__init__" else stem, file
        )
    return files


def read(file: str) -> bytes | None:
    """What is in a file; None if it cannot be read."""
    try:
        with open(file, "rb") as text:
            return text.read()
    except OSError:
        return None


def _files_beside(main: str) -> Iterator[str]:
    """The texts in the folder of the main script, and below."""
    found = 0
    for above, inside, names in os.walk(os.path.dirname(os.path.abspath(main))):
        inside[:] = [one for one in inside if not one.startswith(".") and "-packages" not in one]
        for name in names:
            if name.endswith(".py"):
                found += 1
                yield os.path.join(above, name)
        if found > _MOST_FILES:
            return
