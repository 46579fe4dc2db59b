"""A warm run of a program analyses nothing, as long as nothing has changed that matters."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from kept_lab import Program, Ran

from cord import kept
from cord.kept import Kept
from cord.plan.outlines import Outlines

Make = Callable[..., Program]

PLAN = """
[remote.work]
replicas = 2
callstyle = "async"
pure = true
"""

WORK = """
def f(x):
    return x + 1

def g(x):
    return x * 10
"""

MAIN = """
from functools import lru_cache
import helpers
from work import f

def adder(n):
    def add(x, by=n):
        return f(x) + by
    return add

@lru_cache
def once(x):
    return f(x)

class Sum:
    def __init__(self):
        self.total = 0

    def add(self, x):
        self.total += f(x)

def main():
    total = Sum()
    for x in range(5):
        total.add(x)
        print(helpers.both(x), adder(3)(x), once(x % 2))
    print(total.total, sum(f(x) for x in range(4)), list(map(f, [1, 2])))
    print(sorted([3, 1, 2], key=lambda x: -f(x)), helpers.walk(3))

main()
"""

HELPERS = """
from work import f, g

def both(x):
    return g(f(x))

def walk(n):
    return f(0) if n == 0 else g(walk(n - 1))
"""

FILES = {"main": MAIN, "helpers": HELPERS, "work": WORK, "plan": PLAN}


@pytest.fixture
def warm(program: Make) -> Program:
    """A program that has run, until there was nothing left to analyse."""
    made = program(**FILES)
    assert made.run().analysed
    made.warm()
    return made


def test_a_warm_run_analyses_nothing_and_shows_the_same(program: Make) -> None:
    made = program(**FILES)
    plain, cold, second = made.plain(), made.run(), made.warm()
    assert min(cold.counts.values()) > 0
    assert set(second.counts.values()) == {0}
    assert cold.stdout == second.stdout == plain.stdout
    assert second.stderr == ""


def test_a_warm_run_does_not_even_import_the_translator(program: Make) -> None:
    main = "import sys\nfrom work import f\nprint([f(x) for x in range(3)])\n"
    main += (
        "print([name for name in ('ast', 'cord.translate.sites.survey') if name in sys.modules])\n"
    )
    made = program(main=main, work=WORK, plan=PLAN)
    made.warm()
    assert made.plain("-m", "cord", "run", "main.py").stdout == "[1, 2, 3]\n[]\n"


def test_nor_is_anything_analysed_for_a_module_that_is_run_with_m(program: Make) -> None:
    files = {**FILES, "app__run": MAIN}
    made = program(**files)
    cold, second = made.run("-m", "app.run"), made.warm("-m", "app.run")
    assert cold.analysed
    assert cold.stdout == second.stdout == made.plain("-m", "app.run").stdout


def test_nor_for_a_program_of_one_file(program: Make) -> None:
    text = "def f(x):\n    return x + 1\n\nfor x in range(3):\n    print(f(x))\n"
    made = program(main=text, plan=PLAN.replace("work", "main"))
    cold, second = made.run(), made.warm()
    assert cold.analysed
    assert cold.stdout == second.stdout == "1\n2\n3\n"


def test_nor_for_a_plan_that_names_functions(program: Make) -> None:
    plan = PLAN + 'only = ["f", "g"]\n\n[remote.work.functions.g]\ncallstyle = "sync"\n'
    made = program(**{**FILES, "plan": plan})
    assert made.run().analysed
    made.warm()


def test_nor_for_a_remote_module_that_the_program_finds_at_run_time(program: Make) -> None:
    main = "import sys\nsys.path.append('lib')\nimport helpers\nprint(helpers.both(1))\n"
    made = program(**{**FILES, "main": main, "lib__work": WORK})
    (made.folder / "work.py").unlink()
    assert made.run().analysed
    made.warm()
    made.write(helpers="def both(x):\n    return x\n")
    assert made.run().code == 2  # nothing imports the module any more


# ---- what makes a run analyse again -------------------------------------------------------------


def edited(name: str, old: str, new: str) -> Callable[[Program], Ran]:
    def change(made: Program) -> Ran:
        assert old in FILES[name]
        made.write(**{name: FILES[name].replace(old, new)})
        return made.run()

    change.__name__ = f"{name}: {new}"
    return change


def a_new_file_in_front_of_a_library(made: Program) -> Ran:
    made.write(functools="def lru_cache(function):\n    return function\n")
    return made.run()


def a_module_removed(made: Program) -> Ran:
    made.write(main=MAIN.replace("import helpers", "try:\n    import helpers\nexcept: exit(3)"))
    made.run()
    (made.folder / "helpers.py").unlink()
    return made.run()


def optimised(made: Program) -> Ran:
    return made.run(flags=("-O",))


def without_columns(made: Program) -> Ran:
    return made.run(flags=("-X", "no_debug_ranges"))


def another_folder(made: Program) -> Ran:
    other = Program(made.folder.with_name("other"))
    shutil.copytree(made.folder, other.folder)
    return other.run()


CHANGES = [
    edited("main", "range(5)", "range(6)"),
    edited("helpers", "g(f(x))", "f(g(x))"),
    edited("work", "def g", "g = f\ndef _g"),
    edited("work", "x * 10", "x * 20"),
    edited("plan", '"async"', '"sync"'),
    edited("plan", "pure = true", 'pure = true\n[assume]\npure = ["helpers.both"]'),
    edited("plan", "pure = true", 'pure = true\nonly = ["f"]'),
    a_new_file_in_front_of_a_library,
    a_module_removed,
    optimised,
    without_columns,
    another_folder,
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_that_matters_is_seen(warm: Program, change: Callable[[Program], Ran]) -> None:
    ran = change(warm)
    assert ran.analysed
    folder = warm.folder.with_name("other")
    made = Program(folder) if folder.exists() else warm
    assert (ran.stdout, ran.code) == (made.plain().stdout, made.plain().code)


@pytest.mark.parametrize(
    "change",
    [
        edited("plan", "replicas = 2", "replicas = 1"),
        edited("plan", "pure = true", "pure = true\nblas_threads = 1"),
    ],
    ids=lambda change: change.__name__,
)
def test_a_change_that_does_not_matter_is_none(
    warm: Program, change: Callable[[Program], Ran]
) -> None:
    ran = change(warm)
    assert ran.counts["rewrite"] == 0
    assert ran.stdout == warm.plain().stdout


def test_two_plans_do_not_drive_each_other_out(warm: Program) -> None:
    assert warm.run("--set", "remote.work.callstyle=sync", "main.py").analysed
    warm.warm()
    warm.warm("--set", "remote.work.callstyle=sync", "main.py")


def test_what_a_run_did_not_come_to_is_analysed_when_one_does(program: Make) -> None:
    main = "import sys\nfrom work import f\nif sys.argv[1:]:\n    print([f(x) for x in range(3)])\n"
    made = program(main=main, work=WORK, plan=PLAN)
    made.run()
    made.warm()
    first, second = made.run("main.py", "all"), made.warm("main.py", "all")
    assert first.counts["emit"] > 0
    assert first.stdout == second.stdout == "[1, 2, 3]\n"


def test_a_file_that_changes_while_the_program_runs_changes_nothing_in_it(program: Make) -> None:
    main = """
    import sys
    from work import f
    import helpers
    if sys.argv[1:]:
        with open("helpers.py", "a") as file:
            file.write("\\n\\ndef both(x):\\n    return 0\\n")
        print([helpers.both(x) for x in range(3)])
    """
    made = program(main=main, helpers=HELPERS, work=WORK, plan=PLAN)
    made.run()
    assert made.run("main.py", "all").stdout == "[10, 20, 30]\n"
    assert made.run("main.py", "all").stdout == "[0, 0, 0]\n"


# ---- the file ------------------------------------------------------------------------------------


def truncated(data: bytes) -> bytes:
    return data[: len(data) // 2]


def empty(_data: bytes) -> bytes:
    return b""


def one_bit_flipped(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


def something_else(_data: bytes) -> bytes:
    return os.urandom(1000)


@pytest.mark.parametrize("damage", [truncated, empty, one_bit_flipped, something_else])
def test_a_damaged_file_is_written_anew(warm: Program, damage: Callable[[bytes], bytes]) -> None:
    for path in warm.kept():
        path.write_bytes(damage(path.read_bytes()))
    ran, after = warm.run(), warm.warm()
    assert ran.analysed
    assert ran.stdout == after.stdout == warm.plain().stdout
    assert ran.stderr == ""


def test_where_no_file_can_be_written_none_is_missed(program: Make) -> None:
    made = program(**FILES)
    (made.folder / "__pycache__").write_text("in the way")
    for _ in range(2):
        ran = made.run()
        assert (ran.stdout, ran.stderr, ran.code) == (made.plain().stdout, "", 0)
        assert ran.analysed


def test_bytecode_that_is_not_to_be_written_is_not(program: Make) -> None:
    made = program(**FILES)
    made.run(PYTHONDONTWRITEBYTECODE="1")
    made.run(flags=("-B",))
    assert not (made.folder / "__pycache__").exists()
    made.run()
    before = {path: path.read_bytes() for path in made.kept()}
    made.warm(flags=("-B",))
    made.write(main=MAIN + "\n")
    assert made.run(flags=("-B",)).analysed
    assert {path: path.read_bytes() for path in made.kept()} == before


def test_it_lies_where_bytecode_lies(program: Make, tmp_path: Path) -> None:
    made = program(**FILES)
    prefix = tmp_path / "prefix"
    assert made.run(PYTHONPYCACHEPREFIX=str(prefix)).analysed
    made.warm(PYTHONPYCACHEPREFIX=str(prefix))
    assert not (made.folder / "__pycache__").exists()
    assert len(list(prefix.rglob("main.*.cord"))) == 3


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_file_that_belongs_to_somebody_else_is_not_used(warm: Program) -> None:
    for path in warm.kept():
        os.chown(path, 65534, 65534)
    assert warm.run().analysed
    warm.warm()


def test_a_folder_that_python_would_load_no_code_from_is_not_used(warm: Program) -> None:
    flags = ("-P",)
    assert warm.run(flags=flags, PYTHONPATH=str(warm.folder)).analysed


def test_another_cord_finds_nothing_that_it_could_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    source = str(tmp_path / "main.py")
    Path(source).touch()
    first = Kept(source, key=("plan",))
    first[("question", 1)] = ("answer", [1, {2: None}])
    first[("never kept",)] = object()
    first.save()
    assert ("never kept",) not in Kept(source, key=("plan",))
    assert Kept(source, key=("plan",))["question", 1] == ("answer", [1, {2: None}])
    assert ("question", 1) not in Kept(source, key=("another plan",))
    monkeypatch.setattr(kept, "_cord", lambda: ("another",))
    assert ("question", 1) not in Kept(source, key=("plan",))


def test_it_is_for_those_who_may_read_the_program(program: Make) -> None:
    made = program(**FILES)
    (made.folder / "main.py").chmod(0o600)
    made.run()
    assert {path.stat().st_mode & 0o777 for path in made.kept()} == {0o600}


def test_a_program_that_removes_its_folder_does_not_find_it_again(program: Make) -> None:
    main = "import shutil\nfrom work import f\nprint(f(1))\nshutil.rmtree('.')\n"
    made = program(main=main, work=WORK, plan=PLAN)
    made.run()
    assert not made.folder.exists() or not list(made.folder.iterdir())


def test_removing_the_files_is_all_it_takes_to_forget(warm: Program) -> None:
    for path in warm.kept():
        assert path.parent.name == "__pycache__"
        path.unlink()
    assert warm.run().analysed
    warm.warm()


def test_runs_at_the_same_time_do_not_disturb_one_another(program: Make) -> None:
    made = program(**FILES)
    processes = [made.start(number=number) for number in range(4)]
    ran = [made.end(process, number) for number, process in enumerate(processes)]
    assert {one.stdout for one in ran} == {made.plain().stdout}
    assert {one.stderr for one in ran} == {""}
    made.warm()
    assert len(list((made.folder / "__pycache__").iterdir())) == len(made.kept()) + 1  # work.pyc


@pytest.mark.parametrize(
    ("ending", "is_kept"),
    [
        ("raise ValueError", True),
        ("sys.exit(3)", True),
        ("os._exit(3)", False),
        ("os.kill(os.getpid(), 15)", False),
        ("sys.exit(3 if os.fork() else 0)", True),
    ],
)
def test_a_program_may_end_as_it_likes(program: Make, ending: str, is_kept: bool) -> None:
    main = f"import os, sys\nfrom work import f\nprint(f(1), flush=True)\n{ending}\n"
    made = program(main=main, work=WORK, plan=PLAN)
    first = made.run()
    assert first.stdout.startswith("2\n")
    # what is kept of it; a check that ran beside it may have come to its end, too
    kept = [path for path in made.kept() if not path.name.endswith(".check.cord")]
    assert bool(kept) == is_kept
    second = made.run()
    assert second.code == first.code == made.plain().code
    if is_kept:
        assert not [
            path for path in made.folder.rglob("*") if path.name.endswith((".tmp", ".cord."))
        ]


# ---- what compiling shows ------------------------------------------------------------------------


def test_the_script_warns_at_each_start_as_under_python(program: Make) -> None:
    made = program(main='from work import f\nprint(f(1), "\\d", 1 is 2)\n', work=WORK, plan=PLAN)
    flags = ("-W", "always")
    expected = made.plain(flags=flags).stderr
    assert "SyntaxWarning" in expected
    for _ in range(2):
        assert made.run(flags=flags).stderr == expected
    failing = made.run(flags=("-W", "error"))
    assert failing.code == 1
    assert (
        failing.stderr.splitlines()[-1] == made.plain(flags=("-W", "error")).stderr.splitlines()[-1]
    )


def test_modules_warn_when_they_are_compiled_as_under_python(program: Make) -> None:
    made = program(**FILES)
    made.write(helpers=HELPERS + 'PATTERN = "\\d"\n')
    flags = ("-W", "always")
    expected = made.plain(flags=flags).stderr
    assert "invalid escape sequence" in expected
    assert made.run(flags=flags).stderr == expected
    assert made.warm(flags=flags).stderr == ""


def test_the_plan_does_not_warn_of_what_a_remote_module_will(tmp_path: Path) -> None:
    path = tmp_path / "work.py"
    path.write_text(WORK + 'PATTERN = "\\d"\n')
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Outlines("").of(str(path)).public_functions() == ["f", "g"]


def test_the_scripts_sets_are_walked_as_under_python(program: Make) -> None:
    main = """
    from work import f
    for x in {8, 0, 16}:
        print(f(x))
    print([x for x in {24, 8, "a", "b", (1, 2)}], {True} == {1})
    print(list({"red", "green", "blue"}), list({"one", "two", "three", "four", "five"}))
    for x in {True}:
        print(x)
    for x in {1}:
        print(x)
    """
    made = program(main=main, work=WORK, plan=PLAN)
    expected = made.plain().stdout
    cold, second = made.run(), made.warm()
    assert cold.stdout == second.stdout == expected
