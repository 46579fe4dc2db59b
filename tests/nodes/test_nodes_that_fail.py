"""Cut links, dead agents, lost nodes, strangers: nothing is lost in silence, nothing runs twice."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

NAPS = """
    import os, time
    def nap(n):
        with open("begun", "a") as file:
            file.write(f"{os.getpid()}\\n")
        time.sleep(0.04)
        return n * n
"""
NAPPING = """
    import work
    print([work.nap(n) for n in range(150)])
"""
NOTING = """
    import os, time
    def note(n):
        time.sleep(0.01)
        with open("begun", "a") as file:
            file.write(f"{os.getpid()}\\n")
        with open("noted", "a") as file:
            file.write(f"{n}\\n")
        return n
"""
SQUARES = f"{[n * n for n in range(150)]}\n"


def agents_of(folder: Path) -> list[int]:
    """The processes that run agents in a folder."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            if b"agent" in words and b"cord" in words and os.readlink(entry / "cwd") == str(folder):
                found.append(int(entry.name))
        except (OSError, ValueError):
            continue
    return found


def everything_in(folder: Path) -> list[int]:
    """All processes whose working directory this is."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if os.readlink(entry / "cwd") == str(folder):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def wait_for(folder: Path, count: int) -> list[int]:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        agents = agents_of(folder)
        if len(agents) >= count:
            return agents
        time.sleep(0.05)
    raise AssertionError("no agents came")


def wait_for_file(path: Path) -> None:
    until = time.monotonic() + 30
    while not path.exists():
        assert time.monotonic() < until, "no call has begun"
        time.sleep(0.02)


def wait_for_replicas(path: Path, count: int) -> None:
    until = time.monotonic() + 30
    while len(set(path.read_text().split())) < count:
        assert time.monotonic() < until, "not so many replicas had calls"
        time.sleep(0.01)


def assert_all_gone(folder: Path) -> None:
    until = time.monotonic() + 5
    while everything_in(folder):
        assert time.monotonic() < until, everything_in(folder)
        time.sleep(0.05)


def test_a_link_that_is_cut_and_comes_back_costs_no_call_and_no_word(far, through):
    far.write(
        plan='[remote.work]\ncallstyle = "async"\n',
        engine=f'kind = "command"\nlaunch = "{through("cutting.py")}"\n',
        work=NOTING,
        main="""
            import work
            print(sum(work.note(n) for n in range(150)))
        """,
    )
    assert far.run(CUTS="5", EVERY="0.2") == (0, f"{sum(range(150))}\n", "")
    noted = [int(line) for line in (far.folder / "noted").read_text().split()]
    assert noted == list(range(150))
    assert_all_gone(far.folder)


CUT = """
    import os, time
    def nap(n):
        with open("begun", "a") as file:
            file.write(f"{os.getpid()}\\n")
        while not os.path.exists("cut"):  # the other node can not make all calls before
            time.sleep(0.02)
        return n * n
