"""Programs whose files nodes do not see: they are sent them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PLAN = """
    [remote.work]
    replicas = 4
    repeatable = true
    callstyle = "async"
    inline = false
"""
SENT = 'kind = "command"\nnodes = {nodes}\nlaunch = """{launch}"""\ncode = "send"\n{more}\n'
WORK = """
    import os, sys, traceback
    from pathlib import Path
    import helper
    from parts import inner

    def where(n):
        return __file__, os.getcwd(), os.path.abspath("x"), sys.path[0], inner.__file__

    def read(n):
        with open("data/a.json") as file:
            relative = file.read(), file.name
        path = Path(__file__).parent / "data" / "a.json"
        with open(path) as file:
            absolute = file.read(), file.name, path.exists(), os.path.getsize(path)
        return relative, absolute, helper.double(n), inner.treble(n)

    def lists(n):
        folder = os.path.dirname(os.path.abspath(__file__))
        with os.scandir(os.path.join(folder, "data")) as entries:
            found = sorted((entry.path, entry.is_file()) for entry in entries)
        return found, sorted(map(str, Path(folder, "data").glob("*")))

    def lacks(n):
        told = []
        for name in ("no.json", os.path.join(os.path.dirname(__file__), "no.json"), "data"):
            try:
                open(name)
            except OSError as error:
                told.append((str(error), traceback.format_exc()))
        return told

    def fails(n):
        return helper.fail(n)
"""
FILES = {
    "helper": """
        def double(n):
            return 2 * n

        def fail(n):
            raise ValueError(
                f"{n} is wrong")
    """,
    "parts/__init__": "",
    "parts/inner": "from . import deeper\nfrom .deeper import treble\n",
    "parts/deeper": "def treble(n):\n    return 3 * n\n",
    "points": "class Point:\n    def __init__(self, x):\n        self.x = x\n",
}
MAIN = """
    import work
    for n in range(5):
        print(work.where(n), work.read(n), work.lists(n))
    for told, shown in work.lacks(0):
        print(told, shown)
    work.fails(7)
