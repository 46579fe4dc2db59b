"""Agents that stand: who may come, what comes of clients that end, and of the agent's own end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from textwrap import dedent

import pytest
from standing_agents import Agent
from test_nodes_that_fail import assert_all_gone, everything_in, wait_for_file

from cord.engines.nodes import keys

SQUARE = """
    def square(n):
        return n * n
"""
SQUARING = """
    import work
    print([work.square(n) for n in range(20)])
"""
SQUARES = f"{[n * n for n in range(20)]}\n"
WAITING = """
    import os, time
    def wait(n):
        open("begun", "a").close()
        time.sleep(30)
"""
CALLS_WAITING = """
    import work
    work.wait(1)
"""


def test_programs_are_served_one_after_the_other(far, stand):
    agent = stand()
    far.write(engine=agent.engine(), work=SQUARE, main=SQUARING)
    assert far.run() == (0, SQUARES, "")
    assert far.run() == (0, SQUARES, "")
    assert_all_gone(far.folder)
    assert agent.stop() == (0, "")


def test_and_at_once(far, stand):
    far.write(engine=stand().engine(), work=SQUARE, main=SQUARING)
    programs = [far.start() for _ in range(3)]
    assert [program.communicate(timeout=60) for program in programs] == [(SQUARES, "")] * 3
    assert_all_gone(far.folder)


def test_it_listens_on_loopback_unless_told_otherwise(stand):
    assert stand().host == "127.0.0.1"
    from cord.engines.nodes import addresses

    assert addresses.address_of(addresses.LOOPBACK) == ("127.0.0.1", 7420)
    assert addresses.address_of("10.0.0.5:80") == ("10.0.0.5", 80)
    assert addresses.address_of("[::1]:80") == ("::1", 80)
    assert addresses.address_of("[::1]") == ("::1", 7420)
    with pytest.raises(ValueError, match="no port"):
        addresses.address_of("a:70000")


def test_who_has_another_key_is_not_served(far, stand, tmp_path):
    agent = stand()
    keys.make(str(tmp_path / "others"))
    engine = agent.engine(key=str(tmp_path / "others/client.key"))
    far.write(engine=engine, work=SQUARE, main=SQUARING)
    code, stdout, stderr = far.run()
    assert (code, stdout) == (2, "")
    assert "its link ended before it served: the other side has another key" in stderr
    code, said = agent.stop()
    assert code == 0
    assert said.startswith("cord: a client at 127.0.0.1 is not served: ")


def test_a_clients_key_is_none_for_agents_and_none_is_none(far, stand, tmp_path):
    agent = stand()
    for key, problem in (
        (agent.folder / "keys/agent.key", "another key"),
        (tmp_path / "nothing", "cannot read the key"),
        (agent.folder / "open", "can be read by others"),
        (agent.folder / "empty", "is no key"),
    ):
        (agent.folder / "empty").touch(0o600)
        (agent.folder / "open").touch(0o644)
        far.write(engine=agent.engine(key=str(key)), work=SQUARE, main=SQUARING)
        code, stdout, stderr = far.run()
        assert (code, stdout) == (2, "")
        assert problem in stderr


def test_who_speaks_no_tls_or_nothing_holds_nobody_up(far, stand):
    agent = stand()
    silent = socket.create_connection((agent.host, agent.port))
    with socket.create_connection((agent.host, agent.port)) as other:
        other.sendall(b"GET / HTTP/1.1\r\n\r\n" * 10)
        far.write(engine=agent.engine(), work=SQUARE, main=SQUARING)
        assert far.run() == (0, SQUARES, "")
    silent.close()


def test_who_looks_for_another_name_is_not_served(far, stand):
    far.write(engine=stand().engine(name="shop"), work=SQUARE, main=SQUARING)
    code, stdout, stderr = far.run()
    assert (code, stdout) == (2, "")
    assert 'serves under the name "lab", and engine.name is "shop"' in stderr


def test_where_no_agent_stands_that_is_said_at_once(far, stand):
    agent = stand()
    engine = agent.engine()
    agent.stop()
    far.write(engine=engine, work=SQUARE, main=SQUARING)
    code, stdout, stderr = far.run()
    assert (code, stdout) == (2, "")
    assert "cannot connect" in stderr and "cord agent --serve" in stderr


def test_a_client_that_is_killed_leaves_nothing_and_the_next_one_is_served(far, stand):
    agent = stand()
    far.write(engine=agent.engine(), work=WAITING, main=CALLS_WAITING)
    process = far.start()
    wait_for_file(far.folder / "begun")
    process.kill()
    process.communicate()
    assert_all_gone(far.folder)
    far.write(engine=agent.engine(), work=SQUARE, main=SQUARING)
    assert far.run() == (0, SQUARES, "")


def test_clients_of_an_agent_that_is_stopped_hear_why(far, stand):
    agent = stand()
    far.write("[remote.work]\n", engine=agent.engine(), work=WAITING, main=CALLS_WAITING)
    process = far.start()
    wait_for_file(far.folder / "begun")
    assert agent.stop() == (0, "")
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "is lost: its agent was told to stop" in stderr
    assert "cord.errors.CallMayHaveRun" in stderr
    assert_all_gone(far.folder)


def test_where_it_is_killed_nothing_is_left(far, stand):
    agent = stand()
    far.write("[remote.work]\n", engine=agent.engine(), work=WAITING, main=CALLS_WAITING)
    process = far.start()
    wait_for_file(far.folder / "begun")
    agent.process.kill()
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "is lost: the agent that stood there has ended" in stderr
    assert_all_gone(far.folder)


def test_keys_are_for_their_owner_alone_and_never_overwritten(tmp_path):
    command = [sys.executable, "-m", "cord", "keys", "made"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    agent, client = done.stdout.splitlines()
    assert agent.startswith("made/agent.key: ") and client.startswith("made/client.key: ")
    before = [(tmp_path / "made" / name).read_bytes() for name in ("agent.key", "client.key")]
    for name in ("agent.key", "client.key"):
        assert os.stat(tmp_path / "made" / name).st_mode & 0o777 == 0o600
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert again.returncode == 2
    assert "is there already, and keys are never overwritten" in again.stderr
    assert before == [
        (tmp_path / "made" / name).read_bytes() for name in ("agent.key", "client.key")
    ]
    assert not everything_in(tmp_path)


COUNTING = """
    import os, sys, time

    count = 0
    print("loaded")

    def add(n, name=""):
        global count
        if name:
            open(name, "a").close()
            time.sleep(1.5)
        count += n
        print("added", n, file=sys.stderr)
        return count

    def where():
        return os.getcwd(), os.environ.get("WHO"), os.getenv("WHO"), sys.argv[1:], os.getpid()

    def give_up():
        os._exit(3)

    def named(item):
        return item.name(), type(item)
