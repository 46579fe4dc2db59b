"""Copies are made where containers and users without rights run programs, or it is said why not."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from program_case import Case, clean_environment, read_cases, run_plain
from spans import lay_out, most_at_once, read_spans

import cord

HERE = Path(__file__).parent
Ran = subprocess.CompletedProcess[bytes]
CONFINED, TOLD_RUN = str(HERE / "confined_run.py"), str(HERE / "told_run.py")
[CASE] = [case for case in read_cases(HERE / "parallel") if case.name == "logging_between_calls"]
PLAN = """\
[remote.work]
replicas = 8
callstyle = "async"
repeatable = true

[run]
copies = true
"""

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="the filters are written for x86-64"
)


def everybodys_python() -> tuple[str, str]:
    """An interpreter that anybody may use, and what it must have in PYTHONPATH."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    path = str(Path(cord.__file__).parent.parent)
    for python in (sys.executable, f"/usr/bin/{version}", f"/usr/local/bin/{version}"):
        words = [python, CONFINED, "nobody", "-c", "import pkgutil, cord._core"]
        environment = os.environ | {"PYTHONPATH": path}
        with suppress(OSError):
            ran = subprocess.run(words, env=environment, capture_output=True, check=False)
            if ran.returncode == 0:
                return python, path
    pytest.skip("there is no Python that anybody may use")


def start(how: str, words: list[str], folder: Path, environment: dict[str, str]) -> Ran:
    """Run Python confined."""
    python, path = everybodys_python()
    return subprocess.run(
        [python, CONFINED, how, *words],
        cwd=folder,
        env=environment | {"PYTHONPATH": path},
        capture_output=True,
        check=False,
    )


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that anybody may use."""
    path = Path(tempfile.mkdtemp(prefix="cord-confined-"))
    path.chmod(0o777)
    yield path
    shutil.rmtree(path)


def run(how: str, case: Case, folder: Path) -> tuple[list[Any], int]:
    """``case`` confined: what is told of copies, and how many calls ran at once."""
    told = folder / "told.json"
    program, environment = lay_out(case, folder / "cord", PLAN, nap=0.03)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o777)
    words = [TOLD_RUN, "planned", str(told), "main.py"]
    ran = start(how, words, program, clean_environment(environment))
    plain = run_plain(case, program, environment | {"NAP": "0"})
    assert (ran.stdout, ran.returncode) == (plain.stdout, plain.code), ran.stderr
    spans = read_spans(folder / "cord" / "spans")
    return json.loads(told.read_text()), most_at_once(spans)


@pytest.mark.parametrize("how", ["docker", "restricted", "nobody"])
def test_copies_run_ahead(how: str, folder: Path) -> None:
    (made, issued, _, _, refused, *_), at_once = run(how, CASE, folder)
    assert (made > 0, refused) == (True, None)
    assert issued > 10
    assert at_once >= 4


def test_it_is_said_where_filters_are_denied(folder: Path) -> None:
    (made, _, _, _, refused, *_), _ = run("no_filters", CASE, folder)
    assert (made, refused) == (0, "the system allows no filter of system calls")


def test_doctor_says_what_a_container_denies(folder: Path) -> None:
    told = {}
    for how in ("restricted", "no_filters"):
        ran = start(how, ["-m", "cord", "doctor"], folder, dict(os.environ))
        assert ran.returncode == 0, ran.stderr
        told[how] = ran.stdout.decode()
    assert "! written pages    not told (userfaultfd)" in told["restricted"]
    assert "  copies           can be made (seccomp," in told["restricted"]
    refused = "the system allows no filter of system calls"
    assert f"! copies           none can be made, for {refused}" in told["no_filters"]
