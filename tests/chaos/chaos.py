"""Whole programs to which things happen: `make chaos N=200 SEED=1` runs the schedules 1 to 200.

A schedule is a program, its plan, and what happens when: processes are killed and stopped, starts
are slow or fail, descriptors, memory and the disk are short, the clock is set, and on nodes
(namespaces) links are cut, and agents and machines end. Its number says all of it. What must hold
of each run: it ends; it shows what plain Python shows, or a documented error at the right call and
nothing after; what calls do outside is done once, and never is any missing in silence; and nothing
is left of it.

A schedule that goes wrong is played again with less and less of it. What is left is kept as
`build/chaos/NUMBER/schedule.json`, and played again by `make chaos REPLAY=build/chaos/NUMBER`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from judging import Ran, judge
from schedules import Schedule, make, read, subject_of
from stages import Here, Nodes, play, processes_with
from subjects import OUTER, WORK, Subject

from nodes.network import PROGRAMS_NODE, Network, are_permitted, tell, wait_until_gone

GONE = 5.0  # seconds after which nothing may be left of a run
BESIDE = Path(__file__).parent / "beside"
AGAIN = 3  # runs of a smaller schedule, to see whether it still goes wrong
SMALL_DISK = 'mount -t tmpfs -o size=4m none disk && cp -r program/. disk && cd disk && exec "$@"'


@cache
def plain(subject: Subject) -> Ran:
    """What a program shows without Cord."""
    with tempfile.TemporaryDirectory(prefix="chaos") as name:
        folder = Path(name)
        lay_out(folder, subject, None)
        done = subprocess.run(
            [sys.executable, "main.py"],
            cwd=folder / "program",
            env={**environment(folder), "CHAOS_PLAIN": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        return Ran(0, done.stdout, done.stderr, noted(folder), made(folder / "program", subject))


def lay_out(folder: Path, subject: Subject, plan: str | None) -> None:
    """Write a program's files, and what it needs."""
    for name in ("program", "disk", "tmp"):
        (folder / name).mkdir()
    (folder / "needed").write_text("0")
    (folder / "clock").write_text("0")
    begins = (
        f"import os\nos.environ['CHAOS_MAIN'] = str(os.getpid())\n"
        f"open({str(folder / 'begun')!r}, 'w').close()\n"
    )
    files = {"work.py": WORK, "outer.py": OUTER, "main.py": begins + subject.main}
    if plan is not None:
        files["cord.toml"] = plan
    for name, text in files.items():
        (folder / "program" / name).write_text(text)


def plan_of(schedule: Schedule, engine: str = "") -> str | None:
    """The plan of a schedule; None for none."""
    subject = subject_of(schedule)
    if subject.plan is None and not subject.more:
        return None
    run = f"[run]\ncopies = {str(schedule.copies).lower()}\n"
    tables = [engine, "" if "[run]" in subject.more else run]
    if subject.plan is not None:
        tables.append("[remote.work]\n" + "\n".join((*schedule.keys, subject.plan)))
    return "\n".join((*tables, subject.more))


def environment(folder: Path) -> dict[str, str]:
    """What a run has in its environment."""
    kept = {
        name: text
        for name, text in os.environ.items()
        if not name.startswith(("PYTHON", "XDG", "CORD"))
    }
    return {
        **kept,
        "CHAOS_NOTED": str(folder / "noted"),
        "CHAOS_NEEDED": str(folder / "needed"),
        "TMPDIR": str(folder / "tmp"),
        "XDG_CACHE_HOME": str(folder / "tmp" / "cache"),
        "PYTHONHASHSEED": "0",
    }


def noted(folder: Path) -> list[int]:
    """The numbers that calls have noted."""
    try:
        return [int(line) for line in (folder / "noted").read_text().split()]
    except FileNotFoundError:
        return []


def made(program: Path, subject: Subject) -> dict[str, str]:
    """The files that a program has made."""
    if subject.makes is None:
        return {}
    return {path.name: path.read_text() for path in program.glob(f"{subject.makes}*")}


@cache
def clock() -> Path | None:
    """A library that sets the time of day of processes that load it; None without a compiler."""
    library = Path(tempfile.mkdtemp(prefix="chaos-clock")) / "clock.so"
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    words = [compiler, "-O1", "-shared", "-fPIC", "-o", str(library), str(BESIDE / "clock.c")]
    return library if subprocess.run(words, check=False).returncode == 0 else None


