"""In a container there is often little: no home, little shared memory, nothing to write to."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

WORK = "def f(x):\n    return x + 1\n\n\ndef size(text):\n    return len(text)\n"
MAIN = """\
import work

print([work.f(x) for x in range(20)])
print(work.size(bytes(8_000_000)))
"""
PLAN = '[remote.work]\nreplicas = 2\ncallstyle = "async"\nrepeatable = true\n'
# Shared memory of 64 KiB, and no folder that can be written to.
IN_A_ROOM = """\
set -e
mount -t tmpfs -o size=64k tmpfs /dev/shm
for folder in /tmp /var/tmp; do mount -t tmpfs -o ro,size=64k tmpfs $folder; done
mount --bind "$1" "$1"
mount -o remount,ro,bind "$1"
cd "$1"
shift
exec env -i PATH=/usr/bin:/bin "$@"
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A program's folder that is read-only in the container, outside of what that hides."""
    made = Path(__file__).resolve().parents[2] / "build" / f"container-{os.getpid()}"
    made.mkdir(parents=True)
    for name, text in (("work.py", WORK), ("main.py", MAIN), ("cord.toml", PLAN)):
        (made / name).write_text(text)
    yield made
    shutil.rmtree(made)


def inside(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python in such a container."""
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", IN_A_ROOM, "sh", folder, sys.executable, *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if "unshare: " in done.stderr or "mount: " in done.stderr:
        pytest.skip(f"no mounts of its own here: {done.stderr.splitlines()[0]}")
    return done


def test_a_program_runs(folder: Path) -> None:
    done = inside(folder, "-m", "cord", "run", "main.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{list(range(1, 21))}\n8000000\n"


def test_doctor_says_what_is_not_kept(folder: Path) -> None:
    done = inside(folder, "-m", "cord", "doctor")
    assert done.returncode == 0
    assert "! kept from runs   nothing in " in done.stdout
    assert "Read-only file system" in done.stdout


@pytest.mark.parametrize("command", ["check", "explain"])
def test_what_only_reads(folder: Path, command: str) -> None:
    done = inside(folder, "-m", "cord", command, "main.py")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("command", ["init", "verify", "compare"])
def test_what_has_no_place_for_its_copies_says_so(folder: Path, command: str) -> None:
    if command == "init":
        (folder / "cord.toml").unlink()
    done = inside(folder, "-m", "cord", command, "main.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"cord: cord {command} runs the program in copies of the current folder, and no folder for "
        "temporary files can be written to: No usable temporary directory found in ['/tmp', "
        f"'/var/tmp', '/usr/tmp', '{folder}']\n\n"
        f"hint: name one by a variable of the environment: TMPDIR=FOLDER cord {command} ...\n"
    )
