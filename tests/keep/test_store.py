"""The store: what a run leaves in it whatever happens, and what is read of it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from keep.project import PLAN, Project

FILES = {
    "work.py": "import time\n\n\ndef f(n):\n    time.sleep(0.002)\n    return 'x' * 99 + str(n)\n",
    "main.py": "import work\nfor n in range(300):\n    print(work.f(n))\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A program with many calls."""
    return Project(tmp_path, FILES)


def logs(project: Project) -> list[Path]:
    """What runs have written."""
    return sorted((project.folder / ".cord" / "kept").glob("*.log"))


def test_a_run_goes_on_where_one_was_killed(project: Project) -> None:
    """Whenever that was: the next one is right, and makes again no more than a second holds."""
    random.seed(7)
    most = 0
    for _ in range(4):
        run = subprocess.Popen(
            [sys.executable, "-m", "cord", "run", "main.py"],
            cwd=project.folder,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert run.stdout is not None
        lines = random.randrange(2, 150)
        most = max(most, lines)
        for _ in range(lines):
            run.stdout.readline()
        run.send_signal(signal.SIGKILL)
        run.wait()
        run.stdout.close()
    time.sleep(0.5)  # replicas hear of it
    hits, kept = project.same()["work.f"]
    assert hits > most - 5
    assert kept + hits >= 300
    assert project.same()["work.f"][1] == 0


def test_runs_at_once_share_a_store(project: Project) -> None:
    """None waits for another whose calls are other ones, and each writes its own log."""
    words = [sys.executable, "-m", "cord", "run", "main.py"]
    worlds = [os.environ, *({**os.environ, "CORD_KEEP_SALT": salt} for salt in "12")]
    runs = [
        subprocess.Popen(words, cwd=project.folder, env=world, stdout=subprocess.PIPE, text=True)
        for world in worlds
    ]
    plain = project.plain()
    assert [run.communicate()[0] for run in runs] == [plain] * 3
    assert len(logs(project)) == 3
    assert project.same()["work.f"][1] == 0


def test_what_is_damaged_is_not_there(project: Project) -> None:
    """In any byte, and at any length."""
    project.same()
    (log,) = logs(project)
    whole, index = log.read_bytes(), log.with_suffix(".index")
    random.seed(3)
    for _ in range(3):
        data = bytearray(whole)
        for _ in range(40):
            data[random.randrange(len(data))] ^= 1 << random.randrange(8)
        log.write_bytes(bytes(data[: random.randrange(len(data))]))
        for one in logs(project):
            if one != log:
                one.unlink()
                one.with_suffix(".index").unlink(missing_ok=True)
        if random.random() < 0.5:
            index.unlink(missing_ok=True)
        hits, _ = project.same()["work.f"]
        assert hits < 350


@pytest.mark.parametrize("content", [b"", b"cordkep9rest", b"\0" * 99])
def test_a_file_of_another_version_is_passed_over(project: Project, content: bytes) -> None:
    """Nobody knows what is in it."""
    folder = project.folder / ".cord" / "kept"
    folder.mkdir(parents=True)
    (folder / "1.log").write_bytes(content)
    (folder / "1.index").write_bytes(content)
    assert project.same()["work.f"][0] < 50


def test_a_store_that_others_may_write_to_is_not_read(project: Project) -> None:
    """To read a value is to run what its writer wants."""
    project.same()
    (project.folder / ".cord" / "kept").chmod(0o777)
    run = project.cord()
    assert run.stdout == project.plain()
    assert "nothing more was kept of calls: " in run.stderr
    assert "it is not yours alone to write" in run.stderr
    (project.folder / ".cord" / "kept").chmod(0o700)
    logs(project)[0].chmod(0o666)
    assert project.same()["work.f"][1] >= 300


def test_where_nothing_can_be_written_the_run_goes_on(project: Project) -> None:
    """It says so in one line."""
    (project.folder / ".cord").write_text("a file")
    run = project.cord()
    assert run.stdout == project.plain()
    assert run.stderr.count("nothing more was kept of calls: ") == 1


def test_a_full_disk(project: Project) -> None:
    """The same."""
    project.write("cord.toml", PLAN + "kept = '/dev/full/kept'\n")
    run = project.cord()
    assert run.stdout == project.plain()
    assert run.stderr.count("nothing more was kept of calls: ") == 1


def test_a_store_stays_as_small_as_the_plan_says(project: Project) -> None:
    """What was used last stays."""
    project.write("cord.toml", PLAN + "kept_bytes = '20KiB'\n")
    project.same()
    size = sum(one.stat().st_size for one in (project.folder / ".cord" / "kept").glob("*.*g"))
    assert 10_000 < size < 21_000
    hits, _ = project.same()["work.f"]
    assert hits > 20


def test_many_logs_become_one(project: Project) -> None:
    """Each run that has kept something has left one."""
    project.edit("main.py", "range(300)", "range(int(os.environ['UPTO']))")
    project.edit("main.py", "import work", "import os, work")
    project.write("work.py", "def f(n):\n    return n\n")
    project.edit("cord.toml", "replicas = 2", "replicas = 1")
    for upto in range(1, 28):
        assert project.cord(UPTO="3", CORD_KEEP_SALT=str(upto)).returncode == 0
    assert len(logs(project)) < 20
    project.same(UPTO="3", CORD_KEEP_SALT="2")
    assert project.told()["work.f"][1] == 0


def test_large_values_and_arrays_come_back(tmp_path: Path) -> None:
    """Beside the pickle, as they went."""
    pytest.importorskip("numpy")
    work = "import numpy\n\n\ndef f(n):\n    return numpy.arange(n * 200_000), 'y' * n * 10**6\n"
    main = "import work\nfor n in range(3):\n    a, b = work.f(n)\n    print(a.sum(), len(b))\n"
    project = Project(tmp_path, {"work.py": work, "main.py": main})
    assert project.same()["work.f"][1] >= 3
    assert project.same()["work.f"][0] >= 3


def test_nothing_is_opened_without_keep(project: Project) -> None:
    """There is no folder."""
    project.edit("cord.toml", "keep = true", "keep = false")
    assert project.cord().stdout == project.plain()
    assert not (project.folder / ".cord").exists()
    assert os.listdir(project.folder)


def test_a_time_to_live(project: Project) -> None:
    """What is younger than `ttl` is of use; what is older, see `kept/tests.rs`."""
    project.edit("main.py", "range(300)", "range(9)")
    project.edit("cord.toml", "keep = true", "keep = true\nttl = '30d'")
    assert project.same()["work.f"][1] >= 9
    assert project.same()["work.f"][1] == 0


def test_large_texts_are_compressed(project: Project) -> None:
    """And come back as they were; what does not get smaller is left as it is."""
    gives = "'word ' * 40_000, random.Random(n).randbytes(9999)"
    work = f"import random\n\n\ndef f(n):\n    return {gives}\n"
    project.write("work.py", work)
    project.write("main.py", "import work\nfor n in range(5):\n    print(hash(str(work.f(n))))\n")
    assert project.same(PYTHONHASHSEED="1")["work.f"][1] >= 5
    assert project.same(PYTHONHASHSEED="1")["work.f"][1] == 0
    assert sum(log.stat().st_size for log in logs(project)) < 200_000
