"""`cord kept`, and what a run says of what is kept."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from keep.project import PLAN, Project

FILES = {
    "work.py": "K = 1\n\n\ndef f(n):\n    return n + K\n\n\n"
    "def g(n):\n    return open('x').read()\n",
    "main.py": "import work\nfor n in range(4):\n    print(work.f(n), work.g(n))\n",
    "x": "text",
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A program that has run once."""
    project = Project(tmp_path, FILES)
    project.same()
    return project


def kept(project: Project, *words: str) -> subprocess.CompletedProcess[str]:
    """What the command prints."""
    return subprocess.run(
        [sys.executable, "-m", "cord", "kept", *words],
        cwd=project.folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_table_and_the_list(project: Project) -> None:
    """By function, and one by one."""
    project.same()
    table = kept(project).stdout.splitlines()
    assert table[0].split()[:3] == ["function", "kept", "bytes"]
    assert [line.split()[:2] for line in table[1:]] == [["work.f", "4"], ["work.g", "4"]]
    rows = json.loads(kept(project, "--json").stdout)["functions"]
    assert rows["work.f"]["entries"] == 4
    assert rows["work.f"]["hits"] >= 4
    found = json.loads(kept(project, "list", "g", "--json").stdout)
    assert [one["read"] for one in found] == [[str(project.folder / "x")]] * 4
    shown = kept(project, "show", found[0]["key"]).stdout
    assert shown.startswith("work.g, kept ")
    assert shown.endswith(f"It has read {project.folder / 'x'}.\n'text'\n")


def test_why(project: Project) -> None:
    """What has changed is named."""
    project.same()
    assert "4 calls answered" in kept(project, "why", "work.f").stdout
    project.edit("work.py", "K = 1", "K = 2")
    project.write("x", "other")
    project.same()
    assert "made again: work.K has changed" in kept(project, "why", "work.f").stdout
    assert "made again: work.K has changed" in kept(project, "why", "work.py:5").stdout
    assert f"{project.folder / 'x'} has changed" in kept(project, "why", "g").stdout
    project.same(MINE="1")
    assert "variable MINE is new" in kept(project, "why", "f").stdout


def test_what_is_cleared_is_made_again(project: Project) -> None:
    """Of one function, or all."""
    assert kept(project, "clear", "work.g").stdout == "Forgot 4 calls.\n"
    told = project.same()
    assert told["work.f"][1] == 0
    assert told["work.g"][1] >= 4
    assert kept(project, "clear").stdout == "Forgot 8 calls.\n"
    assert project.same()["work.f"][1] >= 4


def test_nothing_is_kept_yet(tmp_path: Path) -> None:
    """That is no error."""
    project = Project(tmp_path, FILES)
    assert kept(project).stdout.startswith("Nothing is kept in ")
    assert kept(project, "clear").stdout == "Forgot 0 calls.\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("lst",), 'did you mean "list"?'),
        (("work.f",), "work.f is nothing that cord kept does"),
        (("why",), "cord kept why needs a function, or a line of it"),
        (("show",), "cord kept show needs a key"),
        (("export",), "cord kept export needs a name for the file"),
        (("show", "zz"), "no kept call has a key that begins with zz"),
        (("show", "work.f"), "no kept call has a key"),
        (("list", "other"), "there are calls of work.f and work.g"),
        (("list", "wrok.f"), 'did you mean "work.f"?'),
        (("clear", "ff"), "nothing is kept of ff"),
        (("why", "other"), "there are calls of work.f and work.g"),
        (("why", "work.py:1"), "line 1 of work.py is in no function"),
        (("why", "main.py:3"), "or the function: cord kept why work.f"),
        (("why", "work.py:x"), "work.py:x is not FILE:LINE: x is no number"),
        (("why", "wrk.py:1"), "did you mean work.py?"),
        (("why", "x:1"), "x is not Python"),
        (("export", "no/such", "f"), "no/such cannot be used: No such file or directory\n"),
        (("import", "none.kept"), "none.kept cannot be used: No such file or directory\n"),
        (("list", "f", "g"), "g stands after f, where cord kept list takes nothing"),
        (("list", "f", "g", "h"), "h stands after ACTION NAME FUNCTION, where cord kept"),
        (("-c", "none.toml"), "the plan none.toml cannot be read: No such file"),
        (("-c", "main.py"), "main.py:1:8: not TOML"),
        (("--set", "run.kpt=x"), 'did you mean "kept"?'),
        (("--set", "run.kept=x"), "x is not a folder, so no calls are kept in it"),
        (("--variant", "wide"), 'cord.toml has no variant "wide"'),
    ],
)
def test_bad_input(project: Project, words: tuple[str, ...], said: str) -> None:
    """Each is told in a sentence, with a hint."""
    project.write("x", "no python either")
    run = kept(project, *words)
    assert run.returncode == 2
    assert said in run.stderr
    assert "\n\nhint: " in run.stderr or "not TOML" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_folder_without_a_plan(project: Project) -> None:
    """The one above it is named; what a session without a file has kept is found."""
    inner = project.folder / "inner"
    inner.mkdir()
    words = [sys.executable, "-m", "cord", "kept"]
    run = subprocess.run(words, cwd=inner, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "hint: name the one above it: -c ../cord.toml" in run.stderr
    (project.folder / "cord.toml").unlink()
    assert kept(project).stdout.startswith("function")


def test_another_folder_by_a_setting(project: Project) -> None:
    """As a run with that setting has kept there; a variant may name it, too."""
    words = [sys.executable, "-m", "cord", "run", "--set", "run.kept=other", "main.py"]
    subprocess.run(words, cwd=project.folder, capture_output=True, check=True)
    for said in (["--set", "run.kept=other"], ["--variant", "wide"]):
        assert kept(project, *said, "clear", "f").stdout == "Forgot 4 calls.\n"
        project.write("cord.toml", f"{PLAN}\n[variants.wide.run]\nkept = 'other'\n")
        subprocess.run(words, cwd=project.folder, capture_output=True, check=True)
    assert kept(project, "clear", "f").stdout == "Forgot 4 calls.\n"


def test_what_is_damaged_is_said_in_a_line(project: Project) -> None:
    """By the run, which makes the calls again; by what shows them."""
    folder = project.folder / ".cord" / "kept"
    (log,) = folder.glob("*.log")
    content = bytearray(log.read_bytes())
    content[-3] ^= 0xFF
    log.write_bytes(content)
    run = project.cord()
    said = "cord: made again: 1 call of work.{}, for what is in the store is damaged\n"
    assert run.stderr in (said.format("f"), said.format("g"))  # whichever was written last
    for path in [*folder.glob("*.log"), *folder.glob("*.calls")]:
        path.write_bytes(b"cordkep9" + path.read_bytes()[8:])
    (folder / "notes.jsonl").write_bytes(b"\xff\xfe\n")
    said = f"files are damaged, or of another version of Cord, in {folder}\n"
    assert said in kept(project).stderr
    run = project.cord()
    assert run.stderr.startswith("cord: not all that is kept was used: ")
    assert said in run.stderr


def test_who_reads_no_more_of_a_list(project: Project) -> None:
    """It is not taken for a folder that cannot be read."""
    command = f"{sys.executable} -m cord kept list | true; echo ${{PIPESTATUS[0]}}"
    for _ in range(3):
        run = subprocess.run(
            ["bash", "-c", command],
            cwd=project.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.stdout in ("141\n", "0\n")
        assert run.stderr == ""


def test_stats_have_a_line(project: Project) -> None:
    """For each function."""
    words = [sys.executable, "-m", "cord", "run", "--stats", "main.py"]
    run = subprocess.run(words, cwd=project.folder, capture_output=True, text=True, check=False)
    assert "Kept of work.f: " in run.stderr
    assert "answered by an earlier one, which had taken" in run.stderr


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ("[remote.work]\nkeep = true\n", "keep is true, but no function of work is declared pure"),
        ("[remote.work]\npure = true\nkeep = 'some'\n", 'allowed: true, false or "all"'),
        ("[remote.work]\nscratch = true\nkeep = true\n", "as scratch says, is not kept"),
        (PLAN + "kept = 5\n", "allowed: a path"),
        (PLAN.replace("keep = true", "keep = true\nttl = '30y'"), 'allowed: a time from "1s"'),
        (PLAN.replace("keep = true", "keep = true\nttl = 0.5"), 'allowed: a time from "1s"'),
        (PLAN + "kept_bytes = 'much'\n", "allowed: a size"),
    ],
)
def test_wrong_plans(tmp_path: Path, plan: str, said: str) -> None:
    """What cannot be kept is refused."""
    project = Project(tmp_path, {**FILES, "cord.toml": plan})
    run = project.cord()
    assert run.returncode == 2
    assert said in run.stderr


