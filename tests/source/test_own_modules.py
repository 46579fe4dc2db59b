"""Cord's own modules are loaded from their bytecode, whoever has written it."""

from __future__ import annotations

import importlib.util
import os
import py_compile
from pathlib import Path
from types import CodeType

from cord import own

SOURCE = "def answer():\n    return 'from the source'\n"
COMPILED = "def answer():\n    return 'from bytecode'  \n"  # as long


def load(folder: Path) -> CodeType:
    spec = own.Finder.find_spec("cord.sample", [str(folder)])
    assert spec is not None
    assert isinstance(spec.loader, own.Loader)
    code = spec.loader.get_code("cord.sample")
    assert code is not None
    return code


def answer(code: CodeType) -> str:
    names: dict[str, object] = {}
    exec(code, names)
    given = names["answer"]
    assert callable(given)
    return str(given())


def write(folder: Path, named: str) -> Path:
    """A module, and bytecode of its time and size whose source is named so, and is another."""
    assert len(SOURCE) == len(COMPILED)
    source = folder / "sample.py"
    source.write_text(COMPILED)
    bytecode = importlib.util.cache_from_source(str(source))
    py_compile.compile(str(source), bytecode, named, doraise=True)
    status = source.stat()
    source.write_text(SOURCE)
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))
    return source


def test_bytecode_counts_by_whatever_name_it_was_compiled(tmp_path: Path) -> None:
    source = write(tmp_path, "folder/sample.py")
    code = load(tmp_path)
    assert answer(code) == "from bytecode"
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    assert {code.co_filename, *(one.co_filename for one in inner)} == {str(source)}


def test_bytecode_of_another_time_does_not_count(tmp_path: Path) -> None:
    source = write(tmp_path, "sample.py")
    os.utime(source, (1, 1))
    assert answer(load(tmp_path)) == "from the source"
