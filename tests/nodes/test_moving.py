"""Interpreters in which the program's folder is where it is on the program's machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from cord._core import Moved, Places

THERE = "/no/such/project"


def moved(here: Path, code: str) -> str:
    """What code prints where `THERE` is `here`."""
    start = f"from cord.engines.nodes.moving import move\nmove({THERE!r}, {str(here)!r})\n"
    done = subprocess.run(
        [sys.executable, "-P", "-c", start + f"THERE = {THERE!r}\n" + dedent(code)],
        cwd=here,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """Where this node has the folder."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.txt").write_text("a\n")
    return tmp_path


def test_paths_are_those_of_the_folder_alone():
    places = Places("/a/b", "/x", ["/a/b/.venv"])
    assert [places.of(path) for path in ("/a/b", "/a/b/c", "/a/bc", "/a", "b/c", "")] == [
        *("/x", "/x/c", None, None, None, None)
    ]
    assert places.of("/a/b/.venv/lib") is None
    assert (places.back("/x/c"), places.back("/xc"), places.back("/a/b")) == ("/a/b/c", None, None)


def test_a_moved_function_is_as_the_one_that_it_stands_for():
    def function(*args: object, **named: object) -> object:
        return args, named

    stands = Moved(function, Places("/a", "/x", []), 1)
    assert getattr(stands, "__name__") == "function"  # noqa: B009
    assert repr(stands) == repr(function)
    assert stands == function and stands in {function} and function in {stands}
    assert stands("/a/b", "/a/c", key="/a/d") == (("/x/b", "/a/c"), {"key": "/a/d"})
    assert stands(path="/a/b", n=1) == ((), {"path": "/x/b", "n": 1})
    assert stands(Path("/a/b"), b"/a") == (("/x/b", b"/a"), {})
    assert stands(b"/a/b") == ((b"/x/b",), {})
    assert stands(3) == ((3,), {})
    with pytest.raises(TypeError):
        Moved(None, Places("/a", "/x", []))()  # type: ignore[arg-type]

    class Holder:
        held = stands

    assert Holder().held("/a") == (("/x",), {})


def test_what_is_told_of_files_goes_by_the_program_s_names(here):
    shown = moved(
        here,
        """
        import os
        from pathlib import Path
        print(os.getcwd() == THERE, os.getcwdb() == THERE.encode(), Path.cwd() == Path(THERE))
        print(os.path.realpath("sub") == THERE + "/sub", os.path.isdir(THERE + "/sub"))
        with open(THERE + "/sub/a.txt") as file:
            print(file.read(), file.name == THERE + "/sub/a.txt")
        with open(THERE.encode() + b"/sub/a.txt", "rb", opener=os.open) as file:
            print(file.read())
        for root, folders, files in os.walk(THERE):
            print(root.removeprefix(THERE), folders, files)
        os.rename(THERE + "/sub/a.txt", THERE + "/b.txt")
        print(os.listdir(THERE) == os.listdir("."), Path(THERE, "b.txt").read_text())
        print([str(path).removeprefix(THERE) for path in sorted(Path(THERE).glob("**/*"))])
        """,
    )
    assert shown.splitlines() == [
        *("True True True", "True True", "a", " True", "b'a\\n'", " ['sub'] []"),
        *("/sub [] ['a.txt']", "True a", "", "['/b.txt', '/sub']"),
    ]


def test_errors_name_what_was_asked_for_and_show_no_frame_of_cord(here):
    shown = moved(
        here,
        """
        import os, traceback
        for act in (open, os.stat, os.listdir, os.scandir):
            try:
                act(THERE + "/none")
            except OSError:
                shown = traceback.format_exc()
                print(shown.count("File "), shown.splitlines()[-1])
        try:
            os.rename(THERE + "/none", THERE + "/more")
        except OSError as error:
            print(error.filename, error.filename2)
        """,
    )
    error = f"FileNotFoundError: [Errno 2] No such file or directory: '{THERE}/none'"
    assert shown.splitlines() == [*[f"1 {error}"] * 3, f"2 {error}", f"{THERE}/none {THERE}/more"]


def test_modules_have_the_program_s_names_and_their_text_is_found(here):
    (here / "one.py").write_text("def f():\n    return 1 / 0  # it fails\n")
    (here / "pack").mkdir()
    (here / "pack" / "two.py").write_text("three = 3\n")
    shown = moved(
        here,
        """
        import inspect, sys, traceback
        sys.path.insert(0, THERE)
        import one, pack.two
        print(one.__file__, one.__spec__.origin, type(one.__loader__).__name__, pack.__path__)
        print(one.f.__code__.co_filename, inspect.getsource(one.f).splitlines()[1])
        try:
            one.f()
        except ZeroDivisionError:
            print("it fails" in traceback.format_exc())
        """,
    )
    assert shown.splitlines() == [
        f"{THERE}/one.py {THERE}/one.py SourceFileLoader _NamespacePath(['{THERE}/pack'])",
        f"{THERE}/one.py     return 1 / 0  # it fails",
        "True",
    ]


def test_extension_modules_are_loaded_from_here(here):
    import _struct

    if not hasattr(_struct, "__file__"):
        pytest.skip("this interpreter has them built in")
    suffix = "".join(Path(_struct.__file__).suffixes)
    (here / f"_struct{suffix}").write_bytes(Path(_struct.__file__).read_bytes())
    shown = moved(
        here,
        """
        import sys
        sys.modules.pop("_struct", None)
        sys.path.insert(0, THERE)
        import _struct
        print(_struct.__file__.startswith(THERE), _struct.calcsize("i"))
        """,
    )
    assert shown == "True 4\n"
