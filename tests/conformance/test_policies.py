"""What the plan says of calls holds on every engine, and changes nothing that a program shows."""

from __future__ import annotations

POLICIES = {
    "in_place": 'callstyle = "sync"',
    "on_demand": 'callstyle = "async"\nreplicas = 3',
    "two_each": 'callstyle = "async-demand(2)"\nreplicas = 2\nbatch = 2',
    "in_frames": 'callstyle = "async"\nreplicas = 2\nbatch = "4KiB"',
    "larger_first": 'callstyle = "async"\nreplicas = 2\npriority = "n"',
    "few_ahead": 'callstyle = "async"\nreplicas = 2\nlookahead = { calls = 3 }',
    "by_tcp": 'callstyle = "async"\nreplicas = 2\ntransport = "tcp"',
    "each_core": 'callstyle = "async"\nreplicas = "auto"',
    "in_threads": "replicas = 2\nthreads = 3",
    "renewed": "replicas = 2\nrecycle = 3",
}
WORK = "def double(n):\n    print(n, end=' ')\n    return 2 * n\n"
PLACED = """
import os, time
def place(n):
    time.sleep(0.02)
    return os.getpid()
"""
SENT = "repeatable = true\ninline = false\n"


def test_no_policy_changes_what_a_program_shows(program):
    plan = "".join(f"[remote.{name}]\n{text}\n{SENT}" for name, text in POLICIES.items())
    main = "".join(f"import {name}\n" for name in POLICIES)
    main += "".join(f"print([{name}.double(n) for n in range(20)])\n" for name in POLICIES)
    made = program(plan, main, **dict.fromkeys(POLICIES, WORK))
    shown, plain = made.run(), made.plain()
    assert (shown.stdout, shown.stderr, shown.returncode) == (plain.stdout, "", 0)


def test_calls_are_dealt_out_by_shares(program):
    plan = f'[remote.work]\nreplicas = 2\ncallstyle = "async"\nloadratio = "3:1"\n{SENT}'
    main = """
import work
places = [work.place(n) for n in range(40)]
print(sorted(places.count(one) for one in set(places)))
"""
    assert program(plan, main, work=PLACED).run().stdout == "[10, 30]\n"


def test_calls_run_at_the_same_time(program):
    plan = f'[remote.work]\nreplicas = 4\ncallstyle = "async"\n{SENT}'
    main = "import work\nprint(len({work.place(n) for n in range(60)}))\n"
    assert program(plan, main, work=PLACED).run().stdout == "4\n"


def test_replicas_are_renewed(program):
    plan = f"[remote.work]\nreplicas = 2\nrecycle = 3\n{SENT}"
    main = """
import work
places = [work.place(n) for n in range(20)]
print(max(places.count(one) for one in set(places)))
"""
    assert program(plan, main, work=PLACED).run().stdout == "3\n"


def test_threads_of_one_process_are_on_one_node(program):
    plan = f"[remote.work]\nthreads = 3\n{SENT}"
    work = """
import functools, os, threading
@functools.cache
def here():  # what a cache holds that nobody looks at is no state of the module
    return threading.Barrier(3)
def place(n):
    here().wait(60)  # so many calls at once
    return os.getpid()
"""
    main = "import work\nprint(len({work.place(n) for n in range(12)}))\n"
    assert program(plan, main, work=work).run().stdout == "1\n"
