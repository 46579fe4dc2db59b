"""Memory and descriptors at their end: calls go on, or raise what plain Python raises."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

MODULES = {
    "work.py": """
        import array, os, resource

        def block(size, tag=""):
            if tag:
                with open("runs", "a") as file:
                    file.write(tag)
            return array.array("B", bytes(size))

        def length(data):
            return len(data)

        def lines(size):
            return b"x" * size

        def process():
            return os.getpid()

        taken_here = []

        def use_up():
            getattr(resource, "".join(["set", "rlimit"]))(resource.RLIMIT_NOFILE, (64, 64))
            try:
                while True:
                    taken_here.append(os.open("/dev/null", os.O_RDONLY))
            except OSError:
                return len(taken_here) > 5

        def address_space(more):
            pages = int(open("/proc/self/statm").read().split()[0])
            size = pages * os.sysconf("SC_PAGE_SIZE") + more
            getattr(resource, "".join(["set", "rlimit"]))(resource.RLIMIT_AS, (size, size))
        """,
    "more.py": """
        def length(data):
            return len(data)
        """,
}
HEAD = """
import array, gc, os, resource, signal, sys
import more, work

def use_up(limit=100):
    held = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    try:
        while True:
            held.append(os.open("/dev/null", os.O_RDONLY))
    except OSError:
        return held

def address_space(size):
    pages = int(open("/proc/self/statm").read().split()[0])
    size += pages * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (size, size))

def said(call, *args):
    try:
        return call(*args)
    except (MemoryError, OSError) as exc:
        return f"{type(exc).__name__}: {exc}".splitlines()[0]
