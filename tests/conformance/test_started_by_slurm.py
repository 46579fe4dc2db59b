"""Programs in jobs of Slurm, started in each of the ways in which its users start them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import slurm_cluster
from on_nodes import OWN_AGENT

from engines import chosen

PLAN = """\
[engine]
kind = "slurm"
nodes = 3
[remote.work]
replicas = 6
repeatable = true
callstyle = "async"
"""
WORK = (
    OWN_AGENT
    + """
import os, signal, time

def agent(number):
    time.sleep(0.1)
    return _agent()

def node(number):
    return os.environ["SLURMD_NODENAME"]

def lose(number):
    time.sleep(0.1)
    try:
        os.close(os.open("lost", os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return number
    os.kill(_agent(), signal.SIGKILL)
    time.sleep(60)
"""
)
AGENTS = """
import os, work
print(len({work.agent(number) for number in range(24)}), sorted(os.listdir(".")))
"""
LOSING = """
import time, work
print([work.lose(number) for number in range(9)])
time.sleep(4)  # longer than the others would be let live
print(len({work.agent(number) for number in range(12)}))
"""
FILES = ["cord.toml", "job", "main.py", "work.py"]
CORD = (sys.executable, "-m", "cord", "run", "main.py")


@pytest.fixture(scope="module")
def variables(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, str]]:
    """How programs find a cluster."""
    if "slurm" not in chosen(request.config.getoption("engine")):
        pytest.skip("the suite is not run on Slurm: make test-engines")
    lacking = slurm_cluster.lacks()
    if lacking:
        pytest.skip(lacking)
    with slurm_cluster.cluster(tmp_path_factory.mktemp("slurm")) as found:
        yield found


class Job:
    """A program in a folder, and the cluster that jobs with it go to."""

    def __init__(self, folder: Path, variables: dict[str, str]) -> None:
        self.folder = folder
        self._variables = variables
        (folder / "cord.toml").write_text(PLAN)
        (folder / "work.py").write_text(WORK)
        (folder / "job").write_text(f"#!/bin/sh\n{' '.join(CORD)}\n")

    def run(self, main: str, *command: str) -> tuple[int, str, str]:
        """Have Slurm run a command; its exit code, stdout, and stderr but for waiting."""
        (self.folder / "main.py").write_text(main)
        kept = {name: text for name, text in os.environ.items() if name != "PYTHONHASHSEED"}
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={**kept, **self._variables, "PYTHONDONTWRITEBYTECODE": "1"},
            input="words\n",
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        lines = done.stderr.splitlines(keepends=True)
        kept = "".join(line for line in lines if not line.startswith("cord: waiting for "))
        return done.returncode, done.stdout, kept


@pytest.fixture
def job(tmp_path: Path, variables: dict[str, str]) -> Job:
    """A folder with a plan."""
    return Job(tmp_path, variables)


def test_salloc(job: Job):
    done = job.run(AGENTS, "salloc", "--quiet", "-N", "2", "-n", "3", *CORD)
    assert done == (0, f"3 {FILES}\n", "")


def test_sbatch(job: Job, tmp_path_factory: pytest.TempPathFactory):
    output = tmp_path_factory.mktemp("output") / "output"
    code, _, _ = job.run(AGENTS, "sbatch", "--wait", "-N", "2", "-n", "3", "-o", str(output), "job")
    assert (code, output.read_text()) == (0, f"3 {FILES}\n")


@pytest.mark.parametrize("how", ["--mpi=none", "--mpi=pmi2"])
def test_ranks_above_the_first_serve_where_srun_starts_cord_itself(job: Job, how: str):
    done = job.run(AGENTS, "srun", how, "-N", "2", "-n", "4", *CORD)
    assert done == (0, f"3 {FILES}\n", "")


def test_under_srun_the_program_has_the_input_and_gives_the_exit_code(job: Job):
    main = "import sys, work\nprint(work.agent(1) > 0, sys.stdin.read())\nsys.exit(7)\n"
    code, stdout, _ = job.run(main, "srun", "-n", "3", *CORD)
    assert (code, stdout) == (7, "True words\n\n")


def test_a_program_that_srun_starts_alone_has_agents_beside_it(job: Job):
    done = job.run(AGENTS, "salloc", "--quiet", "-n", "3", "srun", "-n", "1", *CORD)
    assert done == (0, f"3 {FILES}\n", "")


def test_agents_outlive_one_that_is_lost(job: Job):
    code, stdout, stderr = job.run(LOSING, "salloc", "--quiet", "-n", "3", *CORD)
    assert (code, stdout) == (0, f"{list(range(9))}\n2\n"), stderr


def test_more_agents_than_the_job_has_tasks_are_refused_in_the_words_of_srun(job: Job):
    code, stdout, stderr = job.run(AGENTS, "salloc", "--quiet", "-n", "2", *CORD)
    assert (code, stdout) == (2, "")
    assert "srun has ended with exit code 1: srun: error: Unable to create step" in stderr
