"""Examples of the guides: each command that a page shows is run, and prints what the page says.

A block titled `cord run PROGRAM` stands for two runs, under Cord and plain, which print the same.
A file `server.py` of an example runs meanwhile. An example whose library is not installed is left
out.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import re
import shlex
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pages import DOCS, Example, read_examples

from cord.tools.explain.command import LAST, WIDTH
from needs import skip_without_what_it_uses

if TYPE_CHECKING:
    from conftest import Project

PAGES = [page for page in sorted(DOCS.rglob("*.md")) if page.parent.name != "semantics"]
EXAMPLES = [
    pytest.param(example, command, id=f"{page.relative_to(DOCS)}: {command}")
    for page in PAGES
    for example in read_examples(page)
    for command in example.shown
]
PORT = "8765"  # of servers, on the pages


@pytest.mark.parametrize(("example", "command"), EXAMPLES)
def test_a_command_prints_what_the_page_says(
    example: Example, command: str, project: Callable[..., Project]
) -> None:
    for name in missing_libraries(example):
        pytest.skip(f"{name} is not installed")
    skip_without_what_it_uses("".join(example.files.values()))
    port = str(free_port())
    made = project({name: text.replace(PORT, port) for name, text in example.files.items()})
    with served(made.folder, int(port)):
        shown = example.shown[command].replace(PORT, port)
        tool, kind, *words = shlex.split(command) if command.startswith("cord ") else ["", "", ""]
        if tool and kind != "run":
            assert say(made.folder, kind, *words).rstrip() == shown.rstrip()
            return
        words = words if tool else shlex.split(command)[1:]
        plain = made.run(*words, cord=False)
        assert (plain.stdout, plain.stderr, plain.returncode) == (shown, "", 0)
        if tool:
            cord = made.run(*words)
            assert (cord.stdout, cord.stderr, cord.returncode) == (shown, "", 0)
    assert made.left_behind() == []


def say(folder: Path, *words: str) -> str:
    """What a command of Cord's that may end with 1 prints on stdout."""
    command = [sys.executable, "-m", "cord", *words]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout
    return said.replace(textwrap.fill(LAST, WIDTH), "")  # what explain ends with, always the same


def missing_libraries(example: Example) -> list[str]:
    """The modules that an example imports and that are not there."""
    own = {Path(name).stem for name in example.files}
    names = set()
    for name, text in example.files.items():
        for node in ast.walk(ast.parse(text)) if name.endswith(".py") else ():
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module.partition(".")[0])
    return sorted(name for name in names - own if importlib.util.find_spec(name) is None)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextlib.contextmanager
def served(folder: Path, port: int) -> Iterator[None]:
    """Run the example's server, if it has one, until the block ends."""
    if not (folder / "server.py").exists():
        yield
        return
    server = subprocess.Popen([sys.executable, "server.py"], cwd=folder, stderr=subprocess.DEVNULL)
    try:
        for _ in range(500):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.02)
        yield
    finally:
        server.kill()
        server.wait()


def literals() -> set[str]:
    """Pieces of the messages that Cord's tools print."""
    found = set()
    for path in (DOCS.parent / "python" / "cord" / "tools").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value.strip())
    return {text for text in found if len(text) >= 20 and "\n" not in text}


def test_what_is_seen_of_slow_programs_is_what_the_tools_print() -> None:
    page = (DOCS / "why-not-faster.md").read_text()
    shown = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    pieces = literals()
    assert len(shown) >= 9
    for block in shown:
        assert any(piece in block for piece in pieces), block
