"""Environment variables that are a node's, whatever the program has or makes of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cord.engines.nodes import agent


@pytest.fixture(autouse=True)
def variables(monkeypatch) -> None:
    """The node's; all is as before afterwards."""
    monkeypatch.setenv("DEVICES", "1")
    monkeypatch.delenv("OTHER_DEVICES", raising=False)
    monkeypatch.setenv("OTHER", "here")


def test_an_agent_takes_them_from_its_own_environment(monkeypatch):
    monkeypatch.setenv("CORD_AGENT_KEEPS", "DEVICES OTHER_DEVICES")
    programs = {"DEVICES": "7", "OTHER_DEVICES": "7", "OTHER": "there"}
    wanted = {"environment": programs, "seed": None}
    assert agent._environment(wanted) == {"DEVICES": "1", "OTHER": "there"}


def test_an_agent_that_is_told_of_none_has_the_programs():
    wanted = {"environment": {"DEVICES": "7"}, "seed": None}
    assert agent._environment(wanted) == {"DEVICES": "7"}


# in a process of its own: others have settings by now that no world can hold
STAY = """
import os
from cord.runtime.travel import world

world.keep(["DEVICES", "OTHER_DEVICES"])
surroundings = world.Surroundings(os.getpid())
os.environ.update({"DEVICES": "7", "OTHER_DEVICES": "7", "OTHER": "there"})
names = (b"DEVICES", b"OTHER_DEVICES", b"OTHER")
theirs, _ = world.encode([(name, os.environb[name]) for name in names], b"")
os.environ.update({"DEVICES": "1", "OTHER": "here"})
del os.environ["OTHER_DEVICES"]

surroundings.enter(theirs)
assert os.environ["OTHER"] == "there"
assert os.environ["DEVICES"] == "1"
assert "OTHER_DEVICES" not in os.environ

surroundings.enter(b"")
assert (os.environ["OTHER"], os.environ["DEVICES"]) == ("here", "1")
"""


def test_they_stay_when_the_program_changes_its_own():
    subprocess.run([sys.executable, "-c", STAY], check=True)
