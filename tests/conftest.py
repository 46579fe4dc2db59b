"""What tests of several topics share: running ``cord run`` and finding what it left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest

import sampling
from known_failures import reason_of

# Tests run beside each other, so nothing asserts a time.
hypothesis.settings.register_profile("no times", deadline=None)
hypothesis.settings.load_profile("no times")
pytest.register_assert_rewrite("side_by_side")

GRACE = 3.0  # seconds in which processes that should end must be gone
LIMIT = 60.0  # seconds after which a run counts as hanging

# Functions of tests are often impure though declared pure, to note that they were called. A run
# tells of that where it may keep that it has; tests that want this take the variable away.
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"

# A shell's background job ignores Ctrl-C. The programs that tests start, and interrupt, must not.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # as `nohup` leaves it ignored


def pytest_addoption(parser: pytest.Parser) -> None:
    """What `tests/conformance` is run on, and whether everything is tested."""
    parser.addoption(
        "--full",
        action="store_true",
        help="all tests: whole campaigns in place of a sample for the day, and what is marked full",
    )
    parser.addoption(
        "--of-the-day",
        action="store_true",
        help="of the tests of topics that run programs, some: others each day (make test)",
    )
    parser.addoption(
        "--engine",
        help='engines of the conformance suite: "all", some of local, command, ssh, mpi, slurm, '
        "hq, ray, dask, kubernetes with commas between, or the path of a TOML file with an "
        "[engine] table",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Before anything is collected."""
    sampling.Choice.full = bool(config.getoption("full"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is not tested this time; expect known failures."""
    for item in items:
        known = reason_of(item.nodeid)
        if known is not None:
            item.add_marker(pytest.mark.xfail(reason=known, strict=False))
    chosen = items
    if not sampling.Choice.full:
        chosen = [item for item in chosen if not item.get_closest_marker("full")]
    if config.getoption("of_the_day"):
        chosen = sampling.of_the_day(chosen, _file_of)
    kept = set(chosen)
    if len(kept) < len(items):
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = chosen


def _file_of(item: pytest.Item) -> str:
    return item.path.relative_to(Path(__file__).parent).as_posix()


class Project:
    """A program in a folder of its own, and the processes that running it starts.

    Every process of a run inherits a marker in its environment, by which it is found.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scratch = folder.with_name(folder.name + "-tmp")
        self.folder.mkdir()
        self.scratch.mkdir()
        self._marker = f"CORD_TEST_RUN={uuid.uuid4().hex}"

    def write(self, files: dict[str, str]) -> None:
        """Write the files of the program."""
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def start(self, *words: str, cord: bool = True) -> subprocess.Popen[str]:
        """Start ``cord run WORDS``, or ``python WORDS``, in a session of its own."""
        name, _, value = self._marker.partition("=")
        kept = {key: text for key, text in os.environ.items() if not key.startswith("PYTHON")}
        return subprocess.Popen(
            [sys.executable, *(("-m", "cord", "run") if cord else ()), *words],
            cwd=self.folder,
            env={
                **{**kept, name: value, "TMPDIR": str(self.scratch), "PYTHONHASHSEED": "0"},
                "PYTHONDONTWRITEBYTECODE": "1",
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *words: str, cord: bool = True) -> subprocess.CompletedProcess[str]:
        """Run ``cord run WORDS``, or ``python WORDS``, to its end."""
        process = self.start(*words, cord=cord)
        return finish(process)

    def processes(self) -> list[int]:
        """Ids of the living processes that runs of this project have started."""
        marker = self._marker.encode()
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    environment = (entry / "environ").read_bytes()
                except OSError:
                    continue  # ended meanwhile, or not ours
                if marker in environment:
                    found.append(int(entry.name))
        return found

    def left_behind(self) -> list[str]:
        """What is still there of earlier runs when their processes have had time to end."""
        deadline = time.monotonic() + GRACE
        while (pids := self.processes()) and time.monotonic() < deadline:
            time.sleep(0.02)
        files = [str(path) for path in self.scratch.rglob("*")]
        return [f"process {pid}" for pid in pids] + files

    def kill_all(self) -> None:
        """End every process of this project."""
        for pid in self.processes():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue


def finish(process: subprocess.Popen[str]) -> subprocess.CompletedProcess[str]:
    """Wait for the end of ``process`` and return what it wrote."""
    try:
        stdout, stderr = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)


@pytest.fixture
def plain_runs(request: pytest.FixtureRequest) -> Path:
    """Where outcomes of plain runs are kept, for other tests and later sessions."""
    folder: Path = request.config.cache.mkdir("plain-runs")
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Callable[..., Project]]:
    """Makes a project of files given by name; nothing of it may outlive the test."""
    made: list[Project] = []

    def make(files: dict[str, str]) -> Project:
        one = Project(tmp_path / f"project{len(made)}")
        one.write(files)
        made.append(one)
        return one

    yield make
    for one in made:
        one.kill_all()
