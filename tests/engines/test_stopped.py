"""A replica that a signal has stopped keeps nobody waiting: another takes its place."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from cord.engines.local import stopped

WORK = """
import os

def number(x):
    return x

def process():
    return os.getpid()
"""
MAIN = """
import os, signal, sys, work
from pathlib import Path

def below(pid):
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        yield int(child)
        yield from below(child)

print([work.number(i) for i in range(4)])
for pid in below(os.getpid()):
    if pid != os.getpid() and Path(f"/proc/{pid}/comm").read_text() in STOPPED:
        os.kill(pid, signal.SIGSTOP)
try:
    print([work.number(i) for i in range(4, 8)])
except Exception as error:
    print(type(error).__name__, error.__notes__ if hasattr(error, "__notes__") else "")
"""
REPLICAS = '{"cord work\\n"}'


@pytest.mark.parametrize("threads", [1, 2])
def test_pure_calls_are_made_again(project, threads: int) -> None:
    plan = f"""\
[remote.work]
replicas = 2
threads = {threads}
pure = true
inline = false
silence = "1s"
"""
    one = project({"cord.toml": plan, "work.py": WORK, "main.py": f"STOPPED = {REPLICAS}\n{MAIN}"})
    result = one.run("main.py")
    assert result.stdout == "[0, 1, 2, 3]\n[4, 5, 6, 7]\n", result.stderr
    assert one.left_behind() == []


def test_state_is_lost_with_it(project) -> None:
    plan = '[remote.work]\ninline = false\nsilence = "1s"\n'
    one = project({"cord.toml": plan, "work.py": WORK, "main.py": f"STOPPED = {REPLICAS}\n{MAIN}"})
    result = one.run("main.py")
    assert result.stdout.startswith("[0, 1, 2, 3]\nStateLost"), result.stderr


SCRIPT = """
import os, signal, sys, time
from pathlib import Path

def number(x):
    time.sleep(0.02)
    return x

def children(pid):
    return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))

def stop_all():
    own = os.getpid()
    for zygote in children(own)[:1]:
        for pid in children(zygote):
            os.kill(pid, signal.SIGSTOP)

if __name__ == "__main__":
    print([number(x) for x in range(20)])
    stop_all()
    print([number(x) for x in range(AGAIN)])
"""


@pytest.mark.parametrize("again", [0, 20], ids=["at the end", "in the midst"])
@pytest.mark.parametrize("silence", ["1s", "never"])
def test_a_template_that_is_stopped_keeps_nobody_waiting(project, silence: str, again: int) -> None:
    if again and silence == "never":
        pytest.skip("the plan says that it is to be waited for")
    plan = f'[remote.main]\npure = true\nreplicas = 4\ninline = false\nsilence = "{silence}"\n'
    files = {"cord.toml": plan, "main.py": SCRIPT.replace("AGAIN", str(again))}
    one = project(files)
    result = one.run("main.py")
    assert result.stdout == f"{list(range(20))}\n{list(range(again))}\n", result.stderr
    assert one.left_behind() == []


def test_nor_does_what_starts_replicas_where_one_is_wanted(project) -> None:
    main = """
import os, signal, work
from pathlib import Path

zygote, *_ = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
replica = work.process()
os.kill(int(zygote), signal.SIGSTOP)
os.kill(replica, signal.SIGKILL)
print(replica == os.getpid(), [work.number(i) for i in range(4)])
"""
    plan = "[remote.work]\nreplicas = 1\npure = true\ninline = false\n[run]\ncopies = false\n"
    one = project({"cord.toml": plan, "work.py": WORK, "main.py": main})
    result = one.run("main.py")
    assert result.stdout == "False [0, 1, 2, 3]\n", result.stderr
    assert one.left_behind() == []


class TestLooks:
    """Stopped for longer than it may be, one look after another."""

    @pytest.fixture
    def clock(self, monkeypatch: pytest.MonkeyPatch) -> list[float]:
        now = [100.0]
        monkeypatch.setattr(stopped.time, "monotonic", lambda: now[0])
        return now

    @pytest.fixture
    def process(self):
        with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
            os.kill(process.pid, signal.SIGSTOP)
            os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
            yield process.pid
            process.kill()

    def looks(self, one: stopped.Stopped, clock: list[float], *processes: tuple[int, float]):
        clock[0] += stopped.EVERY
        return one.look(lambda: processes)

    def test_it_is_told_when_it_has_been_for_longer(self, clock, process: int) -> None:
        one = stopped.Stopped()
        told = [self.looks(one, clock, (process, 2.0)) for _ in range(3)]
        assert told == [[], [], [process]]

    def test_one_that_goes_on_begins_anew(self, clock, process: int) -> None:
        one = stopped.Stopped()
        assert self.looks(one, clock, (process, 1.0)) == []
        os.kill(process, signal.SIGCONT)
        os.waitid(os.P_PID, process, os.WCONTINUED)
        assert self.looks(one, clock, (process, 1.0)) == []
        os.kill(process, signal.SIGSTOP)
        os.waitid(os.P_PID, process, os.WSTOPPED | os.WNOWAIT)
        assert self.looks(one, clock, (process, 1.0)) == []
        assert self.looks(one, clock, (process, 1.0)) == [process]

    def test_time_in_which_nobody_looked_does_not_count(self, clock, process: int) -> None:
        one = stopped.Stopped()
        assert self.looks(one, clock, (process, 2.0)) == []
        clock[0] += 3600
        assert self.looks(one, clock, (process, 2.0)) == []

    def test_nothing_is_told_of_one_that_runs_has_ended_or_may_stand_still(
        self, clock, process: int
    ) -> None:
        one = stopped.Stopped()
        others = ((os.getpid(), 1.0), (2**22 + 1, 1.0), (process, 0.0))
        assert [self.looks(one, clock, *others) for _ in range(4)] == [[]] * 4