@cache
def has_disks() -> bool:
    """Whether a run may have a file system of its own."""
    words = ["unshare", "--user", "--map-root-user", "--mount"]
    mounts = [*words, "mount", "-t", "tmpfs", "-o", "size=1m", "none", "/tmp"]
    return (
        bool(shutil.which("unshare"))
        and not subprocess.run(mounts, check=False, capture_output=True).returncode
    )


@dataclass(frozen=True)
class Command:
    """How a program is started.

    Attributes:
        words: The command.
        folder: Where.
        environment: With what.
    """

    words: list[str]
    folder: Path
    environment: dict[str, str]


def command(schedule: Schedule, folder: Path, marker: str) -> Command:
    """How the program of a schedule is started on this machine."""
    whats = {event.what for event in schedule.events}
    words = [sys.executable, *(["-m", "cord", "run"]), "main.py"]
    if subject_of(schedule).command == "python":
        words = [sys.executable, "main.py"]
    name, _, value = marker.partition("=")
    there = {**environment(folder), name: value}
    if "clock" in whats and (library := clock()) is not None:
        there |= {"LD_PRELOAD": str(library), "CHAOS_CLOCK": str(folder / "clock")}
    if "full disk" in whats and has_disks():
        apart = ["unshare", "--user", "--map-root-user", "--mount"]
        there["TMPDIR"] = str(folder / "disk")
        return Command([*apart, "sh", "-c", SMALL_DISK, "sh", *words], folder, there)
    return Command(words, folder / "program", there)


