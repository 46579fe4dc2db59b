"""Standing agents that were lost, or not there when the run began: they serve once they are."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from test_coming_back import agents_below, ended, until
from test_nodes_that_fail import assert_all_gone, wait_for_file

# Calls say where they were made: the program sees whether that was elsewhere, until it is to end.
WORK = """
    import os, time
    def place(n):
        time.sleep(0.01)
        with open("begun", "a") as file:
            file.write("x")
        return os.getpid()
"""
MAIN = """
    import os, time, work
    places = []
    while not os.path.exists("over"):
        places += [work.place(n) for n in range(8)]
        with open("places", "w") as noted:
            print(*places[-8:], file=noted)
        if len(places) > 8 and places[-1] != os.getpid():
            open("elsewhere", "w").close()
        if places[-1] == os.getpid():
            open("here", "w").close()
    print("done")
"""
PLAN = '[remote.work]\nreplicas = 2\nrepeatable = true\ninline = false\ncallstyle = "async"\n'


def kill(agent) -> None:
    """End a standing agent and all that it has started, at once."""
    for process in (*agents_below(agent.process.pid), agent.process.pid):
        os.kill(process, signal.SIGKILL)
    agent.process.wait()


def places(folder: Path) -> set[int]:
    """The processes in which the last calls were made."""
    return {int(one) for one in (folder / "places").read_text().split()}


def is_below(process: int, other: int) -> bool:
    """Whether a process has started another one, or what has started that."""
    while other > 1:
        try:
            other = int(Path(f"/proc/{other}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return False
        if other == process:
            return True
    return False


def test_one_that_was_lost_serves_again_when_it_is_back(far, stand):
    agent = stand()
    far.write(plan=PLAN, engine=agent.engine(reconnect=1), work=WORK, main=MAIN)
    program = far.start()
    wait_for_file(far.folder / "elsewhere")
    kill(agent)
    wait_for_file(far.folder / "here")
    (far.folder / "elsewhere").unlink()
    stand("--listen", f"127.0.0.1:{agent.port}")
    wait_for_file(far.folder / "elsewhere")
    (far.folder / "over").touch()
    code, stdout, stderr = ended(program)
    assert (code, stdout) == (0, "done\n")
    lost, back = stderr.splitlines()
    assert "is lost: " in lost and back.startswith("cord: the node ")
    assert back.endswith(" is there now")
    assert_all_gone(far.folder)


def test_one_that_was_not_there_at_first_serves_when_it_is(far, stand):
    first, second = stand(), stand()
    kill(second)
    engine = first.engine().replace('"]\n', f'", "127.0.0.1:{second.port}"]\n', 1)
    far.write(
        plan=PLAN.replace("replicas = 2", 'replicas = "auto"'),
        engine=engine,
        work=WORK,
        main=MAIN,
    )
    program = far.start()
    wait_for_file(far.folder / "elsewhere")
    again = stand("--listen", f"127.0.0.1:{second.port}")
    until(lambda: any(is_below(again.process.pid, one) for one in places(far.folder)))
    (far.folder / "over").touch()
    code, stdout, stderr = ended(program)
    assert (code, stdout) == (0, "done\n")
    assert "cannot connect" in stderr and " is there now\n" in stderr
