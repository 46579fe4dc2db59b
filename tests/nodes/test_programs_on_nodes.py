"""What a program sees of its replicas where they live on nodes."""

from __future__ import annotations

import subprocess
import sys

import pytest
from clusters import without_waiting


def test_replicas_are_dealt_out_over_all_nodes(far):
    far.write(
        work="""
            import os, time
            def session(n):
                time.sleep(0.1)
                return os.getsid(0)
        """,
        main="""
            import work
            print(len({work.session(n) for n in range(16)}))
        """,
    )
    assert far.run() == (0, "2\n", "")


@pytest.mark.parametrize("cores", [1, 3])
def test_there_is_a_replica_for_each_core_of_all_nodes(far, cores: int):
    far.write(
        plan="""
            [run]
            copies = false
            [remote.work]
            replicas = "auto"
            repeatable = true
            callstyle = "async"
        """,
        work="""
            import os, time
            def replica(n):
                time.sleep(0.1)
                return os.getpid()
        """,
        main="""
            import work
            print(len({work.replica(n) for n in range(40)}))
        """,
    )
    assert far.run(CORD_AGENT_CORES=str(cores)) == (0, f"{2 * cores}\n", "")


def test_texts_have_the_same_hash_in_the_program_and_there_and_the_seed_is_not_seen(far):
    far.write(
        work="""
            import os, sys
            def seen(text):
                return hash(text), os.environ.get("PYTHONHASHSEED"), sys.flags.hash_randomization
        """,
        main="""
            import os, subprocess, sys, work
            mine = hash("a text"), os.environ.get("PYTHONHASHSEED"), sys.flags.hash_randomization
            print(work.seen("a text") == mine, mine[1:])
            child = [sys.executable, "-c", "import os; print('PYTHONHASHSEED' in os.environ)"]
            print(subprocess.check_output(child, text=True).strip(), "CORD_HASH_SEED" in os.environ)
        """,
    )
    assert far.run() == (0, "True (None, 1)\nFalse False\n", "")


def test_a_resident_argument_crosses_to_a_node_once_for_all_its_replicas(far, through):
    pytest.importorskip("numpy")
    far.write(
        plan="""
            [run]
            copies = false
            [remote.work]
            replicas = 4
            repeatable = true
            callstyle = "async"
            inline = false
            resident = ["table"]
        """,
        engine=f'kind = "command"\nlaunch = "{through("counting.py")}"\n',
        work="""
            import time
            def look(table, n):
                time.sleep(0.01)
                return int(table[n])
        """,
        main="""
            import numpy as np, work
            table = np.arange(500_000)
            print([work.look(table, n) for n in range(60)])
        """,
    )
    assert far.run() == (0, f"{list(range(60))}\n", "")
    sent = int((far.folder / "sent").read_text())
    assert 4_000_000 < sent < 5_000_000


def test_cord_session_uses_them_too(far):
    far.write(
        work="""
            import os
            def double(n):
                return 2 * n, os.getpid()
        """,
        main="""
            import os, cord, work
            with cord.session("cord.toml"):
                got = [work.double(n) for n in range(5)]
            print([value for value, _ in got], os.getpid() in {pid for _, pid in got})
        """,
    )
    done = subprocess.run(
        [sys.executable, "main.py"],
        cwd=far.folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "[0, 2, 4, 6, 8] False\n")
    assert without_waiting(done.stderr) == ""


def test_a_node_that_joins_late_brings_replicas_for_its_cores(far):
    agent = "CORD_AGENT_CORES=2 {agent}"
    far.write(
        engine=f"""
            kind = "command"
            nodes = 2
            wait = 1.5
            launch = '''sh -c "{agent} & while [ ! -e go ]; do sleep .05; done; {agent} & wait"'''
        """,
        plan="""
            [remote.work]
            replicas = "auto"
            repeatable = true
            callstyle = "async"
        """,
        work="""
            import os, time
            def process(n):
                time.sleep(0.05)
                return os.getpid()
        """,
        main="""
            import os, work
            print(len({work.process(n) for n in range(20)}))
            open("go", "w").close()
            seen = set()
            while len(seen) < 4:
                seen |= {work.process(n) for n in range(8)} - {os.getpid()}
            print(len(seen))
        """,
    )
    code, stdout, stderr = far.run()
    assert (code, stdout) == (0, "2\n4\n"), stderr
    assert stderr.startswith("cord: 1 of 2 agents did not join: ")