@contextmanager
def running(one: Command, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A program that runs, with its output in files."""
    with (folder / "stdout").open("wb") as stdout, (folder / "stderr").open("wb") as stderr:
        process = subprocess.Popen(
            one.words,
            cwd=one.folder,
            env=one.environment,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def examine(schedule: Schedule, keep: Path | None = None, seed: int = 0) -> str:
    """What is wrong with a schedule's run; "" for nothing.

    Args:
        schedule: What happens.
        keep: Where to keep the folder of a run that went wrong.
        seed: Chooses which packets are lost.
    """
    folder = Path(tempfile.mkdtemp(prefix="chaos"))
    try:
        run = run_here if schedule.on_nodes is None else run_on_nodes
        problems = run(schedule, folder, seed)
        if problems and keep is not None:
            shutil.rmtree(keep, ignore_errors=True)
            (folder / "schedule.json").write_text(schedule.text())
            (folder / "wrong").write_text(f"{schedule}\n{'; '.join(problems)}\n")
            shutil.copytree(folder, keep, symlinks=True)
        return "; ".join(problems)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_here(schedule: Schedule, folder: Path, _seed: int) -> list[str]:
    """Play a schedule on this machine; what is wrong."""
    subject = subject_of(schedule)
    lay_out(folder, subject, plan_of(schedule))
    marker = f"CHAOS_RUN={uuid.uuid4().hex}"
    one = command(schedule, folder, marker)
    if schedule.is_warm:
        subprocess.run(
            one.words, cwd=one.folder, env=one.environment, capture_output=True, check=False
        )
        for name in ("noted", "begun"):
            (folder / name).unlink(missing_ok=True)
    try:
        with running(one, folder) as process:
            stage = Here(process.pid, marker, folder)
            hangs = play(stage, schedule.events, process, folder / "begun")
            if hangs:
                return [hangs, *stacks(marker)]
            until = time.monotonic() + GONE
            while (left := processes_with(marker)) and time.monotonic() < until:
                time.sleep(0.02)
        return judge(schedule, plain(subject), seen(folder, subject, process.returncode, left))
    finally:
        tell(processes_with(marker), 9)


def stacks(marker: str) -> list[str]:
    """What the processes of a run that hangs are doing."""
    said = []
    for process in processes_with(marker):
        with suppress(OSError):
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[:2]
            waits = Path(f"/proc/{process}/wchan").read_text()
            said.append(f"{process} {' '.join(state)} {waits}")
    return said


def seen(folder: Path, subject: Subject, code: int, left: list[int]) -> Ran:
    """What a run has shown."""
    texts = [(folder / name).read_bytes().decode(errors="replace") for name in ("stdout", "stderr")]
    remains = [f"process {one}" for one in left]
    remains += [
        str(path.relative_to(folder))
        for path in (folder / "tmp").rglob("*")
        if "cache" not in path.parts and path.is_file()
    ]
    return Ran(code, *texts, noted(folder), made(folder / "program", subject), remains)


def run_on_nodes(schedule: Schedule, folder: Path, seed: int) -> list[str]:
    """Play a schedule on three nodes; what is wrong."""
    subject = subject_of(schedule)
    network = Network(seed=seed)
    try:
        engine = (
            f'[engine]\nkind = "command"\nnodes = {len(network.nodes)}\nlisten = "10.77.0.1"\n'
            f'reconnect = {schedule.on_nodes}\nlaunch = """{network.launch()}"""\n'
        )
        lay_out(folder, subject, plan_of(schedule, engine))
        words = [*network.inside(PROGRAMS_NODE), sys.executable, "-m", "cord", "run", "main.py"]
        one = Command(words, folder / "program", environment(folder))
        with running(one, folder) as process:
            hangs = play(Nodes(network), schedule.events, process, folder / "begun")
            if hangs:
                return [hangs]
        left = wait_until_gone(network, GONE)
        ran = seen(folder, subject, process.returncode, [])
        remains = [f"node {number}: {some}" for number, some in left.items()]
        return judge(schedule, plain(subject), replace(ran, left=remains))
    finally:
        network.said.seek(0)
        (folder / "said").write_bytes(network.said.read())
        network.close()


def smaller(schedule: Schedule) -> Iterator[Schedule]:
    """Schedules with a little less in them."""
    for index in range(len(schedule.events)):
        yield replace(schedule, events=schedule.events[:index] + schedule.events[index + 1 :])
    for key in schedule.keys:
        yield replace(schedule, keys=tuple(other for other in schedule.keys if other != key))
    if schedule.copies:
        yield replace(schedule, copies=False)
    if schedule.is_warm:
        yield replace(schedule, is_warm=False)


def shrink(schedule: Schedule, seed: int) -> Schedule:
    """A schedule with as little as possible in it that still goes wrong."""
    for candidate in smaller(schedule):
        if candidate.events and any(examine(candidate, seed=seed) for _ in range(AGAIN)):
            return shrink(candidate, seed)
    return schedule


def main() -> int:
    """Run schedules; returns the exit status."""
    parser = argparse.ArgumentParser(description="programs to which things happen")
    parser.add_argument("--count", type=int, default=200, help="how many schedules (200)")
    parser.add_argument("--seed", type=int, default=1, help="number of the first one (1)")
    parser.add_argument("--jobs", type=int, default=4, help="how many at a time (4)")
    parser.add_argument("--output", type=Path, default=Path("build/chaos"), help="folder")
    parser.add_argument("--replay", type=Path, help="folder of a schedule that went wrong")
    parser.add_argument("--small", action="store_true", help="make those that go wrong smaller")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    if options.replay is not None:
        schedule = read((options.replay / "schedule.json").read_text())
        wrong = examine(schedule, options.output / "replayed")
        print(f"{schedule}: {wrong or 'as it should be'}")
        return 1 if wrong else 0
    if not are_permitted():
        print("chaos: namespaces are not permitted here; nothing is played on nodes")
    return campaign(options)


def campaign(options: argparse.Namespace) -> int:
    """Run the schedules that were asked for."""
    failed, left_out = [], 0

    def one(seed: int) -> tuple[int, Schedule, str | None]:
        schedule = make(seed)
        if schedule.on_nodes is not None and not are_permitted():
            return seed, schedule, None
        try:
            return seed, schedule, examine(schedule, options.output / str(seed), seed)
        except Exception as error:
            return seed, schedule, f"{type(error).__name__}: {error}"

    with ThreadPoolExecutor(options.jobs) as pool:
        seeds = range(options.seed, options.seed + options.count)
        for seed, schedule, wrong in pool.map(one, seeds):
            left_out += wrong is None
            if wrong:
                failed.append(seed)
                print(f"{seed} {schedule}: {wrong}", flush=True)
            elif (seed - options.seed) % 100 == 99:
                print(f"{seed + 1 - options.seed} schedules, {len(failed)} went wrong", flush=True)
    for seed in failed if options.small else ():
        small = shrink(make(seed), seed)
        (options.output / str(seed) / "schedule.json").write_text(small.text())
        print(f"{seed}, made smaller: {small}", flush=True)
    print(f"{len(failed)} of {options.count - left_out} went wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