"""
MIB = 1 << 20
TRANSPORTS = ("auto", "shm", "unix")


def run(
    folder: Path,
    program: str,
    *,
    pure: bool = True,
    replicas: int = 1,
    transport: str = "auto",
    resident: str = "[]",
) -> list[str]:
    """The lines that a program prints whose modules are called so."""
    plan = f"""
        [remote.work]
        inline = false
        repeatable = {str(pure).lower()}
        callstyle = "async"
        replicas = {replicas}
        transport = "{transport}"

        [remote.work.functions.length]
        resident = {resident}

        [remote.work.functions.use_up]
        pure = {str(replicas > 1).lower()}

        [remote.work.functions.address_space]
        pure = {str(replicas > 1).lower()}

        [remote.more]
        replicas = 1
        repeatable = true
        callstyle = "async"
        transport = "{transport}"
        """
    for name, text in {**MODULES, "cord.toml": plan}.items():
        (folder / name).write_text(dedent(text))
    (folder / "main.py").write_text(HEAD + dedent(program))
    done = subprocess.run(
        [sys.executable, "-m", "cord", "run", "main.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.parametrize("pure", [True, False])
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_result_that_the_client_has_no_memory_for_is_a_memory_error(tmp_path, transport, pure):
    program = f"""
        work.length("")
        address_space({100 * MIB})
        print(said(lambda: len(work.block(100_000))))
        print(said(lambda: len(work.block({200 * MIB}, "r"))))
        print(said(lambda: len(work.block(300_000))))
        """
    lines = run(tmp_path, program, transport=transport, pure=pure)
    assert [lines[0], lines[2]] == ["100000", "300000"]
    assert lines[1].startswith("MemoryError: main.py:")
    assert "there is no room for the result of work.block() (209,715," in lines[1]
    assert (tmp_path / "runs").read_text() == "r", "it runs once"


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("resident", ["[]", '["data"]'])
def test_an_argument_that_the_replica_has_no_memory_for_is_a_memory_error(
    tmp_path, transport, resident
):
    program = f"""
        work.address_space({100 * MIB})
        for size in (100_000, {200 * MIB}, {200 * MIB}, 300_000):
            print(said(work.length, array.array("B", bytes(size))))
        """
    lines = run(tmp_path, program, transport=transport, resident=resident, pure=False)
    assert [lines[0], lines[3]] == ["100000", "300000"]
    for line in lines[1:3]:
        assert line.startswith("MemoryError: main.py:")
        assert "there is no room for the arguments of work.length() (209,715," in line


def test_a_result_that_the_replica_has_no_memory_to_send_is_a_memory_error(tmp_path):
    program = f"""
        work.address_space({100 * MIB})
        for size in (100_000, {60 * MIB}, 300_000):
            print(said(lambda: len(work.lines(size))))
        """
    lines = run(tmp_path, program, pure=False)
    assert [lines[0], lines[2]] == ["100000", "300000"]
    assert lines[1].startswith("MemoryError:")


def test_a_program_without_descriptors_is_served_as_ever(tmp_path):
    program = f"""
        held = use_up()
        print([len(work.block(size)) for size in (10, 70_000, 300_000, {2 * MIB})])
        print([work.length(array.array("B", bytes(size))) for size in (70_000, {2 * MIB})])
        print([more.length(work.block(size)) for size in (70_000, {2 * MIB})])
        print(len(work.lines({3 * MIB})))
        print(said(os.open, "/dev/null", os.O_RDONLY)[:20])
        """
    expected = [
        "[10, 70000, 300000, 2097152]",
        "[70000, 2097152]",
        "[70000, 2097152]",
        "3145728",
        "OSError: [Errno 24] ",
    ]
    for transport in TRANSPORTS:
        assert run(tmp_path, program, transport=transport) == expected
    assert run(tmp_path, program, resident='["data"]', replicas=2) == expected


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_replica_that_has_ended_is_replaced_where_no_descriptor_is_left(tmp_path, transport):
    program = """
        held = use_up()
        known, dead = set(), set()
        for _ in range(6):
            known.add(eval("work.process()"))  # which nobody foresees
            (new,) = known - dead
            os.kill(new, signal.SIGKILL)
            dead.add(new)
        print(len(known), os.getpid() in known)
        """
    assert run(tmp_path, program, transport=transport) == ["6 False"]


def test_a_call_for_which_no_replica_can_be_made_is_made_in_the_program(tmp_path):
    program = """
        held = use_up(8)  # those held back are above
        replica = eval("work.process()")  # which nobody foresees
        os.kill(replica, signal.SIGKILL)
        print(replica == os.getpid(), eval("work.process()") == os.getpid())
        """
    assert run(tmp_path, program) == ["False True"]


@pytest.mark.parametrize("resident", ["[]", '["data"]'])
def test_so_is_a_remote_function_that_has_used_them_up(tmp_path, resident):
    program = f"""
        print(work.use_up())
        print([len(work.block(size)) for size in (10, 70_000, {2 * MIB})])
        print([work.length(array.array("B", bytes(size))) for size in (70_000, {2 * MIB})] * 2)
        print([len(work.lines(size)) for size in (70_000, {3 * MIB})])
        """
    assert run(tmp_path, program, pure=False, resident=resident) == [
        "True",
        "[10, 70000, 2097152]",
        "[70000, 2097152, 70000, 2097152]",
        "[70000, 3145728]",
    ]


FORWARDED = f"""
        print(work.use_up() if {{remote}} else len(use_up()) > 5)
        def both():
            return more.length(work.block({MIB}))
        print(said(both))
        print(len(work.block(100_000)))
        """


def test_values_are_forwarded_without_descriptors_of_the_program(tmp_path):
    lines = run(tmp_path, FORWARDED.format(remote=False))
    assert lines == ["True", "1048576", "100000"]


def test_where_replicas_cannot_be_linked_the_call_says_so(tmp_path):
    lines = run(tmp_path, FORWARDED.format(remote=True))
    assert [lines[0], lines[2]] == ["True", "100000"]
    assert (
        lines[1] == "1048576" or "there is no room for the arguments of more.length()" in lines[1]
    )


def test_a_replica_that_cannot_be_launched_is_an_error_and_a_later_call_launches_it(tmp_path):
    program = """
        before = work.process()
        held = use_up()
        os.kill(before, signal.SIGKILL)
        while os.path.exists(f"/proc/{before}/fd/0"):
            pass
        for call in range(3):
            held += use_up() # what the replica held is free some time
            print(said(work.length, "abc"))
        for descriptor in held:
            os.close(descriptor)
        print(work.length("abcd"))
        """
    lines = run(tmp_path, program)
    assert lines[-1] == "4"
    # there may be just enough that Cord holds back, or that the dead replica's link had
    for line in lines[:-1]:
        if line != "3":
            assert line.startswith("OSError: [Errno 24] Too many open files: main.py:")
            assert "there is no room for a replica to run work.length()" in line


def test_kept_results_hold_no_mappings(tmp_path):
    program = """
        def mappings():
            with open("/proc/self/maps") as file:
                return sum("memfd:cord" in line for line in file)

        kept = [work.block(66_000)]
        before = mappings()
        for number in range(400):
            kept.append(work.block(66_000 + number))
        print(mappings() - before < 40, sum(map(len, kept)))
        """
    assert run(tmp_path, program) == [f"True {66_000 * 401 + sum(range(400))}"]


def test_when_memory_is_short_replicas_go_before_the_program(project) -> None:
    one = project(
        {
            "cord.toml": "[remote.work]\nreplicas = 2\nrepeatable = true\ninline = false\n",
            "work.py": """\
def score(n):
    with open("/proc/self/oom_score_adj") as file:
        return int(file.read())
""",
            "main.py": """\
import work
with open("/proc/self/oom_score_adj") as file:
    own = int(file.read())
print({work.score(n) for n in range(20)} == {max(own, 500)})
""",
        }
    )
    result = one.run("main.py")
    assert (result.stdout, result.stderr) == ("True\n", "")
