"""Qureshi and Rashid: what do RPC, RMI, MPI and PVM cost by packet size, and for parallel work?"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from benchmarks.model import Claim, Medians

from lab.common import network
from lab.common.building import LINKED, C, Native, c_program
from lab.common.model import Experiment, Figure, Paper, Point, Program, System
from lab.common.places import BUILD, LAB
from lab.common.presence import COMPILER, JAVA, MPI, NETWORK, OMNIORB, PVM, RAY, RPC
from lab.common.starting import cord, mpi, native, pvm, python, rmi
from lab.common.tables import figure, table
from lab.matmul.paper import NATIVES as MATMUL_NATIVES

FOLDER = LAB / "paradigms"
SOURCES = FOLDER / "native"
OURS, ASYNC, PLAIN = "Cord", "Cord, async", "plain Python"
RPC_NAME, RMI_NAME, MPI_NAME, PVM_NAME, CORBA_NAME = (
    "ONC RPC", "Java RMI", "MPI", "PVM", "CORBA (omniORB)",
)  # fmt: skip
ON_RANKS, ON_RAY = "Cord on ranks of MPI", "Cord on Ray"
SYSTEMS = (MPI_NAME, RPC_NAME, PVM_NAME, RMI_NAME, CORBA_NAME, OURS, ON_RANKS, ON_RAY)
SIZES = (0, 500, *range(1000, 10001, 1000))
BULK = 1_000_000
STREAMED = (0, 1000, 10_000)
WORKERS = (1, 2, 4, 8)
# Megabits per second that the paper found, on average over all packet sizes.
PUBLISHED_BANDWIDTH = {RPC_NAME: 8.7, MPI_NAME: 7.0, PVM_NAME: 4.0, RMI_NAME: 2.5}

_STUBS = ("calls.h", "calls_xdr.c", "calls_svc.c")
_RPC = ("-I/usr/include/tirpc", "-Irpc", "-Wno-unused-variable", "-Wno-cast-function-type")
_RPCGEN = (("-h", "calls.h"), ("-c", "calls_xdr.c"), ("-m", "calls_svc.c"))


def _rpc(name: str, source: str, *stubs: str) -> Native:
    """A program of ONC RPC; rpcgen makes its stubs in build/lab/rpc/."""
    interface = SOURCES / "calls.x"
    made = tuple(
        ("sh", "-c", f"cd rpc && rm -f {file} && rpcgen {option} -o {file} calls.x")
        for option, file in _RPCGEN
    )
    files = (str(SOURCES / source), *(f"rpc/{stub}" for stub in stubs))
    commands = (
        ("mkdir", "-p", "rpc"),
        ("cp", str(interface), "rpc/calls.x"),
        *made,
        ("cc", *C, *_RPC, *files, *LINKED, "-ltirpc", "-lpthread", "-o", name),
    )
    return Native(name, (SOURCES / source, interface), commands, (COMPILER, RPC))


def _java() -> Native:
    sources = tuple(sorted((SOURCES / "rmi").glob("*.java")))
    command = ("javac", "-Xlint:all", "-d", "rmi", *map(str, sources))
    return Native("rmi/Client.class", sources, (command,), (JAVA,))


NATIVES = (
    c_program("paradigms_mpi", "paradigms/native/mpi.c", compiler="mpicc.openmpi", needs=(MPI,)),
    c_program("paradigms_pvm", "paradigms/native/pvm.c", "-lpvm3", needs=(PVM,)),
    _rpc("rpc_server", "rpc_server.c", "calls_xdr.c", "calls_svc.c"),
    _rpc("rpc_client", "rpc.c", "calls_xdr.c"),
    _java(),
    # the program of another paper has what an echo by CORBA needs
    *(one for one in MATMUL_NATIVES if one.name.startswith("corba")),
)
_SERVER = str(BUILD / "rpc_server")
_CALLS = "paradigms/program/calls.py"


def _natives(what: str, sizes: Iterable[int]) -> tuple[System, ...]:
    words = (what, *sizes)
    return (
        mpi(MPI_NAME, "paradigms_mpi", 2, *words),
        native(RPC_NAME, "rpc_client", _SERVER, *words, needs=(RPC,)),
        pvm(PVM_NAME, "paradigms_pvm", *words),
        rmi(RMI_NAME, *words),
        native(CORBA_NAME, "corba_client", BUILD / "corba_server", *words, needs=(OMNIORB,)),
    )


def _ours(
    name: str,
    count: int,
    sizes: Iterable[int],
    times: int,
    variant: str | None = None,
    prefix: tuple[str, ...] = (),
) -> System:
    """So many calls in a row of each size, measured so many times after one that does not count.

    The program reads which size is next: nothing can look ahead from one measurement into another.
    """
    lines = [size for size in sizes for _ in range(times + 1)]
    return cord(name, _CALLS, count, variant=variant, lines=lines, prefix=prefix)


def _latency_systems(short: bool) -> tuple[System, ...]:
    sizes = (*(SIZES[::3] if short else SIZES), BULK)
    return (*_natives("latency", sizes), _ours(OURS, 100, sizes, 20, variant="sync"))


def _stream_systems() -> tuple[System, ...]:
    return (
        *_natives("stream", STREAMED),
        _ours(OURS, 2000, STREAMED, 20),
        _ours("Cord, sync", 200, STREAMED, 20, variant="sync"),
    )


def _far(system: System) -> System:
    """The same with a network in between."""
    return System(system.contender, (*system.needs, NETWORK), system.native)


def _network_systems(short: bool) -> tuple[System, ...]:
    sizes = (0, 1000, 10_000) if short else (*SIZES[::2], 100_000)
    here, there = network.at(0), " ".join(network.at(1))
    words = ("latency", *sizes)
    to = ("env", f"LAB_HOST={network.address(1)}")
    options = (
        *("--mca", "plm_rsh_agent", str(network.RSH), "--mca", "btl", "tcp,self"),
        *("--mca", "btl_tcp_if_include", "net0", "--mca", "oob_tcp_if_include", "net0"),
        *("--host", f"{network.address(0)},{network.address(1)}"),
    )
    systems = (
        mpi(MPI_NAME, "paradigms_mpi", 2, *words, prefix=here, options=options),
        native(
            RPC_NAME, "rpc_client", f"{there} {_SERVER}", *words, prefix=(*here, *to), needs=(RPC,)
        ),
        pvm(PVM_NAME, "paradigms_pvm", *words, prefix=(*here, *_pvm_hosts())),
        rmi(RMI_NAME, *words, prefix=(*here, *to), server=there),
        _ours(OURS, 5, sizes, 5, variant="far-sync", prefix=here),
        _ours(ASYNC, 100, sizes, 3, variant="far", prefix=here),
    )
    return tuple(_far(one) for one in systems)


def _pvm_hosts() -> tuple[str, ...]:
    addresses = (f"LAB_PVM_HERE={network.address(0)}", f"LAB_PVM_HOST={network.address(1)}")
    return ("env", *addresses, f"PVM_RSH={network.RSH}")


def _multiply_systems(short: bool) -> tuple[System, ...]:
    size, repeats = (512, 3) if short else (1024, 5)
    program, lines = "paradigms/program/multiply.py", [size] * repeats
    found = [python(PLAIN, program, lines=lines)]
    for workers in (1, 2, 4) if short else WORKERS:
        words = ("multiply", size, repeats)
        replicas = (f"remote.work.replicas={workers}",)
        found += [
            mpi(f"{MPI_NAME}, {workers}", "paradigms_mpi", workers + 1, *words),
            native(f"{RPC_NAME}, {workers}", "rpc_client", _SERVER, *words, workers, needs=(RPC,)),
            pvm(f"{PVM_NAME}, {workers}", "paradigms_pvm", *words, workers),
            rmi(f"{RMI_NAME}, {workers}", *words, workers),
            cord(f"{OURS}, {workers}", program, variant="resident", settings=replicas, lines=lines),
        ]
    root = ("env", "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
    found += [
        cord(f"{ON_RANKS}, 2", program, variant="ranks", lines=lines, prefix=root, needs=(MPI,)),
        cord(f"{ON_RAY}, 2", program, variant="ray", lines=lines, needs=(RAY,)),
    ]
    return tuple(found)


def _sizes(found: Medians) -> list[int]:
    return sorted({int(key) for m in found.by_name.values() for key in m if key.isdigit()})


def _show_calls(found: Medians, bandwidth: bool = True) -> list[str]:
    sizes, names = _sizes(found), list(found.by_name)
    if not names:
        return []
    rows = [
        (f"{size:,}", *(figure(found.by_name[name].get(str(size)), 1e6) for name in names))
        for size in sizes
    ]
    lines = ["Microseconds for a call, by bytes there and back:", ""]
    lines += table(("bytes", *names), rows)
    if bandwidth:
        rows = [
            (f"{size:,}", *(figure(_megabits(found, name, size)) for name in names))
            for size in sizes
            if size
        ]
        lines += ["Megabits per second, of both ways together:", ""]
        lines += table(("bytes", *names), rows)
    return lines


def _megabits(found: Medians, name: str, size: int) -> float | None:
    seconds = found.by_name[name].get(str(size))
    return None if seconds is None else 2 * 8 * size / seconds / 1e6


def _show_network(found: Medians) -> list[str]:
    averages = []
    for name in found.by_name:
        rates = [_megabits(found, name, size) for size in _sizes(found) if 0 < size <= 10_000]
        there = [rate for rate in rates if rate is not None]
        mean = sum(there) / len(there) if there else None
        averages.append((name, figure(mean), figure(PUBLISHED_BANDWIDTH.get(name))))
    lines = _show_calls(found)
    if averages:
        lines += table(("Mb/s, mean of the sizes up to 10,000", "here", "paper"), averages)
    return lines


def _show_multiply(found: Medians) -> list[str]:
    names = [name for name in SYSTEMS if any(key.startswith(f"{name}, ") for key in found.by_name)]
    rows = [
        (name, *(figure(_multiplied(found, name, workers), 1e3) for workers in WORKERS))
        for name in names
    ]
    plain = found.by_name.get(PLAIN, {}).get("seconds")
    lines = [f"Milliseconds; plain Python with the same kernel takes {figure(plain, 1e3)}.", ""]
    return lines + table(("", *(f"{count} workers" for count in WORKERS)), rows)


def _multiplied(found: Medians, name: str, workers: int) -> float | None:
    return found.by_name.get(f"{name}, {workers}", {}).get("seconds")


def _call_lines(found: Medians, scale: float = 1e6) -> dict[str, list[Point]]:
    return {
        name: [(float(key), value * scale) for key, value in m.items() if _shown(key)]
        for name, m in found.by_name.items()
    }


def _shown(key: str) -> bool:
    return key.isdigit() and int(key) <= 10_000


def _bandwidth_lines(found: Medians) -> dict[str, list[Point]]:
    lines: dict[str, list[Point]] = {}
    for name, m in found.by_name.items():
        points = [(int(key), _megabits(found, name, int(key))) for key in m if _shown(key)]
        lines[name] = [(float(size), rate) for size, rate in points if size and rate is not None]
    return lines


def _multiply_lines(found: Medians) -> dict[str, list[Point]]:
    return {
        name: [
            (float(workers), seconds)
            for workers in WORKERS
            if (seconds := _multiplied(found, name, workers)) is not None
        ]
        for name in SYSTEMS
    }


def _of(other: str, size: int, found: Medians) -> float:
    return found.of(OURS, str(size)) / found.of(other, str(size))


def _multiply_ratio(found: Medians) -> float:
    return found.of(f"{OURS}, 2", "seconds") / found.of(f"{MPI_NAME}, 2", "seconds")


def _stream_claims() -> tuple[Claim, ...]:
    return tuple(
        Claim(
            f"2,000 independent calls of 1,000 bytes: Cord's time, of that of {other}",
            partial(_of, other, 1000),
            1.0,
            at_most=True,
        )
        for other in (RPC_NAME, RMI_NAME, PVM_NAME, CORBA_NAME)
    )


def _experiments(short: bool) -> tuple[Experiment, ...]:
    return (
        Experiment(
            name="latency",
            title="Round trips by size of the packet (figures 2 and 3), on one machine",
            notes="One call at a time, each waited for; where the processes run is the system's.",
            systems=_latency_systems(short),
            show=_show_calls,
            figures=(
                Figure("paradigms-latency", "A call, waited for", "bytes", "µs", _call_lines, "y"),
            ),
        ),
        Experiment(
            name="stream",
            title="Calls that do not depend on one another, on one machine",
            notes=(
                "2,000 of them, in the best way that each system has: MPI and PVM with 64 messages "
                "under way, RPC and RMI with four threads, each with its connection. Cord's is "
                "the plain loop. One server each."
            ),
            systems=_stream_systems(),
            show=partial(_show_calls, bandwidth=False),
            claims=_stream_claims(),
        ),
        Experiment(
            name="network",
            title="Round trips by size of the packet (figures 2 and 3), over 10 Mb/s",
            notes=(
                "Client and server are network namespaces, joined by a switch; each card has a "
                "token-bucket filter of 10 Mb/s."
            ),
            systems=_network_systems(short),
            show=_show_network,
            around=partial(network.if_permitted, 1),
            figures=(
                Figure(
                    "paradigms-bandwidth",
                    "Bandwidth over 10 Mb/s, both ways together",
                    "bytes",
                    "Mb/s",
                    _bandwidth_lines,
                    shown=True,
                ),
            ),
        ),
        Experiment(
            name="multiply",
            title="Embarrassingly parallel matrix multiplication (figure 4)",
            notes=(
                f"{512 if short else 1024} rows and columns of doubles; a worker that has done a "
                "row gets the next one, and has the second matrix from the start. All but RMI, "
                "which has the same loops in Java, have the same kernel in C."
            ),
            systems=_multiply_systems(short),
            show=_show_multiply,
            claims=(
                Claim(
                    "parallel multiplication, two workers: Cord's time, of that of MPI",
                    _multiply_ratio,
                    1.15,
                    at_most=True,
                ),
            ),
            figures=(
                Figure(
                    "paradigms-multiply",
                    "Matrix multiplication by demand",
                    "workers",
                    "seconds",
                    _multiply_lines,
                ),
            ),
            seconds=300,
        ),
    )


PARADIGMS = Paper(
    "paradigms",
    "Qureshi and Rashid: RPC, Java RMI, MPI and PVM",
    NATIVES,
    _experiments,
    (
        Program("plain Python", ("paradigms/program/multiply.py", "paradigms/program/work.py")),
        Program(
            "Cord",
            (
                "paradigms/program/multiply.py",
                "paradigms/program/work.py",
                "paradigms/program/cord.toml",
            ),
        ),
        Program("MPI", ("paradigms/native/mpi.c",)),
        Program("PVM", ("paradigms/native/pvm.c", "paradigms/native/pvm.sh")),
        Program(
            "ONC RPC",
            ("paradigms/native/calls.x", "paradigms/native/rpc.c", "paradigms/native/rpc_server.c"),
        ),
        Program(
            "Java RMI",
            tuple(f"paradigms/native/rmi/{one}.java" for one in ("Calls", "Client", "Server")),
        ),
    ),
)
