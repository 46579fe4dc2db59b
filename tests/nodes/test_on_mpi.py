"""Agents that mpiexec starts."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
needs_mpiexec = pytest.mark.skipif(
    shutil.which("mpiexec", path=PATH) is None, reason="there is no mpiexec"
)


@pytest.fixture(autouse=True)
def _as_root_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Open MPI asks for both where root runs it, as in a container."""
    monkeypatch.setenv("OMPI_ALLOW_RUN_AS_ROOT", "1")
    monkeypatch.setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")


SESSION = """
    import os, time
    def session(n):
        time.sleep(0.1)
        return os.getsid(0)
"""


def run_in_ranks(far, number: int, **environment: str) -> subprocess.CompletedProcess[str]:
    """Have mpiexec start the program under Cord so many times."""
    mpiexec = shutil.which("mpiexec", path=PATH)
    assert mpiexec is not None
    said = subprocess.run([mpiexec, "--version"], capture_output=True, text=True, check=True).stdout
    is_open_mpi = "Open MPI" in said or "OpenRTE" in said
    bold = ["--oversubscribe"] if is_open_mpi else []
    cord = [sys.executable, "-m", "cord", "run", "main.py"]
    kept = {name: text for name, text in os.environ.items() if name != "PYTHONHASHSEED"}
    return subprocess.run(
        [mpiexec, *bold, "-n", str(number), *cord],
        cwd=far.folder,
        env={**kept, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@needs_mpiexec
def test_a_program_runs_on_nodes_that_mpiexec_serves(far):
    far.write(
        engine='kind = "mpi"\nnodes = 2\n',
        work=SESSION,
        main="""
            import work
            print(len({work.session(n) for n in range(16)}))
        """,
    )
    assert far.run(PATH=PATH) == (0, "2\n", "")


@needs_mpiexec
def test_ranks_above_the_first_serve_where_mpiexec_starts_cord_itself(far):
    far.write(
        engine='kind = "mpi"\n',
        work=SESSION,
        main="""
            import os, work
            print(len({work.session(n) for n in range(24)}), sorted(os.listdir(".")))
        """,
    )
    done = run_in_ranks(far, 4)
    files = ["cord.toml", "main.py", "work.py"]
    assert (done.returncode, done.stdout) == (0, f"3 {files}\n"), done.stderr


@needs_mpiexec
def test_the_first_rank_alone_says_what_is_wrong_with_a_plan(far):
    far.write(engine='kind = "mpi"\n', plan="[remote.work]\nreplica = 2", main="import work")
    done = run_in_ranks(far, 3)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("remote.work.replica is not a key that Cord knows") == 1


@needs_mpiexec
def test_what_the_first_rank_starts_is_no_rank_itself(far):
    far.write(
        engine='kind = "mpi"\nnodes = 2\n',
        work=SESSION,
        inner="""
            import work
            print(len({work.session(n) for n in range(16)}))
        """,
        main="""
            import subprocess, sys, work
            cord = [sys.executable, "-m", "cord", "run", "inner.py"]
            print(work.session(0) > 0, subprocess.run(cord, capture_output=True, text=True))
        """,
    )
    done = run_in_ranks(far, 3, PATH=PATH)
    assert "True CompletedProcess(" in done.stdout, done.stderr
    assert "returncode=0, stdout='2\\n', stderr=''" in done.stdout


@pytest.mark.parametrize(
    ("said", "is_passed"), [("mpiexec (Open MPI) 5.0.11", True), ("HYDRA", False)]
)
def test_open_mpi_is_told_to_pass_the_key_on(far, tmp_path, said, is_passed):
    mpiexec = tmp_path / "bin" / "mpiexec"
    mpiexec.parent.mkdir()
    mpiexec.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && echo "{said}" && exit\necho "$1 $2" > words\n'
        'while [ "$1" != -n ]; do shift; done\nshift; shift; exec "$@"\n'
    )
    mpiexec.chmod(0o755)
    far.write(
        engine='kind = "mpi"\n',
        work="def double(n):\n    return 2 * n\n",
        main="import work\nprint([work.double(n) for n in range(3)])\n",
    )
    path = f"{mpiexec.parent}{os.pathsep}{os.environ['PATH']}"
    assert far.run(PATH=path) == (0, "[0, 2, 4]\n", "")
    words = (far.folder / "words").read_text().split()
    assert (words == ["-x", "CORD_AGENT_KEY"]) is is_passed
