"""Nodes whose processors differ: refused, or held to what all share."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest
from clusters import without_waiting

from cord.engines.nodes import anew, facts, level
from cord.errors import CordError

if level._LEVELS.get(platform.machine()) is None or level.lacks(facts.flags()):
    pytest.skip("this machine's processor is below the level", allow_module_level=True)

LEVEL = level.level()
PLAN = "[remote.work]\nreplicas = 1\npure = true\ncallstyle = 'async'\ninline = false\n"
WORK = """
    import os, subprocess, sys

    def features(n):
        import numpy
        try:
            from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
        except ImportError:
            from numpy.core._multiarray_umath import __cpu_dispatch__, __cpu_features__
        return [name for name in __cpu_dispatch__ if __cpu_features__[name]]

    def core(n):
        import ctypes, numpy
        with open("/proc/self/maps") as maps:
            found = [line.split()[-1] for line in maps if "scipy_openblas" in line]
        if not found:
            return "?"
        name = ctypes.CDLL(found[0]).scipy_openblas_get_corename64_
        name.restype = ctypes.c_char_p
        return name().decode()

    def variables(n):
        return {name: value for name, value in os.environ.items() if "PYTHON" not in name}

    def square(n):
        return n * n
"""
LOCAL = """
    import importlib.util, work
    spec = importlib.util.spec_from_file_location("local", work.__file__)
    local = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(local)
"""


@pytest.fixture
def held(far, through, monkeypatch):
    """Lays a program out; its node is what a script of `beside/` makes of it."""
    for name in list(os.environ):  # some machines have such variables for all programs
        if name.startswith(("NPY_", "OPENBLAS_")):
            monkeypatch.delenv(name)

    def write(main: str, cpu: str = "baseline", by: str = ""):
        launch = through(by) if by else "{agent}"
        engine = f'kind = "command"\nlaunch = "{launch}"\ncpu = "{cpu}"\n'
        return far.write(plan=PLAN, engine=engine, work=WORK, main=main)

    return write


def test_libraries_keep_to_the_level_in_the_program_and_on_nodes(held):
    pytest.importorskip("numpy")
    far = held(
        f"""{LOCAL}
    print(work.features(1), local.features(1))
    print(work.core(1), local.core(1))
    """
    )
    code, stdout, stderr = far.run()
    assert (code, stderr) == (0, "")
    features, core = stdout.splitlines()
    wanted = [name for name in level._numpy_has() if name in LEVEL.numpy]
    assert features == f"{wanted} {wanted}"
    core_type = LEVEL.variables["OPENBLAS_CORETYPE"].upper()
    assert core.upper() in (f"{core_type} {core_type}", "? ?")


def test_the_program_does_not_see_how_they_are_told(held, monkeypatch):
    monkeypatch.delenv("CORD_TESTS_SEED", raising=False)
    far = held(
        f"""{LOCAL}
    import os, sys
    same = work.variables(1), local.variables(1)
    print([name for name in same[1] if name.startswith(("CORD", "NPY", "OPENBLAS"))])
    print({{name for name in set(same[0]) ^ set(same[1]) if "THREADS" not in name}})
    """
    )
    assert far.run() == (0, "[]\nset()\n", "")


def test_what_is_set_for_a_library_stays_so_and_is_seen(held):
    far = held("import work\nseen = work.variables(1)\nprint(seen['OPENBLAS_CORETYPE'])\n")
    assert far.run(OPENBLAS_CORETYPE="Nehalem") == (0, "Nehalem\n", "")


@pytest.mark.parametrize(("cpu", "serves"), [("same", False), ("baseline", True), ("any", True)])
def test_a_processor_with_more_is_refused_or_held_back(held, cpu: str, serves: bool):
    far = held("import work\nprint(work.square(3))", cpu, by="other_processor.py")
    code, stdout, stderr = far.run()
    if serves:
        assert (code, stdout, stderr) == (0, "9\n", "")
    else:
        assert (code, stdout) == (2, "")
        assert '"baseline" has all compute alike' in stderr


def test_a_processor_below_the_level_is_refused(held):
    far = held("import work\nprint(work.square(3))", by="older_processor.py")
    code, stdout, stderr = far.run(LACKS=LEVEL.flags[0])
    assert (code, stdout) == (2, "")
    assert f"the processor has no {LEVEL.flags[0]}, which {LEVEL.name} has" in stderr


def test_a_program_that_runs_already_must_have_begun_so(held):
    far = held(
        """
        import cord, work
        with cord.session("cord.toml"):
            print(work.square(3))
        """
    )

    def run(**more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "main.py"],
            cwd=far.folder,
            env=far._environment(more),
            capture_output=True,
            text=True,
            check=False,
        )

    done = run()
    assert done.returncode == 1
    assert "is for an interpreter to know when it starts" in done.stderr
    done = run(**level.variables({}))
    assert (done.stdout, without_waiting(done.stderr)) == ("9\n", "")


def test_what_numpy_is_told_comes_to_what_it_is_told_already(monkeypatch):
    monkeypatch.setattr(level, "_numpy_has", lambda: [*sorted(LEVEL.numpy), "X", "Y"])
    name = "NPY_DISABLE_CPU_FEATURES"
    assert level.variables({})[name] == "X Y"
    assert level.variables({name: "Y,Z"})[name] == "Y Z X"
    assert name not in level.variables({name: "X Y"})
    assert name not in level.variables({"NPY_ENABLE_CPU_FEATURES": "X"})


def test_where_numpy_cannot_be_asked_that_is_an_error(monkeypatch):
    pytest.importorskip("numpy")
    monkeypatch.setattr(level, "_ASK_NUMPY", "raise ImportError('it is broken')")
    with pytest.raises(CordError, match="ImportError: it is broken"):
        level.variables({})


def test_other_machines_have_no_level(monkeypatch):
    monkeypatch.setattr(level.platform, "machine", lambda: "riscv64")
    with pytest.raises(CordError, match="all riscv64 processors share"):
        level.level()


def test_hidden_variables_are_what_they_were(monkeypatch):
    monkeypatch.setenv("CORD_ONE", "new")
    monkeypatch.setenv("CORD_TWO", "new")
    noted = anew.note({"CORD_ONE": "new", "CORD_TWO": "new"}, {"CORD_TWO": "old=x"})
    anew.hide(noted)
    assert "CORD_ONE" not in os.environ
    assert os.environ["CORD_TWO"] == "old=x"
    shown = subprocess.check_output(["sh", "-c", "echo $CORD_ONE $CORD_TWO"], text=True)
    assert shown == "new new\n"
