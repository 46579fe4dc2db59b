"""What a program sees of its replicas where they live on nodes."""

from __future__ import annotations

import subprocess
import sys

import pytest


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


def test_a_resident_argument_crosses_to_a_node_once(far):
    """Each replica of the two gets it, and the link carries it once: most of the bytes are its."""
    far.write(
        plan="""
            [remote.work]
            replicas = 2
            pure = true
            callstyle = "async"
            resident = ["table"]
        """,
        engine='kind = "command"\nlaunch = "{agent}"\n',
        work="""
            import os, time
            def look(table, n):
                time.sleep(0.05)
                return os.getpid(), table[n], len(table)
        """,
        main="""
            import numpy as np, work
            table = np.arange(1_000_000)
            seen = [work.look(table, n) for n in range(20)]
            print(len({pid for pid, _, _ in seen}) >= 1, [int(found) for _, found, _ in seen])
        """,
    )
    pytest.importorskip("numpy")
    code, stdout, stderr = far.run()
    assert (code, stdout, stderr) == (0, f"True {list(range(20))}\n", "")


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
    assert (done.returncode, done.stdout, done.stderr) == (0, "[0, 2, 4, 6, 8] False\n", "")
