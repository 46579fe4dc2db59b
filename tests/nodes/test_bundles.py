"""Bundles of a program's files, and what nodes keep of them."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from cord.engines.nodes import bundle, kept_code
from cord.engines.nodes.bundle import Bundle, digest_of, unpack
from cord.engines.nodes.kept_code import Cache, Unpacked, cache_folder
from cord.errors import CordError
from cord.plan.project import Needed


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project."""
    made = tmp_path / "project"
    (made / "pkg" / "deep").mkdir(parents=True)
    for name, text in {
        "a.py": "import json, numpy.linalg\nfrom pkg.deep import b\n",
        "pkg/__init__.py": "def f():\n    from . import late\n",
        "pkg/late.py": "import a\n",
        "pkg/deep/__init__.py": "",
        "pkg/deep/b.py": "import namespace.c\n",
        "pkg/other.py": "",
        "namespace/c.py": "syntax error\n",
    }.items():
        (made / name).parent.mkdir(exist_ok=True)
        (made / name).write_text(text)
    return made


def names(folder: Path, needed: Needed) -> list[str]:
    return sorted(os.path.relpath(source, folder) for source in needed.sources)


def test_imports_are_followed_through_the_project(folder):
    needed = Needed([str(folder)], lambda source: source.startswith(str(folder)))
    needed.follow(["a"])
    assert names(folder, needed) == [
        *("a.py", "namespace/c.py", "pkg/__init__.py", "pkg/deep/__init__.py", "pkg/deep/b.py"),
        "pkg/late.py",
    ]
    assert needed.others == {"json", "numpy"}


def test_a_script_is_followed_too(folder):
    (folder / "main.py").write_text("import pkg.other\n")
    needed = Needed([str(folder)], lambda source: source.startswith(str(folder)))
    needed.follow_script(str(folder / "main.py"))
    assert names(folder, needed) == [
        *("a.py", "main.py", "namespace/c.py", "pkg/__init__.py", "pkg/deep/__init__.py"),
        *("pkg/deep/b.py", "pkg/late.py", "pkg/other.py"),
    ]


def test_what_is_unpacked_is_what_was_packed(folder, tmp_path):
    script = folder / "run.sh"
    script.write_bytes(b"\0\1")
    script.chmod(0o755)
    paths = [str(script), str(folder / "pkg" / "late.py")]
    made = Bundle(str(folder), paths)
    assert made.digest == Bundle(str(folder), reversed(paths)).digest == digest_of(made.content)
    into = tmp_path / "into"
    into.mkdir()
    unpack(made.content, str(into))
    for name in ("run.sh", "pkg/late.py"):
        had, has = (folder / name).stat(), (into / name).stat()
        assert (had.st_mtime_ns, had.st_mode) == (has.st_mtime_ns, has.st_mode)
        assert (folder / name).read_bytes() == (into / name).read_bytes()


def test_the_digest_goes_by_what_is_in_the_files(folder):
    paths = [str(folder / "a.py")]
    first = Bundle(str(folder), paths).digest
    (folder / "a.py").write_text("import sys\n")
    assert Bundle(str(folder), paths).digest != first


@pytest.mark.parametrize("name", ["/etc/x", "../x", "a/../../x"])
def test_nothing_is_unpacked_outside(tmp_path, name: str, monkeypatch):
    source = tmp_path / "a"
    source.write_text("")
    monkeypatch.setattr(bundle.os.path, "relpath", lambda *_: name)
    made = Bundle(str(tmp_path), [str(source)])
    with pytest.raises(ValueError, match="outside"):
        unpack(made.content, str(tmp_path))


def test_too_much_is_refused(folder, monkeypatch):
    monkeypatch.setattr(bundle, "LARGEST", 10)
    with pytest.raises(CordError, match="have more than 0 MiB"):
        Bundle(str(folder), [str(folder / "a.py")])


def test_a_file_that_is_gone_is_named(folder):
    with pytest.raises(CordError, match=r"cannot send .*gone\.py to nodes: No such file"):
        Bundle(str(folder), [str(folder / "gone.py")])


class Fetching:
    """Counts how often something is fetched."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.digest = digest_of(content)
        self.times = 0

    def __call__(self) -> bytes:
        self.times += 1
        return self.content


def test_what_is_kept_is_not_fetched_again(tmp_path):
    fetching, cache = Fetching(b"one"), Cache(str(tmp_path))
    assert [cache.get(fetching.digest, fetching) for _ in range(3)] == [b"one"] * 3
    assert fetching.times == 1


def test_without_a_folder_nothing_is_kept():
    fetching, cache = Fetching(b"one"), Cache(None)
    assert [cache.get(fetching.digest, fetching) for _ in range(2)] == [b"one"] * 2
    assert fetching.times == 2


def test_what_is_not_what_its_digest_says_is_refused(tmp_path):
    with pytest.raises(ValueError, match="not the bundle"):
        Cache(str(tmp_path)).get(digest_of(b"two"), lambda: b"one")
    assert list(tmp_path.glob("*.bundle")) == []


def test_what_was_not_used_for_long_is_forgotten_and_so_is_too_much(tmp_path, monkeypatch):
    cache = Cache(str(tmp_path))
    kept = [Fetching(bytes([number]) * 100) for number in range(4)]
    for age, one in enumerate(kept[:3]):
        cache.get(one.digest, one)
        at = time.time() - (40 * 24 * 3600 if age == 0 else 100 - age)
        os.utime(tmp_path / f"{one.digest}.bundle", (at, at))
    monkeypatch.setattr(kept_code, "_ROOM", 150)
    cache.get(kept[3].digest, kept[3])
    there = {path.stem for path in tmp_path.glob("*.bundle")}
    assert there == {kept[2].digest, kept[3].digest}


def test_bundles_are_kept_where_nobody_else_writes(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.setattr(kept_code.tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    folder = tmp_path / "caches" / "cord" / "code"
    assert cache_folder() == str(folder)
    for other in (folder, folder.parent):
        other.chmod(0o777)
        assert str(cache_folder()).startswith(str(tmp_path / "temporary"))
        other.chmod(0o700)
    assert cache_folder() == str(folder)


def test_an_unpacked_one_goes_with_its_run_and_what_was_left_with_the_next(folder, monkeypatch):
    content = Bundle(str(folder), [str(folder / "a.py")]).content
    temporary = folder.parent / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(kept_code.tempfile, "tempdir", str(temporary))
    left = temporary / f"{kept_code._UNPACKED}left"
    left.mkdir()
    one = Unpacked(content)
    assert (Path(one.folder) / "a.py").exists()
    old = time.time() - 1000
    os.utime(left, (old, old))
    os.utime(one.folder, (old, old))
    other = Unpacked(content)
    assert sorted(temporary.iterdir()) == sorted([Path(one.folder), Path(other.folder)])
    one.remove()
    other.remove()
    assert list(temporary.iterdir()) == []


def test_a_user_without_a_home_gets_no_folder_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as for an unknown user
    cache_folder()
    assert os.listdir(tmp_path) == []
