"""Agents beside the workers of Dask clusters that are really started."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from clusters import (
    LASTING,
    LOSING,
    LOSING_PLACE,
    PROGRAM,
    SHOWN,
    agents,
    files,
    until,
    without_waiting,
)

from cord.engines.nodes.launchers import on_dask
from cord.errors import CordError
from needs import skip_without

needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None,
    reason="Dask is not installed: make test-engines",
)


@pytest.fixture
def cluster() -> Iterator:
    """A cluster that somebody else has started: two workers, each with a Nanny."""
    from distributed import LocalCluster

    skip_without("locks")  # Nannies talk with their workers by them
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as started:
        yield started


def at(cluster) -> str:
    return f'address = "{cluster.scheduler_address}"'


@needs_dask
def test_a_program_runs_beside_workers_of_nannies(project, cluster):
    before = agents()
    made = project(files(PROGRAM, "dask", at(cluster)))
    result = made.run("main.py")
    # the order of sets, and no variables, are the Nanny's
    assert (result.stdout, without_waiting(result.stderr)) == (SHOWN, "")
    assert made.left_behind() == []
    until(lambda: agents() <= before)


@needs_dask
def test_without_an_address_there_is_a_cluster_for_the_run(project):
    made = project(files(PROGRAM, "dask", "nodes = 2"))
    result = made.run("main.py")
    assert (result.stdout, without_waiting(result.stderr)) == (SHOWN, "")
    assert made.left_behind() == []


@pytest.mark.full
@needs_dask
def test_workers_that_join_get_an_agent_too(project, cluster):
    before = agents()
    made = project(files(LASTING, "dask", at(cluster)))
    process = made.start("main.py")
    until((made.folder / "begun").exists)
    assert len(agents() - before) == 2
    cluster.scale(3)
    until(lambda: len(agents() - before) == 3)
    process.kill()
    process.communicate()
    assert made.left_behind() == []
    until(lambda: agents() <= before)


@pytest.mark.full
@needs_dask
def test_calls_of_an_agent_that_dies_are_made_elsewhere(project, cluster):
    made = project(files(LOSING, "dask", at(cluster), "reconnect = 600"))
    result = made.run("main.py")
    assert result.stdout == f"{list(range(6))}\n"
    assert "the agent has ended by signal 9" in result.stderr


@pytest.mark.full
@needs_dask
def test_a_worker_that_dies_takes_its_node_with_it_at_once(project, cluster):
    result = project(files(LOSING_PLACE, "dask", at(cluster), "reconnect = 600")).run("main.py")
    assert result.stdout == f"{list(range(6))}\n"
    assert "is lost: Dask has lost the worker tcp://" in result.stderr


@pytest.mark.full
@needs_dask
def test_too_few_workers_are_an_error(project, cluster):
    made = project(files(PROGRAM, "dask", at(cluster), "nodes = 3", "wait = 5"))
    result = made.run("main.py")
    assert (result.returncode, result.stdout) == (2, "")
    assert "Dask has had 2 workers in 4 s, and engine.nodes wants 3" in result.stderr


@pytest.mark.full
@needs_dask
def test_a_scheduler_that_is_not_there_is_an_error(project):
    made = project(files(PROGRAM, "dask", 'address = "tcp://127.0.0.1:9"', "wait = 5"))
    result = made.run("main.py")
    assert result.returncode == 2
    assert "there is no Dask scheduler at tcp://127.0.0.1:9: " in result.stderr


def test_what_to_install_is_said_where_dask_is_not_there(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(CordError, match="Dask cannot be imported") as caught:
        on_dask.start(SimpleNamespace())
    assert caught.value.hint == "pip install 'cord-run[dask]'"
