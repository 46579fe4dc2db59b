"""Agents that are tasks of HyperQueue, where it is installed; what is said where it is not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from clusters import agents, until
from test_nodes_that_fail import NAPPING, NAPS, SQUARES, assert_all_gone, wait_for_file

sys.path.append(str(Path(__file__).resolve().parents[1] / "conformance"))
import hq_cluster

needs_hq = pytest.mark.skipif(hq_cluster.lacks() is not None, reason=str(hq_cluster.lacks()))
ENGINE = 'kind = "hq"\nnodes = {nodes}\n'


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with hq_cluster.cluster(tmp_path_factory.mktemp("hq")) as variables:
        yield variables


def tasks(server: dict[str, str]) -> str:
    """The jobs that have not ended."""
    words = ["hq", "--output-mode", "quiet", "job", "list"]
    environment = {**os.environ, **server}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@needs_hq
def test_a_program_runs_on_workers_and_leaves_no_task_and_no_file(far, server):
    far.write(engine=ENGINE.format(nodes=2), work=NAPS, main=NAPPING)
    assert far.run(**server) == (0, SQUARES, "")
    assert_all_gone(far.folder)
    assert tasks(server) == ""
    assert {file.name for file in far.folder.iterdir()} <= {
        *("begun", "cord.toml", "main.py", "work.py", ".cord", "__pycache__")
    }


@needs_hq
def test_agents_that_find_no_worker_are_not_waited_for_and_are_taken_back(far, server):
    far.write(engine=ENGINE.format(nodes=3) + "wait = 8\n", work=NAPS, main=NAPPING)
    code, stdout, stderr = far.run(**server)
    assert (code, stdout) == (0, SQUARES)
    assert "1 of 3 agents did not join" in stderr
    until(lambda: tasks(server) == "")


@needs_hq
def test_nothing_is_left_where_the_program_is_killed(far, server):
    before = agents()
    far.write(engine=ENGINE.format(nodes=2), work=NAPS, main=NAPPING)
    process = far.start(**server)
    wait_for_file(far.folder / "begun")
    process.kill()
    process.communicate()
    assert_all_gone(far.folder)
    until(lambda: tasks(server) == "")
    until(lambda: not agents() - before)


@needs_hq
def test_where_agents_cannot_run_that_is_said_at_once(far, server):
    engine = ENGINE.format(nodes=1) + 'python = "/no/python"\n'
    far.write(engine=engine, work=NAPS, main=NAPPING)
    code, stdout, stderr = far.run(**server)
    assert (code, stdout) == (2, "")
    assert "of HyperQueue has ended with exit code 1: " in stderr
    assert "/no/python" in stderr and "No such file or directory" in stderr


@needs_hq
def test_the_key_is_on_no_command_line(far, server):
    far.write(engine=ENGINE.format(nodes=1), work=NAPS, main=NAPPING)
    process = far.start(**server)
    wait_for_file(far.folder / "begun")
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes().split(b"\0")
        except OSError:
            continue
        assert not [word for word in words if b"06032b6570" in word]  # as all keys have
    assert process.communicate(timeout=60)[0] == SQUARES


def test_a_machine_without_hyperqueue_or_its_server_is_told_so(far, tmp_path):
    far.write(engine=ENGINE.format(nodes=1), work=NAPS, main=NAPPING)
    code, stdout, stderr = far.run(PATH="/nowhere")
    assert (code, stdout) == (2, "")
    assert "cannot run hq: No such file or directory" in stderr
    if shutil.which("hq") is not None:
        code, stdout, stderr = far.run(HQ_SERVER_DIR=str(tmp_path / "none"))
        assert (code, stdout) == (2, "")
        assert "hq submit has failed: " in stderr
