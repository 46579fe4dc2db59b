"""A run that has lost replicas or nodes leaves nothing of what it has measured to the next."""

from __future__ import annotations

import marshal
from pathlib import Path

import pytest
from on_nodes import OWN_AGENT

LENGTH_OF_HEAD = 16
WORK = f"""
{OWN_AGENT}
import os, signal, time
def nap(n):
    time.sleep(0.01)
    if n == 30 and os.path.exists("fatal"):
        os.remove("fatal")
        os.kill(WHOM, signal.SIGKILL)
        time.sleep(60)
    return n
"""
MAIN = """
    import work
    print(sum(work.nap(n) for n in range(60)))
"""
AGENT = 'kind = "command"\nreconnect = 1\nlaunch = "{agent}"\n'


def measured(folder: Path) -> list[object]:
    """What is kept of where calls were made, and of how many replicas had some."""
    found = []
    for file in folder.glob("__pycache__/main.*.cord"):
        _, answers = marshal.loads(file.read_bytes()[LENGTH_OF_HEAD:])
        found += [marshal.loads(kept) for asked, kept in answers.items() if asked[0] == "served"]
    return found


@pytest.mark.parametrize(
    ("engine", "whom"), [('kind = "local"\n', "os.getpid()"), (AGENT, "_agent()")]
)
def test_a_run_with_losses_leaves_what_a_healthy_one_has_measured(far, engine, whom):
    far.write(
        plan="[remote.work]\nreplicas = 2\nrepeatable = true\ninline = false\n",
        engine=engine,
        work=WORK.replace("WHOM", whom),
        main=MAIN,
    )
    shown = f"{sum(range(60))}\n"

    def run(*, fatal: bool) -> list[object]:
        if fatal:
            (far.folder / "fatal").touch()
        code, stdout, _ = far.run(PYTHONDONTWRITEBYTECODE="")
        assert (code, stdout) == (0, shown)
        assert not (far.folder / "fatal").exists()
        return measured(far.folder)

    assert run(fatal=True) == []
    known = run(fatal=False)
    assert len(known) == 1
    assert run(fatal=True) == known
