"""How each kind of system is started."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from benchmarks.model import Contender

from lab.common.model import System
from lab.common.places import BIN, BUILD, LAB
from lab.common.presence import JAVA, MPI, PVM, Need

# Open MPI warns of root; a container forbids one rank to read another's memory, and it says so.
OPEN_MPI = (
    "env",
    "OMPI_ALLOW_RUN_AS_ROOT=1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
    "OMPI_MCA_btl_base_warn_component_unused=0",
    "mpirun.openmpi",
)


def _fed(lines: Iterable[object]) -> tuple[str, ...]:
    """What a command begins with that reads these lines, each when it wants the next."""
    text = "".join(f"{line}\\n" for line in lines)
    return ("sh", "-c", f"printf '{text}' | \"$@\"", "sh") if text else ()


def python(
    name: str,
    program: str,
    *words: object,
    lines: Iterable[object] = (),
    prefix: tuple[str, ...] = (),
) -> System:
    """A program below lab/ in plain Python, with these lines as its input."""
    path = LAB / program
    command = (*prefix, *_fed(lines), sys.executable, path.name, *map(str, words))
    return System(Contender(name, command, str(path.parent)))


def cord(
    name: str,
    program: str,
    *words: object,
    variant: str | None = None,
    plan: Path | None = None,
    settings: tuple[str, ...] = (),
    lines: Iterable[object] = (),
    prefix: tuple[str, ...] = (),
    needs: tuple[Need, ...] = (),
) -> System:
    """The same under `cord run`, with a variant of its plan or another one, and with settings."""
    path = LAB / program
    choice: tuple[str, ...] = () if variant is None else ("--variant", variant)
    if plan is not None:
        choice = (*choice, "--config", str(plan))
    sets = tuple(word for setting in settings for word in ("--set", setting))
    run = (str(BIN / "cord"), "run", *choice, *sets, path.name)
    command = (*prefix, *_fed(lines), *run, *map(str, words))
    return System(Contender(name, command, str(path.parent)), needs)


def native(
    name: str,
    program: str,
    *words: object,
    prefix: tuple[str, ...] = (),
    needs: tuple[Need, ...] = (),
) -> System:
    """A program of build/lab/."""
    command = (*prefix, str(BUILD / program), *map(str, words))
    return System(Contender(name, command, str(BUILD)), needs, (program,))


def mpi(
    name: str,
    program: str,
    ranks: int,
    *words: object,
    options: tuple[str, ...] = (),
    prefix: tuple[str, ...] = (),
) -> System:
    """A program of build/lab/ with so many ranks."""
    start = (*prefix, *OPEN_MPI, "--oversubscribe", *options, "-n", str(ranks))
    command = (*start, str(BUILD / program), *map(str, words))
    return System(Contender(name, command, str(BUILD)), (MPI,), (program,))


def pvm(name: str, program: str, *words: object, prefix: tuple[str, ...] = ()) -> System:
    """A program of build/lab/ with a PVM daemon of its own."""
    start = ("sh", str(LAB / "paradigms" / "native" / "pvm.sh"))
    command = (*prefix, *start, str(BUILD / program), *map(str, words))
    return System(Contender(name, command, str(BUILD)), (PVM,), (program,))


def java(folder: Path) -> tuple[str, ...]:
    """What starts a class of a folder."""
    return ("java", "-XX:+UseParallelGC", "-cp", str(folder))


def rmi(name: str, *words: object, prefix: tuple[str, ...] = (), server: str = "") -> System:
    """The client of RMI, which starts its servers."""
    run = java(BUILD / "rmi")
    servers = f"{server} {' '.join(run)} Server".strip()
    command = (*prefix, *run, "Client", servers, *map(str, words))
    return System(Contender(name, command, str(BUILD)), (JAVA,), ("rmi/Client.class",))
