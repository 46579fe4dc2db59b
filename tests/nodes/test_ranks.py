"""Ranks of one job: which is which, and the file by which they find one another."""

from __future__ import annotations

import os
import socket
import threading

import pytest

from cord.cli.main import run_command
from cord.engines.nodes.launchers import ranks
from cord.errors import CordError
from cord.plan.engine_plan import EnginePlan

VARIABLES = (
    *(name for names in ranks._RANKS for name in names),
    *ranks._JOBS,
    *ranks._STEPS,
    "PMI_FD",
)
MPI = EnginePlan("mpi", wait=0.0)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    ranks.place.cache_clear()
    yield tmp_path
    ranks.place.cache_clear()


@pytest.fixture
def job(monkeypatch):
    """The first of four ranks."""
    for name, text in (("PMI_RANK", "0"), ("PMI_SIZE", "4"), ("PMI_JOBID", "7.0")):
        monkeypatch.setenv(name, text)


def test_who_was_started_alone_has_no_ranks(job):
    assert ranks.count(MPI) == 4
    assert ranks.count(EnginePlan("command", launch="{agent}")) == 1


def test_a_job_of_slurm_is_no_rank_of_its_own(monkeypatch):
    monkeypatch.setenv("SLURM_PROCID", "0")  # so it is in a script of sbatch
    assert ranks.count(EnginePlan("slurm")) == 1
    monkeypatch.setenv("SLURM_STEP_NUM_TASKS", "3")
    assert ranks.count(EnginePlan("slurm")) == 3


def test_what_a_first_rank_has_started_is_none(job):
    assert ranks.count(MPI) == 4
    with ranks.hold_mark(os.getppid()):
        assert ranks.count(MPI) == 1
        assert not ranks.is_above_first("mpi")
    assert ranks.count(MPI) == 4


def test_ranks_above_the_first_leave_errors_of_a_plan_to_it(job, monkeypatch, folder, capsys):
    (folder / "main.py").touch()
    (folder / "cord.toml").write_text('[remote.work]\nreplica = 2\n[engine]\nkind = "mpi"\n')
    assert run_command(["run", "main.py"]) == 2
    assert "remote.work.replica" in capsys.readouterr().err
    monkeypatch.setenv("PMI_RANK", "1")
    assert run_command(["run", "main.py"]) == 0
    assert capsys.readouterr().err == ""
    (folder / "cord.toml").write_text("[remote.work]\nreplica = 2\n")  # no ranks of Cord's
    assert run_command(["run", "main.py"]) == 2


def test_what_the_first_rank_leaves_is_read_by_others_of_its_user_only(job, folder):
    here, there = os.pipe()
    launched = ranks.launch(MPI, "127.0.0.1:7000", b"key", there)
    assert os.read(here, 100) == b"expect 3\n"
    os.close(here)
    path = folder / os.path.basename(ranks.place())
    assert path.stat().st_mode & 0o777 == 0o600
    assert ranks._read() == ("127.0.0.1:7000", b"key".hex())
    path.chmod(0o640)
    with pytest.raises(CordError, match="is not this user's alone"):
        ranks._read()
    launched.end(0.0)
    assert list(folder.iterdir()) == []
    assert ranks._read() is None


def test_a_rank_that_finds_no_first_one_says_so(job, monkeypatch):
    ranks.serve_unless_first(MPI)
    monkeypatch.setenv("PMI_RANK", "2")
    with pytest.raises(CordError, match="the first rank has left no word"):
        ranks.serve_unless_first(MPI)


def test_mpiexec_of_mpich_is_asked_for_the_name_of_a_job():
    ours, theirs = socket.socketpair()
    answers = ("response_to_init rc=0", "my_kvsname rc=0 kvsname=kvs_1", "finalize_ack rc=0")

    def answer() -> None:
        with ours, ours.makefile("rw") as lines:
            for text in answers:
                lines.readline()
                lines.write(f"cmd={text}\n")
                lines.flush()

    manager = threading.Thread(target=answer)
    manager.start()
    with theirs:
        assert "kvsname=kvs_1" in ranks._ask(theirs.fileno())
    manager.join()