def test_outcomes_are_carried_to_another_store(project: Project, tmp_path: Path) -> None:
    """In a file that is not written over; what is there already is not added."""
    assert kept(project, "export", "f.kept", "f").stdout == "Wrote 4 calls.\n"
    assert kept(project, "export", "all.kept").stdout == "Wrote 8 calls.\n"
    assert "is there already" in kept(project, "export", "all.kept").stderr
    assert "nothing is kept of h in " in kept(project, "export", "h.kept", "h").stderr
    assert kept(project, "clear").stdout == "Forgot 8 calls.\n"
    assert kept(project, "import", "f.kept").stdout == "Added 4 calls.\n"
    assert kept(project, "import", "all.kept").stdout == "Added 4 calls.\n"
    assert kept(project, "import", "all.kept").stdout == "Added 0 calls.\n"
    assert all(more == 0 for _, more in project.same().values())


def test_only_files_of_ones_own_are_imported(project: Project) -> None:
    """To read a value is to run what its writer wants."""
    kept(project, "export", "all.kept")
    path = project.folder / "all.kept"
    path.chmod(0o666)
    assert "nobody else may write to it" in kept(project, "import", "all.kept").stderr
    path.chmod(0o600)
    path.write_bytes(b"something else")
    assert "was not written by cord kept export" in kept(project, "import", "all.kept").stderr
    assert "cannot be used" in kept(project, "import", "none.kept").stderr


def test_the_report_says_how_many_calls_of_a_line_were_kept_ones(project: Project) -> None:
    """Beside what it says of them otherwise; the table of the run has a column."""
    words = [sys.executable, "-m", "cord", "run", "--trace", "t", "--stats", "main.py"]
    run = subprocess.run(words, cwd=project.folder, capture_output=True, text=True, check=False)
    heads = next(line.split() for line in run.stderr.splitlines() if " waited " in line)
    assert heads[heads.index("vain") + 1] == "kept"
    words = [sys.executable, "-m", "cord", "report", "t"]
    told = subprocess.run(words, cwd=project.folder, capture_output=True, text=True, check=False)
    assert told.returncode == 0
    assert "answered by what was kept of others." in told.stdout
