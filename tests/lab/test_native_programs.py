"""Native programs compute what the plain program does; those that are not installed are skipped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import zlib
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from benchmarks.common.footprint import descendants
from lab.common.building import build, kernels
from lab.common.measuring import CHECK
from lab.common.model import System
from lab.common.places import BUILD, LAB
from lab.common.presence import AB, COMPILER, ERLANG, JAVA, MPI, OMNIORB, PVM, RACKET, RPC, Need
from lab.common.starting import cord, mpi, native, pvm, python, rmi
from lab.papers import PAPERS

PATIENCE = 120.0
PICTURE = "mandelbrot/program/main.py"
PAPER_OF = {paper.name: paper for paper in PAPERS}

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(COMPILER.missing() is not None, reason="there is no C compiler that works"),
]


@cache
def lacking(paper: str) -> dict[str, str]:
    return build(PAPER_OF[paper].natives)


def ready(paper: str, *needs: Need) -> None:
    """Skip where a system is missing; build its programs."""
    for need in needs:
        if need.missing():
            pytest.skip(str(need.missing()))
    found = lacking(paper)
    missing = [need.missing() for one in PAPER_OF[paper].natives for need in one.needs]
    assert set(found.values()) <= {one for one in missing if one is not None}


def run(system: System) -> dict[str, float]:
    """What a system measures, and that it leaves no process behind."""
    before = set(descendants(os.getpid()))
    done = subprocess.run(
        system.contender.command,
        cwd=LAB / system.contender.folder,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    until = time.monotonic() + PATIENCE  # a server that was told to end may take a moment
    while not set(descendants(os.getpid())) <= before:
        assert time.monotonic() < until, descendants(os.getpid())
        time.sleep(0.01)
    return json.loads(done.stdout.splitlines()[-1])


def checks(system: System) -> dict[str, float]:
    return {key: value for key, value in run(system).items() if key.startswith(CHECK)}


@pytest.fixture(scope="session")
def numbers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lab") / "numbers"
    np.random.default_rng(1).integers(-(2**31), 2**31 - 1, 4096, dtype=np.int32).tofile(path)
    return path


@pytest.fixture(scope="session", autouse=True)
def the_kernels() -> None:
    assert build([]) == {} and kernels().path.exists()


@pytest.mark.parametrize("algorithm", ["insertion", "quick"])
def test_parts_are_sorted_and_merged(numbers: Path, algorithm: str):
    words = (numbers, algorithm, 4, 1, 1024, 4096)
    found = checks(python("plain", "sort/program/main.py", *words))
    expected = np.sort(np.fromfile(numbers, np.int32))
    assert found["check 4096"] == zlib.adler32(expected)
    assert checks(cord("Cord", "sort/program/main.py", *words)) == found


@pytest.mark.parametrize("ranks", [1, 4])
def test_sorting_by_mpi(numbers: Path, ranks: int):
    ready("sort", MPI)
    plain = python("plain", "sort/program/main.py", numbers, "quick", ranks, 1, 1024, 4096)
    assert checks(mpi("MPI", "sort_mpi", ranks, numbers, "quick", 1, 1024, 4096)) == checks(plain)


@pytest.mark.parametrize("algorithm", ["insertion", "quick"])
def test_sorting_by_racket(numbers: Path, algorithm: str):
    ready("sort", RACKET)
    plain = python("plain", "sort/program/main.py", numbers, algorithm, 2, 1, 1024)
    words = (str(BUILD / "sort.rkt"), str(numbers), algorithm, "2", "1", "1024")
    racket = native("Racket", "sort.rkt")
    contender = type(racket.contender)("Racket", ("racket", *words), str(BUILD))
    assert checks(System(contender)) == checks(plain)


def test_mandelbrot_by_mpi_and_by_cord(here: Path):
    ready("mandelbrot")
    size, limit = 40, 50
    plain = checks(python("plain", PICTURE, size, lines=[limit]))
    assert checks(cord("Cord", PICTURE, size, lines=[10, limit], plan=here)) == plain
    if MPI.missing() is None:
        for style in ("sync", "async", "static"):
            assert checks(mpi("MPI", "mandelbrot_mpi", 3, style, size, limit)) == plain


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A plan without the machines of unequal speed, which not everybody may have."""
    plan = tmp_path / "cord.toml"
    plan.write_text("[remote.fractal]\npure = true\ninline = false\n")
    return plan