"""


@pytest.fixture
def cache(tmp_path_factory, monkeypatch) -> Path:
    """Where agents of this test keep bundles."""
    caches = tmp_path_factory.mktemp("caches")
    monkeypatch.setenv("XDG_CACHE_HOME", str(caches))
    monkeypatch.setenv("TMPDIR", str(tmp_path_factory.mktemp("unpacked")))
    return caches / "cord" / "code"


@pytest.fixture
def sent(far, through, cache):
    """Lays a program out whose nodes do not see it: they start in another folder."""

    def write(
        main: str = MAIN,
        more: str = 'files = ["data/*.json"]',
        launch: str = "",
        nodes: int = 1,
        **files: str,
    ):
        (far.folder / "parts").mkdir()
        (far.folder / "data").mkdir()
        (far.folder / "data" / "a.json").write_text('{"a": 1}\n')
        engine = SENT.format(nodes=nodes, launch=launch or through("elsewhere.py"), more=more)
        return far.write(plan=PLAN, engine=engine, main=main, **{"work": WORK, **FILES, **files})

    return write


def plain(far) -> tuple[int, str, str]:
    """What the program shows without Cord."""
    done = subprocess.run(
        [sys.executable, "main.py"], cwd=far.folder, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def left_behind() -> list[Path]:
    return list(Path(os.environ["TMPDIR"]).glob("cord-code-*"))


def bundles(cache: Path) -> list[Path]:
    return sorted(cache.glob("*.bundle"))


def test_it_shows_what_plain_python_shows_paths_and_tracebacks_too(sent):
    far = sent()
    assert far.run() == plain(far)
    assert left_behind() == []


def test_so_it_does_where_a_node_has_no_such_folder(sent, through):
    if shutil.which("unshare") is None or subprocess.call(["unshare", "-m", "true"]) != 0:
        pytest.skip("no namespace of mounts can be made here")
    far = sent(launch=through("blind.py"))
    assert far.run() == plain(far)
    shared = (far.folder / "cord.toml").read_text().replace('code = "send"', "").split("files")
    (far.folder / "cord.toml").write_text(shared[0] + shared[1].partition("\n")[2])
    code, _, stderr = far.run()
    assert code == 1
    assert "no replica of work could start" in stderr


def test_it_is_sent_once_to_a_node_and_kept_there(sent, through, cache):
    counted = through("counting.py")
    launch = f"sh -c 'mkdir -p a b; (cd a; {counted}) & (cd b; {counted}) & wait'"
    far = sent(main="import work\nprint(work.read(1))", launch=launch, nodes=2)
    (far.folder / "data" / "b.json").write_bytes(os.urandom(3_000_000))
    sizes = []
    for _ in range(2):
        assert far.run()[0] == 0
        sizes.append(sorted(int((far.folder / name / "sent").read_text()) for name in "ab"))
    assert [size > 3_000_000 for size in (*sizes[0], *sizes[1])] == [False, True, False, False]
    assert len(bundles(cache)) == 1


def test_a_file_that_changes_makes_another_bundle(sent, cache):
    far = sent(main="import work\nprint(work.read(1))")
    first = far.run()
    far.write(plan=PLAN, engine=SENT.format(nodes=1, launch="{agent}", more='files = ["data"]'))
    (far.folder / "helper.py").write_text("def double(n):\n    return 20 * n\n")
    second = far.run()
    assert (first[0], second[0]) == (0, 0)
    assert first[1].replace(", 2, 3)", ", 20, 3)") == second[1]
    assert len(bundles(cache)) == 2


def test_a_bundle_that_was_damaged_is_sent_again(sent, cache):
    far = sent(main="import work\nprint(work.read(1))")
    first = far.run()
    (kept,) = bundles(cache)
    content = kept.read_bytes()
    kept.write_bytes(content[:-1] + b"x")
    assert far.run() == first
    assert kept.read_bytes() == content


def test_what_the_program_alone_imports_is_there_for_what_it_passes(sent):
    far = sent(
        main="""
            import points, work
            print([work.abscissa(points.Point(n)) for n in range(4)])
        """,
        work="def abscissa(point):\n    return point.x\n",
    )
    assert far.run() == (0, "[0, 1, 2, 3]\n", "")


def test_what_a_function_writes_stays_on_its_node(sent):
    far = sent(
        main="""
            import os, work
            print(work.write(1), os.path.exists("note"))
        """,
        work="""
            import os
            def write(n):
                with open(os.path.join(os.path.dirname(__file__), "note"), "w") as file:
                    file.write("x")
                return os.path.exists("note"), os.listdir(os.getcwd()).count("note")
        """,
    )
    assert far.run() == (0, "(True, 1) False\n", "")
    assert left_behind() == []


def test_the_working_directory_may_be_a_folder_of_the_program(sent):
    far = sent(
        main="""
            import os, work
            os.chdir("data")
            print(work.here(1))
        """,
        work="""
            import os
            def here(n):
                return os.path.basename(os.getcwd()), open("a.json").read()
        """,
    )
    assert far.run() == plain(far)


def test_a_file_that_is_named_and_not_there_is_an_error(sent):
    far = sent(more='files = ["data/*.csv"]')
    code, stdout, stderr = far.run()
    assert (code, stdout) == (2, "")
    assert f"engine.files names data/*.csv, and there is no such file in {far.folder}" in stderr


def test_a_module_that_a_node_has_not_and_is_not_sent_is_named(sent, far, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "apart.py").write_text("def one():\n    return 1\n")
    launch = f"sh -c 'mv {outside}/apart.py {outside}/gone.py; exec \"$@\"' - {{agent}}"
    far = sent(
        main="import work\nprint(work.one(1))",
        work="import apart\ndef one(n):\n    return apart.one()\n",
        launch=launch,
    )
    code, stdout, stderr = far.run(PYTHONPATH=str(outside))
    assert (code, stdout) == (2, "")
    assert "there is no module apart: it is none of the files in the program's folder" in stderr


def test_cord_session_sends_them_too(sent):
    far = sent(
        main="""
            import cord, work
            with cord.session("cord.toml"):
                print(work.where(1), work.read(1))
        """
    )
    done = plain(far)
    assert (done[0], done[2]) == (0, "")
    assert done[1].count(str(far.folder)) == 6
