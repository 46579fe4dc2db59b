"""Builds the native programs into build/lab/: those whose systems are there, if they changed."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.running import say

from lab.common.places import BUILD, KERNELS, LAB
from lab.common.presence import COMPILER, Need

Command = tuple[str, ...]

LIBRARY = BUILD / "libkernels.so"
OPTIMISED = ("-O3", "-march=native", "-Wall", "-Wextra", f"-I{KERNELS}")
C = ("-std=gnu11", *OPTIMISED, "-Wno-unused-function")
CPP = ("-std=c++17", *OPTIMISED, "-Wno-unused-function")
LINKED = (str(LIBRARY), f"-Wl,-rpath,{BUILD}")


@dataclass(frozen=True, slots=True)
class Native:
    """A native program.

    Attributes:
        name: Its file in build/lab/, which the last command makes.
        sources: What it is made of; a change of one of them makes it old.
        commands: How it is built; each runs in build/lab/.
        needs: What must be there.
    """

    name: str
    sources: tuple[Path, ...]
    commands: tuple[Command, ...]
    needs: tuple[Need, ...] = (COMPILER,)

    @property
    def path(self) -> Path:
        """Where it is when it is built."""
        return BUILD / self.name

    def is_old(self) -> bool:
        """Whether it is not there, or a source is newer."""
        if not self.path.exists():
            return True
        made = self.path.stat().st_mtime
        return any(source.stat().st_mtime > made for source in (*self.sources, *_headers()))


def _headers() -> Iterable[Path]:
    return KERNELS.glob("*.h")


def kernels() -> Native:
    """The inner loops, as a library for all."""
    sources = tuple(sorted(KERNELS.glob("*.c")))
    command = ("cc", *C, "-fPIC", "-shared", *map(str, sources), "-o", LIBRARY.name)
    return Native(LIBRARY.name, sources, (command,))


def c_program(
    name: str, source: str, *libraries: str, compiler: str = "cc", needs: tuple[Need, ...]
) -> Native:
    """A program of one file in C, below lab/."""
    path = LAB / source
    command = (compiler, *C, str(path), *LINKED, *libraries, "-o", name)
    return Native(name, (path,), (command,), (COMPILER, *needs))


def build(natives: Iterable[Native]) -> dict[str, str]:
    """Build what can be built.

    Returns:
        Why what is not there is not, by name.
    """
    BUILD.mkdir(parents=True, exist_ok=True)
    lacking: dict[str, str] = {}
    for native in (kernels(), *natives):
        missing = [reason for need in native.needs if (reason := need.missing())]
        if missing:
            lacking[native.name] = missing[0]
        elif native.is_old() and (failure := _made(native)):
            lacking[native.name] = failure
    return lacking


def _made(native: Native) -> str | None:
    say(f"building {native.name}")
    native.path.parent.mkdir(parents=True, exist_ok=True)
    for command in native.commands:
        done = subprocess.run(command, cwd=BUILD, capture_output=True, text=True, check=False)
        if done.returncode:
            return f"{command[0]} failed: {(done.stderr or done.stdout).strip()[-500:]}"
    native.path.touch()
    return None