SIZES = (1, 10, 33)


def plain_product() -> dict[str, float]:
    return checks(python("plain", "matmul/program/main.py", lines=(1, *SIZES)))


def test_matrices_by_cord():
    found = plain_product()
    for variant in (None, "resident"):
        ours = cord("Cord", "matmul/program/main.py", variant=variant, lines=(1, *SIZES))
        assert checks(ours) == found


@pytest.mark.parametrize("state", ["stateless", "stateful"])
@pytest.mark.parametrize("servers", [1, 3])
def test_matrices_by_sockets(state: str, servers: int):
    ready("matmul")
    words = (BUILD / "member_server", BUILD / "matrix_server", servers, state, 2, *SIZES)
    assert checks(native("sockets", "matrix_client", *words)) == plain_product()


@pytest.mark.parametrize("state", ["stateless", "stateful"])
def test_matrices_by_corba(state: str):
    ready("matmul", OMNIORB)
    words = (BUILD / "corba_server", "multiply", 2, state, 2, *SIZES)
    assert checks(native("CORBA", "corba_client", *words)) == plain_product()


def multiplying(name: str) -> System:
    words = ("multiply", 40, 2)
    return {
        "MPI": mpi("MPI", "paradigms_mpi", 3, *words),
        "ONC RPC": native("ONC RPC", "rpc_client", BUILD / "rpc_server", *words, 2),
        "PVM": pvm("PVM", "paradigms_pvm", *words, 2),
        "RMI": rmi("RMI", *words, 2),
    }[name]


NEEDS = {"MPI": MPI, "ONC RPC": RPC, "PVM": PVM, "RMI": JAVA}


@pytest.mark.parametrize("name", NEEDS)
def test_rows_are_shared_out_on_demand(name: str):
    ready("paradigms", NEEDS[name])
    plain = python("plain", "paradigms/program/multiply.py", lines=[40])
    assert checks(multiplying(name)) == checks(plain)


def test_rows_are_shared_out_by_cord():
    plain = checks(python("plain", "paradigms/program/multiply.py", lines=[40]))
    for variant in ("resident", "stateless"):
        ours = cord("Cord", "paradigms/program/multiply.py", variant=variant, lines=[40])
        assert checks(ours) == plain


@pytest.mark.parametrize("what", ["latency", "stream"])
@pytest.mark.parametrize("name", NEEDS)
def test_calls_are_measured_by_their_size(name: str, what: str):
    ready("paradigms", NEEDS[name])
    words = (what, 0, 1000)
    system = {
        "MPI": mpi("MPI", "paradigms_mpi", 2, *words),
        "ONC RPC": native("ONC RPC", "rpc_client", BUILD / "rpc_server", *words),
        "PVM": pvm("PVM", "paradigms_pvm", *words),
        "RMI": rmi("RMI", *words),
    }[name]
    assert set(run(system)) == {"0", "1000"}


@pytest.mark.parametrize("kind", ["sequential", "pool 2"])
def test_a_web_server_answers_all_requests(kind: str):
    ready("rudy", ERLANG, AB)
    server = f"erl -noshell -pa {BUILD / 'erlang'} -run rudy start 1 {kind}"
    words = (sys.executable, str(LAB / "rudy" / "load.py"), server, "1x5,10x20", "1")
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    assert set(json.loads(done.stdout)) == {"1x5", "10x20"}
