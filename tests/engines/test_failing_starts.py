"""A replacement that cannot start: the others serve on, and it is tried again later."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

PATIENCE = 30.0  # seconds in which anything that is to be has long been

SOURCE = """
    import os, time
    {action}

    def process():
        return os.getpid()

    def process_of_a_long_call():
        time.sleep(0.02)
        return os.getpid()
"""
RAISES = "open({path!r}).close()"
DIES = "os.path.exists({path!r}) or os._exit(3)"


@pytest.fixture
def needed(tmp_path: Path) -> Path:
    """A file without which the module cannot be imported."""
    path = tmp_path / "needed"
    path.touch()
    return path


def kill(pid: int) -> None:
    """End a replica, and wait until its parent has seen its end."""
    os.kill(pid, signal.SIGKILL)
    while os.path.exists(f"/proc/{pid}"):
        time.sleep(0.002)


def until(condition):
    """Try again and again until something is so; gives what it gave."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end
        time.sleep(0.005)
    return found


def serving_at_once(work) -> set[int]:
    """Two replicas, if two calls that are made at once come to two."""
    with ThreadPoolExecutor(2) as pool:
        calls = [pool.submit(work.call, "process_of_a_long_call") for _ in range(2)]
        found = {call.result() for call in calls}
    return found if len(found) == 2 else set()


@pytest.mark.parametrize("action", [RAISES, DIES])
def test_the_others_serve_and_it_is_tried_again(remote, needed, action):
    work = remote(SOURCE.format(action=action.format(path=str(needed))), replicas=2)
    first, other = until(lambda: serving_at_once(work))
    needed.unlink()
    kill(first)
    assert {work.call("process") for _ in range(50)} == {other}
    needed.touch()
    assert other in until(lambda: serving_at_once(work))


def test_where_none_is_left_the_error_is_told_until_one_can_start(remote, needed):
    work = remote(SOURCE.format(action=RAISES.format(path=str(needed))))
    first = work.call("process")
    needed.unlink()
    kill(first)
    for _ in range(20):
        kind, error = work.outcome("process")
        assert kind == "unavailable"
        assert b"FileNotFoundError" in error
    needed.touch()
    outcome = until(lambda: (found := work.outcome("process"))[0] == "reply" and found)
    assert outcome[2] != first


def test_a_module_that_ends_its_process_is_tried_again_too(remote, needed):
    work = remote(SOURCE.format(action=DIES.format(path=str(needed))))
    first = work.call("process")
    needed.unlink()
    kill(first)
    kind, _pid, status, tries, may_have_run = work.outcome("process")
    assert (kind, os.waitstatus_to_exitcode(status), tries, may_have_run) == ("lost", 3, 0, False)
    needed.touch()
    until(lambda: work.outcome("process")[0] == "reply")


def test_a_broken_module_is_not_started_for_each_call(remote, needed, tmp_path):
    attempts = tmp_path / "attempts"
    note = f"open({str(attempts)!r}, 'a').write('x')"
    work = remote(SOURCE.format(action=f"{note}; {RAISES.format(path=str(needed))}"))
    first = work.call("process")
    needed.unlink()
    kill(first)
    outcomes = [work.outcome("process")[0] for _ in range(200)]
    assert outcomes == ["unavailable"] * 200
    assert len(attempts.read_text()) < 20
