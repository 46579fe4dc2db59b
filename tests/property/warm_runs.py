"""Runs of programs, plain and under Cord, by warm processes; and what differs between two runs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from program_case import OWN_LINE, Case, Observed, clean_environment, contents

TRACEBACK = "Traceback (most recent call last):"
RANDOM_NAME = re.compile(r"\btmp\w{8}\b")  # of the module `tempfile`
PLAIN_LIMIT = 4.0  # seconds; a program that takes longer is not worth its time
MOST_OUTPUT = 100_000  # bytes; a program that prints more is not worth its time
# Where programs run: what leaves its folder stays apart, and the paths are of one length.
PLAIN, CORDS = (f"{way}/upper/inner" for way in ("plain", "cords"))


class Hung(Exception):
    """A run that did not end in time."""


class WarmProcess:
    """A warm process that runs programs one way: `plain`, `cord`, `copied` or `bare`."""

    def __init__(self, way: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("warm_server.py")), way],
            env=clean_environment({"PYTHONDONTWRITEBYTECODE": "1"}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, folder: Path, output: Path, limit: float) -> Observed:
        """Run the program in `folder`.

        Raises:
            Hung: It ran for more than `limit` seconds.
        """
        assert self._process.stdin is not None and self._process.stdout is not None
        output.mkdir()
        before = contents(folder)
        self._process.stdin.write(json.dumps([str(folder), str(output), limit]) + "\n")
        self._process.stdin.flush()
        code = json.loads(self._process.stdout.readline())
        if code is None:
            raise Hung
        after = contents(folder)
        stderr = (output / "err").read_text("utf-8", "backslashreplace")
        return Observed(
            stdout=(output / "out").read_bytes().replace(os.fsencode(folder), b"<folder>"),
            stderr=stderr.replace(str(folder), "<folder>"),
            code=code,
            written={
                RANDOM_NAME.sub("tmp", name): text
                for name, text in after.items()
                if before.get(name) != text
            },
        )

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def worth_comparing(plain: Observed) -> bool:
    """Whether a plain run is of use.

    It is not if it printed very much, or met the limit of recursion, which Cord's frames move.
    """
    error = b"maximum recursion depth exceeded"
    return len(plain.stdout) <= MOST_OUTPUT and error not in plain.stdout + plain.stderr.encode()


class Pair:
    """A warm process for plain Python, and one for Cord: `cord`, `copied` or `bare`."""

    def __init__(self, way: str = "cord") -> None:
        self._plain = WarmProcess("plain")
        self._cord = WarmProcess(way)
        self._scratch = Path(tempfile.mkdtemp(prefix="cord-property-"))
        self._count = 0

    def run(
        self, case: Case, limit: float, wanted: Callable[[Observed], bool] = worth_comparing
    ) -> tuple[Observed, Observed | None] | None:
        """Run a program plain, then under Cord.

        Args:
            case: The program.
            limit: Seconds after which it hangs under Cord.
            wanted: Whether to run it under Cord, after what the plain run showed.

        Returns:
            Both; None instead of the second if it hung, None alone if there was none.
        """
        self._count += 1
        root = self._scratch / str(self._count)
        try:
            case.write(root / PLAIN)
            case.write(root / CORDS)
            try:
                plain = self._plain.run(root / PLAIN, root / f"{PLAIN}-output", PLAIN_LIMIT)
            except Hung:
                return None
            if not wanted(plain):
                return None
            try:
                return plain, self._cord.run(root / CORDS, root / f"{CORDS}-output", limit)
            except Hung:
                return plain, None
        finally:
            shutil.rmtree(root, ignore_errors=True)

    def run_plain(self, case: Case, times: int) -> Iterator[Observed | None]:
        """Run a program plain, some times; None for a run that hung."""
        for _ in range(times):
            self._count += 1
            root = self._scratch / str(self._count)
            try:
                case.write(root / PLAIN)
                yield self._plain.run(root / PLAIN, root / f"{PLAIN}-output", PLAIN_LIMIT)
            except Hung:
                yield None
            finally:
                shutil.rmtree(root, ignore_errors=True)

    def close(self) -> None:
        """End both processes."""
        self._plain.close()
        self._cord.close()
        shutil.rmtree(self._scratch, ignore_errors=True)


@contextmanager
def warm_pair(way: str = "cord") -> Iterator[Pair]:
    """A pair of warm processes, ended afterwards."""
    pair = Pair(way)
    try:
        yield pair
    finally:
        pair.close()


def difference(plain: Observed, cord: Observed | None) -> str:
    """What a user could see of a difference between two runs, in a few words; "" if nothing."""
    if cord is None:
        return "hangs"
    cord = replace(cord, stderr=OWN_LINE.sub("", cord.stderr))
    parts = []
    if cord.code != plain.code:
        parts.append(f"exit code {plain.code} became {cord.code}")
    if cord.last_line != plain.last_line:
        parts.append(f"last line of stderr {plain.last_line!r} became {cord.last_line!r}")
    elif TRACEBACK not in plain.stderr and cord.stderr_lines != plain.stderr_lines:
        parts.append("stderr differs")
    if cord.stdout != plain.stdout:
        parts.append("stdout differs: " + first_difference(plain.stdout, cord.stdout))
    for name in sorted({*plain.written, *cord.written}):
        if plain.written.get(name) != cord.written.get(name):
            parts.append(f"{name} differs")
    return "; ".join(parts)


def first_difference(plain: bytes, cord: bytes) -> str:
    """The first pair of lines that differ."""
    left = [*plain.decode("utf-8", "backslashreplace").splitlines(), "<end>"]
    right = [*cord.decode("utf-8", "backslashreplace").splitlines(), "<end>"]
    for line, other in zip(left, right, strict=False):
        if line != other:
            return f"{line[:120]!r} became {other[:120]!r}"
    return "the ends of lines"
