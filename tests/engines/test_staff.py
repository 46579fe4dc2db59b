"""How many replicas there are: as many as calls at once, and none that nobody has use for."""

from __future__ import annotations

import os
import subprocess
import sys
from textwrap import dedent

import pytest

WORK = """
    import os
    from time import sleep

    def pid(*args):
        sleep(0.02)
        return os.getpid()

    def short(number):
        return os.getpid()
"""
HEAD = """
    import os
    import work
    from time import sleep

    def replicas():
        parents, names = {}, {}
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat") as file:
                    before, _, after = file.read().rpartition(")")
            except OSError:
                continue
            parents[int(name)] = int(after.split()[1])
            names[int(name)] = before.partition("(")[2]
        known, found = {os.getpid()}, set()
        while known:
            known = {child for child, parent in parents.items() if parent in known}
            found |= known
        return [names[one] for one in found].count("cord work")
"""


def run(folder, main: str, plan: str = "", replicas: int = 4) -> list[str]:
    (folder / "work.py").write_text(dedent(WORK))
    (folder / "main.py").write_text(dedent(HEAD) + dedent(main))
    head = f'[remote.work]\nreplicas = {replicas}\ncallstyle = "async"\nrepeatable = true\n'
    (folder / "cord.toml").write_text(head + plan)
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE")
    command = [sys.executable, "-m", "cord", "run", "main.py"]
    return subprocess.check_output(command, cwd=folder, env=environment, text=True).splitlines()


ONE_BY_ONE = """
    value = 0
    for _ in range(6):
        value = work.pid(value)
    sleep(0.2)
    print(replicas(), value != os.getpid())
"""
AT_ONCE = """
    pids = [work.pid(number) for number in range(40)]
    print(replicas(), len(set(pids)))
"""


def test_calls_one_after_the_other_have_one_replica(tmp_path):
    assert run(tmp_path, ONE_BY_ONE, "inline = false") == ["1 True"]


def test_calls_at_once_have_one_each_up_to_what_the_plan_says(tmp_path):
    for _ in range(2):  # the second run begins with all of them
        assert run(tmp_path, AT_ONCE) == ["4 4"]


def test_calls_dealt_out_by_shares_find_all_replicas_there(tmp_path):
    plan = 'loadratio = "1:1:1:1"\ninline = false'
    assert run(tmp_path, ONE_BY_ONE, plan) == ["4 True"]


FEW_SHORT = """
    print([work.short(number) == os.getpid() for number in range(3)])
    print(replicas())
"""


@pytest.mark.parametrize("copies", ["true", "false"])
def test_a_run_waits_for_replicas_the_next_makes_short_calls_itself_and_the_third_has_none(
    tmp_path, copies
):
    plan = f"[run]\ncopies = {copies}\n"
    assert run(tmp_path, FEW_SHORT, plan)[0] == "[False, False, False]"
    assert run(tmp_path, FEW_SHORT, plan)[0] == "[True, True, True]"
    assert run(tmp_path, FEW_SHORT, plan) == ["[True, True, True]", "0"]
