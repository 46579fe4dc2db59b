"""A case: a small client program kept in one file, and what a run of it showed.

A case file is a comment that says what the program is about, options, and the files of the
program, each after a line ``# file: NAME``::

    # An argument that grows between the calls travels as it was at each call.
    # args: one two
    # file: work.py
    def total(items): ...
    # file: main.py
    import work
    ...

Options (lines ``# name: value`` before the first file): ``args`` (the program's arguments),
``stdin`` (name of the file fed to it), ``stderr: whole`` (tracebacks must be equal in every line,
carets apart, not only in the last one), ``overlap`` (how many of its calls must be seen running at
one time; for the programs in ``parallel/``), ``told`` (how many lines a run says of itself at its
end, each ``cord: ...``; without it there must be none), ``needs`` (of `needs.LACKING`, without
which it is skipped).
"""

from __future__ import annotations

import functools
import os
import re
import shlex
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from needs import skip_without

DEFAULT_PLAN = """\
[remote.work]
replicas = 2
callstyle = "async"
pure = true
"""
OPTIONS = ("args", "stdin", "stderr", "overlap", "told", "needs")
LIMIT = 60.0  # seconds after which a run counts as hanging
OWN_LINE = re.compile(r"^cord: .*\n", re.MULTILINE)
_CARETS = re.compile(r"^[\s~^]+$")
_FILE = re.compile(r"^# file: (\S+)$")
_OPTION = re.compile(rf"^# ({'|'.join(OPTIONS)}): (.*)$")


@dataclass(frozen=True)
class Case:
    """One program of the corpus."""

    name: str
    about: str
    options: dict[str, str]
    files: dict[str, str]

    def write(self, folder: Path, plan: str = DEFAULT_PLAN) -> None:
        """Lay the program out in ``folder``, with ``plan`` unless it brings its own."""
        skip_without(self.options.get("needs", ""))
        for name, text in {"cord.toml": plan, **self.files}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


@dataclass(frozen=True)
class Observed:
    """Everything a run lets its user see."""

    stdout: bytes
    stderr: str
    code: int
    written: dict[str, bytes] = field(default_factory=dict)

    @property
    def last_line(self) -> str:
        """The last line of stderr, where Python names an exception that nobody caught."""
        lines = self.stderr.rstrip().splitlines()
        return lines[-1] if lines else ""

    @property
    def stderr_lines(self) -> list[str]:
        """Stderr line by line, without the lines of carets under the source text."""
        return [line for line in self.stderr.splitlines() if not _CARETS.match(line)]


@functools.cache
def read_case(path: Path, root: Path) -> Case:
    """Read one case file; its name is its path below ``root`` without the suffix."""
    about: list[str] = []
    options: dict[str, str] = {}
    files: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        if marker := _FILE.match(line.rstrip("\n")):
            current = files.setdefault(marker[1], [])
        elif current is not None:
            current.append(line)
        elif option := _OPTION.match(line.rstrip("\n")):
            options[option[1]] = option[2].strip()
        else:
            about.append(line.lstrip("# ").rstrip())
    return Case(
        name=str(path.relative_to(root).with_suffix("")),
        about=" ".join(part for part in about if part),
        options=options,
        files={name: "".join(lines) for name, lines in files.items()},
    )


def read_cases(root: Path) -> list[Case]:
    """Every case below ``root``, in the order of their names."""
    return [read_case(path, root) for path in sorted(root.rglob("*.py"))]


def run_plain(case: Case, folder: Path, environment: dict[str, str] | None = None) -> Observed:
    """Run the program of ``case``, laid out in ``folder``, with plain Python."""
    return _run(case, folder, [sys.executable], environment)


def run_cord(case: Case, folder: Path, environment: dict[str, str] | None = None) -> Observed:
    """Run the program of ``case``, laid out in ``folder``, with ``cord run``."""
    return _run(case, folder, [sys.executable, "-m", "cord", "run"], environment)


def run_script(
    case: Case, folder: Path, script: list[str], environment: dict[str, str] | None = None
) -> Observed:
    """Run the program of ``case``, laid out in ``folder``, with a script of the tests."""
    return _run(case, folder, [sys.executable, *script], environment)


def clean_environment(extra: dict[str, str] | None = None) -> dict[str, str]:
    """The environment of a run: one hash seed, and nothing that changes what Python prints.

    Nothing is kept, and so nothing is told either of functions that are not as pure as declared.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    fixed = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    return {**kept, **fixed, **(extra or {})}


def _run(
    case: Case, folder: Path, command: list[str], environment: dict[str, str] | None
) -> Observed:
    before = contents(folder)
    stdin = (folder / case.options["stdin"]).read_bytes() if "stdin" in case.options else b""
    process = subprocess.Popen(
        [*command, "main.py", *shlex.split(case.options.get("args", ""))],
        cwd=folder,
        env=clean_environment(environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        stdout, stderr = process.communicate(stdin, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise AssertionError(
            f"{case.name}: {' '.join(command)} still ran after {LIMIT} s"
        ) from None
    after = contents(folder)
    return Observed(
        stdout=stdout,
        stderr=stderr.decode("utf-8", "backslashreplace").replace(str(folder), "<folder>"),
        code=process.returncode,
        written={name: text for name, text in after.items() if before.get(name) != text},
    )


def contents(folder: Path) -> dict[str, bytes]:
    """The files in ``folder`` and what is in them, as far as this user may see them."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if "__pycache__" not in path.parts and os.access(path, os.R_OK) and path.is_file()
    }
