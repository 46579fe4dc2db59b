"""`cord` as a script of its own, which Python does not look for modules beside the program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = "import sys\nfrom cord.__main__ import main\nsys.exit(main())\n"
FILES = {
    "main.py": "import work\nprint([work.f(x) for x in range(4)])\n",
    "work.py": "def f(x):\n    return x + 1\n",
    "cord.toml": "[remote.work]\nreplicas = 2\npure = true\n",
    # what the processes of replicas need of the library, and the program does not
    **{f"{name}.py": "raise SystemExit('imported')\n" for name in ("fcntl", "select", "_pickle")},
}


def test_modules_named_as_those_of_the_library_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    script = tmp_path / "bin" / "cord"
    script.write_text(SCRIPT)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    ran = subprocess.run(
        [sys.executable, script, "run", "main.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ran.stdout, ran.stderr, ran.returncode) == ("[1, 2, 3, 4]\n", "", 0)


def test_an_option_behind_the_program_that_it_knows_nothing_of(project) -> None:
    made = project({"main.py": "import sys\nprint(sys.argv[1:])\n"})
    done = made.run("main.py", "--stats")
    assert (done.returncode, done.stdout) == (0, "['--stats']\n")
    assert done.stderr == (
        "cord: --stats stands behind main.py, so it is the program's own\n\n"
        "hint: cord run --stats main.py\n"
    )
    made.write({"other.py": "options = ['--stats']\n"})
    assert made.run("main.py", "--stats").stderr == ""
    assert made.run("main.py", "--limit").stderr == ""
