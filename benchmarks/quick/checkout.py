"""Builds of Cord that are measured beside each other: this one, and another commit's."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from benchmarks.places import HERE, ROOT

BASES = ROOT / "build" / "base"
_MODULE = f"_core{sysconfig.get_config_var('EXT_SUFFIX')}"
_PARTS = ("Cargo.toml", "Cargo.lock", "crates", "python", "pyproject.toml")


@dataclass(frozen=True, slots=True)
class Checkout:
    """One build.

    Attributes:
        name: The commit, as it was given.
        python: The folder of its package, for PYTHONPATH.
        programs: Where its programs run, the same ones for all: what a run keeps for later ones is
            of its build.
    """

    name: str
    python: Path
    programs: Path


class NoSuchCommit(Exception):
    """There is no such commit, or it cannot be built; the text says why."""


def this() -> Checkout:
    """The build in this folder, with what is not committed."""
    return Checkout("this", ROOT / "python", _programs_in(BASES / "this"))


def of(commit: str) -> Checkout:
    """A commit, built in a folder of its own; once built it is kept.

    Raises:
        NoSuchCommit: There is none, or its build fails.
    """
    digest = _told("git", "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}")
    if digest is None:
        raise NoSuchCommit(f"git knows no commit {commit!r}")
    folder = BASES / digest[:12]
    if not (folder / "python" / "cord" / _MODULE).exists():
        _lay_out(digest, folder)
        _build(folder)
    return Checkout(commit, folder / "python", _programs_in(folder))


def _programs_in(folder: Path) -> Path:
    programs = folder / "programs"
    shutil.rmtree(programs, ignore_errors=True)
    shutil.copytree(HERE / "programs", programs, ignore=shutil.ignore_patterns("__pycache__"))
    return programs


def _told(*command: str) -> str | None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def _lay_out(digest: str, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    archive = subprocess.Popen(
        ["git", "archive", digest, *_PARTS], cwd=ROOT, stdout=subprocess.PIPE
    )
    subprocess.run(["tar", "-x"], cwd=folder, stdin=archive.stdout, check=True)
    if archive.wait():
        raise NoSuchCommit(f"git archive {digest} fails")


def _build(folder: Path) -> None:
    """Build the native module with what other bases have built of its dependencies."""
    target = BASES / "target"
    command = "cargo build --quiet --release --locked -p cord-py --features pyo3/extension-module"
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target), "PYO3_PYTHON": sys.executable}
    done = subprocess.run(command.split(), cwd=folder, env=environment, check=False)
    if done.returncode:
        raise NoSuchCommit(f"{command} fails in {folder}")
    shutil.copy(target / "release" / "lib_core.so", folder / "python" / "cord" / _MODULE)