"""


def test_pure_calls_of_a_node_that_is_cut_off_for_good_are_made_elsewhere(far, through):
    launch = f"sh -c '{{agent}} & {through('cutting.py')} & wait'"
    far.write(
        engine=f'kind = "command"\nnodes = 2\nreconnect = 1\nlaunch = """{launch}"""\n',
        work=CUT,
        main=f"{NAPPING}    import time\n    time.sleep(4)  # the node is lost meanwhile\n",
    )
    code, stdout, stderr = far.run(CUTS="1", EVERY="0", FOREVER="1")
    assert (code, stdout) == (0, SQUARES)
    assert stderr.count("\n") == 1 and "is lost: its link was cut and did not come back" in stderr
    assert_all_gone(far.folder)


def test_pure_calls_of_a_node_that_may_come_back_are_made_elsewhere_meanwhile(far, through):
    launch = f"sh -c '{{agent}} & {through('cutting.py')} & wait'"
    far.write(
        engine=f'kind = "command"\nnodes = 2\nreconnect = 3600\nlaunch = """{launch}"""\n',
        work=CUT,
        main=NAPPING,
    )
    code, stdout, stderr = far.run(CUTS="1", EVERY="0", FOREVER="1")
    assert (code, stdout, stderr) == (0, SQUARES, "")
    for agent in agents_of(far.folder):
        os.kill(agent, signal.SIGKILL)  # nobody has told it that it is not waited for


def test_pure_calls_of_a_replica_that_is_stopped_are_made_elsewhere(far):
    far.write(
        plan='[remote.work]\nreplicas = 2\nrepeatable = true\ninline = false\nsilence = "1s"\n',
        work="""
            import os
            def process():
                return os.getpid()
            def number(n):
                return n
        """,
        main="""
            import os, signal, work
            os.kill(work.process(), signal.SIGSTOP)
            print([work.number(n) for n in range(8)])
        """,
    )
    assert far.run() == (0, f"{list(range(8))}\n", "")
    assert_all_gone(far.folder)


def test_pure_calls_of_an_agent_that_is_killed_are_made_elsewhere(far):
    far.write(work=NAPS, main=NAPPING, engine="").write(
        engine="""
            kind = "command"
            nodes = 2
            reconnect = 0
            launch = "sh -c '{agent} & {agent} & wait'"
        """
    )
    process = far.start()
    agents = wait_for(far.folder, 2)
    wait_for_file(far.folder / "begun")
    os.kill(agents[0], signal.SIGKILL)
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout) == (0, SQUARES), stderr
    assert "is lost" in stderr
    assert_all_gone(far.folder)


def test_an_agent_that_is_stopped_is_noticed_by_its_silence(far):
    launch = "sh -c '{agent} & {agent} & wait'"
    far.write(
        engine=f'kind = "command"\nnodes = 2\nreconnect = 0\nlaunch = "{launch}"\n',
        work=NAPS,
        main=f"{NAPPING}\n    work.time.sleep(9)\n",  # its calls need not wait for so long
    )
    process = far.start()
    agents = wait_for(far.folder, 2)
    wait_for_file(far.folder / "begun")
    wait_for_replicas(far.folder / "begun", 3)  # so both agents have calls
    os.kill(agents[0], signal.SIGSTOP)
    try:
        stdout, stderr = process.communicate(timeout=60)
    finally:
        os.kill(agents[0], signal.SIGCONT)
    assert (process.returncode, stdout) == (0, SQUARES), stderr
    assert "and did not come back: nothing was heard of it for 5 seconds\n" in stderr
    assert_all_gone(far.folder)


def test_a_call_with_effects_is_lost_with_its_node_and_says_so(far):
    far.write(
        plan="[remote.work]\n",
        engine='kind = "command"\nreconnect = 0\nlaunch = "{agent}"\n',
        work="""
            import time
            def wait(n):
                open("begun", "a").close()
                time.sleep(30)
        """,
        main="""
            import work
            work.wait(1)
        """,
    )
    process = far.start()
    agents = wait_for(far.folder, 1)
    wait_for_file(far.folder / "begun")
    os.kill(agents[0], signal.SIGKILL)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "cord.errors.CallMayHaveRun" in stderr
    assert "the node on which work.wait(1) was called is lost; the call may have run" in stderr
    assert_all_gone(far.folder)


def test_where_all_nodes_are_lost_pure_calls_are_made_in_the_program(far):
    far.write(
        engine='kind = "command"\nreconnect = 0\nlaunch = "{agent}"\n', work=NAPS, main=NAPPING
    )
    process = far.start()
    agents = wait_for(far.folder, 1)
    wait_for_file(far.folder / "begun")
    os.kill(agents[0], signal.SIGKILL)
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout) == (0, SQUARES), stderr
    assert_all_gone(far.folder)


def test_an_agent_that_was_lost_is_started_again(far):
    far.write(
        engine='kind = "command"\nreconnect = 0\nlaunch = "{agent}"\n',
        work="""
            import os, time
            def process(n):
                time.sleep(0.01)
                return os.getpid()
        """,
        main="""
            import os, signal, work
            def children(pid):
                return list(map(int, open(f"/proc/{pid}/task/{pid}/children").read().split()))
            def agent():
                return children(min(children(os.getpid())))[-1]
            def is_far(n):
                return work.process(n) != os.getpid()
            n = 0
            while not is_far(n):
                n += 1
            os.kill(agent(), signal.SIGKILL)
            while is_far(n):
                n += 1
            while not is_far(n):
                n += 1
            print("again")
        """,
    )
    returncode, stdout, stderr = far.run()
    assert (returncode, stdout) == (0, "again\n"), stderr
    assert "\ncord: an agent is started again\n" in stderr
    assert_all_gone(far.folder)


def test_nothing_is_left_where_the_program_is_killed(far):
    far.write(work=NAPS, main=NAPPING)
    process = far.start()
    wait_for_file(far.folder / "begun")
    process.kill()
    process.wait()
    assert_all_gone(far.folder)
    process.communicate()


def test_an_agent_of_another_run_does_not_join(far, through):
    far.write(
        engine=f'kind = "command"\nwait = 2\nlaunch = "{through("other_key.py")}"\n',
        work=NAPS,
        main=NAPPING,
    )
    code, stdout, stderr = far.run()
    assert (code, stdout) == (2, "")
    assert "no agent has joined" in stderr
    assert_all_gone(far.folder)


def test_whoever_else_connects_is_turned_away(far, through):
    far.write(
        engine=f'kind = "command"\nlaunch = "{through("babbling.py")}"\n', work=NAPS, main=NAPPING
    )
    assert far.run() == (0, SQUARES, "")


def test_a_node_that_may_give_other_results_is_refused(far, through):
    far.write(
        engine=f'kind = "command"\nlaunch = "{through("other_processor.py")}"\n',
        work=NAPS,
        main=NAPPING,
    )
    code, stdout, stderr = far.run()
    assert (code, stdout) == (2, "")
    assert "the processor has no sve2 here" in stderr
    assert 'engine.cpu = "any"' in stderr


@pytest.mark.parametrize("launch", ["no-such-command {agent}", "'{agent}"])
def test_a_command_that_cannot_be_run_is_named_at_once(far, launch):
    far.write(engine=f'kind = "command"\nlaunch = "{launch}"\n', work=NAPS, main=NAPPING)
    began = time.monotonic()
    code, stdout, stderr = far.run()
    assert (code, stdout) == (2, "")
    assert "cannot run no-such-command" in stderr or "engine.launch cannot be read" in stderr
    assert time.monotonic() - began < 30


@pytest.mark.parametrize("is_pure", [True, False])
def test_a_gateway_that_is_killed_is_told_of(far, is_pure):
    effects = "repeatable = true\ninline = false\n" if is_pure else ""
    far.write(
        plan=f"[remote.work]\n{effects}[run]\ncopies = false\n",
        engine='kind = "command"\nlaunch = "{agent}"\n',
        work="def double(n):\n    return 2 * n\n",
        main="""
            import os, signal, time, work
            def gateway():
                children = open(f"/proc/self/task/{os.getpid()}/children").read().split()
                return min(map(int, children))
            for number in range(8):
                if number == 3:
                    os.kill(gateway(), signal.SIGKILL)
                    time.sleep(1.5)  # a program that has ended by then is told nothing
                print(work.double(number), flush=True)
        """,
    )
    code, stdout, stderr = far.run()
    shown = 8 if is_pure else 3
    assert (code, stdout.split()) == (0 if is_pure else 1, [str(2 * n) for n in range(shown)])
    told = "cord: the process of Cord's that leads to the nodes was ended, "
    assert stderr.count(told) == 1
    assert is_pure == (stderr.count("\n") == 1), stderr
    assert_all_gone(far.folder)