"""
ADDING = """
    import work
    print(work.add(1), work.add(2))
"""
SERVICE = "[remote.work]\n"


@pytest.fixture
def counting(stand, far) -> Callable[..., Agent]:
    """Starts an agent that keeps the module `work`, and lays the same out for a program."""

    def start(main: str, text: str = COUNTING, plan: str = SERVICE) -> Agent:
        agent = stand("-c", "cord.toml", files={"work.py": dedent(text), "cord.toml": plan})
        far.write(plan, engine=agent.engine(), work=text, main=main)
        return agent

    return start


def test_state_outlasts_the_program_that_has_left_it(far, counting):
    counting(ADDING)
    plain = far.plain()
    assert far.run()[:2] == (0, plain)
    code, stdout, stderr = far.run()
    assert (code, stdout, stderr) == (0, "loaded\n4 6\n", "added 1\nadded 2\n")


def test_a_kept_module_is_found_beside_the_plan_that_names_it(far, stand):
    files = {"inner/work.py": dedent(COUNTING), "inner/cord.toml": SERVICE}
    agent = stand("-c", "inner/cord.toml", files=files)
    far.write(SERVICE, engine=agent.engine(), work=COUNTING, main=ADDING)
    assert far.run()[:2] == (0, far.plain())


def test_calls_of_two_programs_are_made_one_at_a_time(far, counting):
    counting(
        """
        import sys, work
        for n in range(50):
            work.add(1)
        """
    )
    programs = [far.start() for _ in range(3)]
    for program in programs:
        _, stderr = program.communicate(timeout=60)
        assert (program.returncode, stderr) == (0, "added 1\n" * 50)
    far.write(SERVICE, engine=(far.folder / "cord.toml").read_text().split("\n\n")[0][9:])
    (far.folder / "main.py").write_text("import work\nprint(work.add(0))\n")
    assert far.run()[1] == "loaded\n150\n"


def test_each_program_has_its_own_world_and_main_script(far, counting, tmp_path):
    counting(
        """
        import os, sys, work
        class Item:
            def name(self):
                return os.environ["WHO"]
        for n in range(20):
            name, kind = work.named(Item())
            assert kind is Item
            folder, *who, argv, pid = work.where()
            assert folder == os.getcwd() and who == [name, name] == [os.environ["WHO"]] * 2
            os.environ["WHO"] += "."
            os.chdir(".." if n % 2 else "program" if os.path.isdir("program") else ".")
        print(name, pid)
        """
    )
    programs = [far.start(WHO=who) for who in ("me", "you")]
    said = [program.communicate(timeout=60) for program in programs]
    assert [stderr for _, stderr in said] == ["", ""]
    (me, pid), (you, other) = (stdout.split()[1:] for stdout, _ in said)
    assert (me, you) == ("me" + "." * 19, "you" + "." * 19)
    assert pid == other  # one replica has served both


def test_a_call_of_a_program_that_is_killed_comes_to_its_end(far, counting):
    agent = counting(
        """
        import work
        work.add(5, "begun")
        """
    )
    process = far.start()
    wait_for_file(far.folder / "begun")
    process.kill()
    process.communicate()
    (far.folder / "main.py").write_text(dedent(ADDING))
    assert far.run()[:2] == (0, "loaded\n6 8\n")
    assert agent.stop() == (0, "")


def test_what_is_kept_is_read_again_when_the_agent_is_told_so(far, counting):
    agent = counting(
        """
        import os, time, work
        print(work.add(1), flush=True)
        while not os.path.exists("go"):
            time.sleep(0.01)
        print(work.add(1))
        """
    )
    goes_on = far.start()
    assert goes_on.stdout.readline() + goes_on.stdout.readline() == "loaded\n1\n"
    old = (agent.folder / "work.py").read_text()
    new = old.replace("+= n", "+= 10 * n")
    assert new != old
    (agent.folder / "work.py").write_text("this is no Python")
    agent.process.send_signal(signal.SIGHUP)
    assert "not reloaded" in agent.process.stderr.readline()
    (agent.folder / "work.py").write_text(new)
    agent.process.send_signal(signal.SIGHUP)
    assert "cord: reloaded" in agent.process.stderr.readline()
    (far.folder / "go").touch()
    assert goes_on.communicate(timeout=60)[0] == "2\n"
    far.write(SERVICE, engine=agent.engine(), work=new, main=dedent(ADDING))
    assert far.run()[:2] == (0, "loaded\n10 30\n")
    code, said = agent.stop()
    assert (code, said) == (0, "")


def test_another_version_of_what_is_kept_is_refused(far, counting):
    agent = counting(ADDING)
    far.write(SERVICE, engine=agent.engine(), work=COUNTING + "    # more\n")
    code, stdout, stderr = far.run()
    assert (code, stdout) == (2, "")
    assert "the module work, or what it imports of the project, is another version" in stderr


def test_another_hash_seed_than_that_of_what_is_kept_is_refused(far, counting):
    counting(ADDING)
    code, stdout, stderr = far.run(PYTHONHASHSEED="7")
    assert (code, stdout) == (2, "")
    assert "PYTHONHASHSEED is 7 here" in stderr


def test_a_replica_that_dies_is_lost_with_its_state_and_the_next_program_finds_a_new_one(
    far, counting
):
    agent = counting("import work\nwork.add(9)\nwork.give_up()\n")
    code, _, stderr = far.run()
    assert code == 1 and "cord.errors.CallMayHaveRun" in stderr
    (far.folder / "main.py").write_text(dedent(ADDING))
    assert far.run()[:2] == (0, "loaded\n1 3\n")
    code, said = agent.stop()
    assert (code, said) == (0, "cord: replica 0 of work has ended, and what it kept is lost\n")


def test_it_comes_to_its_end_as_python_does_when_the_agent_is_stopped(far, counting):
    agent = counting(
        ADDING, COUNTING + "    import atexit\n    atexit.register(open, 'end', 'w')\n"
    )
    assert far.run()[0] == 0
    assert agent.stop() == (0, "")
    assert (agent.folder / "end").exists() or (far.folder / "end").exists()


def test_links_of_programs_that_are_gone_leave_nothing_behind(far, counting):
    agent = counting("import os, work\nprint(work.where()[-1])\n")
    pid = far.run()[1].split()[-1]
    before = len(os.listdir(f"/proc/{pid}/fd")), len(os.listdir(f"/proc/{agent.process.pid}/fd"))
    for _ in range(4):
        assert far.run()[1].split()[-1] == pid
    after = len(os.listdir(f"/proc/{pid}/fd")), len(os.listdir(f"/proc/{agent.process.pid}/fd"))
    assert after[0] <= before[0] + 1 and after[1] <= before[1]


def test_a_module_that_cannot_be_loaded_ends_the_agent(tmp_path):
    keys.make(str(tmp_path / "keys"))
    (tmp_path / "work.py").write_text("def f(): pass\nraise RuntimeError('no')\n")
    (tmp_path / "cord.toml").write_text(SERVICE)
    command = [sys.executable, "-m", "cord", "agent", "--serve", "--name", "lab"]
    command += ["--keys", "keys/agent.key", "--listen", "127.0.0.1:0", "-c", "cord.toml"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert "the module work cannot be loaded: RuntimeError: no" in done.stderr
    assert_all_gone(tmp_path)


def test_what_is_interrupted_is_the_call_of_that_program(far, counting):
    counting(
        """
        import work
        try:
            work.add(5, "begun")
        except KeyboardInterrupt:
            print("interrupted", work.add(1))
        """
    )
    process = far.start()
    wait_for_file(far.folder / "begun")
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout) == (0, "loaded\ninterrupted 1\n"), stderr


def test_a_pure_module_is_loaded_once_for_all(far, counting):
    plan = '[remote.work]\nreplicas = 2\nrepeatable = true\ncallstyle = "async"\n'
    counting(
        """
        import work
        print([work.square(n) for n in range(200)])
        """,
        """
        import os
        with open("loaded", "a") as file:
            file.write("x")
        def square(n):
            return n * n
        """,
        plan,
    )
    squares = f"{[n * n for n in range(200)]}\n"
    assert [far.run() for _ in range(2)] == [(0, squares, "")] * 2
    assert (far.folder / "loaded").read_text() == "xx"  # by the programs themselves


def test_each_program_has_its_own_resident_arguments(far, counting):
    plan = '[remote.work]\nresident = ["b"]\n'
    counting(
        """
        import sys, work
        b = (sys.argv[0] * 1000 + "%s").encode() * 1000
        print([work.length(n, b) == len(b) + n for n in range(30)].count(True))
        """,
        """
        def length(a, b):
            return a + len(b)
        """,
        plan,
    )
    programs = [far.start() for _ in range(2)]
    assert [program.communicate(timeout=60) for program in programs] == [("30\n", "")] * 2


def test_an_agent_that_is_started_again_begins_afresh_at_the_same_address(far, stand, counting):
    agent = counting(ADDING)
    assert far.run()[:2] == (0, "loaded\n1 3\n")
    assert far.run()[:2] == (0, "loaded\n4 6\n")
    assert agent.stop() == (0, "")
    again = stand("-c", "cord.toml", "--listen", f"127.0.0.1:{agent.port}")
    assert again.port == agent.port
    assert far.run()[:2] == (0, "loaded\n1 3\n")
