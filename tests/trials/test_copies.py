"""Copies of the working directory that runs start from."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cord.errors import CordError
from cord.tools.trials import copies
from cord.tools.trials.copies import Workplace


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A folder with files, folders, links and what is not copied."""
    folder = tmp_path / "source"
    (folder / "data" / "deep").mkdir(parents=True)
    (folder / "data" / "deep" / "a.bin").write_bytes(b"\0\1")
    (folder / "main.py").write_text("print()\n")
    (folder / "main.py").chmod(0o755)
    (tmp_path / "outside.txt").write_text("outside")
    (folder / "data" / "inner").symlink_to("../main.py")
    (folder / "outer").symlink_to("../outside.txt")
    (folder / "gone").symlink_to("nowhere")
    for name in (".git", "env"):
        (folder / name).mkdir()
        (folder / name / "pyvenv.cfg").write_text("big")
    (folder / "data" / "__pycache__").mkdir()
    (folder / "data" / "__pycache__" / "x.pyc").write_text("")
    return folder


@pytest.fixture
def place(source: Path, tmp_path: Path) -> Workplace:
    """A filled copy."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    made = Workplace(str(source), str(scratch))
    made.fill()
    return made


def test_a_copy_is_like_the_source(place: Workplace, source: Path):
    copy = Path(place.path)
    assert place.files() == {"main.py": b"print()\n", "data/deep/a.bin": b"\0\1"}
    assert (copy / "main.py").stat().st_mode == (source / "main.py").stat().st_mode
    assert (copy / "main.py").stat().st_mtime == (source / "main.py").stat().st_mtime
    assert os.readlink(copy / "data" / "inner") == "../main.py"
    assert (copy / "outer").read_text() == "outside"
    assert (copy / "gone").is_symlink()
    assert [(copy / name).is_symlink() for name in (".git", "env")] == [True, True]


def test_filling_again_undoes_what_a_run_did(place: Workplace, source: Path):
    before = place.files()
    copy = Path(place.path)
    (copy / "main.py").unlink()
    (copy / "new" / "deep").mkdir(parents=True)
    (copy / "new" / "deep" / "b").write_text("b")
    assert place.files() != before
    place.fill()
    assert place.files() == before
    assert not (copy / "new").exists()
    assert (source / "env" / "pyvenv.cfg").exists()


def test_paths_into_the_source_are_relative_in_the_copy(place: Workplace, source: Path):
    assert place.translate(str(source / "data" / "x.py")) == "data/x.py"
    assert place.translate(str(source.parent / "x.py")) == str(source.parent / "x.py")
    assert place.inside(str(source)) == place.path
    assert place.inside("/elsewhere") == "/elsewhere"


@pytest.mark.parametrize(
    ("limit", "value", "said"),
    [("LARGEST", 3, "more than 0 MiB"), ("MOST", 2, "more than 2 files")],
)
def test_too_much_is_refused_in_a_sentence(source: Path, monkeypatch, limit, value, said):
    monkeypatch.setattr(copies, limit, value)
    with pytest.raises(CordError) as caught:
        Workplace(str(source), str(source.parent))
    assert said in caught.value.message
    assert caught.value.hint is not None


def test_an_interrupt_while_a_copy_is_removed_is_one(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_folder: str) -> None:
        try:
            raise KeyboardInterrupt
        finally:
            os.close(-1)  # as where a descriptor is closed twice

    scratch = tmp_path / "scratch"
    scratch.mkdir()
    place = Workplace(str(source), str(scratch))
    place.fill()
    monkeypatch.setattr(copies.shutil, "rmtree", interrupted)
    with pytest.raises(KeyboardInterrupt):
        place.fill()


def test_temporary_files_in_the_working_directory_are_not_copied(source: Path) -> None:
    scratch = source / "data" / "cord-verify-x"
    scratch.mkdir()
    made = Workplace(str(source), str(scratch))
    made.fill()
    made.fill()
    assert sorted(os.listdir(Path(made.path) / "data")) == ["__pycache__", "deep", "inner"]


def test_what_this_command_itself_writes_is_not_copied(source: Path, tmp_path: Path) -> None:
    """As in `cord init main.py > log.txt`."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    code = (
        "import sys; from cord.tools.trials.copies import Workplace\n"
        "made = Workplace(*sys.argv[1:]); made.fill()\n"
        "print(sorted(made.files()), file=sys.stderr)"
    )
    with open(source / "log.txt", "w", encoding="utf-8") as log:
        run = subprocess.run(
            [sys.executable, "-c", code, str(source), str(scratch)],
            stdout=log,
            stderr=subprocess.PIPE,
            text=True,
            check=True,
        )
    assert run.stderr == "['data/deep/a.bin', 'main.py']\n"
